"""Rate limits by address, as token buckets; the bucket of a quiet address is dropped."""

import asyncio
import ipaddress
import math

from sixfold.server.token_bucket import TokenBucket

FORGET_SECONDS = 30.0


def address_key(host: str | None) -> str:
    """The key under which an address is limited: for IPv6 its /64 prefix, which belongs to one household."""
    try:
        address = ipaddress.ip_address((host or "").partition("%")[0])
    except ValueError:
        return (host or "")[:64]
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


class Buckets:
    """A token bucket for each key, with a refill rate and a capacity. A rate of 0 means no limit."""

    def __init__(self, a_second: float, at_once: float) -> None:
        self.a_second, self.at_once = a_second, at_once
        self._buckets: dict[str, TokenBucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str) -> bool:
        """Take a token; returns False if there is none."""
        if not self.a_second:
            return True
        if key not in self._buckets:
            self._buckets[key] = TokenBucket(self.a_second, self.at_once / self.a_second)
        return self._buckets[key].allows()

    def seconds_until_next(self, key: str) -> int:
        bucket = self._buckets.get(key)
        return max(1, 0 if bucket is None else math.ceil((1 - bucket.refill()) / self.a_second))

    def forget(self) -> None:
        """Drop the buckets that are full again."""
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if bucket.refill() < bucket.most}


class Limits:
    """All rate limits of a node that apply by address."""

    def __init__(self, requests_a_minute: int, messages_a_second: float, tables_an_hour: int) -> None:
        limited = requests_a_minute > 0
        self.requests = Buckets(requests_a_minute / 60, requests_a_minute)
        # Ten people behind one address, each at full speed.
        self.messages = Buckets(10 * messages_a_second * limited, 40 * messages_a_second)
        # Twice a guest's limit, but not all at once.
        self.tables = Buckets(2 * tables_an_hour / 3600 * limited, max(10, tables_an_hour // 3))

    async def forget_forever(self) -> None:
        while True:
            await asyncio.sleep(FORGET_SECONDS)
            for buckets in (self.requests, self.messages, self.tables):
                buckets.forget()

"""Rate limits by address, as token buckets; the bucket of a quiet address is dropped."""

import asyncio
import ipaddress
import math
import time

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
        self._left: dict[str, tuple[float, float]] = {}  # tokens left, and when that was

    def __len__(self) -> int:
        return len(self._left)

    def take(self, key: str) -> bool:
        """Take a token; returns False if there is none."""
        if not self.a_second:
            return True
        at = time.monotonic()
        left = self._now(key, at)
        self._left[key] = (left - (left >= 1), at)
        return left >= 1

    def seconds_until_next(self, key: str) -> int:
        return max(1, math.ceil((1 - self._now(key, time.monotonic())) / self.a_second))

    def _now(self, key: str, at: float) -> float:
        left, then = self._left.get(key, (self.at_once, at))
        return min(self.at_once, left + (at - then) * self.a_second)

    def forget(self) -> None:
        """Drop the buckets that are full again."""
        at = time.monotonic()
        for key in [key for key in self._left if self._now(key, at) >= self.at_once]:
            del self._left[key]


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

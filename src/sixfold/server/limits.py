"""How much one address may ask for. What is not used fills up again, and an address that is quiet is forgotten."""

import asyncio
import ipaddress
import math
import time

FORGET_SECONDS = 30.0


def address_key(host: str | None) -> str:
    """Whom an address stands for: of IPv6 the first half, since a household has the other half for itself."""
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
    """A token bucket for each key: so many a second in the long run, and so many at once. 0 a second: no limit."""

    def __init__(self, a_second: float, at_once: float) -> None:
        self.a_second, self.at_once = a_second, at_once
        self._left: dict[str, tuple[float, float]] = {}  # what was left, and when

    def __len__(self) -> int:
        return len(self._left)

    def take(self, key: str) -> bool:
        """Take one, if there is one."""
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
        """Whoever has all of it again is as good as new."""
        at = time.monotonic()
        for key in [key for key in self._left if self._now(key, at) >= self.at_once]:
            del self._left[key]


class Limits:
    """All limits of a node that go by address."""

    def __init__(self, requests_a_minute: int, messages_a_second: float, tables_an_hour: int) -> None:
        limited = requests_a_minute > 0
        self.requests = Buckets(requests_a_minute / 60, requests_a_minute)
        # As many as ten people say who are all as quick as one may be.
        self.messages = Buckets(10 * messages_a_second * limited, 40 * messages_a_second)
        # As many as two guests may make, but not all of them at once.
        self.tables = Buckets(2 * tables_an_hour / 3600 * limited, max(10, tables_an_hour // 3))

    async def forget_forever(self) -> None:
        while True:
            await asyncio.sleep(FORGET_SECONDS)
            for buckets in (self.requests, self.messages, self.tables):
                buckets.forget()

"""A token bucket that limits the messages of one connection."""

import time


class TokenBucket:
    """A token bucket with a rate per second and a burst of some seconds' worth. A rate of 0 means no limit."""

    def __init__(self, a_second: float, burst_seconds: float = 2) -> None:
        self.a_second = a_second
        self.most = burst_seconds * a_second
        self.left = self.most
        self.at = time.monotonic()
        self.refused = 0

    def allows(self) -> bool:
        if not self.a_second:
            return True
        at = time.monotonic()
        self.left = min(self.most, self.left + (at - self.at) * self.a_second)
        self.at = at
        if self.left < 1:
            self.refused += 1
            return False
        self.left -= 1
        return True

    @property
    def is_flooding(self) -> bool:
        return self.refused > 20 * self.a_second

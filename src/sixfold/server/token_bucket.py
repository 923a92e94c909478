"""A token bucket, the form of every rate limit."""

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
        if self.refill() < 1:
            self.refused += 1
            return False
        self.left -= 1
        return True

    def refill(self) -> float:
        """Add the tokens of the time that has passed; returns how many there are."""
        at = time.monotonic()
        self.left = min(self.most, self.left + (at - self.at) * self.a_second)
        self.at = at
        return self.left

    @property
    def is_flooding(self) -> bool:
        return self.refused > 20 * self.a_second

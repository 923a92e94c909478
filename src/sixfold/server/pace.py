"""How quickly one connection may say something."""

import time


class Pace:
    """So many messages a second; in a burst as many as in some seconds. 0 a second: no limit."""

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
    def hopeless(self) -> bool:
        return self.refused > 20 * self.a_second

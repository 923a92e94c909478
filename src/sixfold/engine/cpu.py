"""The CPU driver: runs compiled functions over ranges of a batch on several cores."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np


class Cores:
    """Threads for the ranges of a batch; compiled functions run in parallel because they release the GIL.

    Each core gets one range, or more if they take different times.
    """

    def __init__(self, cores: int, ranges_per_core: int = 1) -> None:
        self._ranges = 1 if cores == 1 else cores * ranges_per_core
        self._pool = ThreadPoolExecutor(cores)

    def run(self, number: int, work: Callable[[int, int], None]) -> None:
        """Call ``work(start, stop)`` for ranges that together cover ``number`` items."""
        ranges = min(number, self._ranges)
        if ranges == 1:
            work(0, number)
            return
        edges = np.linspace(0, number, ranges + 1, dtype=int).tolist()
        list(self._pool.map(work, edges[:-1], edges[1:]))

"""Solving on the cores of this machine."""

from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

import numpy as np

from sixfold.solve.book import Book
from sixfold.solve.equation import Side, room, solve_pairs
from sixfold.system import all_cores

SHARE = 500


class Cpu:
    """All cores, each with pairs of its own; pairs of one level do not need each other."""

    def __init__(self, book: Book, values: np.ndarray) -> None:
        self.book = book
        self.values = values
        self._rooms: SimpleQueue[tuple[Side, Side]] = SimpleQueue()
        for _ in range(all_cores()):
            self._rooms.put((self._room(), self._room()))
        self._pool = ThreadPoolExecutor(all_cores())

    def _room(self) -> Side:
        return room(self.book.turns, len(self.book.numbering.rolls))

    def solve(self, mine: np.ndarray, theirs: np.ndarray) -> None:
        """Solve pairs of one level."""

        def share(begin: int) -> None:
            one, two = self._rooms.get()
            some = slice(begin, begin + SHARE)
            solve_pairs(self.book.numbering, self.book.turns, self.values, mine[some], theirs[some], one, two)
            self._rooms.put((one, two))

        list(self._pool.map(share, range(0, len(mine), SHARE)))

    def fetch(self) -> None:
        """Bring the values home: they are."""

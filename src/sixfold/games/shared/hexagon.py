"""Hexagonal boards of any size: cells with names, neighbours, pairs of adjacent cells, and sets of pairs as bits."""

from functools import cached_property
from string import ascii_lowercase

import numpy as np

from sixfold.games.shared.bits import WORD
from sixfold.games.shared.compiling import compiled

# Clockwise from the right; direction d + 3 runs back.
RIGHT, BELOW_RIGHT, BELOW_LEFT, LEFT, ABOVE_LEFT, ABOVE_RIGHT = range(6)


@compiled
def opposite(direction: int) -> int:
    return direction + 3 if direction < 3 else direction - 3


class Hexagon:
    """A board with ``side`` cells to a side. Beyond its edge lies one more cell, number ``off``."""

    def __init__(self, side: int) -> None:
        self.side = side
        longest = 2 * side - 1
        self.lengths = [longest - abs(row - side + 1) for row in range(longest)]
        self.rows = ascii_lowercase[:longest]
        lengths = zip(self.rows, self.lengths, strict=True)
        self.cells = [f"{row}{number + 1}" for row, length in lengths for number in range(length)]
        self.index = {name: cell for cell, name in enumerate(self.cells)}
        self.off = len(self.cells)

    @cached_property
    def neighbour(self) -> np.ndarray:
        """The next cell in each direction."""
        table = np.full((self.off + 1, 6), self.off, dtype=np.min_scalar_type(self.off))
        for row, length in enumerate(self.lengths):
            for number in range(length):
                self._link(table, (row, number), RIGHT, (row, number + 1))
                for direction in (BELOW_LEFT, BELOW_RIGHT):
                    self._link(table, (row, number), direction, self._below(row, number, direction))
        return table

    def _below(self, row: int, number: int, direction: int) -> tuple[int, int]:
        """The cell below: n and n+1 while the next row is longer, n-1 and n once it is shorter."""
        return row + 1, number + (direction == BELOW_RIGHT) - (row + 1 >= self.side)

    def _link(self, table: np.ndarray, here: tuple[int, int], direction: int, there: tuple[int, int]) -> None:
        row, number = there
        if row < len(self.rows) and 0 <= number < self.lengths[row]:
            one, other = (self.index[f"{self.rows[at[0]]}{at[1] + 1}"] for at in (here, there))
            table[one, direction] = other
            table[other, (direction + 3) % 6] = one

    @cached_property
    def corners(self) -> list[int]:
        """The six corners, clockwise from the top left."""
        first, middle, last = 0, self.side - 1, len(self.rows) - 1
        at = ((first, 1), (first, self.side), (middle, last + 1), (last, self.side), (last, 1), (middle, 1))
        return [self.index[f"{self.rows[row]}{number}"] for row, number in at]

    @cached_property
    def pairs(self) -> list[tuple[int, int, int]]:
        """Every pair of adjacent cells once, in board order, with the direction from its first cell to its second."""
        return [
            (cell, int(self.neighbour[cell, direction]), direction)
            for cell in range(self.off)
            for direction in (RIGHT, BELOW_LEFT, BELOW_RIGHT)
            if self.neighbour[cell, direction] != self.off
        ]

    def pairs_with(self, cells: set[int]) -> set[int]:
        """The pairs that have one of these cells."""
        return {pair for pair, (first, second, _) in enumerate(self.pairs) if first in cells or second in cells}

    def words(self, pairs: set[int]) -> np.ndarray:
        """A set of pairs as bits."""
        words = np.zeros(-(-len(self.pairs) // WORD), dtype=np.uint64)
        for pair in pairs:
            words[pair // WORD] |= np.uint64(1 << (pair % WORD))
        return words

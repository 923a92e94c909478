"""Hexagonal boards of any size: named cells, neighbours, pairs of adjacent cells, and bit sets of pairs."""

from functools import cached_property
from string import ascii_lowercase

import numpy as np

from sixfold.games.shared.bits import WORD
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import NONE

# Clockwise from the right; direction d + 3 is opposite to d.
RIGHT, BELOW_RIGHT, BELOW_LEFT, LEFT, ABOVE_LEFT, ABOVE_RIGHT = range(6)


@compiled
def opposite(direction: int) -> int:
    return direction + 3 if direction < 3 else direction - 3


class Hexagon:
    """A board with ``side`` cells to a side. The sentinel cell ``off`` stands for everything beyond the edge."""

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
        """The neighbour of each cell in each direction."""
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
            cell, neighbour_cell = (self.index[f"{self.rows[at[0]]}{at[1] + 1}"] for at in (here, there))
            table[cell, direction] = neighbour_cell
            table[neighbour_cell, (direction + 3) % 6] = cell

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

    @cached_property
    def pair_index(self) -> dict[tuple[int, int], int]:
        """The pair of two cells, in the order of ``pairs``."""
        return {(first, second): pair for pair, (first, second, _) in enumerate(self.pairs)}

    @cached_property
    def pair_towards(self) -> tuple[np.ndarray, np.ndarray]:
        """The pair that a cell forms with its neighbour in a direction, or NONE, and whether it is the first of it."""
        pairs = np.full((self.off, 6), NONE, dtype=np.int16)
        is_first = np.zeros((self.off, 6), dtype=np.int8)
        for pair, (first, second, direction) in enumerate(self.pairs):
            pairs[first, direction] = pairs[second, opposite(direction)] = pair
            is_first[first, direction] = 1
        return pairs, is_first

    @cached_property
    def blocks(self) -> np.ndarray:
        """For each cell the pairs that are no longer free once it is occupied, as bit sets."""
        return np.array([self.words(self.pairs_with({cell})) for cell in range(self.off)])

    def around(self, cell: int) -> set[int]:
        """The neighbours of a cell."""
        return set(self.neighbour[cell].tolist()) - {self.off}

    def pairs_with(self, cells: set[int]) -> set[int]:
        """The pairs that contain one of these cells."""
        return {pair for pair, (first, second, _) in enumerate(self.pairs) if first in cells or second in cells}

    def words(self, pairs: set[int]) -> np.ndarray:
        """A set of pairs as a bit set."""
        words = np.zeros(-(-len(self.pairs) // WORD), dtype=np.uint64)
        for pair in pairs:
            words[pair // WORD] |= np.uint64(1 << (pair % WORD))
        return words

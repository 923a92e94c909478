"""T1: the hexagonal board of the travel edition: 91 cells, 240 pairs of adjacent cells, six printed corners."""

import numpy as np

from sixfold.games.shared.symbols import NONE

ROWS = "abcdefghijk"
LENGTHS = (6, 7, 8, 9, 10, 11, 10, 9, 8, 7, 6)
CELLS = [f"{row}{number + 1}" for row, length in zip(ROWS, LENGTHS, strict=True) for number in range(length)]
CELL_INDEX = {name: index for index, name in enumerate(CELLS)}

# Beyond the edge lies one more cell, which stays empty.
OFF_BOARD = len(CELLS)
EMPTY = NONE
# Clockwise from the right; direction d + 3 runs back.
RIGHT, BELOW_RIGHT, BELOW_LEFT, LEFT, ABOVE_LEFT, ABOVE_RIGHT = range(6)


def _below(row: int, number: int, direction: int) -> tuple[int, int]:
    """The cell below: n and n+1 while the next row is longer, n-1 and n once it is shorter."""
    wider = row + 1 < len(LENGTHS) and LENGTHS[row + 1] > LENGTHS[row]
    return row + 1, number + (direction == BELOW_RIGHT) - (not wider)


def _neighbours() -> np.ndarray:
    table = np.full((92, 6), OFF_BOARD, dtype=np.uint8)

    def link(cell: int, direction: int, row: int, number: int) -> None:
        if 0 <= row < len(LENGTHS) and 0 <= number < LENGTHS[row]:
            other = CELL_INDEX[f"{ROWS[row]}{number + 1}"]
            table[cell, direction] = other
            table[other, (direction + 3) % 6] = cell

    for cell, name in enumerate(CELLS):
        row, number = ROWS.index(name[0]), int(name[1:]) - 1
        link(cell, RIGHT, row, number + 1)
        for direction in (BELOW_LEFT, BELOW_RIGHT):
            link(cell, direction, *_below(row, number, direction))
    return table


NEIGHBOUR = _neighbours()
# The printed corners in the order of their symbols R G B O Y P, clockwise from the top left.
CORNERS = np.array([CELL_INDEX[name] for name in ("a1", "a6", "f11", "k6", "k1", "f1")], dtype=np.int8)

# Every pair of adjacent cells once, in board order, with the direction from its first cell to its second.
_PAIRS = [
    (cell, int(NEIGHBOUR[cell, direction]), direction)
    for cell in range(91)
    for direction in (RIGHT, BELOW_LEFT, BELOW_RIGHT)
    if NEIGHBOUR[cell, direction] != OFF_BOARD
]
PAIRS = np.array([pair[:2] for pair in _PAIRS], dtype=np.uint8)
DIRECTION = np.array([pair[2] for pair in _PAIRS])
PAIR_INDEX = {(first, second): index for index, (first, second, _) in enumerate(_PAIRS)}


def _words(pairs: set[int]) -> np.ndarray:
    """A set of pairs as four words of 64 bits."""
    words = np.zeros(4, dtype=np.uint64)
    for pair in pairs:
        words[pair // 64] |= np.uint64(1 << (pair % 64))
    return words


def _pairs_with(cells: set[int]) -> set[int]:
    return {index for index, (first, second, _) in enumerate(_PAIRS) if first in cells or second in cells}


# The pairs that something on a cell takes away, and those that a tile on a pair leaves.
BLOCKS = np.array([_words(_pairs_with({cell})) for cell in range(91)])
LEAVES = ~(BLOCKS[PAIRS[:, 0]] | BLOCKS[PAIRS[:, 1]])
_FREE = set(range(240)) - _pairs_with({int(corner) for corner in CORNERS})
FREE_AT_START = _words(_FREE)
# T6: the pairs that touch each corner, and the corner that each pair touches.
_TOUCHING = [_pairs_with({int(cell) for cell in NEIGHBOUR[corner] if cell != OFF_BOARD}) & _FREE for corner in CORNERS]
TOUCHES = np.array([_words(pairs) for pairs in _TOUCHING])
CORNER_OF = np.array([next((c for c in range(6) if pair in _TOUCHING[c]), NONE) for pair in range(240)], dtype=np.int8)

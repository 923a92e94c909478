"""T1: the board of the travel edition: a hexagon with six cells to a side, and six printed corners."""

import numpy as np

from sixfold.games.shared.hexagon import Hexagon
from sixfold.games.shared.symbols import NONE

BOARD = Hexagon(6)

CELLS = BOARD.cells
CELL_INDEX = BOARD.index
ROWS, LENGTHS = BOARD.rows, BOARD.lengths
# A sentinel cell for everything beyond the edge; it stays empty.
OFF_BOARD = BOARD.off
EMPTY = NONE
NEIGHBOUR = BOARD.neighbour
# The printed corners in the order of their symbols R G B O Y P, clockwise from the top left.
CORNERS = np.array(BOARD.corners)

PAIRS = np.array([pair[:2] for pair in BOARD.pairs], dtype=NEIGHBOUR.dtype)
DIRECTION = np.array([pair[2] for pair in BOARD.pairs])
PAIR_INDEX = BOARD.pair_index
PAIR_OF, IS_FIRST = BOARD.pair_towards

# Bit sets of pairs: those blocked by an occupied cell, those left free by a tile on a pair, those free at the start.
BLOCKS = BOARD.blocks
LEAVES = ~(BLOCKS[PAIRS[:, 0]] | BLOCKS[PAIRS[:, 1]])
_FREE = set(range(len(PAIRS))) - BOARD.pairs_with(set(BOARD.corners))
FREE_AT_START = BOARD.words(_FREE)
WORDS = len(FREE_AT_START)
# T6: the pairs that touch each corner, and the corner that each pair touches.
_TOUCHING = [BOARD.pairs_with(BOARD.around(corner)) & _FREE for corner in BOARD.corners]
TOUCHES = np.array([BOARD.words(pairs) for pairs in _TOUCHING])
CORNER_OF = np.array(
    [next((corner for corner in range(6) if pair in _TOUCHING[corner]), NONE) for pair in range(len(PAIRS))],
    dtype=np.int8,
)
# An upper bound for the number of placed tiles.
MAX_PLACED = (len(CELLS) - len(CORNERS)) // 2

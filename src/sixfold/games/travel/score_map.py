"""The score map of the travel board: the points of every symbol on every cell, updated incrementally move by move."""

import numpy as np

from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.hexagon import opposite
from sixfold.games.shared.symbols import NONE
from sixfold.games.travel import rules
from sixfold.games.travel.board import CELLS, EMPTY, NEIGHBOUR, OFF_BOARD, PAIRS
from sixfold.games.travel.moves import KEEP, pair_of
from sixfold.games.travel.rules import line

# The points of every symbol on every free cell, or TAKEN where no tile can go any more and beyond the edge. The last
# column has the cell where the symbol scores most, or NONE if that has to be recomputed. TAKEN is so low that adding
# points to it is harmless, which saves a check.
BEST = OFF_BOARD + 1
BOARD_FEATURES_SHAPE = (6, BEST + 1)
TAKEN = -100
# Random orders of the cells for breaking ties, and the cell at each rank.
ORDERS = np.array([np.random.default_rng(number).permutation(len(CELLS)) for number in range(16)], dtype=np.int16)
CELL_AT = np.argsort(ORDERS, axis=1)
# A power of two above every rank, to pack points and rank into one 16-bit number.
RANKS = 1 << len(CELLS).bit_length()


@compiled
def compute_board_features(state: np.record, board_features: np.ndarray) -> None:
    """Compute the points of every symbol on every cell."""
    bury(board_features, OFF_BOARD)
    for symbol in range(6):
        board_features[symbol, BEST] = NONE
    for cell in range(OFF_BOARD):
        for symbol in range(6):
            board_features[symbol, cell] = 0
        if state.board[cell] != EMPTY or not alive(state, cell):
            bury(board_features, cell)
            continue
        for direction in range(6):
            step = NEIGHBOUR[cell, direction]
            symbol = state.board[step]
            if symbol != EMPTY:
                board_features[symbol, cell] += line(state, cell, direction, symbol)


@compiled
def copy_board_features(board_features: np.ndarray, copied: np.ndarray) -> None:
    """Copy a score map."""
    for symbol in range(6):
        for cell in range(BEST + 1):
            copied[symbol, cell] = board_features[symbol, cell]


@compiled
def alive(state: np.record, cell: int) -> bool:
    """T7: whether a tile can still cover this free cell."""
    for direction in range(6):
        step = NEIGHBOUR[cell, direction]
        if step != OFF_BOARD and state.board[step] == EMPTY:
            return True
    return False


@compiled
def bury(board_features: np.ndarray, cell: int) -> None:
    """Mark a cell as unusable."""
    for symbol in range(6):
        board_features[symbol, cell] = TAKEN
        if board_features[symbol, BEST] == cell:
            board_features[symbol, BEST] = NONE


@compiled
def cover(state: np.record, board_features: np.ndarray, cell: int, symbol: int) -> None:
    """Update the map for a symbol placed on a cell: the free cells at the ends of its lines score more."""
    bury(board_features, cell)
    for direction in range(6):
        step = NEIGHBOUR[cell, direction]
        while state.board[step] == symbol:
            step = NEIGHBOUR[step, direction]
        points = int(board_features[symbol, step]) + 1 + line(state, cell, opposite(direction), symbol)
        board_features[symbol, step] = points
        best = board_features[symbol, BEST]
        if best != NONE and points > board_features[symbol, best]:
            board_features[symbol, BEST] = step
    board_features[symbol, OFF_BOARD] = TAKEN


@compiled
def act(state: np.record, board_features: np.ndarray, move: int) -> None:
    """Apply a move and update the points; cells that become unusable are marked later."""
    rules.act(state, move)
    if move >= KEEP:
        return
    here = PAIRS[pair_of(move), 0]
    there = PAIRS[pair_of(move), 1]
    # One half at a time: with both halves of a double on the board, lines would be counted twice.
    second = state.board[there]
    state.board[there] = EMPTY
    cover(state, board_features, here, state.board[here])
    state.board[there] = second
    cover(state, board_features, there, second)


@compiled
def bury_around(state: np.record, board_features: np.ndarray, cell: int) -> None:
    """T7: mark the free cells next to a new tile that have no free neighbour left."""
    for direction in range(6):
        step = NEIGHBOUR[cell, direction]
        if step != OFF_BOARD and state.board[step] == EMPTY and not alive(state, step):
            bury(board_features, step)


@compiled
def best_cell(board_features: np.ndarray, symbol: int, order: int) -> int:
    """The cell where a symbol scores most; if unknown, it is searched, with ties broken by a random order."""
    if board_features[symbol, BEST] == NONE:
        row = board_features[symbol]
        ranks = ORDERS[order]
        # 16-bit numbers, so that the loop is vectorised.
        best = np.int16(-1000)
        for cell in range(OFF_BOARD):
            best = max(best, np.int16(int(row[cell]) * RANKS + ranks[cell]))
        board_features[symbol, BEST] = CELL_AT[order, best & (RANKS - 1)]
    return int(board_features[symbol, BEST])

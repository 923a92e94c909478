"""The spots of the travel board: what every symbol would score on every cell, kept up to date move by move."""

import numpy as np

from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.hexagon import opposite
from sixfold.games.shared.symbols import NONE
from sixfold.games.travel import rules
from sixfold.games.travel.board import CELLS, DIRECTION, EMPTY, NEIGHBOUR, OFF_BOARD, PAIR_INDEX, PAIRS
from sixfold.games.travel.moves import KEEP, pair_of
from sixfold.games.travel.rules import line

# The points of every symbol on every free cell, TAKEN where no tile can go any more and beyond the edge; and, in the
# last column, the cell where the symbol scores most, or NONE where that has to be looked for again. TAKEN is so low
# that a few points on top do not matter, and nobody has to ask first.
BEST = OFF_BOARD + 1
SIGHT = (6, BEST + 1)
TAKEN = -100
# Some orders of the cells, to choose among equals; and the cell with each rank.
ORDERS = np.array([np.random.default_rng(number).permutation(len(CELLS)) for number in range(16)], dtype=np.int16)
CELL_AT = np.argsort(ORDERS, axis=1)
# Points and rank in one short number: a power of two above every rank.
RANKS = 1 << len(CELLS).bit_length()


def _pair_tables() -> tuple[np.ndarray, np.ndarray]:
    """The pair that a cell forms with its neighbour in a direction, and whether the cell is the pair's first."""
    pairs = np.full((len(CELLS), 6), NONE, dtype=np.int16)
    first = np.zeros((len(CELLS), 6), dtype=np.int8)
    for (here, there), pair in PAIR_INDEX.items():
        towards = int(DIRECTION[pair])
        pairs[here, towards] = pairs[there, opposite(towards)] = pair
        first[here, towards] = 1
    return pairs, first


PAIR_OF, IS_FIRST = _pair_tables()


@compiled
def look(state: np.record, sight: np.ndarray) -> None:
    """See what every symbol would score on every cell."""
    bury(sight, OFF_BOARD)
    for symbol in range(6):
        sight[symbol, BEST] = NONE
    for cell in range(OFF_BOARD):
        for symbol in range(6):
            sight[symbol, cell] = 0
        if state.board[cell] != EMPTY or not alive(state, cell):
            bury(sight, cell)
            continue
        for direction in range(6):
            step = NEIGHBOUR[cell, direction]
            symbol = state.board[step]
            if symbol != EMPTY:
                sight[symbol, cell] += line(state, cell, direction, symbol)


@compiled
def copy_sight(sight: np.ndarray, seen: np.ndarray) -> None:
    """Remember what is seen."""
    for symbol in range(6):
        for cell in range(BEST + 1):
            seen[symbol, cell] = sight[symbol, cell]


@compiled
def alive(state: np.record, cell: int) -> bool:
    """T7: can a tile still cover this free cell?"""
    for direction in range(6):
        step = NEIGHBOUR[cell, direction]
        if step != OFF_BOARD and state.board[step] == EMPTY:
            return True
    return False


@compiled
def bury(sight: np.ndarray, cell: int) -> None:
    """Nothing goes on this cell any more."""
    for symbol in range(6):
        sight[symbol, cell] = TAKEN
        if sight[symbol, BEST] == cell:
            sight[symbol, BEST] = NONE


@compiled
def cover(state: np.record, sight: np.ndarray, cell: int, symbol: int) -> None:
    """A symbol came to lie on a cell: the free cells at the ends of its lines score more."""
    bury(sight, cell)
    for direction in range(6):
        step = NEIGHBOUR[cell, direction]
        while state.board[step] == symbol:
            step = NEIGHBOUR[step, direction]
        points = int(sight[symbol, step]) + 1 + line(state, cell, opposite(direction), symbol)
        sight[symbol, step] = points
        best = sight[symbol, BEST]
        if best != NONE and points > sight[symbol, best]:
            sight[symbol, BEST] = step
    sight[symbol, OFF_BOARD] = TAKEN


@compiled
def act(state: np.record, sight: np.ndarray, move: int) -> None:
    """Do a move, and see the points after it; cells that nothing can go on any more are found later."""
    rules.act(state, move)
    if move >= KEEP:
        return
    here = PAIRS[pair_of(move), 0]
    there = PAIRS[pair_of(move), 1]
    # One half after the other: the lines of a double would be counted twice if both lay there.
    second = state.board[there]
    state.board[there] = EMPTY
    cover(state, sight, here, state.board[here])
    state.board[there] = second
    cover(state, sight, there, second)


@compiled
def bury_around(state: np.record, sight: np.ndarray, cell: int) -> None:
    """T7: a free cell next to a new tile may have no free neighbour any more."""
    for direction in range(6):
        step = NEIGHBOUR[cell, direction]
        if step != OFF_BOARD and state.board[step] == EMPTY and not alive(state, step):
            bury(sight, step)


@compiled
def best_cell(sight: np.ndarray, symbol: int, order: int) -> int:
    """The cell where a symbol scores most; looked for, the last in an order among equals, where unknown."""
    if sight[symbol, BEST] == NONE:
        row = sight[symbol]
        ranks = ORDERS[order]
        # The processor compares sixteen short numbers at a time.
        best = np.int16(-1000)
        for cell in range(OFF_BOARD):
            best = max(best, np.int16(int(row[cell]) * RANKS + ranks[cell]))
        sight[symbol, BEST] = CELL_AT[order, best & (RANKS - 1)]
    return int(sight[symbol, BEST])

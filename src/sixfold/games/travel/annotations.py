"""Annotations of positions of the travel edition."""

import numpy as np

from sixfold.games.contract import Reason
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import NONE, RACK, first_of, second_of
from sixfold.games.travel import GOAL, rules
from sixfold.games.travel.board import CELLS as CELLS
from sixfold.games.travel.board import CORNER_OF, CORNERS, EMPTY, NEIGHBOUR, PAIRS, ROWS
from sixfold.games.travel.moves import KEEP, pair_of, way_of
from sixfold.games.travel.tiles import ITEMS, TILE_OF

NO_SWAP, CHOOSE_FIRST, NOT_IN_RACK, TAKEN, TOUCH_CORNER, OTHER_CORNER = range(6)
REASONS = (
    Reason("no_swap", "T16"),
    Reason("choose_first", "T16", (("choices", (", ".join(rules.CHOICES),)),)),
    Reason("not_in_rack", "T5", (("tile", ITEMS),)),
    Reason("taken", "T5", (("cell", CELLS),)),
    Reason("touch_corner", "T6"),
    Reason("other_corner", "T6", (("corner", [CELLS[cell] for cell in CORNERS]),)),
)
NO_ROOM, ALL_18 = range(2)
ENDS = (("no_room", "T18"), ("all_18", "T19"))
# Six lines from each half, none longer than the longest row less the cell itself.
MAX_SCORING = 2 * 6 * (len(ROWS) - 1)


@compiled
def scoring(state: np.record, cell: int, symbol: int, cells: np.ndarray) -> int:
    """T9, T10: the cells that a symbol placed on a cell would score with.

    The line towards the tile's other half needs no exception: that cell is still free, so the line is empty.
    """
    number = 0
    if state.board[cell] != EMPTY:
        return number
    for direction in range(6):
        step = cell
        for _ in range(rules.line(state, cell, direction, symbol)):
            step = NEIGHBOUR[step, direction]
            cells[number] = step
            number += 1
    return number


@compiled
def scored(state: np.record, move: int, cells: np.ndarray) -> int:
    """T9 to T11: the cells that a placement scores with, those of its first half first."""
    if move >= KEEP:
        return 0
    pair, way = pair_of(move), way_of(move)
    number = scoring(state, PAIRS[pair, 0], first_of(way), cells)
    return number + scoring(state, PAIRS[pair, 1], second_of(way), cells[number:])


@compiled
def earned(state: np.record, move: int, result: np.ndarray) -> None:
    """T9 to T11: the points of a placement for each symbol, before the limit of 18."""
    for symbol in range(6):
        result[symbol] = 0
    if move < KEEP:
        pair, way = pair_of(move), way_of(move)
        result[first_of(way)] += rules.points(state, PAIRS[pair, 0], NONE, first_of(way))
        result[second_of(way)] += rules.points(state, PAIRS[pair, 1], NONE, second_of(way))


@compiled
def reach(state: np.record, player: int) -> int:
    """T12: always 18."""
    return GOAL


@compiled
def bonus(state: np.record) -> bool:
    """T13: in a bonus turn the rack is not full, because nothing has been drawn yet."""
    return state.phase == rules.PLACE and state.rack_size[state.turn] < RACK


@compiled
def ended(state: np.record) -> int:
    """T18, T19: why the game is over."""
    return ALL_18 if rules.all_full(state) else NO_ROOM


@compiled
def refusal(state: np.record, move: int, words: np.ndarray) -> int:
    """T5, T6, T16: the reason why a move is not allowed."""
    if move >= KEEP:
        return NO_SWAP
    if state.phase == rules.CHOOSE:
        return CHOOSE_FIRST
    pair, way = pair_of(move), way_of(move)
    tile = TILE_OF[first_of(way), second_of(way)]
    held = False
    for at in range(RACK):
        held = held or state.rack[state.turn, at] == tile
    if not held:
        words[0] = tile
        return NOT_IN_RACK
    for half in range(2):
        if state.board[PAIRS[pair, half]] != EMPTY:
            words[0] = PAIRS[pair, half]
            return TAKEN
    if CORNER_OF[pair] == NONE:
        return TOUCH_CORNER
    words[0] = CORNER_OF[pair]
    return OTHER_CORNER

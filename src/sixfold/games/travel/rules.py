"""The travel edition for two players (docs/rules/travel.md)."""

import numpy as np

from sixfold.games.shared import bits
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.symbols import (
    CHANCE,
    FIRST_DECISION,
    NONE,
    OVER,
    RACK,
    Refusal,
    insert,
    item_at,
    layout,
    lowest,
    lowest_symbols,
    remove,
    shows_lowest,
)
from sixfold.games.travel.board import (
    CELLS,
    CORNER_OF,
    CORNERS,
    DIRECTION,
    EMPTY,
    FREE_AT_START,
    LEAVES,
    NEIGHBOUR,
    OFF_BOARD,
    PAIRS,
    TOUCHES,
)
from sixfold.games.travel.tiles import ALL_TILES as ALL_TILES
from sixfold.games.travel.tiles import COPIES, SHOWN, TILE_OF
from sixfold.games.travel.tiles import ITEMS as ITEMS
from sixfold.games.travel.tiles import TILES as TILES
from sixfold.games.travel.tiles import ways as ways

NAME = "travel"
VERSION = 1
SERIES = False
END, PLACES = "T18", "T20"
CHOICES = ("keep", "swap")
PLAYERS = (2,)
OPTIONS = {"open_racks": False}
GOAL = 18

PLACE = FIRST_DECISION
CHOOSE = FIRST_DECISION + 1

# A placement is pair * 36 + symbol on the pair's first cell * 6 + symbol on its second.
KEEP = len(PAIRS) * 36
SWAP = KEEP + 1
ACTIONS = SWAP + 1
MOST_LEGAL = len(PAIRS) * 12

# What chance supplies, one tile at a time, is in the bag; the occasions have a word in the record and a clause.
POOL = "bag"
OCCASIONS = (("deal", "T4"), ("draw", "T15"), ("draw", "T16"))

STATE = layout(
    [
        ("free", np.uint64, 4),  # the pairs of adjacent free cells, as bits
        ("near", np.uint64, 4),  # T6: the pairs where the first round allows a tile; later all of them
        ("board", np.int8, OFF_BOARD + 1),
        ("bag", np.int8, len(TILES)),
        ("rack", np.int8, (2, RACK)),
        ("rack_size", np.int8, 2),
        ("aside", np.int8, RACK),  # T16: the old rack while a swap draws
        ("aside_size", np.int8),
        ("score", np.int8, (2, 6)),
        ("phase", np.int8),
        ("turn", np.int8),
        ("placed", np.int8),
        ("bonus", np.int8),  # bonus turns still due
        ("corner", np.int8),  # T6: the corner that the first tile touched
        ("players", np.int8),
        ("open_racks", np.int8),
    ]
)


def start(players: int, open_racks: bool = False) -> np.ndarray:
    """T1, T3, T4: the board with its corners, all tiles in the bag, all scores 0, six tiles owed to each player."""
    begin = np.zeros(1, dtype=STATE)
    state = begin[0]
    state.free[:] = FREE_AT_START
    state.board[:] = EMPTY
    for symbol, cell in enumerate(CORNERS):
        state.board[cell] = symbol
    state.bag[:] = COPIES
    state.rack[:] = NONE
    state.aside[:] = NONE
    state.corner = NONE
    state.players = players
    state.open_racks = open_racks
    state.phase = CHANCE
    near_corners(state)
    return begin


@compiled
def near_corners(state: np.record) -> None:
    """T6, T7: in the first round a tile goes next to a corner that no tile has touched, later anywhere."""
    for word in range(4):
        near = np.uint64(0)
        for corner in range(6):
            if corner != state.corner:
                near |= TOUCHES[corner, word]
        state.near[word] = near if state.placed < 2 else ~np.uint64(0)


# What may be done


@compiled
def open_pairs(state: np.record, word: int) -> np.uint64:
    """T5, T6, T7: the pairs where a tile may go, 64 in a word."""
    return state.free[word] & state.near[word]


@compiled
def spots(state: np.record) -> int:
    """How many pairs of cells a tile may go to."""
    number = 0
    for word in range(4):
        number += bits.size(open_pairs(state, word))
    return number


@compiled
def count(state: np.record) -> int:
    """How many different moves the player has. T8: passing is none of them."""
    if state.phase == PLACE:
        return spots(state) * bits.size(ways(state))
    if state.phase == CHOOSE:
        return 2
    return 0


@compiled
def nth(state: np.record, which: int) -> int:
    """The move that is number ``which`` in the order of ``legal``."""
    if state.phase == CHOOSE:
        return KEEP + which
    each = spots(state)
    way = int(np.uint32(which) // np.uint32(each))
    which -= way * each
    word = 0
    upto = 0
    before = 0
    for other in range(3):
        upto += bits.size(open_pairs(state, other))
        if which >= upto:
            word = other + 1
            before = upto
    return (word * 64 + bits.member(open_pairs(state, word), which - before)) * 36 + bits.member(ways(state), way)


@compiled
def legal(state: np.record, moves: np.ndarray) -> int:
    """Write all moves into an array and say how many there are."""
    if state.phase == CHOOSE:
        moves[0] = KEEP
        moves[1] = SWAP
        return 2
    if state.phase != PLACE:
        return 0
    each = 0
    for pair in range(len(PAIRS)):
        if (open_pairs(state, pair // 64) >> np.uint64(pair % 64)) & np.uint64(1):
            moves[each] = pair * 36
            each += 1
    turns = ways(state)
    number = bits.size(turns)
    # The first way's placements are the pattern for the others, so they are completed last.
    for which in range(number - 1, -1, -1):
        symbols = bits.member(turns, which)
        for spot in range(each):
            moves[which * each + spot] = moves[spot] + symbols
    return number * each


@compiled
def allowed(state: np.record, move: int) -> bool:
    """Is it one of the moves?"""
    if state.phase == CHOOSE:
        return move == KEEP or move == SWAP
    if state.phase != PLACE or move < 0 or move >= KEEP:
        return False
    pair = move // 36
    free = (open_pairs(state, pair // 64) >> np.uint64(pair % 64)) & np.uint64(1)
    return bool(free & (ways(state) >> np.uint64(move % 36)))


# Chance


@compiled
def owed(state: np.record) -> tuple[int, int]:
    """T4, T15, T16: what chance owes the player in turn: the occasion and the number of tiles."""
    occasion = 0
    if state.placed > 0:
        occasion = 2 if state.aside_size > 0 else 1
    return occasion, RACK - state.rack_size[state.turn]


@compiled
def drawn(state: np.record, which: int) -> int:
    """The tile that is number ``which`` when the bag lies in order."""
    return item_at(state.bag, which)


@compiled
def pool_size(state: np.record) -> int:
    """How many tiles are in the bag."""
    return ALL_TILES - state.placed - state.rack_size[0] - state.rack_size[1] - state.aside_size


@compiled
def receive(state: np.record, tile: int) -> None:
    """T4, T15, T16: the player draws a tile; with six the deal goes on, or the turn passes to the other."""
    player = state.turn
    state.bag[tile] -= 1
    insert(state.rack[player], tile)
    state.rack_size[player] += 1
    if state.rack_size[player] < RACK:
        return
    for at in range(state.aside_size):
        state.bag[state.aside[at]] += 1
        state.aside[at] = NONE
    state.aside_size = 0
    state.turn = 1 - player
    if state.placed > 0 or player == 1:
        state.phase = PLACE


# Doing it


@compiled
def points(state: np.record, cell: int, other_half: int, symbol: int) -> int:
    """T9, T10: the same symbol in unbroken lines from a cell, not towards the tile's other half."""
    number = 0
    for direction in range(6):
        if direction == other_half:
            continue
        step = NEIGHBOUR[cell, direction]
        while state.board[step] == symbol:
            number += 1
            step = NEIGHBOUR[step, direction]
    return number


@compiled
def gain(state: np.record, symbol: int, more: int) -> None:
    """T12, T13: a score stops at 18, and arriving there gives a bonus turn."""
    before = int(state.score[state.turn, symbol])
    after = min(before + more, GOAL)
    state.score[state.turn, symbol] = after
    if before < GOAL and after == GOAL:
        state.bonus += 1


@compiled
def may_swap(state: np.record) -> bool:
    """T16: no tile left in the rack shows a lowest-scoring symbol, and six tiles are in the bag."""
    player = state.turn
    return pool_size(state) >= RACK and not shows_lowest(state.rack[player], state.score[player], SHOWN)


@compiled
def place(state: np.record, pair: int, first: int, second: int) -> None:
    """T5, T9 to T14, T18, T19: lay a tile, score both halves; then a bonus turn, the end, or the end of the turn."""
    player = state.turn
    tile = TILE_OF[first, second]
    remove(state.rack[player], tile)
    state.rack_size[player] -= 1
    here = PAIRS[pair, 0]
    there = PAIRS[pair, 1]
    state.board[here] = first
    state.board[there] = second
    for word in range(4):
        state.free[word] &= LEAVES[pair, word]
    before = int(state.placed)
    state.placed = before + 1
    if before == 0:
        state.corner = CORNER_OF[pair]
    if before < 2:
        near_corners(state)
    towards = DIRECTION[pair]
    first_points = points(state, here, towards, first)
    second_points = points(state, there, towards + 3 if towards < 3 else towards - 3, second)
    gain(state, first, first_points)
    gain(state, second, second_points)
    full = lowest(state.score[player]) == GOAL
    blocked = (state.free[0] | state.free[1] | state.free[2] | state.free[3]) == np.uint64(0)
    if full or blocked:
        state.phase = OVER
    elif state.bonus > 0:
        state.bonus -= 1
    else:
        state.phase = CHOOSE if may_swap(state) else CHANCE


@compiled
def act(state: np.record, move: int) -> None:
    """Do a legal move."""
    if move == SWAP:
        # T16: the old rack waits aside until the six new tiles are drawn.
        player = state.turn
        for at in range(state.rack_size[player]):
            state.aside[at] = state.rack[player, at]
            state.rack[player, at] = NONE
        state.aside_size = state.rack_size[player]
        state.rack_size[player] = 0
        state.phase = CHANCE
    elif move == KEEP:
        state.phase = CHANCE
    else:
        place(state, move // 36, move % 36 // 6, move % 6)


# What a seat sees


@compiled
def hide(state: np.record, seat: int) -> None:
    """T4: turn a state into what a seat knows: tiles that it cannot see go among the unseen ones in the bag."""
    for player in range(2):
        if player == seat or state.open_racks:
            continue
        if player == state.turn:
            for at in range(state.aside_size):
                state.bag[state.aside[at]] += 1
                state.aside[at] = NONE
        for at in range(state.rack_size[player]):
            state.bag[state.rack[player, at]] += 1
            state.rack[player, at] = NONE


@compiled
def aside_unknown(state: np.record, player: int) -> bool:
    """Does a view hide the tiles that a player has laid aside?"""
    return player == state.turn and state.aside_size > 0 and state.aside[state.aside_size - 1] == NONE


@compiled
def unknown(state: np.record, seat: int) -> int:
    """The first player whose tiles a view hides, or NONE."""
    # The player in turn comes first, because fewer tiles can be in a rack that may be swapped.
    for step in range(2):
        player = (int(state.turn) + step) % 2
        size = state.rack_size[player]
        hidden = size > 0 and state.rack[player, size - 1] == NONE
        if player != seat and (hidden or aside_unknown(state, player)):
            return player
    return NONE


@compiled
def fill(state: np.record, player: int, tile: int) -> None:
    """Guess one hidden tile of a player."""
    tiles = state.aside[:] if aside_unknown(state, player) else state.rack[player]
    insert(tiles, tile)
    state.bag[tile] -= 1


@compiled
def possible(state: np.record, player: int, weights: np.ndarray) -> None:
    """What a hidden tile may be. T16: a rack that may be swapped has no tile with a lowest-scoring symbol."""
    swappable = state.turn == player and (state.phase == CHOOSE or aside_unknown(state, player))
    barred = lowest_symbols(state.score[player]) if swappable else 0
    for tile in range(len(TILES)):
        weights[tile] = 0 if SHOWN[tile] & barred else state.bag[tile]


@compiled
def values(state: np.record, result: np.ndarray) -> None:
    """T20: the six scores of each player."""
    for player in range(2):
        for symbol in range(6):
            result[player, symbol] = state.score[player, symbol]


# Why not


def refusal(state: np.record, move: int) -> Refusal:
    """The reason why a move is not allowed, with its clause."""
    if move in (KEEP, SWAP):
        return Refusal("no_swap", "T16")
    if state.phase == CHOOSE:
        return Refusal("choose_first", "T16", {"choices": ", ".join(CHOICES)})
    pair, first, second = move // 36, move % 36 // 6, move % 6
    tile = TILE_OF[first, second]
    if tile not in state.rack[state.turn]:
        return Refusal("not_in_rack", "T5", {"tile": ITEMS[tile]})
    for cell in PAIRS[pair]:
        if state.board[cell] != EMPTY:
            return Refusal("taken", "T5", {"cell": CELLS[cell]})
    if CORNER_OF[pair] == NONE:
        return Refusal("touch_corner", "T6")
    return Refusal("other_corner", "T6", {"corner": CELLS[CORNERS[CORNER_OF[pair]]]})

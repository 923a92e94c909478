"""The travel edition for two players (docs/rules/travel.md)."""

import numpy as np

from sixfold.games.contract import Occasion
from sixfold.games.shared import bits
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.hexagon import opposite
from sixfold.games.shared.symbols import (
    CHANCE,
    FIRST_DECISION,
    NONE,
    OVER,
    RACK,
    first_of,
    insert,
    item_at,
    layout,
    lowest,
    lowest_symbols,
    next_player,
    remove,
    second_of,
    shows_lowest,
)
from sixfold.games.travel import GOAL
from sixfold.games.travel import NAME as NAME
from sixfold.games.travel import OPTIONS as OPTIONS
from sixfold.games.travel import PLAYERS as PLAYERS
from sixfold.games.travel import ROUNDS as ROUNDS
from sixfold.games.travel import VERSION as VERSION
from sixfold.games.travel.board import (
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
    WORDS,
)
from sixfold.games.travel.moves import ACTIONS as ACTIONS
from sixfold.games.travel.moves import KEEP, SWAP, pair_of, placement, way_of
from sixfold.games.travel.tiles import ALL_TILES, COPIES, SHOWN, TILE_OF, TILES, ways
from sixfold.games.travel.tiles import ITEMS as ITEMS

END, PLACES = "T18", "T20"
CHOICES = ("keep", "swap")
MOST_PLAYERS = PLAYERS[-1]

PLACE = FIRST_DECISION
CHOOSE = FIRST_DECISION + 1

# Every tile of a full rack both ways round on every pair.
MOST_LEGAL = len(PAIRS) * 2 * RACK

# All bits of a word, and half their number.
_ALL = ~np.uint64(0)
_HALF = np.uint64(bits.WORD // 2)

# What chance supplies, one tile at a time, is in the bag, which nothing fills again while somebody draws.
POOL = "bag"
REFILL = None
DEAL, DRAW, SWAPPED = range(3)
OCCASIONS = (
    Occasion("deal", "T4", hidden=True),
    Occasion("draw", "T15", hidden=True),
    Occasion("draw", "T16", hidden=True),
)

STATE = layout(
    [
        ("free", np.uint64, WORDS),  # the pairs of adjacent free cells
        ("near", np.uint64, WORDS),  # T6: the pairs where the first round allows a tile; later all of them
        ("board", np.int8, OFF_BOARD + 1),
        ("bag", np.int8, len(TILES)),
        ("rack", np.int8, (MOST_PLAYERS, RACK)),
        ("rack_size", np.int8, MOST_PLAYERS),
        ("aside", np.int8, RACK),  # T16: the old rack while a swap draws
        ("aside_size", np.int8),
        ("score", np.int8, (MOST_PLAYERS, 6)),
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
def first_round(state: np.record) -> bool:
    """T6: has somebody not placed a tile yet?"""
    return state.placed < state.players


@compiled
def near_corners(state: np.record) -> None:
    """T6, T7: in the first round a tile goes next to a corner that no tile has touched, later anywhere."""
    for word in range(WORDS):
        near = np.uint64(0)
        for corner in range(6):
            if corner != state.corner:
                near |= TOUCHES[corner, word]
        state.near[word] = near if first_round(state) else ~np.uint64(0)


# What may be done


@compiled
def spots(state: np.record) -> int:
    """T5, T6, T7: how many pairs of cells a tile may go to."""
    return bits.common_size(state.free, state.near)


@compiled
def is_spot(state: np.record, pair: int) -> bool:
    """T5, T6, T7: may a tile go to this pair of cells?"""
    return bits.in_both(state.free, state.near, pair)


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
    """The move that is number ``which`` in the order of ``legal``: way by way, and each on all spots."""
    if state.phase == CHOOSE:
        return KEEP + which
    each = spots(state)
    way = int(np.uint32(which) // np.uint32(each))
    pair = bits.common_member(state.free, state.near, which - way * each)
    return placement(pair, bits.member(ways(state), way))


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
        if is_spot(state, pair):
            moves[each] = placement(pair, 0)
            each += 1
    possible_ways = ways(state)
    number = bits.size(possible_ways)
    # The first way's placements are the pattern for the others, so they are completed last.
    for which in range(number - 1, -1, -1):
        way = bits.member(possible_ways, which)
        for spot in range(each):
            moves[which * each + spot] = moves[spot] + way
    return number * each


@compiled
def allowed(state: np.record, move: int) -> bool:
    """Is it one of the moves?"""
    if state.phase == CHOOSE:
        return move == KEEP or move == SWAP
    if state.phase != PLACE or move < 0 or move >= KEEP:
        return False
    return is_spot(state, pair_of(move)) and bits.has(ways(state), way_of(move))


@compiled
def mask(state: np.record, words: np.ndarray, first: int, stride: int) -> None:
    """All moves as bytes: two pairs of cells, each with all ways, are a part and fill nine words."""
    way = ways(state) if state.phase == PLACE else np.uint64(0)
    here = bits.apart(way, 0), bits.apart(way, 8), bits.apart(way, 16), bits.apart(way, 24), bits.apart(way, 32)
    there = (
        bits.apart(way, 0) << _HALF,
        bits.apart(way, 4),
        bits.apart(way, 12),
        bits.apart(way, 20),
        bits.apart(way, 28),
    )
    for two in range(first, len(PAIRS) // 2, stride):
        one = np.uint64(is_spot(state, 2 * two)) * _ALL
        other = np.uint64(is_spot(state, 2 * two + 1)) * _ALL
        # One after the other, without a loop: this is what makes it fast.
        at = 9 * two
        words[at] = here[0] & one
        words[at + 1] = here[1] & one
        words[at + 2] = here[2] & one
        words[at + 3] = here[3] & one
        words[at + 4] = (here[4] & one) | (there[0] & other)
        words[at + 5] = there[1] & other
        words[at + 6] = there[2] & other
        words[at + 7] = there[3] & other
        words[at + 8] = there[4] & other
    if first == 0:
        words[-1] = bits.apart(np.uint64(3), 0) if state.phase == CHOOSE else np.uint64(0)


# Chance


@compiled
def owed(state: np.record) -> tuple[int, int]:
    """T4, T15, T16: what chance owes the player in turn: the occasion and the number of tiles."""
    occasion = DEAL
    if state.placed > 0:
        occasion = SWAPPED if state.aside_size > 0 else DRAW
    return occasion, RACK - state.rack_size[state.turn]


@compiled
def drawn(state: np.record, which: int) -> int:
    """The tile that is number ``which`` when the bag lies in order."""
    return item_at(state.bag, which)


@compiled
def pool_size(state: np.record) -> int:
    """How many tiles are in the bag."""
    number = ALL_TILES - int(state.placed) - int(state.aside_size)
    for player in range(MOST_PLAYERS):
        number -= int(state.rack_size[player])
    return number


@compiled
def receive(state: np.record, tile: int) -> None:
    """T4, T15, T16: the player draws a tile; with six the deal goes on, or the turn passes to the next."""
    player = state.turn
    state.bag[tile] -= 1
    insert(state.rack[player], tile)
    state.rack_size[player] += 1
    if state.rack_size[player] < RACK:
        return
    return_aside(state)
    state.turn = next_player(state)
    if state.placed > 0 or state.turn == 0:
        state.phase = PLACE


@compiled
def return_aside(state: np.record) -> None:
    """T16: the tiles laid aside for a swap go back to the bag."""
    for at in range(state.aside_size):
        state.bag[state.aside[at]] += 1
        state.aside[at] = NONE
    state.aside_size = 0


# Doing it


@compiled
def line(state: np.record, cell: int, direction: int, symbol: int) -> int:
    """T9: how many cells carry a symbol without a break, from a cell's neighbour on."""
    number = 0
    step = NEIGHBOUR[cell, direction]
    while state.board[step] == symbol:
        number += 1
        step = NEIGHBOUR[step, direction]
    return number


@compiled
def points(state: np.record, cell: int, other_half: int, symbol: int) -> int:
    """T9, T10: the sum over the five lines from a cell that do not run into the tile's other half."""
    number = 0
    for direction in range(6):
        if direction != other_half:
            number += line(state, cell, direction, symbol)
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
def lay(state: np.record, pair: int, first: int, second: int) -> None:
    """T5, T6: a tile goes from the rack onto two cells."""
    player = state.turn
    remove(state.rack[player], TILE_OF[first, second])
    state.rack_size[player] -= 1
    state.board[PAIRS[pair, 0]] = first
    state.board[PAIRS[pair, 1]] = second
    bits.narrow(state.free, LEAVES[pair])
    if first_round(state):
        if state.placed == 0:
            state.corner = CORNER_OF[pair]
        state.placed += 1
        near_corners(state)
    else:
        state.placed += 1


@compiled
def score(state: np.record, pair: int, first: int, second: int) -> None:
    """T9 to T11: both symbols of the tile that was laid score, one after the other."""
    towards = DIRECTION[pair]
    first_points = points(state, PAIRS[pair, 0], towards, first)
    second_points = points(state, PAIRS[pair, 1], opposite(towards), second)
    gain(state, first, first_points)
    gain(state, second, second_points)


@compiled
def all_full(state: np.record) -> bool:
    """T19: are all six scores of the player in turn 18?"""
    return lowest(state.score[state.turn]) == GOAL


@compiled
def what_follows(state: np.record) -> None:
    """T13 to T16, T18, T19: the end of the game, a bonus turn, or the end of the turn."""
    if all_full(state) or bits.nothing(state.free):
        state.phase = OVER
    elif state.bonus > 0:
        state.bonus -= 1
    elif may_swap(state):
        state.phase = CHOOSE
    else:
        state.phase = CHANCE


@compiled
def may_swap(state: np.record) -> bool:
    """T16: no tile left in the rack shows a lowest-scoring symbol, and six tiles are in the bag."""
    player = state.turn
    return pool_size(state) >= RACK and not shows_lowest(state.rack[player], state.score[player], SHOWN)


@compiled
def swap(state: np.record) -> None:
    """T16: the old rack waits aside until the six new tiles are drawn."""
    player = state.turn
    for at in range(state.rack_size[player]):
        state.aside[at] = state.rack[player, at]
        state.rack[player, at] = NONE
    state.aside_size = state.rack_size[player]
    state.rack_size[player] = 0


@compiled
def act(state: np.record, move: int) -> None:
    """Do a legal move: a placement in three steps, or the choice at the end of the turn."""
    if move < KEEP:
        pair, way = pair_of(move), way_of(move)
        lay(state, pair, first_of(way), second_of(way))
        score(state, pair, first_of(way), second_of(way))
        what_follows(state)
        return
    if move == SWAP:
        swap(state)
    state.phase = CHANCE


# What a seat sees


@compiled
def sees(state: np.record, seat: int, player: int) -> bool:
    """T4: the own rack, and with open racks every one."""
    return player == seat or state.open_racks != 0


@compiled
def hide(state: np.record, seat: int) -> None:
    """T4, T16: turn a state into what a seat knows: tiles that it cannot see go among the unseen ones in the bag, and
    whether somebody else may swap is nobody's business."""
    if state.phase == CHOOSE and state.turn != seat:
        state.phase = CHANCE
    for player in range(state.players):
        if sees(state, seat, player):
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
    # The player in turn comes first, because fewer tiles can be in a rack that is being swapped.
    player = int(state.turn)
    for _ in range(state.players):
        size = state.rack_size[player]
        hidden = size > 0 and state.rack[player, size - 1] == NONE
        if player != seat and (hidden or aside_unknown(state, player)):
            return player
        player = player + 1 if player + 1 < state.players else 0
    return NONE


@compiled
def fill(state: np.record, player: int, tile: int) -> None:
    """Guess one hidden tile of a player."""
    tiles = state.aside[:] if aside_unknown(state, player) else state.rack[player]
    insert(tiles, tile)
    state.bag[tile] -= 1


@compiled
def possible(state: np.record, player: int, weights: np.ndarray) -> None:
    """What a hidden tile may be. T16: a rack that is being swapped has no tile with a lowest-scoring symbol."""
    barred = lowest_symbols(state.score[player]) if aside_unknown(state, player) else 0
    for tile in range(len(TILES)):
        weights[tile] = 0 if SHOWN[tile] & barred else state.bag[tile]


@compiled
def values(state: np.record, result: np.ndarray) -> None:
    """T20: the six scores of each player."""
    for player in range(state.players):
        for symbol in range(6):
            result[player, symbol] = state.score[player, symbol]

"""The travel edition for two players (docs/rules/travel.md)."""

import numpy as np

from sixfold.games.contract import Occasion
from sixfold.games.shared import bits
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.hexagon import opposite
from sixfold.games.shared.symbols import (
    CHANCE,
    FIRST_DECISION,
    NONE,
    OVER,
    RACK,
    SYMBOLS,
    copy_rows,
    first_of,
    insert,
    kind_at,
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

END_CLAUSE, RANKING_CLAUSE = "T18", "T20"
CHOICES = ("keep", "swap")
VALUES = SYMBOLS
MAX_PLAYERS = PLAYERS[-1]

PLACE = FIRST_DECISION
CHOOSE = FIRST_DECISION + 1

# Every tile of a full rack both ways round on every pair.
MAX_LEGAL = len(PAIRS) * 2 * RACK

# All bits of a word, and half their number.
_ALL = ~np.uint64(0)
_HALF = np.uint64(bits.WORD // 2)

# Chance supplies tiles from the bag one at a time; the bag is never refilled during a draw.
POOL = "bag"
REFILL_CLAUSE = None
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
        ("rack", np.int8, (MAX_PLAYERS, RACK)),
        ("rack_size", np.int8, MAX_PLAYERS),
        ("aside", np.int8, RACK),  # T16: the old rack while a swap draws
        ("aside_size", np.int8),
        ("score", np.int8, (MAX_PLAYERS, 6)),
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
    """T1, T3, T4: the board with its corners, all tiles in the bag, all scores 0; six tiles pending for each player."""
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
    """T6: whether some player has not placed a tile yet."""
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


# Legal moves


@compiled
def spots(state: np.record) -> int:
    """T5, T6, T7: the number of pairs of cells where a tile may be placed."""
    return bits.common_size(state.free, state.near)


@compiled
def is_spot(state: np.record, pair: int) -> bool:
    """T5, T6, T7: whether a tile may be placed on this pair of cells."""
    return bits.in_both(state.free, state.near, pair)


@compiled
def count(state: np.record) -> int:
    """The number of legal moves. T8: passing is not allowed."""
    if state.phase == PLACE:
        return spots(state) * bits.size(ways(state))
    if state.phase == CHOOSE:
        return 2
    return 0


@compiled
def nth(state: np.record, which: int) -> int:
    """The move at index ``which`` in the order of ``legal``: way by way, each on all spots."""
    if state.phase == CHOOSE:
        return KEEP + which
    each = spots(state)
    way = int(np.uint32(which) // np.uint32(each))
    pair = bits.common_member(state.free, state.near, which - way * each)
    return placement(pair, bits.member(ways(state), way))


@compiled
def legal(state: np.record, moves: np.ndarray) -> int:
    """Write all legal moves into an array; returns their number."""
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
    # The placements of the first way serve as a template for the others, so they are completed last.
    for which in range(number - 1, -1, -1):
        way = bits.member(possible_ways, which)
        for spot in range(each):
            moves[which * each + spot] = moves[spot] + way
    return number * each


@compiled
def allowed(state: np.record, move: int) -> bool:
    """Whether a move is legal."""
    if state.phase == CHOOSE:
        return move == KEEP or move == SWAP
    if state.phase != PLACE or move < 0 or move >= KEEP:
        return False
    return is_spot(state, pair_of(move)) and bits.has(ways(state), way_of(move))


@compiled
def mask(state: np.record, words: np.ndarray, first: int, stride: int) -> None:
    """The mask of legal moves, one byte per move; a part is two pairs of cells with all ways, which fill nine words."""
    way = ways(state) if state.phase == PLACE else np.uint64(0)
    first_words = (
        bits.spread_bits(way, 0),
        bits.spread_bits(way, 8),
        bits.spread_bits(way, 16),
        bits.spread_bits(way, 24),
        bits.spread_bits(way, 32),
    )
    second_words = (
        bits.spread_bits(way, 0) << _HALF,
        bits.spread_bits(way, 4),
        bits.spread_bits(way, 12),
        bits.spread_bits(way, 20),
        bits.spread_bits(way, 28),
    )
    for part in range(first, len(PAIRS) // 2, stride):
        first_mask = np.uint64(is_spot(state, 2 * part)) * _ALL
        second_mask = np.uint64(is_spot(state, 2 * part + 1)) * _ALL
        # Unrolled for speed.
        at = 9 * part
        words[at] = first_words[0] & first_mask
        words[at + 1] = first_words[1] & first_mask
        words[at + 2] = first_words[2] & first_mask
        words[at + 3] = first_words[3] & first_mask
        words[at + 4] = (first_words[4] & first_mask) | (second_words[0] & second_mask)
        words[at + 5] = second_words[1] & second_mask
        words[at + 6] = second_words[2] & second_mask
        words[at + 7] = second_words[3] & second_mask
        words[at + 8] = second_words[4] & second_mask
    if first == 0:
        words[-1] = bits.spread_bits(np.uint64(3), 0) if state.phase == CHOOSE else np.uint64(0)


# Chance


@compiled
def pending_chance(state: np.record) -> tuple[int, int]:
    """T4, T15, T16: the pending occasion, and the number of tiles that the player in turn still has to draw."""
    occasion = DEAL
    if state.placed > 0:
        occasion = SWAPPED if state.aside_size > 0 else DRAW
    return occasion, RACK - state.rack_size[state.turn]


@compiled
def item_at(state: np.record, which: int) -> int:
    """The tile at index ``which`` of the sorted bag."""
    return kind_at(state.bag, which)


@compiled
def pool_size(state: np.record) -> int:
    """The number of tiles in the bag."""
    number = ALL_TILES - int(state.placed) - int(state.aside_size)
    for player in range(MAX_PLAYERS):
        number -= int(state.rack_size[player])
    return number


@compiled
def receive(state: np.record, tile: int) -> None:
    """T4, T15, T16: the player draws a tile; once the rack is full, it is the next player's turn."""
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


# Effects of moves


@compiled
def line(state: np.record, cell: int, direction: int, symbol: int) -> int:
    """T9: the length of the unbroken line of a symbol that starts at a cell's neighbour."""
    number = 0
    step = NEIGHBOUR[cell, direction]
    while state.board[step] == symbol:
        number += 1
        step = NEIGHBOUR[step, direction]
    return number


@compiled
def points(state: np.record, cell: int, other_half: int, symbol: int) -> int:
    """T9, T10: the sum of the five lines from a cell that do not lead to the tile's other half."""
    number = 0
    for direction in range(6):
        if direction != other_half:
            number += line(state, cell, direction, symbol)
    return number


@compiled
def gain(state: np.record, symbol: int, more: int) -> None:
    """T12, T13: add points to a score, which stops at 18; reaching 18 gives a bonus turn."""
    before = int(state.score[state.turn, symbol])
    after = min(before + more, GOAL)
    state.score[state.turn, symbol] = after
    if before < GOAL and after == GOAL:
        state.bonus += 1


@compiled
def lay(state: np.record, pair: int, first: int, second: int) -> None:
    """T5, T6: move a tile from the rack onto two cells."""
    player = state.turn
    remove(state.rack[player], TILE_OF[first, second])
    state.rack_size[player] -= 1
    state.board[PAIRS[pair, 0]] = first
    state.board[PAIRS[pair, 1]] = second
    bits.intersect(state.free, LEAVES[pair])
    if first_round(state):
        if state.placed == 0:
            state.corner = CORNER_OF[pair]
        state.placed += 1
        near_corners(state)
    else:
        state.placed += 1


@compiled
def score(state: np.record, pair: int, first: int, second: int) -> None:
    """T9 to T11: score both symbols of the placed tile, one after the other."""
    towards = DIRECTION[pair]
    first_points = points(state, PAIRS[pair, 0], towards, first)
    second_points = points(state, PAIRS[pair, 1], opposite(towards), second)
    gain(state, first, first_points)
    gain(state, second, second_points)


@compiled
def all_full(state: np.record) -> bool:
    """T19: whether all six scores of the player in turn are 18."""
    return lowest(state.score[state.turn]) == GOAL


@compiled
def finish_move(state: np.record) -> None:
    """T13 to T16, T18, T19: the end of the game, a bonus turn, or the end of the turn."""
    if all_full(state) or bits.is_empty(state.free):
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
    """Apply a legal move: a placement in three steps, or the choice at the end of the turn."""
    if move < KEEP:
        pair, way = pair_of(move), way_of(move)
        lay(state, pair, first_of(way), second_of(way))
        score(state, pair, first_of(way), second_of(way))
        finish_move(state)
        return
    if move == SWAP:
        swap(state)
    state.phase = CHANCE


# Hidden information


@compiled
def sees(state: np.record, seat: int, player: int) -> bool:
    """T4: a seat sees its own rack, and with open racks all of them."""
    return player == seat or state.open_racks != 0


@compiled
def hide(state: np.record, seat: int) -> None:
    """T4, T16: hide what a seat may not know: racks that it cannot see return to the bag of unseen tiles, and another
    player's choice of swapping looks as if it had not come up."""
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
    """Whether a view hides the tiles that a player has set aside."""
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
    """Replace one hidden tile of a player by a guess."""
    tiles = state.aside[:] if aside_unknown(state, player) else state.rack[player]
    insert(tiles, tile)
    state.bag[tile] -= 1


@compiled
def possible(state: np.record, player: int, weights: np.ndarray) -> None:
    """The possible hidden tiles. T16: a rack that is being swapped contains no tile with a lowest-scoring symbol."""
    barred = lowest_symbols(state.score[player]) if aside_unknown(state, player) else 0
    for tile in range(len(TILES)):
        weights[tile] = 0 if SHOWN[tile] & barred else state.bag[tile]


@compiled
def values(state: np.record, result: np.ndarray) -> None:
    """T20: the six scores of each player."""
    copy_rows(state.score, int(state.players), result)

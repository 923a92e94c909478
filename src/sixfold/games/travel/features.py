"""Net inputs for the travel edition: integers computed from what one seat may know (docs/nets.md)."""

import numpy as np

from sixfold.games.contract import NetPlan
from sixfold.games.shared import bits
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.net_inputs import BONUS, WORTH, clamp, expected_best, sort_descending, sort_symbols
from sixfold.games.shared.symbols import CHANCE, NONE, RACK, lowest
from sixfold.games.travel import GOAL as GOAL
from sixfold.games.travel import rules
from sixfold.games.travel.board import EMPTY, NEIGHBOUR, OFF_BOARD, PAIR_OF, PAIRS
from sixfold.games.travel.moves import KEEP, placement
from sixfold.games.travel.tiles import TILE_OF, TILES
from sixfold.games.travel.tiles import ways as ways_of

# Increase when the meaning of the inputs changes.
VERSION = 1
NET = "dense"
PLAN = NetPlan(width=12, depth=2, replies=10, prior_weight=8.0)
KINDS = len(TILES)
CELLS = OFF_BOARD + 1
# Inputs of each symbol: both scores, both full, single and double tiles in the rack and unseen, the three best spots,
# how many spots give at least 1 to 5 points, and the best place for a double.
BY_SYMBOL = 17
OWN, OTHER, OWN_FULL, OTHER_FULL, SINGLES, DOUBLES, UNSEEN, UNSEEN_DOUBLES, SPOT, SECOND, THIRD, SPOTS = range(12)
PLACE_FOR_DOUBLE = 16
# Global inputs: see ``write_inputs``.
OVERALL = 28


def input_count(players: int) -> int:
    """The number of inputs."""
    return 6 * BY_SYMBOL + OVERALL


def scales(players: int) -> np.ndarray:
    """The divisor that scales each input to about 1."""
    symbol = [18, 18, 1, 1, 3, 1, 8, 2, 6, 6, 6, 15, 8, 5, 3, 2, 10]
    overall = [20, 60, 120, 20, 1, 1, 1, 1, 1, 1, 6, 6, 1, 1, 18, 18, 108, 108] + [100] * 6 + [100] * 4
    return np.array(symbol * 6 + overall, dtype=np.float32)


# Layout of the scratch arrays. int8: the points of every symbol on every cell, and which symbols score there.
SCRATCH8_SIZE = 6 * CELLS + CELLS
ROWS, ORDER, GAINS, OTHER_GAINS, COPIES, MINE = 0, 102, 108, 129, 150, 171
# int32: the best gain of every two symbols, eight to a row; the worth of points by symbol, capped at the goal; and the
# best points beside a cell with their worth.
BEST, OTHER_BEST, WORTHS, OTHER_WORTHS, BESIDE, WORTH_BESIDE, OTHER_WORTH_BESIDE = 177, 225, 273, 387, 501, 509, 517
SCRATCH32_SIZE = 525


@compiled
def worth(score: int, low: int, points: int) -> int:
    """T12, T13: the worth of points to a player whose lowest score is ``low``."""
    missing = GOAL - score
    if points >= missing:
        return WORTH[score - low, missing] + BONUS if missing > 0 else 0
    return WORTH[score - low, points]


@compiled
def score_cells(state: np.record, scratch8: np.ndarray) -> int:
    """Compute the points of every symbol on every cell that a tile can still cover; returns the number of those."""
    alive_cells = 0
    scratch8[6 * CELLS + OFF_BOARD] = 0
    for cell in range(OFF_BOARD):
        for symbol in range(6):
            scratch8[symbol * CELLS + cell] = 0
        seen = 0
        if state.board[cell] == EMPTY:
            alive = False
            for direction in range(6):
                step = NEIGHBOUR[cell, direction]
                symbol = int(state.board[step])
                if symbol == EMPTY:
                    alive = alive or step != OFF_BOARD
                    continue
                seen |= 1 << symbol
                points = 0
                while state.board[step] == symbol:
                    points += 1
                    step = NEIGHBOUR[step, direction]
                scratch8[symbol * CELLS + cell] += points
            if alive:
                alive_cells += 1
            else:
                seen = 0
                for symbol in range(6):
                    scratch8[symbol * CELLS + cell] = 0
        scratch8[6 * CELLS + cell] = seen
    return alive_cells


@compiled
def add_spots(scratch8: np.ndarray, scratch32: np.ndarray) -> None:
    """Add the best spots of every symbol and the number of spots by points."""
    for cell in range(OFF_BOARD):
        if scratch8[6 * CELLS + cell] == 0:
            continue
        for symbol in range(6):
            points = int(scratch8[symbol * CELLS + cell])
            if points == 0:
                continue
            row = ROWS + symbol * BY_SYMBOL
            if points > scratch32[row + SPOT]:
                scratch32[row + THIRD] = scratch32[row + SECOND]
                scratch32[row + SECOND] = scratch32[row + SPOT]
                scratch32[row + SPOT] = points
            elif points > scratch32[row + SECOND]:
                scratch32[row + THIRD] = scratch32[row + SECOND]
                scratch32[row + SECOND] = points
            elif points > scratch32[row + THIRD]:
                scratch32[row + THIRD] = points
            for least in range(min(points, 5)):
                scratch32[row + SPOTS + least] += 1


@compiled
def add_worths(state: np.record, player: int, begin: int, scratch32: np.ndarray) -> None:
    """T12, T13: tabulate the worth of points to a player, up to the most that each symbol can score."""
    low = lowest(state.score[player])
    for symbol in range(6):
        for points in range(min(scratch32[ROWS + symbol * BY_SYMBOL + SPOT], GOAL) + 1):
            scratch32[begin + symbol * (GOAL + 1) + points] = worth(state.score[player, symbol], low, points)


Six = tuple[int, int, int, int, int, int]


@compiled
def better(best: Six, scratch8: np.ndarray, cell: int) -> Six:
    """The elementwise maximum of the best points so far and those on a cell."""
    return (
        max(best[0], int(scratch8[cell])),
        max(best[1], int(scratch8[CELLS + cell])),
        max(best[2], int(scratch8[2 * CELLS + cell])),
        max(best[3], int(scratch8[3 * CELLS + cell])),
        max(best[4], int(scratch8[4 * CELLS + cell])),
        max(best[5], int(scratch8[5 * CELLS + cell])),
    )


@compiled
def add_neighbours(state: np.record, cell: int, scratch8: np.ndarray, scratch32: np.ndarray) -> bool:
    """T5: compute the best points of every symbol on the neighbours of a cell; returns whether a tile fits there.

    More points are never worth less, so only the maximum matters.
    """
    # T6, T7: after the first round a tile may lie wherever two cells are free.
    somewhere = anywhere = not rules.first_round(state)
    best = (0, 0, 0, 0, 0, 0)
    for direction in range(6):
        there = int(NEIGHBOUR[cell, direction])
        if not anywhere:
            pair = int(PAIR_OF[cell, direction])
            fits = pair != NONE and rules.is_spot(state, pair)
            somewhere = somewhere or fits
            there = there if fits else OFF_BOARD
        best = better(best, scratch8, there)
    for symbol in range(6):
        scratch32[BESIDE + symbol] = best[symbol]
        points = symbol * (GOAL + 1) + min(best[symbol], GOAL)
        scratch32[WORTH_BESIDE + symbol] = scratch32[WORTHS + points]
        scratch32[OTHER_WORTH_BESIDE + symbol] = scratch32[OTHER_WORTHS + points]
    return somewhere


@compiled
def add_cell(cell: int, scratch8: np.ndarray, scratch32: np.ndarray) -> None:
    """Update both players' best gains with one half of a tile on a cell and the other half on its best neighbour."""
    for a in range(6):
        points = int(scratch8[a * CELLS + cell])
        if points == 0:
            continue
        row = ROWS + a * BY_SYMBOL + PLACE_FOR_DOUBLE
        scratch32[row] = max(scratch32[row], points + scratch32[BESIDE + a])
        own = scratch32[WORTHS + a * (GOAL + 1) + min(points, GOAL)]
        other = scratch32[OTHER_WORTHS + a * (GOAL + 1) + min(points, GOAL)]
        for b in range(6):
            best = BEST + a * 8 + b
            scratch32[best] = max(scratch32[best], own + scratch32[WORTH_BESIDE + b])
            best = OTHER_BEST + a * 8 + b
            scratch32[best] = max(scratch32[best], other + scratch32[OTHER_WORTH_BESIDE + b])


@compiled
def add_gains(state: np.record, player: int, best: int, gains: int, scratch32: np.ndarray) -> None:
    """Compute the best gain of every tile."""
    low = lowest(state.score[player])
    for a in range(6):
        points = int(scratch32[ROWS + a * BY_SYMBOL + PLACE_FOR_DOUBLE])
        scratch32[gains + TILE_OF[a, a]] = worth(state.score[player, a], low, points)
        for b in range(a + 1, 6):
            scratch32[gains + TILE_OF[a, b]] = max(scratch32[best + a * 8 + b], scratch32[best + b * 8 + a])


@compiled
def add_pairs(state: np.record, seat: int, scratch8: np.ndarray, scratch32: np.ndarray) -> int:
    """T5: compute the best gains of all tiles for both players; returns the number of pairs that fit a tile."""
    add_worths(state, seat, WORTHS, scratch32)
    add_worths(state, 1 - seat, OTHER_WORTHS, scratch32)
    for symbol in range(6):
        scratch8[symbol * CELLS + OFF_BOARD] = 0
    for cell in range(OFF_BOARD):
        if scratch8[6 * CELLS + cell] != 0 and add_neighbours(state, cell, scratch8, scratch32):
            add_cell(cell, scratch8, scratch32)
    add_gains(state, seat, BEST, GAINS, scratch32)
    add_gains(state, 1 - seat, OTHER_BEST, OTHER_GAINS, scratch32)
    return rules.spots(state)


@compiled
def add_tiles(state: np.record, seat: int, scratch32: np.ndarray) -> int:
    """T4: add the scores, the seat's tiles and the unseen tiles; returns the number of tiles in the bag."""
    other = 1 - seat
    for kind in range(KINDS):
        scratch32[COPIES + kind] = state.bag[kind]
    for at in range(RACK):
        if state.rack[other, at] != NONE:
            scratch32[COPIES + state.rack[other, at]] += 1
        if state.turn == other and state.aside[at] != NONE:
            scratch32[COPIES + state.aside[at]] += 1
    for symbol in range(6):
        row = ROWS + symbol * BY_SYMBOL
        scratch32[row + OWN] = state.score[seat, symbol]
        scratch32[row + OTHER] = state.score[other, symbol]
        scratch32[row + OWN_FULL] = state.score[seat, symbol] == GOAL
        scratch32[row + OTHER_FULL] = state.score[other, symbol] == GOAL
    unseen = 0
    for kind in range(KINDS):
        copies = scratch32[COPIES + kind]
        unseen += copies
        add_tile(scratch32, kind, copies, UNSEEN)
    for at in range(state.rack_size[seat]):
        add_tile(scratch32, int(state.rack[seat, at]), 1, SINGLES)
    return unseen - int(state.rack_size[other])


@compiled
def add_tile(scratch32: np.ndarray, tile: int, copies: int, column: int) -> None:
    """Count copies of a tile among the single or double tiles of its symbols."""
    a = int(TILES[tile, 0])
    b = int(TILES[tile, 1])
    if a == b:
        scratch32[ROWS + a * BY_SYMBOL + column + 1] += copies
    else:
        scratch32[ROWS + a * BY_SYMBOL + column] += copies
        scratch32[ROWS + b * BY_SYMBOL + column] += copies


@compiled
def write_inputs(
    state: np.record, seat: int, out: np.ndarray, scratch8: np.ndarray, scratch32: np.ndarray, keys: np.ndarray
) -> None:
    """Write the net inputs of a position for a seat, without using anything hidden from it."""
    other = 1 - seat
    for at in range(WORTHS):
        scratch32[at] = 0
    bag = add_tiles(state, seat, scratch32)
    cells = score_cells(state, scratch8)
    add_spots(scratch8, scratch32)
    places = add_pairs(state, seat, scratch8, scratch32)
    sort_symbols(scratch32, BY_SYMBOL, scratch32[ORDER:], keys)
    for rank in range(6):
        row = ROWS + scratch32[ORDER + rank] * BY_SYMBOL
        for at in range(BY_SYMBOL):
            out[rank * BY_SYMBOL + at] = clamp(scratch32[row + at])
    at = 6 * BY_SYMBOL
    out[at] = bag
    out[at + 1] = cells
    out[at + 2] = clamp(places // 2)
    out[at + 3] = clamp(int(state.placed))
    mine = state.turn == seat
    for flag in range(6):
        out[at + 4 + flag] = 0
    # T16: the opponent's private choice is hidden; to this seat the turn has ended.
    choosing = state.phase == rules.CHOOSE
    kind = 2 if state.phase == CHANCE or (choosing and not mine) else int(choosing)
    out[at + 4 + kind + (0 if mine else 3)] = 1
    out[at + 10] = state.rack_size[seat]
    out[at + 11] = state.rack_size[other]
    out[at + 12] = state.bonus if mine else 0
    out[at + 13] = 0 if mine else state.bonus
    out[at + 14] = lowest(state.score[seat])
    out[at + 15] = lowest(state.score[other])
    total = 0
    others = 0
    for symbol in range(6):
        total += state.score[seat, symbol]
        others += state.score[other, symbol]
    out[at + 16] = total
    out[at + 17] = others
    write_gains(state, seat, out, at + 18, scratch32)


@compiled
def write_gains(state: np.record, seat: int, out: np.ndarray, at: int, scratch32: np.ndarray) -> None:
    """Write the best gains of the seat's tiles in descending order, and maximum and expected gains of unseen racks."""
    for tile in range(state.rack_size[seat]):
        scratch32[MINE + tile] = scratch32[GAINS + state.rack[seat, tile]]
    sort_descending(scratch32, MINE, RACK)
    for tile in range(RACK):
        out[at + tile] = clamp(scratch32[MINE + tile] // 2)
    most = 0
    others_most = 0
    for kind in range(KINDS):
        if scratch32[COPIES + kind] > 0:
            most = max(most, scratch32[GAINS + kind])
            others_most = max(others_most, scratch32[OTHER_GAINS + kind])
    out[at + 6] = clamp(most // 2)
    out[at + 7] = clamp(others_most // 2)
    out[at + 8] = clamp(expected_best(scratch32, GAINS, scratch32[COPIES:], KINDS, RACK) // 2)
    held = int(state.rack_size[1 - seat])
    out[at + 9] = clamp(expected_best(scratch32, OTHER_GAINS, scratch32[COPIES:], KINDS, max(held, 1)) // 2)


# Candidate moves: those with the best estimates


WAYS = 12
WISHED = SCRATCH8_SIZE
WAY = WISHED + CELLS
BOARD_FEATURES_SIZE = WAY + WAYS + 1


def candidate_count(players: int) -> int:
    """The number of candidate indexes."""
    return len(PAIRS) * WAYS


def training_candidates(players: int) -> int:
    """The maximum number of candidates that a net evaluates in training."""
    return 64


@compiled
def prepare(state: np.record, board_features: np.ndarray) -> None:
    """Compute the points of every symbol on every cell, the opponent's gains, and the ways to lay the rack's tiles."""
    if state.phase != rules.PLACE:
        return
    score_cells(state, board_features)
    other = 1 - state.turn
    low = lowest(state.score[other])
    for cell in range(CELLS):
        best = 0
        if cell < OFF_BOARD:
            for symbol in range(6):
                points = int(board_features[symbol * CELLS + cell])
                if points > 0:
                    best = max(best, worth(state.score[other, symbol], low, points))
        board_features[WISHED + cell] = clamp(best // 2)
    ways = ways_of(state)
    number = bits.size(ways)
    for which in range(number):
        board_features[WAY + which] = bits.member(ways, which)
    board_features[WAY + WAYS] = number


@compiled
def candidate(state: np.record, board_features: np.ndarray, which: int) -> tuple[int, float]:
    """The candidate at an index, or NONE, with its estimate: its gain plus half of what it denies the opponent."""
    if state.phase != rules.PLACE:
        return (KEEP + which if which < 2 else NONE), 0.0
    pair = which // WAYS
    way = which % WAYS
    if way >= board_features[WAY + WAYS] or not rules.is_spot(state, pair):
        return NONE, 0.0
    symbols = int(board_features[WAY + way])
    a = symbols // 6
    b = symbols % 6
    here = int(PAIRS[pair, 0])
    there = int(PAIRS[pair, 1])
    scores = state.score[state.turn]
    low = lowest(scores)
    points = int(board_features[a * CELLS + here])
    more = int(board_features[b * CELLS + there])
    if a == b:
        gain = worth(scores[a], low, points + more)
    else:
        gain = worth(scores[a], low, points) + worth(scores[b], low, more)
    return placement(pair, symbols), gain + 0.5 * (board_features[WISHED + here] + board_features[WISHED + there])

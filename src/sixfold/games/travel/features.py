"""What a net is told of a travel position: whole numbers from what one seat may know (docs/nets.md)."""

import numpy as np

from sixfold.games.contract import NetPlan
from sixfold.games.shared import bits
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.describing import BONUS, WORTH, capped, expected_best, ordered, put_in_falling_order
from sixfold.games.shared.symbols import CHANCE, NONE, RACK, lowest
from sixfold.games.travel import GOAL as GOAL
from sixfold.games.travel import rules
from sixfold.games.travel.board import EMPTY, NEIGHBOUR, OFF_BOARD, PAIRS
from sixfold.games.travel.moves import KEEP, placement
from sixfold.games.travel.spots import PAIR_OF
from sixfold.games.travel.tiles import TILE_OF, TILES
from sixfold.games.travel.tiles import ways as ways_of

# A net knows only the numbers that it has learned with.
VERSION = 1
NET = "dense"
PLAN = NetPlan(width=12, depth=2, replies=10, prior=8.0)
KINDS = len(TILES)
CELLS = OFF_BOARD + 1
# Of each symbol: both scores, both full, single and double tiles in the rack and unseen, the three best spots, how
# many spots give at least 1 to 5 points, and the best place for a double.
BY_SYMBOL = 17
OWN, OTHER, OWN_FULL, OTHER_FULL, SINGLES, DOUBLES, UNSEEN, UNSEEN_DOUBLES, SPOT, SECOND, THIRD, SPOTS = range(12)
PLACE_FOR_DOUBLE = 16
# Of the whole: see ``describe``.
OVERALL = 28


def inputs(players: int) -> int:
    """How many numbers a net is told."""
    return 6 * BY_SYMBOL + OVERALL


def scales(players: int) -> np.ndarray:
    """What each number is divided by, so that all are about as great as 1."""
    symbol = [18, 18, 1, 1, 3, 1, 8, 2, 6, 6, 6, 15, 8, 5, 3, 2, 10]
    overall = [20, 60, 120, 20, 1, 1, 1, 1, 1, 1, 6, 6, 1, 1, 18, 18, 108, 108] + [100] * 6 + [100] * 4
    return np.array(symbol * 6 + overall, dtype=np.float32)


# Room to think: the points of every symbol on every cell and which symbols score there; and numbers.
SMALL = 6 * CELLS + CELLS
ROWS, ORDER, GAINS, OTHER_GAINS, COPIES, MINE = 0, 102, 108, 129, 150, 171
# The best gain of every two symbols, eight to a row; what points are worth, symbol by symbol, those above the goal as
# much as the goal; and the best points beside a cell, with what they are worth.
BEST, OTHER_BEST, WORTHS, OTHER_WORTHS, BESIDE, WORTH_BESIDE, OTHER_WORTH_BESIDE = 177, 225, 273, 387, 501, 509, 517
WORK = 525


@compiled
def worth(score: int, low: int, points: int) -> int:
    """T12, T13: what points are worth to a player whose lowest score is ``low``."""
    missing = GOAL - score
    if points >= missing:
        return WORTH[score - low, missing] + BONUS if missing > 0 else 0
    return WORTH[score - low, points]


@compiled
def see(state: np.record, small: np.ndarray) -> int:
    """The points of every symbol on every cell that a tile can still cover; returns how many such cells there are."""
    alive_cells = 0
    small[6 * CELLS + OFF_BOARD] = 0
    for cell in range(OFF_BOARD):
        for symbol in range(6):
            small[symbol * CELLS + cell] = 0
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
                small[symbol * CELLS + cell] += points
            if alive:
                alive_cells += 1
            else:
                seen = 0
                for symbol in range(6):
                    small[symbol * CELLS + cell] = 0
        small[6 * CELLS + cell] = seen
    return alive_cells


@compiled
def note_spots(small: np.ndarray, work: np.ndarray) -> None:
    """The best spots of every symbol, and how many there are."""
    for cell in range(OFF_BOARD):
        if small[6 * CELLS + cell] == 0:
            continue
        for symbol in range(6):
            points = int(small[symbol * CELLS + cell])
            if points == 0:
                continue
            row = ROWS + symbol * BY_SYMBOL
            if points > work[row + SPOT]:
                work[row + THIRD] = work[row + SECOND]
                work[row + SECOND] = work[row + SPOT]
                work[row + SPOT] = points
            elif points > work[row + SECOND]:
                work[row + THIRD] = work[row + SECOND]
                work[row + SECOND] = points
            elif points > work[row + THIRD]:
                work[row + THIRD] = points
            for least in range(min(points, 5)):
                work[row + SPOTS + least] += 1


@compiled
def note_worths(state: np.record, player: int, begin: int, work: np.ndarray) -> None:
    """T12, T13: what points are worth to a player, as many as a symbol can score."""
    low = lowest(state.score[player])
    for symbol in range(6):
        for points in range(min(work[ROWS + symbol * BY_SYMBOL + SPOT], GOAL) + 1):
            work[begin + symbol * (GOAL + 1) + points] = worth(state.score[player, symbol], low, points)


Six = tuple[int, int, int, int, int, int]


@compiled
def better(best: Six, small: np.ndarray, cell: int) -> Six:
    """The best points of every symbol so far, or those on a cell."""
    return (
        max(best[0], int(small[cell])),
        max(best[1], int(small[CELLS + cell])),
        max(best[2], int(small[2 * CELLS + cell])),
        max(best[3], int(small[3 * CELLS + cell])),
        max(best[4], int(small[4 * CELLS + cell])),
        max(best[5], int(small[5 * CELLS + cell])),
    )


@compiled
def note_beside(state: np.record, cell: int, small: np.ndarray, work: np.ndarray) -> bool:
    """T5: the best points of every symbol beside a cell where the other half of a tile may lie, if anywhere.

    More points are never worth less, so that no others count.
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
        best = better(best, small, there)
    for symbol in range(6):
        work[BESIDE + symbol] = best[symbol]
        points = symbol * (GOAL + 1) + min(best[symbol], GOAL)
        work[WORTH_BESIDE + symbol] = work[WORTHS + points]
        work[OTHER_WORTH_BESIDE + symbol] = work[OTHER_WORTHS + points]
    return somewhere


@compiled
def note_cell(cell: int, small: np.ndarray, work: np.ndarray) -> None:
    """What the tiles gain with a scoring symbol on a cell and the best beside it, for both players."""
    for a in range(6):
        points = int(small[a * CELLS + cell])
        if points == 0:
            continue
        row = ROWS + a * BY_SYMBOL + PLACE_FOR_DOUBLE
        work[row] = max(work[row], points + work[BESIDE + a])
        own = work[WORTHS + a * (GOAL + 1) + min(points, GOAL)]
        other = work[OTHER_WORTHS + a * (GOAL + 1) + min(points, GOAL)]
        for b in range(6):
            best = BEST + a * 8 + b
            work[best] = max(work[best], own + work[WORTH_BESIDE + b])
            best = OTHER_BEST + a * 8 + b
            work[best] = max(work[best], other + work[OTHER_WORTH_BESIDE + b])


@compiled
def note_gains(state: np.record, player: int, best: int, gains: int, work: np.ndarray) -> None:
    """What every tile gains at best."""
    low = lowest(state.score[player])
    for a in range(6):
        points = int(work[ROWS + a * BY_SYMBOL + PLACE_FOR_DOUBLE])
        work[gains + TILE_OF[a, a]] = worth(state.score[player, a], low, points)
        for b in range(a + 1, 6):
            work[gains + TILE_OF[a, b]] = max(work[best + a * 8 + b], work[best + b * 8 + a])


@compiled
def note_pairs(state: np.record, seat: int, small: np.ndarray, work: np.ndarray) -> int:
    """T5: which tiles fit where; returns how many places for a tile there are."""
    note_worths(state, seat, WORTHS, work)
    note_worths(state, 1 - seat, OTHER_WORTHS, work)
    for symbol in range(6):
        small[symbol * CELLS + OFF_BOARD] = 0
    for cell in range(OFF_BOARD):
        if small[6 * CELLS + cell] != 0 and note_beside(state, cell, small, work):
            note_cell(cell, small, work)
    note_gains(state, seat, BEST, GAINS, work)
    note_gains(state, 1 - seat, OTHER_BEST, OTHER_GAINS, work)
    return rules.spots(state)


@compiled
def note_tiles(state: np.record, seat: int, work: np.ndarray) -> int:
    """T4: the scores, the own tiles, and those that the seat has not seen; returns how many are in the bag."""
    other = 1 - seat
    for kind in range(KINDS):
        work[COPIES + kind] = state.bag[kind]
    for at in range(RACK):
        if state.rack[other, at] != NONE:
            work[COPIES + state.rack[other, at]] += 1
        if state.turn == other and state.aside[at] != NONE:
            work[COPIES + state.aside[at]] += 1
    for symbol in range(6):
        row = ROWS + symbol * BY_SYMBOL
        work[row + OWN] = state.score[seat, symbol]
        work[row + OTHER] = state.score[other, symbol]
        work[row + OWN_FULL] = state.score[seat, symbol] == GOAL
        work[row + OTHER_FULL] = state.score[other, symbol] == GOAL
    unseen = 0
    for kind in range(KINDS):
        copies = work[COPIES + kind]
        unseen += copies
        note_tile(work, kind, copies, UNSEEN)
    for at in range(state.rack_size[seat]):
        note_tile(work, int(state.rack[seat, at]), 1, SINGLES)
    return unseen - int(state.rack_size[other])


@compiled
def note_tile(work: np.ndarray, tile: int, copies: int, column: int) -> None:
    """Some copies of a tile among the single or double ones of its symbols."""
    a = int(TILES[tile, 0])
    b = int(TILES[tile, 1])
    if a == b:
        work[ROWS + a * BY_SYMBOL + column + 1] += copies
    else:
        work[ROWS + a * BY_SYMBOL + column] += copies
        work[ROWS + b * BY_SYMBOL + column] += copies


@compiled
def describe(
    state: np.record, seat: int, out: np.ndarray, small: np.ndarray, work: np.ndarray, keys: np.ndarray
) -> None:
    """Tell a net what a seat knows of a position; nothing hidden from the seat is looked at."""
    other = 1 - seat
    for at in range(WORTHS):
        work[at] = 0
    bag = note_tiles(state, seat, work)
    cells = see(state, small)
    note_spots(small, work)
    places = note_pairs(state, seat, small, work)
    ordered(work, BY_SYMBOL, work[ORDER:], keys)
    for rank in range(6):
        row = ROWS + work[ORDER + rank] * BY_SYMBOL
        for at in range(BY_SYMBOL):
            out[rank * BY_SYMBOL + at] = capped(work[row + at])
    at = 6 * BY_SYMBOL
    out[at] = bag
    out[at + 1] = cells
    out[at + 2] = capped(places // 2)
    out[at + 3] = capped(int(state.placed))
    mine = state.turn == seat
    for flag in range(6):
        out[at + 4 + flag] = 0
    # T16: that the other has a choice is nobody else's business; the turn is at its end.
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
    tell_gains(state, seat, out, at + 18, work)


@compiled
def tell_gains(state: np.record, seat: int, out: np.ndarray, at: int, work: np.ndarray) -> None:
    """What the own tiles gain at best, one by one; what an unseen rack gains at most and on average, for both."""
    for tile in range(state.rack_size[seat]):
        work[MINE + tile] = work[GAINS + state.rack[seat, tile]]
    put_in_falling_order(work, MINE, RACK)
    for tile in range(RACK):
        out[at + tile] = capped(work[MINE + tile] // 2)
    most = 0
    others_most = 0
    for kind in range(KINDS):
        if work[COPIES + kind] > 0:
            most = max(most, work[GAINS + kind])
            others_most = max(others_most, work[OTHER_GAINS + kind])
    out[at + 6] = capped(most // 2)
    out[at + 7] = capped(others_most // 2)
    out[at + 8] = capped(expected_best(work, GAINS, work[COPIES:], KINDS, RACK) // 2)
    held = int(state.rack_size[1 - seat])
    out[at + 9] = capped(expected_best(work, OTHER_GAINS, work[COPIES:], KINDS, max(held, 1)) // 2)


# The moves that are judged: those that look best at first sight


WAYS = 12
WISHED = SMALL
WAY = WISHED + CELLS
SIGHT = WAY + WAYS + 1


def slots(players: int) -> int:
    """How many moves there can be."""
    return len(PAIRS) * WAYS


def judged(players: int) -> int:
    """How many of them are judged by a net."""
    return 64


@compiled
def glance(state: np.record, sight: np.ndarray) -> None:
    """See what every symbol would score everywhere, what the opponent would like, and how tiles can lie."""
    if state.phase != rules.PLACE:
        return
    see(state, sight)
    other = 1 - state.turn
    low = lowest(state.score[other])
    for cell in range(CELLS):
        best = 0
        if cell < OFF_BOARD:
            for symbol in range(6):
                points = int(sight[symbol * CELLS + cell])
                if points > 0:
                    best = max(best, worth(state.score[other, symbol], low, points))
        sight[WISHED + cell] = capped(best // 2)
    ways = ways_of(state)
    number = bits.size(ways)
    for which in range(number):
        sight[WAY + which] = bits.member(ways, which)
    sight[WAY + WAYS] = number


@compiled
def slot(state: np.record, sight: np.ndarray, which: int) -> tuple[int, float]:
    """A move by its number, or NONE, and what it looks like at first sight: its gain, and what it takes away."""
    if state.phase != rules.PLACE:
        return (KEEP + which if which < 2 else NONE), 0.0
    pair = which // WAYS
    way = which % WAYS
    if way >= sight[WAY + WAYS] or not rules.is_spot(state, pair):
        return NONE, 0.0
    symbols = int(sight[WAY + way])
    a = symbols // 6
    b = symbols % 6
    here = int(PAIRS[pair, 0])
    there = int(PAIRS[pair, 1])
    scores = state.score[state.turn]
    low = lowest(scores)
    points = int(sight[a * CELLS + here])
    more = int(sight[b * CELLS + there])
    if a == b:
        gain = worth(scores[a], low, points + more)
    else:
        gain = worth(scores[a], low, points) + worth(scores[b], low, more)
    return placement(pair, symbols), gain + 0.5 * (sight[WISHED + here] + sight[WISHED + there])

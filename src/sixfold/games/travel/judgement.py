"""Judging placements of the travel edition."""

import numpy as np

from sixfold.games.contract import Plan
from sixfold.games.shared import bits
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.generator import below
from sixfold.games.shared.judging import clear, rank
from sixfold.games.shared.mathematics import exponentials, log
from sixfold.games.shared.symbols import NONE, first_of, lowest, next_player, ordered, second_of
from sixfold.games.travel import GOAL
from sixfold.games.travel import rules as rules
from sixfold.games.travel.board import MOST_PLACED, NEIGHBOUR, OFF_BOARD, PAIRS
from sixfold.games.travel.moves import KEEP, SWAP, pair_of, placement
from sixfold.games.travel.spots import IS_FIRST, ORDERS, PAIR_OF, best_cell, bury, bury_around
from sixfold.games.travel.spots import SIGHT as SIGHT
from sixfold.games.travel.spots import act as act
from sixfold.games.travel.spots import copy_sight as copy_sight
from sixfold.games.travel.spots import look as look
from sixfold.games.travel.tiles import TILES, ways

# What a move is good for. Growth and bonus are the player's own; the other two look at the board that is left behind.
TERMS = ("growth", "bonus", "left", "kept")
GROWTH, BONUS, LEFT, KEPT = range(4)
# A bonus turn is worth about as much as a good turn; a spot left for the opponent is one that he may well take.
WEIGHTS = np.array([1.0, 0.5, -0.5, 0.2])
FORESIGHT = WEIGHTS

# One tile can score more, but points beyond these are worth nothing.
MOST_POINTS = GOAL
# The worth of points to the player and to the opponent, symbol by symbol, and the ways in which a tile can lie.
WORK = (14, MOST_POINTS + 1)

# A point is worth less the higher a symbol stands. Early the game is long, and every point will count some day; late
# only the lowest symbols matter.
EARLY, LATE = 0.16, 0.42
DECAY = exponentials(-np.outer(np.linspace(EARLY, LATE, MOST_PLACED + 1), np.arange(GOAL + 1)))


def _light_worth() -> np.ndarray:
    """What points are worth, by tiles placed, score and points; a bonus turn is worth all points above the fourth."""
    score, points = np.ogrid[: GOAL + 1, : MOST_POINTS + 1]
    after = np.minimum(score + points, GOAL)
    bonus = (after == GOAL) & (points > 0) & (score < GOAL)
    return DECAY[:, score] - DECAY[:, after] + bonus * DECAY[:, 4, None, None]


LIGHT_WORTH = _light_worth()
# How many steps of ``standing`` decide the game at its start and at its end.
REACH = (6.0, 1.0)
PLAN = Plan(depth=2, width=20, reply=4, growth=0.3, courage=0.6, trust=0.25)
LENGTH = 40


# A light hand plays one move in so many at random: quick, and nobody plays all as foreseen.
SURPRISE = 3


# How well a player stands


@compiled
def need(state: np.record, player: int) -> float:
    """How much is missing, the lowest symbols above all: a sum that each symbol's points bring down."""
    decay = DECAY[state.placed]
    missing = 0.0
    for symbol in range(6):
        missing += decay[state.score[player, symbol]]
    return missing


@compiled
def standing(state: np.record, player: int) -> float:
    """The lowest symbols as one number, in points."""
    placed = min(int(state.placed), MOST_PLACED)
    slope = EARLY + (LATE - EARLY) * placed / MOST_PLACED
    return -log(need(state, player)) / slope


@compiled
def progress(state: np.record) -> float:
    """How much of the game is over, from 0 to 1."""
    return min(1.0, state.placed / LENGTH)


@compiled
def worth(state: np.record, player: int, symbol: int, points: int) -> float:
    """T12, T13: what points for a symbol are worth to a player, a bonus turn included; a full symbol gains nothing."""
    before = int(state.score[player, symbol])
    after = min(before + points, GOAL)
    decay = DECAY[state.placed]
    value = (decay[before] - decay[after]) / need(state, player)
    if after == GOAL and before < GOAL:
        value += WEIGHTS[BONUS]
    return value


@compiled
def worths(state: np.record, player: int, table: np.ndarray) -> None:
    """The worth of any number of points for every symbol."""
    decay = DECAY[state.placed]
    share = 1.0 / need(state, player)
    for symbol in range(6):
        before = int(state.score[player, symbol])
        missing = GOAL - before
        for points in range(MOST_POINTS + 1):
            if points < missing:
                table[symbol, points] = (decay[before] - decay[before + points]) * share
            elif missing > 0:
                table[symbol, points] = (decay[before] - decay[GOAL]) * share + WEIGHTS[BONUS]
            else:
                table[symbol, points] = 0.0


@compiled
def prospect(state: np.record, sight: np.ndarray, player: int) -> float:
    """What the best spots on the board are worth to a player: the best symbol's, and half of the second best's."""
    best = 0.0
    second = 0.0
    for symbol in range(6):
        most = 0
        for cell in range(OFF_BOARD):
            most = max(most, int(sight[symbol, cell]))
        value = worth(state, player, symbol, most)
        if value > best:
            second = best
            best = value
        elif value > second:
            second = value
    return best + 0.5 * second


# What a move is good for


@compiled
def terms(
    state: np.record, sight: np.ndarray, move: int, after: np.ndarray, seen: np.ndarray, found: np.ndarray
) -> None:
    """Name what a move is good for; ``after`` and ``seen`` hold the position behind it."""
    player = int(np.int64(state.turn))
    other = next_player(state)
    clear(found)
    if move >= KEEP:
        found[GROWTH] = renewal(state) if move == SWAP else 0.0
        return
    after[0] = state
    copy_sight(sight, seen)
    act(after[0], seen, move)
    for half in range(2):
        bury_around(after[0], seen, PAIRS[pair_of(move), half])
    missing = need(state, player)
    decay = DECAY[state.placed]
    for symbol in range(6):
        before = state.score[player, symbol]
        now = after[0].score[player, symbol]
        found[GROWTH] += (decay[before] - decay[now]) / missing
        if now == GOAL and before < GOAL:
            found[BONUS] += 1.0
    found[LEFT] = prospect(after[0], seen, other) - prospect(state, sight, other)
    found[KEPT] = prospect(after[0], seen, player) - prospect(state, sight, player)


@compiled
def renewal(state: np.record) -> float:
    """T16: new tiles help the more, the further the symbols in the rack are ahead of the lowest."""
    player = state.turn
    nearest = GOAL
    for at in range(state.rack_size[player]):
        tile = state.rack[player, at]
        for half in range(2):
            nearest = min(nearest, int(state.score[player, TILES[tile, half]]))
    return 0.1 * (nearest - lowest(state.score[player]) - 2)


# The moves that look best at first sight


@compiled
def candidates(
    state: np.record, sight: np.ndarray, work: np.ndarray, moves: np.ndarray, values: np.ndarray, most: int
) -> int:
    """The placements with the most growth, a little more where they take a spot that the opponent would like."""
    if state.phase != rules.PLACE:
        moves[0] = KEEP
        values[0] = 0.0
        return rank(moves, values, 1, 2, SWAP, renewal(state))
    player = int(np.int64(state.turn))
    worths(state, player, work[:6])
    worths(state, next_player(state), work[6:12])
    possible_ways = ways(state)
    each = bits.size(possible_ways)
    for which in range(each):
        work[12, which] = bits.member(possible_ways, which)
    size = 0
    for pair in range(len(PAIRS)):
        if not rules.is_spot(state, pair):
            continue
        first = PAIRS[pair, 0]
        second = PAIRS[pair, 1]
        denied = -WEIGHTS[LEFT] * 0.5 * (wanted(sight, first, work) + wanted(sight, second, work))
        for which in range(each):
            way = int(work[12, which])
            value = denied + both(sight, first, first_of(way), second, second_of(way), work)
            if size < most or value > values[size - 1]:
                size = rank(moves, values, size, most, placement(pair, way), value)
    return size


@compiled
def wanted(sight: np.ndarray, cell: int, work: np.ndarray) -> float:
    """What a cell is worth to the opponent."""
    value = 0.0
    for symbol in range(6):
        value = max(value, work[6 + symbol, max(0, min(MOST_POINTS, int(sight[symbol, cell])))])
    return value


@compiled
def both(sight: np.ndarray, first: int, a: int, second: int, b: int, work: np.ndarray) -> float:
    """What a tile's two halves are worth on two cells."""
    here = max(0, int(sight[a, first]))
    there = max(0, int(sight[b, second]))
    if a == b:
        return work[a, min(MOST_POINTS, here + there)]
    return work[a, min(MOST_POINTS, here)] + work[b, min(MOST_POINTS, there)]


@compiled
def light(state: np.record, sight: np.ndarray, work: np.ndarray, generator: np.ndarray) -> int:
    """A sensible move as fast as possible: one half of a tile on its symbol's best spot, the other beside it."""
    if state.phase != rules.PLACE:
        return SWAP if renewal(state) > 0.0 else KEEP
    if state.placed < 2 or below(generator, SURPRISE) == 0:
        return rules.nth(state, below(generator, rules.count(state)))
    player = state.turn
    worth_now = LIGHT_WORTH[state.placed]
    order = below(generator, len(ORDERS))
    for symbol in range(6):
        cell = best_cell(sight, symbol, order)
        work[0, symbol] = worth_now[state.score[player, symbol], min(MOST_POINTS, int(sight[symbol, cell]))]
    best = -1.0
    chosen = 0
    before = NONE
    for at in range(state.rack_size[player]):
        tile = state.rack[player, at]
        if tile == before:
            continue
        before = tile
        a = int(TILES[tile, 0])
        b = int(TILES[tile, 1])
        if work[0, a] + work[0, b] <= best:
            # Even with both halves on their best spots this tile would do no better.
            continue
        if work[0, b] > work[0, a]:
            a, b = b, a
        cell = best_cell(sight, a, order)
        # Points and direction in one number: the greatest is found without a branch.
        most = -1
        for direction in range(6):
            most = max(most, int(sight[b, NEIGHBOUR[cell, direction]]) * 8 + direction)
        if most < 0:
            bury(sight, cell)
            continue
        towards = most & 7
        most >>= 3
        if a == b:
            value = worth_now[state.score[player, a], min(MOST_POINTS, int(sight[a, cell]) + most)]
        else:
            value = work[0, a] + worth_now[state.score[player, b], min(MOST_POINTS, most)]
        if value > best:
            best = value
            way = ordered(a, b) if IS_FIRST[cell, towards] else ordered(b, a)
            chosen = placement(PAIR_OF[cell, towards], way)
    if best < 0.0:
        # All spots that looked best were dead ends; next time they are known.
        return rules.nth(state, below(generator, rules.count(state)))
    return chosen

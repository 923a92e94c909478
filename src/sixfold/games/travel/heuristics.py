"""Heuristics for the travel edition."""

import numpy as np

from sixfold.games.contract import Plan
from sixfold.games.shared import bits
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.generator import below
from sixfold.games.shared.heuristics import clear, rank, sum_at
from sixfold.games.shared.mathematics import exponentials, log
from sixfold.games.shared.symbols import NONE, first_of, lowest, next_player, ordered, second_of
from sixfold.games.travel import GOAL
from sixfold.games.travel import rules as rules
from sixfold.games.travel.board import IS_FIRST, MAX_PLACED, NEIGHBOUR, OFF_BOARD, PAIR_OF, PAIRS
from sixfold.games.travel.moves import KEEP, SWAP, pair_of, placement
from sixfold.games.travel.score_map import BOARD_FEATURES_SHAPE as BOARD_FEATURES_SHAPE
from sixfold.games.travel.score_map import ORDERS, best_cell, bury, bury_around
from sixfold.games.travel.score_map import act as act
from sixfold.games.travel.score_map import compute_board_features as compute_board_features
from sixfold.games.travel.score_map import copy_board_features as copy_board_features
from sixfold.games.travel.tiles import TILES, ways

# Growth and bonus are the player's own gains; the other two terms evaluate the board after the move.
TERMS = ("growth", "bonus", "left", "kept")
GROWTH, BONUS, LEFT, KEPT = range(4)
# A bonus turn is worth about as much as a good turn; a good spot left open is likely to be taken by the opponent.
WEIGHTS = np.array([1.0, 0.5, -0.5, 0.2])
SEARCH_WEIGHTS = WEIGHTS

# One tile can score more points, but the excess is worthless.
MAX_POINTS = GOAL
# The worth of points to the player and to the opponent by symbol, and the orientations of the player's tiles.
WORKSPACE_SHAPE = (14, MAX_POINTS + 1)

# A point is worth less the higher a symbol's score. Early in the game every point still counts; late in the game only
# the lowest symbols matter.
EARLY, LATE = 0.16, 0.42
DECAY = exponentials(-np.outer(np.linspace(EARLY, LATE, MAX_PLACED + 1), np.arange(GOAL + 1)))


def _playout_worth() -> np.ndarray:
    """The worth of points by tiles placed, score and points; a bonus turn is worth all points above the fourth."""
    score, points = np.ogrid[: GOAL + 1, : MAX_POINTS + 1]
    after = np.minimum(score + points, GOAL)
    bonus = (after == GOAL) & (points > 0) & (score < GOAL)
    return DECAY[:, score] - DECAY[:, after] + bonus * DECAY[:, 4, None, None]


PLAYOUT_WORTH = _playout_worth()
# The lead in ``evaluate`` that decides the game at its start and at its end.
DECISIVE_LEAD = (6.0, 1.0)
PLAN = Plan(depth=2, width=20, reply_width=4, widening=0.3, c_puct=0.6, prior_temperature=0.25)
LENGTH = 40


# Playouts choose one move in this many at random, for speed and variety.
SURPRISE = 3


# Static evaluation


@compiled
def need(state: np.record, player: int) -> float:
    """How much a player still needs: a sum over the symbols that decays with their scores, dominated by the lowest."""
    return sum_at(DECAY[state.placed], state.score[player])


@compiled
def evaluate(state: np.record, player: int) -> float:
    """A soft minimum of the player's scores, in points."""
    placed = min(int(state.placed), MAX_PLACED)
    slope = EARLY + (LATE - EARLY) * placed / MAX_PLACED
    return -log(need(state, player)) / slope


@compiled
def progress(state: np.record) -> float:
    """The share of the game that has been played, from 0 to 1."""
    return min(1.0, state.placed / LENGTH)


@compiled
def worth(state: np.record, player: int, symbol: int, points: int) -> float:
    """T12, T13: the worth of points for a symbol to a player, including a bonus turn; a full symbol gains nothing."""
    before = int(state.score[player, symbol])
    after = min(before + points, GOAL)
    decay = DECAY[state.placed]
    value = (decay[before] - decay[after]) / need(state, player)
    if after == GOAL and before < GOAL:
        value += WEIGHTS[BONUS]
    return value


@compiled
def worths(state: np.record, player: int, table: np.ndarray) -> None:
    """Tabulate the worth of every number of points for every symbol."""
    decay = DECAY[state.placed]
    share = 1.0 / need(state, player)
    for symbol in range(6):
        before = int(state.score[player, symbol])
        missing = GOAL - before
        for points in range(MAX_POINTS + 1):
            if points < missing:
                table[symbol, points] = (decay[before] - decay[before + points]) * share
            elif missing > 0:
                table[symbol, points] = (decay[before] - decay[GOAL]) * share + WEIGHTS[BONUS]
            else:
                table[symbol, points] = 0.0


@compiled
def prospect(state: np.record, board_features: np.ndarray, player: int) -> float:
    """The worth of the best spots on the board to a player: the best symbol's, plus half of the second best's."""
    best = 0.0
    second = 0.0
    for symbol in range(6):
        most = 0
        for cell in range(OFF_BOARD):
            most = max(most, int(board_features[symbol, cell]))
        value = worth(state, player, symbol, most)
        if value > best:
            second = best
            best = value
        elif value > second:
            second = value
    return best + 0.5 * second


# Terms of a move


@compiled
def terms(
    state: np.record,
    board_features: np.ndarray,
    move: int,
    after: np.ndarray,
    features_after: np.ndarray,
    result: np.ndarray,
) -> None:
    """The terms of a move; ``after`` and ``features_after`` receive the position after it."""
    player = int(np.int64(state.turn))
    other = next_player(state)
    clear(result)
    if move >= KEEP:
        result[GROWTH] = renewal(state) if move == SWAP else 0.0
        return
    after[0] = state
    copy_board_features(board_features, features_after)
    act(after[0], features_after, move)
    for half in range(2):
        bury_around(after[0], features_after, PAIRS[pair_of(move), half])
    missing = need(state, player)
    decay = DECAY[state.placed]
    for symbol in range(6):
        before = state.score[player, symbol]
        now = after[0].score[player, symbol]
        result[GROWTH] += (decay[before] - decay[now]) / missing
        if now == GOAL and before < GOAL:
            result[BONUS] += 1.0
    result[LEFT] = prospect(after[0], features_after, other) - prospect(state, board_features, other)
    result[KEPT] = prospect(after[0], features_after, player) - prospect(state, board_features, player)


@compiled
def renewal(state: np.record) -> float:
    """T16: the value of a swap, which grows with the lead of the rack's symbols over the lowest."""
    player = state.turn
    nearest = GOAL
    for at in range(state.rack_size[player]):
        tile = state.rack[player, at]
        for half in range(2):
            nearest = min(nearest, int(state.score[player, TILES[tile, half]]))
    return 0.1 * (nearest - lowest(state.score[player]) - 2)


# Candidate moves


@compiled
def candidates(
    state: np.record,
    board_features: np.ndarray,
    workspace: np.ndarray,
    moves: np.ndarray,
    values: np.ndarray,
    most: int,
) -> int:
    """The placements with the most growth, with a small bonus for occupying spots that are valuable to the opponent."""
    if state.phase != rules.PLACE:
        moves[0] = KEEP
        values[0] = 0.0
        return rank(moves, values, 1, 2, SWAP, renewal(state))
    player = int(np.int64(state.turn))
    worths(state, player, workspace[:6])
    worths(state, next_player(state), workspace[6:12])
    possible_ways = ways(state)
    each = bits.size(possible_ways)
    for which in range(each):
        workspace[12, which] = bits.member(possible_ways, which)
    size = 0
    for pair in range(len(PAIRS)):
        if not rules.is_spot(state, pair):
            continue
        first = PAIRS[pair, 0]
        second = PAIRS[pair, 1]
        denied = (
            -WEIGHTS[LEFT]
            * 0.5
            * (opponent_worth(board_features, first, workspace) + opponent_worth(board_features, second, workspace))
        )
        for which in range(each):
            way = int(workspace[12, which])
            value = denied + tile_worth(board_features, first, first_of(way), second, second_of(way), workspace)
            if size < most or value > values[size - 1]:
                size = rank(moves, values, size, most, placement(pair, way), value)
    return size


@compiled
def opponent_worth(board_features: np.ndarray, cell: int, workspace: np.ndarray) -> float:
    """The worth of a cell to the opponent."""
    value = 0.0
    for symbol in range(6):
        value = max(value, workspace[6 + symbol, max(0, min(MAX_POINTS, int(board_features[symbol, cell])))])
    return value


@compiled
def tile_worth(board_features: np.ndarray, first: int, a: int, second: int, b: int, workspace: np.ndarray) -> float:
    """The worth of a tile's two halves on two cells."""
    here = max(0, int(board_features[a, first]))
    there = max(0, int(board_features[b, second]))
    if a == b:
        return workspace[a, min(MAX_POINTS, here + there)]
    return workspace[a, min(MAX_POINTS, here)] + workspace[b, min(MAX_POINTS, there)]


@compiled
def playout_move(state: np.record, board_features: np.ndarray, workspace: np.ndarray, generator: np.ndarray) -> int:
    """A fast playout move: one half of a tile on its symbol's best spot, the other half on the best cell beside it."""
    if state.phase != rules.PLACE:
        return SWAP if renewal(state) > 0.0 else KEEP
    if state.placed < 2 or below(generator, SURPRISE) == 0:
        return rules.nth(state, below(generator, rules.count(state)))
    player = state.turn
    worth_now = PLAYOUT_WORTH[state.placed]
    order = below(generator, len(ORDERS))
    for symbol in range(6):
        cell = best_cell(board_features, symbol, order)
        workspace[0, symbol] = worth_now[
            state.score[player, symbol], min(MAX_POINTS, int(board_features[symbol, cell]))
        ]
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
        if workspace[0, a] + workspace[0, b] <= best:
            # Even with both halves on their best spots this tile would not be better.
            continue
        if workspace[0, b] > workspace[0, a]:
            a, b = b, a
        cell = best_cell(board_features, a, order)
        # Points and direction are packed into one number, so that the maximum needs no branch.
        most = -1
        for direction in range(6):
            most = max(most, int(board_features[b, NEIGHBOUR[cell, direction]]) * 8 + direction)
        if most < 0:
            bury(board_features, cell)
            continue
        towards = most & 7
        most >>= 3
        if a == b:
            value = worth_now[state.score[player, a], min(MAX_POINTS, int(board_features[a, cell]) + most)]
        else:
            value = workspace[0, a] + worth_now[state.score[player, b], min(MAX_POINTS, most)]
        if value > best:
            best = value
            way = ordered(a, b) if IS_FIRST[cell, towards] else ordered(b, a)
            chosen = placement(PAIR_OF[cell, towards], way)
    if best < 0.0:
        # All best spots were dead ends; they are marked now and will be skipped next time.
        return rules.nth(state, below(generator, rules.count(state)))
    return chosen

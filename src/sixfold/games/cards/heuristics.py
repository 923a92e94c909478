"""Heuristics for the card game."""

import numpy as np

from sixfold.games.cards import AREAS, GOAL, LAST
from sixfold.games.cards import rules as rules
from sixfold.games.contract import Plan
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.games.shared.generator import below
from sixfold.games.shared.heuristics import act_of, clear, rank, sum_at
from sixfold.games.shared.heuristics import compute_board_features as compute_board_features
from sixfold.games.shared.heuristics import copy_board_features as copy_board_features
from sixfold.games.shared.mathematics import exponentials, log
from sixfold.games.shared.symbols import NONE, OVER, limit, next_player, ordered

# ``left`` is the worth of the face-up cards to the next player, ``kept`` their worth to the player's own next turn with
# the remaining hand.
TERMS = ("growth", "bonus", "left", "kept", "goal")
GROWTH, BONUS, LEFT, KEPT, WON = range(5)
WEIGHTS = np.array([1.0, 0.4, -0.4, 0.5, 100.0])
SEARCH_WEIGHTS = WEIGHTS

# There are no board features; the face-up cards are counted for every move.
BOARD_FEATURES_SHAPE = (1, 1)
WORKSPACE_SHAPE = (4, 12)

# A column is worth less the further a chip has advanced; beyond the goal only the bonus turn in column 10 counts.
SLOPE = 0.4
DECAY = exponentials(-SLOPE * np.minimum(np.arange(LAST + 1), GOAL))
DECISIVE_LEAD = (2.0, 0.7)
PLAN = Plan(depth=2, width=12, reply_width=4, widening=0.3, c_puct=0.6, prior_temperature=0.25)
act = act_of(rules)


# Static evaluation


@compiled
def need(state: np.record, player: int) -> float:
    """How much a player still needs, dominated by the lowest chips."""
    return sum_at(DECAY, state.chip[player])


@compiled
def evaluate(state: np.record, player: int) -> float:
    """A soft minimum of the player's chips, in columns."""
    return -log(need(state, player)) / SLOPE


@compiled
def progress(state: np.record) -> float:
    """The share of the game that has been played, from 0 to 1: the progress of the leading player."""
    most = 0
    for player in range(state.players):
        steps = 0
        for symbol in range(6):
            steps += min(int(state.chip[player, symbol]), GOAL)
        most = max(most, steps)
    return most / (6 * GOAL)


@compiled
def count_open(state: np.record, matches: np.ndarray) -> None:
    """C7: how many face-up cards show each symbol."""
    clear(matches)
    for player in range(state.players):
        for at in range(state.open_size[player]):
            card = state.open[player, at]
            matches[rules.CARDS[card, 0]] += 1.0
            matches[rules.CARDS[card, 1]] += 1.0


@compiled
def worths(state: np.record, player: int, matches: np.ndarray, table: np.ndarray) -> None:
    """C9, C10, C14: tabulate the worth of each symbol to a player now; closed and full symbols have none."""
    chips = state.chip[player]
    end = limit(chips, AREAS)
    share = 1.0 / need(state, player)
    for symbol in range(6):
        before = int(chips[symbol])
        after = min(before + int(matches[symbol]), end)
        table[symbol] = (DECAY[before] - DECAY[after]) * share
        if after == LAST and before < LAST:
            table[symbol] += WEIGHTS[BONUS]


@compiled
def unknown_hand_worth(table: np.ndarray) -> float:
    """The estimated worth of an unknown hand: the best symbol, plus half of the second best."""
    best = 0.0
    second = 0.0
    for symbol in range(6):
        if table[symbol] > best:
            second = best
            best = table[symbol]
        elif table[symbol] > second:
            second = table[symbol]
    return best + 0.5 * second


@compiled
def hand_worth(state: np.record, player: int, table: np.ndarray) -> float:
    """The worth of the best card in a known hand."""
    best = 0.0
    for at in range(state.hand_size[player]):
        card = state.hand[player, at]
        best = max(best, table[rules.CARDS[card, 0]] + table[rules.CARDS[card, 1]])
    return best


# Terms of a move


@compiled_with_arrays
def terms(
    state: np.record,
    board_features: np.ndarray,
    move: int,
    after: np.ndarray,
    features_after: np.ndarray,
    result: np.ndarray,
) -> None:
    """The terms of a move; ``after`` receives the position after it."""
    player = int(np.int64(state.turn))
    clear(result)
    after[0] = state
    rules.act(after[0], move)
    chips = after[0].chip[player]
    missing = need(state, player)
    for symbol in range(6):
        before = state.chip[player, symbol]
        result[GROWTH] += (DECAY[before] - DECAY[chips[symbol]]) / missing
        if chips[symbol] == LAST and before < LAST:
            result[BONUS] += 1.0
    if after[0].phase == OVER:
        result[WON] = 1.0
        return
    matches = np.zeros(6)
    table = np.zeros(6)
    count_open(after[0], matches)
    worths(after[0], player, matches, table)
    result[KEPT] = unknown_hand_worth(table) if move == rules.RENEW else hand_worth(after[0], player, table)
    worths(after[0], next_player(state), matches, table)
    result[LEFT] = unknown_hand_worth(table)


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
    """The cards with the most growth, each with the lower chip first; or keeping and renewing the hand."""
    if state.phase == rules.CHOOSE:
        moves[0] = rules.RENEW
        values[0] = 0.0
        return rank(moves, values, 1, 2, rules.KEEP, 0.0)
    player = int(np.int64(state.turn))
    count_open(state, workspace[0])
    worths(state, player, workspace[0], workspace[1])
    size = 0
    before = NONE
    for at in range(state.hand_size[player]):
        card = state.hand[player, at]
        if card != before:
            a = int(rules.CARDS[card, 0])
            b = int(rules.CARDS[card, 1])
            size = rank(moves, values, size, most, in_order(state, player, a, b), workspace[1, a] + workspace[1, b])
        before = card
    return size


@compiled
def in_order(state: np.record, player: int, a: int, b: int) -> int:
    """C8, C10: the lower chip first, since it may open an area for the other."""
    return ordered(a, b) if state.chip[player, a] <= state.chip[player, b] else ordered(b, a)


@compiled
def playout_move(state: np.record, board_features: np.ndarray, workspace: np.ndarray, generator: np.ndarray) -> int:
    """A fast playout move: the card with the most growth, ties broken at random."""
    if state.phase == rules.CHOOSE:
        return rules.RENEW
    player = int(np.int64(state.turn))
    count_open(state, workspace[0])
    worths(state, player, workspace[0], workspace[1])
    best = -1.0
    a = 0
    b = 0
    size = int(state.hand_size[player])
    at = below(generator, size)
    for _ in range(size):
        card = state.hand[player, at]
        value = workspace[1, rules.CARDS[card, 0]] + workspace[1, rules.CARDS[card, 1]]
        if value > best:
            best = value
            a = int(rules.CARDS[card, 0])
            b = int(rules.CARDS[card, 1])
        at = at + 1 if at + 1 < size else 0
    return in_order(state, player, a, b)

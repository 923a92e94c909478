"""Judging the flowers of posy."""

import numpy as np

from sixfold.games.contract import Plan
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.generator import below
from sixfold.games.shared.heuristics import clear, rank
from sixfold.games.shared.heuristics import compute_board_features as compute_board_features
from sixfold.games.shared.heuristics import copy_board_features as copy_board_features
from tests.posy import GOAL, LAST
from tests.posy import rules as rules

TERMS = ("growth", "goal")
GROWTH, WON = range(2)
WEIGHTS = np.array([1.0, 100.0])
SEARCH_WEIGHTS = WEIGHTS
BOARD_FEATURES_SHAPE = (1, 1)
WORKSPACE_SHAPE = (1, 1)
DECISIVE_LEAD = (1.0, 0.5)
PLAN = Plan(depth=2, width=6, reply_width=3, widening=0.3, c_puct=0.5, prior_temperature=0.25)

# A step is worth less the higher a value is, and little beyond the goal.
DECAY = np.exp(-0.8 * np.minimum(np.arange(LAST + 1), GOAL + 0.1 * np.arange(LAST + 1)))


@compiled
def act(state: np.record, board_features: np.ndarray, move: int) -> None:
    rules.act(state, move)


@compiled
def need(state: np.record, player: int) -> float:
    missing = 0.0
    for symbol in range(6):
        missing += DECAY[state.value[player, symbol]]
    return missing


@compiled
def growth(state: np.record, move: int) -> float:
    before = int(state.value[state.turn, move])
    return (DECAY[before] - DECAY[min(LAST, before + rules.rise(state, move))]) / need(state, state.turn)


@compiled
def terms(
    state: np.record,
    board_features: np.ndarray,
    move: int,
    after: np.ndarray,
    features_after: np.ndarray,
    result: np.ndarray,
) -> None:
    clear(result)
    result[GROWTH] = growth(state, move)
    won = state.value[state.turn, move] + rules.rise(state, move) >= GOAL
    for symbol in range(6):
        won = won and (symbol == move or state.value[state.turn, symbol] >= GOAL)
    result[WON] = 1.0 if won else 0.0


@compiled
def candidates(
    state: np.record,
    board_features: np.ndarray,
    workspace: np.ndarray,
    moves: np.ndarray,
    values: np.ndarray,
    most: int,
) -> int:
    size = 0
    for which in range(rules.count(state)):
        move = rules.nth(state, which)
        size = rank(moves, values, size, most, move, growth(state, move))
    return size


@compiled
def playout_move(state: np.record, board_features: np.ndarray, workspace: np.ndarray, generator: np.ndarray) -> int:
    number = rules.count(state)
    at = below(generator, number)
    best = rules.nth(state, at)
    for step in range(1, number):
        move = rules.nth(state, (at + step) % number)
        if growth(state, move) > growth(state, best):
            best = move
    return best


@compiled
def evaluate(state: np.record, player: int) -> float:
    return -np.log(need(state, player))


@compiled
def progress(state: np.record) -> float:
    return 1.0 - state.rest_size / 48

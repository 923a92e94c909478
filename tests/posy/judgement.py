"""Judging the flowers of posy."""

import numpy as np

from sixfold.games.contract import Plan
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.generator import below
from sixfold.games.shared.judging import clear, rank
from sixfold.games.shared.judging import copy_sight as copy_sight
from sixfold.games.shared.judging import look as look
from tests.posy import GOAL, LAST
from tests.posy import rules as rules

TERMS = ("growth", "goal")
GROWTH, WON = range(2)
WEIGHTS = np.array([1.0, 100.0])
FORESIGHT = WEIGHTS
SIGHT = (1, 1)
WORK = (1, 1)
REACH = (1.0, 0.5)
PLAN = Plan(depth=2, width=6, reply=3, growth=0.3, courage=0.5, trust=0.25)

# A step is worth less the higher a value is, and little beyond the goal.
DECAY = np.exp(-0.8 * np.minimum(np.arange(LAST + 1), GOAL + 0.1 * np.arange(LAST + 1)))


@compiled
def act(state: np.record, sight: np.ndarray, move: int) -> None:
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
    state: np.record, sight: np.ndarray, move: int, after: np.ndarray, seen: np.ndarray, found: np.ndarray
) -> None:
    clear(found)
    found[GROWTH] = growth(state, move)
    won = state.value[state.turn, move] + rules.rise(state, move) >= GOAL
    for symbol in range(6):
        won = won and (symbol == move or state.value[state.turn, symbol] >= GOAL)
    found[WON] = 1.0 if won else 0.0


@compiled
def candidates(
    state: np.record, sight: np.ndarray, work: np.ndarray, moves: np.ndarray, values: np.ndarray, most: int
) -> int:
    size = 0
    for which in range(rules.count(state)):
        move = rules.nth(state, which)
        size = rank(moves, values, size, most, move, growth(state, move))
    return size


@compiled
def light(state: np.record, sight: np.ndarray, work: np.ndarray, generator: np.ndarray) -> int:
    number = rules.count(state)
    at = below(generator, number)
    best = rules.nth(state, at)
    for step in range(1, number):
        move = rules.nth(state, (at + step) % number)
        if growth(state, move) > growth(state, best):
            best = move
    return best


@compiled
def standing(state: np.record, player: int) -> float:
    return -np.log(need(state, player))


@compiled
def progress(state: np.record) -> float:
    return 1.0 - state.rest_size / 48

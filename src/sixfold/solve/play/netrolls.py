"""The dice game with a net: all rolls are reckoned with, and the net judges only what is scored."""

from typing import Any

import numpy as np

from sixfold.bots import Budget
from sixfold.bots.choosing import best
from sixfold.bots.dense import forget, heard, scratch
from sixfold.bots.greedy import copied
from sixfold.bots.net import chance_of, load, sure
from sixfold.engine import notation
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View
from sixfold.games import packages
from sixfold.games.dice import features, rules, turns_needed
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.symbols import OVER


@compiled
def chance_after(net: Any, state: np.record, move: int, room: Any) -> float:
    """The chance to be ahead that a way to score gives."""
    weights, sizes = net
    after, told, small, work, keys, results, rewards, layers = room
    after[0] = state
    rules.act(after[0], move)
    if after[0].phase == OVER:
        rules.values(after[0], results)
        said = sure(results, int(state.players), int(state.turn), rewards)
    else:
        features.describe(after[0], int(state.turn), told, small, work, keys)
        said = heard(weights, sizes, told, layers)
    return chance_of(said)


@compiled
def best_score(net: Any, state: np.record, room: Any) -> float:
    """The chance that the best way to score the present roll gives."""
    most = 0.0
    for which in range(rules.count(state)):
        move = rules.nth(state, which)
        if move != rules.REROLL:
            most = max(most, chance_after(net, state, move, room))
    return most


@compiled
def weigh(net: Any, states: np.ndarray, moves: np.ndarray, chances: np.ndarray, every: Any, room: Any) -> int:
    """D4: every move with the chance to be ahead that it gives; returns how many moves there are."""
    rolls, likely, missed, trial = every
    state = states[0]
    number = rules.legal(state, moves)
    forget(room[-1])
    for at in range(number):
        if moves[at] != rules.REROLL:
            chances[at] = chance_after(net, state, moves[at], room)
            continue
        for roll in range(likely.size):
            trial[0] = state
            for symbol in range(6):
                trial[0].dice[state.turn, symbol] = rolls[roll, symbol]
            missed[roll] = 1.0 - best_score(net, trial[0], room)
        chances[at] = 1.0 - turns_needed.best_of_rolls(missed, likely, rules.ROLLS - state.rolls)
    return number


def every_roll(players: int) -> tuple[np.ndarray, ...]:
    """Every roll and its chance, with room to look at each."""
    rolls, likely = turns_needed.rolls(6 - players)
    return rolls, likely, np.zeros(len(likely)), np.zeros(1, dtype=rules.STATE)


def desk(told: int, widest: int) -> tuple[np.ndarray, ...]:
    """Room to think for a net that is told so many numbers and whose widest layer has so many."""
    return (
        np.zeros(1, dtype=rules.STATE),
        np.zeros(told, dtype=np.int8),
        np.zeros(features.SMALL, dtype=np.int8),
        np.zeros(features.WORK, dtype=np.int32),
        np.zeros(6, dtype=np.uint64),
        np.zeros((4, 6), dtype=np.int8),
        np.zeros(4),
        scratch(max(told, widest)),
    )


class NetRolls:
    """The best of scoring and of rolling on, with every roll by its chance."""

    BROWSER = "sixfold.solve.netrolls_browser"

    def __init__(self, game: str, players: int) -> None:
        self._net = load(packages()[game].net(players), game, players)
        self._every = every_roll(players)
        self._moves = np.zeros(rules.MOST_LEGAL, dtype=np.int16)
        self._chances = np.zeros(rules.MOST_LEGAL)
        self._room = desk(features.inputs(players), int(self._net[1].max()))

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        number = weigh(self._net, copied(view), self._moves, self._chances, self._every, self._room)
        return notation.write(view.rules, int(self._moves[best(self._chances[:number])]))

"""The dice game with a net: all rolls are reckoned with, and the net judges only what is scored."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from sixfold.bots import Budget
from sixfold.bots.greedy import copied
from sixfold.bots.net import desk, features_of, judge, load
from sixfold.engine import notation
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View
from sixfold.games import packages
from sixfold.games.contract import Features
from sixfold.games.dice import rules, turns_needed
from sixfold.games.shared.compiling import compiled


@cache
def weigher(features: Features) -> Callable[..., int]:
    """Compiled: every move with the chance to be ahead that it gives; returns how many moves there are."""
    value = judge(features)

    @compiled
    def best_score(net: Any, state: Any, room: Any) -> float:
        """The chance that the best way to score the present roll gives; less than none where there is none."""
        best = -1.0
        for which in range(rules.count(state)):
            move = rules.nth(state, which)
            if move != rules.REROLL:
                room[0][0] = state
                rules.act(room[0][0], move)
                best = max(best, 1.0 / (1.0 + np.exp(-value(net, room[0][0], int(state.turn), room))))
        return best

    @compiled
    def weigh(net: Any, state: Any, moves: Any, chances_of: Any, every: Any, trial: Any, room: Any) -> int:
        rolls, chances, missed = every
        number = rules.legal(state, moves)
        for at in range(number):
            if moves[at] != rules.REROLL:
                room[0][0] = state
                rules.act(room[0][0], moves[at])
                chances_of[at] = 1.0 / (1.0 + np.exp(-value(net, room[0][0], int(state.turn), room)))
                continue
            for roll in range(chances.size):
                trial[0] = state
                for symbol in range(6):
                    trial[0].dice[state.turn, symbol] = rolls[roll, symbol]
                missed[roll] = 1.0 - best_score(net, trial[0], room)
            chances_of[at] = 1.0 - turns_needed.best_of_rolls(missed, chances, rules.ROLLS - state.rolls)
        return number

    return weigh


class NetRolls:
    """D4: the best of scoring and of rolling on, with every roll by its chance."""

    def __init__(self, game: str, players: int) -> None:
        features = features_of(game, players)
        self._net = load(packages()[game].net(players), game, players)
        self._weigh = weigher(features)
        rolls, chances = turns_needed.rolls(6 - players)
        self._every = (rolls, chances, np.zeros(len(chances)))
        self._moves = np.zeros(rules.MOST_LEGAL, dtype=np.int16)
        self._chances = np.zeros(rules.MOST_LEGAL)
        self._trial = np.zeros(1, dtype=rules.STATE)
        self._room = desk(features, players, self._net[1], 1)

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        states = copied(view)
        number = self._weigh(self._net, states[0], self._moves, self._chances, self._every, self._trial, self._room)
        return notation.write(view.rules, int(self._moves[int(np.argmax(self._chances[:number]))]))

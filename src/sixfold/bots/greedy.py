"""One-ply search with a linear evaluation: the bot that takes what a player would call the best move."""

from collections.abc import Callable
from functools import cache

import numpy as np

from sixfold.bots import Budget
from sixfold.bots.choosing import any_best
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View
from sixfold.games import packages
from sixfold.games.contract import Judgement
from sixfold.games.shared.compiling import compiled_with_arrays
from sixfold.games.shared.judging import weighed


@cache
def judged(judgement: Judgement) -> Callable[..., int]:
    """Compiled: the value of every legal move at one look ahead; returns how many moves there are."""
    rules = judgement.rules

    @compiled_with_arrays
    def judge_all(
        states: np.ndarray, moves: np.ndarray, values: np.ndarray, weights: np.ndarray, after: np.ndarray
    ) -> int:
        sight = np.empty(judgement.SIGHT, dtype=np.int8)
        seen = np.empty(judgement.SIGHT, dtype=np.int8)
        found = np.empty(len(judgement.TERMS))
        judgement.look(states[0], sight)
        number = rules.legal(states[0], moves)
        for at in range(number):
            judgement.terms(states[0], sight, int(np.int64(moves[at])), after, seen, found)
            values[at] = weighed(weights, found)
        return number

    return judge_all


class Judge:
    """Moves of a game with their values at one look ahead."""

    def __init__(self, game: str, foresight: bool = False) -> None:
        judgement = packages()[game].judgement
        self.rules = judgement.rules
        self._judge = judged(judgement)
        self._weights = judgement.FORESIGHT if foresight else judgement.WEIGHTS
        self._moves = np.empty(self.rules.MOST_LEGAL, dtype=np.int16)
        self._values = np.empty(self.rules.MOST_LEGAL)
        self._after = np.zeros(2, dtype=self.rules.STATE)

    def __call__(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All moves and what they are worth."""
        number = self._judge(states, self._moves, self._values, self._weights, self._after)
        return self._moves[:number].copy(), self._values[:number].copy()


class Greedy:
    """The best move at one look ahead; among equals any, each as likely."""

    def __init__(self, game: str, players: int) -> None:
        self._judge = Judge(game)

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        moves = view.legal()
        _, values = self._judge(copied(view))
        return moves[int(any_best(values, chance.generator))]


def copied(view: View) -> np.ndarray:
    """What a seat knows as a state of its own, in an array of length one."""
    return np.frombuffer(bytearray(view.state.tobytes()), dtype=view.rules.STATE)

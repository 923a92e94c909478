"""One-ply search with a linear evaluation."""

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
    """Compile a function that evaluates every legal move one ply ahead and returns the number of moves."""
    rules = judgement.rules

    @compiled_with_arrays
    def evaluate_moves(
        states: np.ndarray, moves: np.ndarray, values: np.ndarray, weights: np.ndarray, after: np.ndarray
    ) -> int:
        board_features = np.empty(judgement.SIGHT, dtype=np.int8)
        scratch_features = np.empty(judgement.SIGHT, dtype=np.int8)
        terms = np.empty(len(judgement.TERMS))
        judgement.look(states[0], board_features)
        number = rules.legal(states[0], moves)
        for at in range(number):
            judgement.terms(states[0], board_features, int(np.int64(moves[at])), after, scratch_features, terms)
            values[at] = weighed(weights, terms)
        return number

    return evaluate_moves


class Judge:
    """Evaluates a game's legal moves one ply ahead."""

    def __init__(self, game: str, foresight: bool = False) -> None:
        judgement = packages()[game].judgement
        self.rules = judgement.rules
        self._evaluate = judged(judgement)
        self._weights = judgement.FORESIGHT if foresight else judgement.WEIGHTS
        self._moves = np.empty(self.rules.MOST_LEGAL, dtype=np.int16)
        self._values = np.empty(self.rules.MOST_LEGAL)
        self._after = np.zeros(2, dtype=self.rules.STATE)

    def __call__(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All legal moves and their values."""
        number = self._evaluate(states, self._moves, self._values, self._weights, self._after)
        return self._moves[:number].copy(), self._values[:number].copy()


class Greedy:
    """Plays the best move one ply ahead, chosen uniformly among equals."""

    def __init__(self, game: str, players: int) -> None:
        self._one_ply = Judge(game)

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        moves = view.legal()
        _, values = self._one_ply(copied(view))
        return moves[int(any_best(values, chance.generator))]


def copied(view: View) -> np.ndarray:
    """A copy of the state that a seat sees, as an array of length one."""
    return np.frombuffer(bytearray(view.state.tobytes()), dtype=view.rules.STATE)

"""One-ply search with a linear evaluation."""

from collections.abc import Callable
from functools import cache

import numpy as np

from sixfold.bots import Budget
from sixfold.bots.selection import random_argmax
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View
from sixfold.games import packages
from sixfold.games.contract import Heuristics
from sixfold.games.shared.compiler import compiled_with_arrays
from sixfold.games.shared.heuristics import weighted_sum


@cache
def build_one_ply(heuristics: Heuristics) -> Callable[..., int]:
    """Compile a function that evaluates every legal move one ply ahead and returns the number of moves."""
    rules = heuristics.rules

    @compiled_with_arrays
    def evaluate_moves(
        states: np.ndarray, moves: np.ndarray, values: np.ndarray, weights: np.ndarray, after: np.ndarray
    ) -> int:
        board_features = np.empty(heuristics.BOARD_FEATURES_SHAPE, dtype=np.int8)
        scratch_features = np.empty(heuristics.BOARD_FEATURES_SHAPE, dtype=np.int8)
        terms = np.empty(len(heuristics.TERMS))
        heuristics.compute_board_features(states[0], board_features)
        number = rules.legal(states[0], moves)
        for at in range(number):
            heuristics.terms(states[0], board_features, int(np.int64(moves[at])), after, scratch_features, terms)
            values[at] = weighted_sum(weights, terms)
        return number

    return evaluate_moves


class OnePly:
    """Evaluates a game's legal moves one ply ahead."""

    def __init__(self, game: str, foresight: bool = False) -> None:
        heuristics = packages()[game].heuristics
        self.rules = heuristics.rules
        self._evaluate = build_one_ply(heuristics)
        self._weights = heuristics.SEARCH_WEIGHTS if foresight else heuristics.WEIGHTS
        self._moves = np.empty(self.rules.MAX_LEGAL, dtype=np.int16)
        self._values = np.empty(self.rules.MAX_LEGAL)
        self._after = np.zeros(2, dtype=self.rules.STATE)

    def __call__(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All legal moves and their values."""
        number = self._evaluate(states, self._moves, self._values, self._weights, self._after)
        return self._moves[:number].copy(), self._values[:number].copy()


class Greedy:
    """Plays the best move one ply ahead, chosen uniformly among equals."""

    def __init__(self, game: str, players: int) -> None:
        self._one_ply = OnePly(game)

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        moves = view.legal()
        _, values = self._one_ply(state_array(view))
        return moves[int(random_argmax(values, chance.generator))]


def state_array(view: View) -> np.ndarray:
    """A copy of the state that a seat sees, as an array of length one."""
    return np.frombuffer(bytearray(view.state.tobytes()), dtype=view.rules.STATE)

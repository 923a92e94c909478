"""The interface of evaluators: how good a player's moves and positions are, given what that player knows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sixfold.engine.game import Position, View
from sixfold.games.shared.ranking import place_rewards
from sixfold.review.model import CONFIDENCE, GAME_END_MARGIN, LOST, MIN_DIFFERENCE, POINTS, WON

# How many of the strongest moves are evaluated, besides the one that was played.
WIDTH = 12


@dataclass(frozen=True)
class Option:
    """A move, or several equivalent ones: its chance in points, and the standard error of its distance to the best."""

    move: int
    chance: float
    error: float


@dataclass(frozen=True)
class MoveEvaluations:
    """The evaluated moves, best first, and the index of the one that was played."""

    options: list[Option]
    played: int
    margins: list[float] | None = None  # in a decided game: each move's expected margin of the lowest symbol

    @property
    def cost(self) -> float:
        """How far the played move is behind the best one; 0 if the difference is within the error."""
        behind = self.options[0].chance - self.options[self.played].chance
        error = self.options[self.played].error
        return behind if error == 0.0 or behind >= max(MIN_DIFFERENCE, CONFIDENCE * error) else 0.0

    @property
    def largest_margin(self) -> int:
        """The index of the largest margin among moves that do not end the game; the played move if it ended the
        game."""
        assert self.margins is not None
        if self.margins[self.played] >= GAME_END_MARGIN:
            return self.played
        margins = [margin if margin < GAME_END_MARGIN else -GAME_END_MARGIN for margin in self.margins]
        return margins.index(max(margins))


def decided(best: float, played: float) -> bool:
    """Whether the game is won, or lost, after either move."""
    return min(best, played) > WON or max(best, played) < LOST


@dataclass(frozen=True)
class DrawEvaluation:
    """The chance after a draw, the average over all possible draws, and the standard error of the difference."""

    chance: float
    average: float
    error: float


class Evaluator(Protocol):
    """Evaluates moves, draws and positions; the result depends only on the view, the iterations and the seed."""

    @property
    def name(self) -> str: ...

    def evaluate_moves(self, view: View, played: int, iterations: int, seed: int) -> MoveEvaluations:
        """Evaluate the moves of the active player, whose view this is."""

    def evaluate_draw(self, before: View, after: View, iterations: int, seed: int) -> DrawEvaluation:
        """Evaluate a draw or roll from its player's views before and after it."""

    def chances(self, views: Sequence[View], iterations: int, seed: int) -> list[float]:
        """Every player's chance, each from their own view, normalized to a constant sum."""


def final_rewards(position: Position) -> np.ndarray:
    """Every player's final result, from 0 for last to 1 for first."""
    assert position.result is not None
    rewards = np.zeros(position.players)
    place_rewards(np.array(position.result.places, dtype=np.int8), position.players, rewards)
    return rewards


def sequential_sum(numbers: Iterable[float]) -> float:
    """Add floats strictly from left to right; the rounding of ``sum`` depends on the version of Python."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def normalized(chances: Sequence[float]) -> list[float]:
    """Chances estimated from different views, shifted equally so that their mean is one half."""
    correction = POINTS / 2 - sequential_sum(chances) / len(chances)
    return [min(max(chance + correction, 0.0), POINTS) for chance in chances]

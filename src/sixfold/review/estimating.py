"""What a review asks: how good a player's moves and positions are, from what that player knows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from sixfold.engine.game import View
from sixfold.review.shapes import LOST, NOTHING, SURE, WON

POINTS = 100.0
# The strongest moves are looked at, and always the one that was played.
WIDTH = 12
# The margin of a move that ends a decided game: it leaves nothing to gain, and others are not measured by it.
ENOUGH = 100.0


@dataclass(frozen=True)
class Option:
    """A move, or several that come to the same: its chance in points, and the standard error of being behind."""

    move: int
    chance: float
    error: float


@dataclass(frozen=True)
class Weighed:
    """The moves that were looked at, the best first, and where the one that was played stands among them."""

    options: list[Option]
    played: int
    margins: list[float] | None = None  # where all is decided: what each promises for the lowest symbol

    @property
    def cost(self) -> float:
        """What the played move is behind the best one; 0 where it is less than its error explains."""
        behind = self.options[0].chance - self.options[self.played].chance
        error = self.options[self.played].error
        return behind if error == 0.0 or behind >= max(NOTHING, SURE * error) else 0.0

    @property
    def widest(self) -> int:
        """Which move promises the largest margin, of those after which the game goes on; the played one if it ended."""
        assert self.margins is not None
        if self.margins[self.played] >= ENOUGH:
            return self.played
        going = [margin if margin < ENOUGH else -ENOUGH for margin in self.margins]
        return going.index(max(going))


def decided(best: float, played: float) -> bool:
    """Are both moves won, or lost, anyway?"""
    return min(best, played) > WON or max(best, played) < LOST


@dataclass(frozen=True)
class Drawn:
    """The chance after a draw, the average over all that could have come, and the standard error of the difference."""

    chance: float
    average: float
    error: float


class Estimator(Protocol):
    """Who judges. The same view, iterations and seed give the same answer."""

    @property
    def name(self) -> str: ...

    def weigh(self, view: View, played: int, iterations: int, seed: int) -> Weighed:
        """The moves of the player in turn, who sees this view."""

    def draw(self, before: View, after: View, iterations: int, seed: int) -> Drawn:
        """What the player who drew or rolled saw before and after."""

    def chances(self, views: Sequence[View], iterations: int, seed: int) -> list[float]:
        """Everybody's chance, each from the own view; together they are what there is to share."""


def added(numbers: Iterable[float]) -> float:
    """A sum one by one: what ``sum`` does with fractions depends on the version of Python."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def shared(chances: Sequence[float]) -> list[float]:
    """Chances that were judged from different views, corrected alike so that they add up: every pair has one point."""
    off = POINTS / 2 - added(chances) / len(chances)
    return [min(max(chance + off, 0.0), POINTS) for chance in chances]

"""How sure reviews are: the same games reviewed twice, the second time exactly or with ten times the thinking."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sixfold.bots import Budget, make
from sixfold.bots.levels import LEVELS
from sixfold.engine import record
from sixfold.engine.chance import Seeded
from sixfold.engine.game import start
from sixfold.review.reviewing import review
from sixfold.review.shapes import Decision, Review
from sixfold.solve.values.file import Values

# A level that searches has this much, so that the games are the same everywhere.
BUDGET = Budget(iterations=100)
LONGER = 10
GRAVE = ("mistake", "blunder")


def level_games(game: str, players: int, number: int, seed: int) -> Iterator[tuple[list[int], dict[str, Any]]]:
    """Games between levels, each seat's drawn by lot, and their records."""
    bots = {level: make(f"level{level}", game, players) for level in LEVELS}
    for which in range(number):
        chance = Seeded(seed, which)
        levels = [LEVELS[chance.below(len(LEVELS))] for _ in range(players)]
        current = start(game, players, chance=Seeded(seed + 1, which))
        while current.turn is not None:
            bot = bots[levels[current.turn]]
            current.play(bot.choose(current.view(current.turn), BUDGET, chance))
        yield levels, record.of(current)


@dataclass
class Agreement:
    """What was counted along two reviews of the same games."""

    games: int = 0
    decisions: int = 0
    same: int = 0  # marks, or no marks, that agree
    marked: int = 0  # decisions that at least one of them marked
    same_marked: int = 0
    grave: int = 0  # that at least one of them called a mistake or a blunder
    both_grave: int = 0
    same_grave: int = 0
    gaps: list[float] = field(default_factory=list)  # what the second one's books leave unexplained for player 0
    costs: dict[int, list[float]] = field(default_factory=lambda: {level: [] for level in LEVELS})

    def count(self, levels: list[int], one: Review, other: Review) -> None:
        """Two reviews of a game; costs and gaps are the second one's."""
        self.games += 1
        gap = other.accounts[0].gap
        assert gap is not None
        self.gaps.append(gap)
        for first, second in zip(one.steps, other.steps, strict=True):
            if not isinstance(first, Decision) or not isinstance(second, Decision) or first.forced:
                continue
            same = first.mark == second.mark
            self.decisions += 1
            self.same += same
            self.costs[levels[first.player]].append(second.cost)
            if first.mark or second.mark:
                self.marked += 1
                self.same_marked += same
            grave = (first.mark in GRAVE) + (second.mark in GRAVE)
            self.grave += grave > 0
            self.both_grave += grave == 2
            self.same_grave += grave == 2 and same


def compared(
    levels: list[int], played: dict[str, Any], values: Values | None, iterations: int, threads: int, into: Agreement
) -> None:
    """Review a game twice, the second time by the values where there are any, else with more thinking."""
    one = review(played, iterations, threads=threads)
    other = review(played, iterations if values else LONGER * iterations, seed=2, threads=threads, values=values)
    into.count(levels, one, other)

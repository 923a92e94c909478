"""How sure reviews are: the same games reviewed twice, the second time exactly or with ten times the thinking; and
whether the mean cost of a decision tells the levels apart."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

from sixfold.bots import Bot, Budget, make
from sixfold.bots.levels import LEVELS, warm_up
from sixfold.engine import record
from sixfold.engine.chance import Seeded
from sixfold.engine.game import start
from sixfold.games import GAMES
from sixfold.review.estimating import Estimator
from sixfold.review.reviewing import ITERATIONS, decision, estimator, review, seed_of, tasks
from sixfold.review.shapes import Decision
from sixfold.review.solution import values_of

# A level that searches has so much, a little less than in its milliseconds: so the games are the same everywhere.
BUDGET = Budget(iterations=1000)
LONGER = 10
GRAVE = ("mistake", "blunder")
# From fewer games nothing is said about how sure a mean is.
FEW = 2


@dataclass(frozen=True)
class Deal:
    """A game between levels that is to be reviewed; the same seed and number give the same game."""

    game: str
    players: int
    seed: int
    number: int
    values: Path | None = None

    def play(self) -> tuple[list[int], dict[str, Any]]:
        """The level of each seat, drawn by lot, and the record."""
        bots = levels_at(self.game, self.players)
        chance = Seeded(self.seed, self.number)
        levels = [LEVELS[chance.below(len(LEVELS))] for _ in range(self.players)]
        current = start(self.game, self.players, chance=Seeded(self.seed + 1, self.number))
        while current.turn is not None:
            bot = bots[levels[current.turn]]
            current.play(bot.choose(current.view(current.turn), BUDGET, chance))
        return levels, record.of(current)


@cache
def levels_at(game: str, players: int) -> dict[int, Bot]:
    return {level: make(f"level{level}", game, players) for level in LEVELS}


@cache
def judge(game: str, players: int, values: Path | None) -> Estimator:
    """Who judges at a table, by the exact values where there are any."""
    table = record.of(start(game, players))
    return estimator(table, values_of(table, values))


def warm(game: str) -> None:
    """Compile what playing and judging a game needs."""
    warm_up(game)
    for players in GAMES[game].PLAYERS:
        seen = start(game, players, chance=Seeded(1))
        assert seen.turn is not None
        by, view = judge(game, players, None), seen.view(seen.turn)
        by.weigh(view, int(view.legal().numbers[0]), 1, 1)
        by.chances([view], 1, 1)


def free_decisions(by: Estimator, played: dict[str, Any], iterations: int, seed: int) -> list[Decision]:
    """What the decisions of a game cost that were not forced; the same as in its review."""
    free = [task for task in tasks(played)[0] if task.move is not None and task.choices > 1]
    return [decision(by, task, iterations, seed_of(seed, task.number), 0.0) for task in free]


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
    gap: float = 0.0  # the most that the books of a game leave unexplained for player 0

    def count(self, one: Sequence[Decision], other: Sequence[Decision]) -> None:
        """A game's decisions, judged twice."""
        self.games += 1
        for first, second in zip(one, other, strict=True):
            same = first.mark == second.mark
            self.decisions += 1
            self.same += same
            if first.mark or second.mark:
                self.marked += 1
                self.same_marked += same
            grave = (first.mark in GRAVE) + (second.mark in GRAVE)
            self.grave += grave > 0
            self.both_grave += grave == 2
            self.same_grave += grave == 2 and same

    def add(self, other: "Agreement") -> None:
        """More games."""
        for name, value in vars(other).items():
            mine = getattr(self, name)
            setattr(self, name, max(mine, value) if name == "gap" else mine + value)


def compared(deal: Deal) -> Agreement:
    """Judge a game twice, the second time by the exact values where there are any, else with more thinking."""
    _, played = deal.play()
    values = values_of(played, deal.values)
    one = review(played)
    gap = (review(played, values=values) if values else one).accounts[0].gap
    assert gap is not None
    free = [step for step in one.steps if isinstance(step, Decision) and not step.forced]
    found = Agreement(gap=abs(gap))
    found.count(free, free_decisions(judge(deal.game, deal.players, deal.values), played, LONGER * ITERATIONS, 2))
    return found


def costs(deal: Deal) -> list[tuple[int, int, float]]:
    """The level of each seat of a game, how often it had a choice, and what that cost in all."""
    levels, played = deal.play()
    free = free_decisions(judge(deal.game, deal.players, deal.values), played, ITERATIONS, 1)
    own = [[step.cost for step in free if step.player == seat] for seat in range(deal.players)]
    return [(level, len(found), sum(found)) for level, found in zip(levels, own, strict=True)]


@dataclass
class Levels:
    """What the decisions of each level cost at a table."""

    seats: dict[int, list[tuple[int, float]]] = field(default_factory=lambda: {level: [] for level in LEVELS})
    games: int = 0

    def add(self, found: Sequence[tuple[int, int, float]]) -> None:
        """One more game."""
        self.games += 1
        for level, number, cost in found:
            self.seats[level].append((number, cost))

    def mean(self, level: int) -> tuple[int, float, float]:
        """A level's decisions, their mean cost, and its standard error: decisions of one game are not independent."""
        number = sum(decisions for decisions, _ in self.seats[level])
        if not number:
            return 0, 0.0, 0.0
        mean = sum(cost for _, cost in self.seats[level]) / number
        off = sum((cost - mean * decisions) ** 2 for decisions, cost in self.seats[level])
        return number, mean, sqrt(off) / number

    def steps(self) -> list[float | None]:
        """By how many standard errors each level's decisions cost more than the next one's; none where too few games
        are known to say so."""
        found = []
        for level, next_one in pairwise(LEVELS):
            (_, one, error), (_, other, doubt) = self.mean(level), self.mean(next_one)
            both = sqrt(error * error + doubt * doubt)
            few = min(len(self.seats[level]), len(self.seats[next_one])) < FEW
            found.append(None if few or not both else (one - other) / both)
        return found

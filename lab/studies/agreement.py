"""How reliable reviews are: the same games reviewed twice, the second time exactly or with ten times the iterations;
and whether the mean cost of a decision separates the levels."""

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
from sixfold.review.evaluator import Evaluator
from sixfold.review.model import Decision
from sixfold.review.report import ITERATIONS, decision, evaluator_for, review, seed_of, tasks
from sixfold.review.solution import values_of

# Levels that search get a fixed number of iterations instead of a time limit, so that games are reproducible.
BUDGET = Budget(iterations=1000)
REPEAT_FACTOR = 10
GRAVE = ("mistake", "blunder")
# With fewer games no standard error is reported.
MIN_GAMES = 2


@dataclass(frozen=True)
class Deal:
    """A game between levels to review, determined by its seed and number."""

    game: str
    players: int
    seed: int
    number: int
    values: Path | None = None

    def play(self) -> tuple[list[int], dict[str, Any]]:
        """Play it; returns the level of each seat, which is drawn at random, and the record."""
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
def cached_evaluator(game: str, players: int, values: Path | None) -> Evaluator:
    """The evaluator for a game and number of players, with exact values if available."""
    record_of_table = record.of(start(game, players))
    return evaluator_for(record_of_table, values_of(record_of_table, values))


def warm(game: str) -> None:
    """Compile everything needed to play and review a game."""
    warm_up(game)
    for players in GAMES[game].PLAYERS:
        game_state = start(game, players, chance=Seeded(1))
        assert game_state.turn is not None
        evaluator, view = cached_evaluator(game, players, None), game_state.view(game_state.turn)
        evaluator.evaluate_moves(view, int(view.legal().numbers[0]), 1, 1)
        evaluator.chances([view], 1, 1)


def free_decisions(evaluator: Evaluator, game_record: dict[str, Any], iterations: int, seed: int) -> list[Decision]:
    """The decisions of a game that were not forced, evaluated as in its review."""
    free = [task for task in tasks(game_record)[0] if task.move is not None and task.choices > 1]
    return [decision(evaluator, task, iterations, seed_of(seed, task.number), 0.0) for task in free]


@dataclass
class Agreement:
    """How often two reviews of the same games agree."""

    games: int = 0
    decisions: int = 0
    same: int = 0  # decisions with the same mark, or none, in both
    marked: int = 0  # decisions that at least one review marked
    same_marked: int = 0
    grave: int = 0  # decisions that at least one review called a mistake or a blunder
    both_grave: int = 0
    same_grave: int = 0
    gap: float = 0.0  # the largest unexplained rest of a game's account for player 0

    def count(self, first_review: Sequence[Decision], second_review: Sequence[Decision]) -> None:
        """Add a game's decisions, evaluated twice."""
        self.games += 1
        for first, second in zip(first_review, second_review, strict=True):
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
        """Add the counts of more games."""
        for name, value in vars(other).items():
            total = getattr(self, name)
            setattr(self, name, max(total, value) if name == "gap" else total + value)


def compared(deal: Deal) -> Agreement:
    """Review a game twice, the second time with exact values if available, else with more iterations."""
    _, game_record = deal.play()
    values = values_of(game_record, deal.values)
    first_review = review(game_record)
    gap = (review(game_record, values=values) if values else first_review).accounts[0].gap
    assert gap is not None
    free = [step for step in first_review.steps if isinstance(step, Decision) and not step.forced]
    agreement = Agreement(gap=abs(gap))
    agreement.count(
        free,
        free_decisions(
            cached_evaluator(deal.game, deal.players, deal.values), game_record, REPEAT_FACTOR * ITERATIONS, 2
        ),
    )
    return agreement


def costs(deal: Deal) -> list[tuple[int, int, float]]:
    """For each seat of a game: its level, the number of decisions with a choice, and their total cost."""
    levels, game_record = deal.play()
    free = free_decisions(cached_evaluator(deal.game, deal.players, deal.values), game_record, ITERATIONS, 1)
    costs_by_seat = [[step.cost for step in free if step.player == seat] for seat in range(deal.players)]
    return [(level, len(seat_costs), sum(seat_costs)) for level, seat_costs in zip(levels, costs_by_seat, strict=True)]


@dataclass
class Levels:
    """The cost of each level's decisions, for one number of players."""

    seats: dict[int, list[tuple[int, float]]] = field(default_factory=lambda: {level: [] for level in LEVELS})
    games: int = 0

    def add(self, game_costs: Sequence[tuple[int, int, float]]) -> None:
        """Add a game."""
        self.games += 1
        for level, number, cost in game_costs:
            self.seats[level].append((number, cost))

    def mean(self, level: int) -> tuple[int, float, float]:
        """A level's number of decisions, their mean cost, and its standard error, clustered by game."""
        number = sum(decisions for decisions, _ in self.seats[level])
        if not number:
            return 0, 0.0, 0.0
        mean = sum(cost for _, cost in self.seats[level]) / number
        squares = sum((cost - mean * decisions) ** 2 for decisions, cost in self.seats[level])
        return number, mean, sqrt(squares) / number

    def steps(self) -> list[float | None]:
        """By how many standard errors each level's decisions cost more than the next one's; None with too few games."""
        gaps = []
        for level, next_level in pairwise(LEVELS):
            (_, mean, error), (_, next_mean, next_error) = self.mean(level), self.mean(next_level)
            joint_error = sqrt(error * error + next_error * next_error)
            too_few = min(len(self.seats[level]), len(self.seats[next_level])) < MIN_GAMES
            gaps.append(None if too_few or not joint_error else (mean - next_mean) / joint_error)
        return gaps

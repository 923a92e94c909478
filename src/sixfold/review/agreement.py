"""How sure reviews are: the same games reviewed twice, the second time exactly or with ten times the thinking."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from sixfold.bots import Budget, make
from sixfold.bots.levels import LEVELS
from sixfold.engine import record
from sixfold.engine.chance import Seeded
from sixfold.engine.game import start
from sixfold.review.reviewing import decision, estimator, review, seed_of, tasks
from sixfold.review.shapes import Decision
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
    gaps: list[float] = field(default_factory=list)  # what the books leave unexplained for player 0
    costs: dict[int, list[float]] = field(default_factory=lambda: {level: [] for level in LEVELS})

    def count(self, levels: list[int], one: Sequence[Decision], other: Sequence[Decision], gap: float) -> None:
        """A game's decisions, judged twice; costs are the second one's."""
        self.games += 1
        self.gaps.append(gap)
        for first, second in zip(one, other, strict=True):
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
    """Judge a game's decisions twice, the second time by the values where there are any, else with more thinking."""
    one = review(played, iterations, threads=threads)
    gap = (review(played, values=values) if values else one).accounts[0].gap
    assert gap is not None
    free = [step for step in one.steps if isinstance(step, Decision) and not step.forced]
    events = tasks(played)[0]
    own = threading.local()

    def again(step: Decision) -> Decision:
        if not hasattr(own, "estimator"):
            own.estimator = estimator(played, values)
        return decision(own.estimator, events[step.number - 1], LONGER * iterations, seed_of(2, step.number), 0.0)

    with ThreadPoolExecutor(threads) as pool:
        into.count(levels, free, list(pool.map(again, free)), gap)

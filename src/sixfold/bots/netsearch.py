"""The bot that plays on in its head as its net would, and sees where its best moves lead."""

import time
from dataclasses import replace

import numpy as np

from sixfold.bots import Budget
from sixfold.bots.choosing import best, best_first
from sixfold.bots.greedy import copied
from sixfold.bots.net import LOOKS, Mind, chance_of
from sixfold.engine import notation
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View
from sixfold.games.shared.compiling import compiled

# Without any budget it thinks this long.
MILLISECONDS = 300.0
# No more worlds than this, however long it may think.
MOST_WORLDS = 4096
# Worlds that differ less than this differ by chance.
LEAST_SPREAD = 1e-4


@compiled
def take_best(
    moves: np.ndarray, said: np.ndarray, order: np.ndarray, taken: np.ndarray, prior: np.ndarray, alive: np.ndarray
) -> int:
    """The moves that the net likes best, as many as there is room for, with the chances that it gives them."""
    best_first(said, order)
    number = min(said.size, taken.size)
    for at in range(number):
        taken[at] = moves[order[at]]
        prior[at] = chance_of(said[order[at]])
        alive[at] = True
    return number


@compiled
def more_worlds(few: int, left: int, alive: np.ndarray, worlds: int) -> int:
    """How many worlds come next while so many iterations are left; none where only one move is alive."""
    number = 0
    for at in range(alive.size):
        number += alive[at]
    return min(few, left // number, MOST_WORLDS - worlds) if number > 1 else 0


@compiled
def weigh(
    found: np.ndarray, prior: np.ndarray, weight: float, alive: np.ndarray, worlds: int, chances: np.ndarray
) -> None:
    """The chance that each move seems to give, 0 if it was given up; the prior counts as much as ``weight`` worlds."""
    for at in range(alive.size):
        chances[at] = 0.0
        if alive[at]:
            total = weight * prior[at]
            for world in range(worlds):
                total += found[world, at]
            chances[at] = total / (worlds + weight)


@compiled
def give_up(found: np.ndarray, chances: np.ndarray, alive: np.ndarray, worlds: int, patience: float) -> int:
    """Give up moves that are behind the best by more than luck explains: worlds are the same for all.

    Returns how many moves there were.
    """
    number = 0
    first = best(chances)
    for at in range(alive.size):
        if not alive[at]:
            continue
        number += 1
        mean = 0.0
        for world in range(worlds):
            mean += found[world, first] - found[world, at]
        mean /= worlds
        squares = 0.0
        for world in range(worlds):
            off = found[world, first] - found[world, at] - mean
            squares += off * off
        spread = np.sqrt(squares / worlds) / np.sqrt(float(worlds))
        alive[at] = chances[first] - chances[at] <= patience * max(spread, LEAST_SPREAD)
    return number


class NetSearch:
    """Play on in many worlds from each of the moves that the net likes best; those that fall behind are given up.

    The same view, seed and iterations give the same move; an iteration is one move in one world.
    """

    def __init__(self, game: str, players: int, **changes: float) -> None:
        self._first = Mind(game, players, LOOKS)
        self.plan = replace(self._first.features.PLAN, **changes)  # type: ignore[arg-type]
        self._mind = Mind(game, players, self.plan.replies, MOST_WORLDS, self.plan.width)

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        moves, chances = self.think(view, budget, chance)
        return notation.write(view.rules, int(moves[best(chances)]))

    def think(self, view: View, budget: Budget, chance: Seeded) -> tuple[np.ndarray, np.ndarray]:
        """The moves that were tried, and the chance to be ahead that each seems to give."""
        begin = time.perf_counter()
        assert view.seat is not None
        seed = chance.below(2**32)
        states = copied(view)
        all_moves, said = self._first.look(states)
        size = min(len(said), self.plan.width)
        moves, prior, chances = np.zeros(size, dtype=np.int16), np.zeros(size), np.zeros(size)
        alive = np.zeros(size, dtype=np.bool_)
        take_best(all_moves, said, np.empty(len(said), dtype=np.int32), moves, prior, alive)
        milliseconds = budget.milliseconds
        if milliseconds is None:
            milliseconds = MILLISECONDS if budget.iterations is None else float("inf")
        end = begin + milliseconds / 1000
        left = budget.iterations if budget.iterations is not None else MOST_WORLDS * size
        found = self._mind.found
        worlds = 0
        weigh(found, prior, self.plan.prior, alive, worlds, chances)
        now = time.perf_counter()
        while more := more_worlds(self.plan.few, left, alive, worlds):
            self._mind.play_on(states, view.seat, moves, alive, (worlds, worlds + more), seed, self.plan.depth)
            worlds += more
            weigh(found, prior, self.plan.prior, alive, worlds, chances)
            left -= more * give_up(found, chances, alive, worlds, self.plan.patience)
            before, now = now, time.perf_counter()
            if now + (now - before) > end:
                break
        return moves, np.where(alive, chances, 0.0)

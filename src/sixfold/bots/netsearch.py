"""The bot that plays on in its head as its net would, and sees where its best moves lead."""

import time
from dataclasses import replace

import numpy as np

from sixfold.bots import Budget
from sixfold.bots.greedy import copied
from sixfold.bots.net import LOOKS, Mind
from sixfold.engine import notation
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View

# Without any budget it thinks this long.
MILLISECONDS = 300.0
# No more worlds than this, however long it may think.
MOST_WORLDS = 4096


class NetSearch:
    """Play on in many worlds from each of the moves that the net likes best; those that fall behind are given up.

    The same view, seed and iterations give the same move; an iteration is one move in one world.
    """

    def __init__(self, game: str, players: int, **changes: float) -> None:
        self._first = Mind(game, players, LOOKS)
        self.plan = replace(self._first.features.PLAN, **changes)  # type: ignore[arg-type]
        self._mind = Mind(game, players, self.plan.replies, MOST_WORLDS, self.plan.width)
        self._found = self._mind.found

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        moves, chances = self.think(view, budget, chance)
        return notation.write(view.rules, int(moves[int(np.argmax(chances))]))

    def think(self, view: View, budget: Budget, chance: Seeded) -> tuple[np.ndarray, np.ndarray]:
        """The moves that were tried, and the chance to be ahead that each seems to give."""
        begin = time.perf_counter()
        assert view.seat is not None
        seed = chance.below(2**32)
        states = copied(view)
        moves, said = self._first.look(states)
        order = np.argsort(-said, kind="stable")[: self.plan.width]
        moves, prior = moves[order], 1.0 / (1.0 + np.exp(-said[order]))
        if len(moves) == 1:
            return moves, prior
        milliseconds = budget.milliseconds
        if milliseconds is None:
            milliseconds = MILLISECONDS if budget.iterations is None else float("inf")
        end = begin + milliseconds / 1000
        left = budget.iterations if budget.iterations is not None else MOST_WORLDS * self.plan.width
        alive = np.ones(len(moves), dtype=np.bool_)
        worlds = 0
        now = time.perf_counter()
        while worlds < MOST_WORLDS and alive.sum() > 1:
            more = min(self.plan.few, left // int(alive.sum()), MOST_WORLDS - worlds)
            if more == 0:
                break
            self._mind.play_on(states, view.seat, moves, alive, (worlds, worlds + more), seed, self.plan.depth)
            worlds += more
            left -= more * int(alive.sum())
            before, now = now, time.perf_counter()
            self._give_up(prior, alive, worlds)
            if now + (now - before) > end:
                break
        return moves, np.where(alive, self._chances(prior, worlds), 0.0)

    def _chances(self, prior: np.ndarray, worlds: int) -> np.ndarray:
        found = self._found[:worlds, : len(prior)].sum(0)
        return (found + self.plan.prior * prior) / (worlds + self.plan.prior)

    def _give_up(self, prior: np.ndarray, alive: np.ndarray, worlds: int) -> None:
        """Give up moves that are behind the best by more than luck explains: worlds are the same for all."""
        chances = np.where(alive, self._chances(prior, worlds), -1.0)
        best = int(np.argmax(chances))
        found = self._found[:worlds, : len(prior)]
        spread = (found[:, best, None] - found).std(0) / np.sqrt(worlds)
        alive &= chances[best] - chances <= self.plan.patience * np.maximum(spread, 1e-4)
        alive[best] = True

"""The bot that plays on in its head as its net would, and sees where its best moves lead."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from sixfold.bots import Budget
from sixfold.bots.greedy import copied
from sixfold.bots.net import Looker, desk, judge, looker
from sixfold.engine import notation
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View
from sixfold.games.contract import Features
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.generator import below, picked, stream
from sixfold.games.shared.symbols import CHANCE, NONE, OVER

# Without any budget it thinks this long.
MILLISECONDS = 300.0
# No more worlds than this, however long it may think.
MOST_WORLDS = 4096


@cache
def player(features: Features) -> Callable[..., None]:
    """Compiled: what comes of some moves in some worlds, as chances to be ahead."""
    rules = features.rules
    look = looker(features)
    value = judge(features)

    @compiled
    def play_on(
        net: Any, view: Any, seat: int, tried: Any, alive: Any, span: Any, seed: Any, depth: int, room: Any
    ) -> None:
        """Deal what is hidden, the same for all moves; make each, and play on as the net would."""
        found, worlds, kinds, generator, moves, values, slots, work = room
        for world in range(span[0], span[1]):
            worlds[0] = view[0]
            generator[0] = stream(seed, world)
            owner = rules.unknown(worlds[0], seat)
            while owner != NONE:
                rules.possible(worlds[0], owner, kinds)
                rules.fill(worlds[0], owner, picked(generator, kinds))
                owner = rules.unknown(worlds[0], seat)
            for at in range(tried.size):
                if not alive[at]:
                    continue
                worlds[1] = worlds[0]
                state = worlds[1]
                generator[0] = stream(~seed, world)
                rules.act(state, tried[at])
                said = np.inf
                for _ in range(depth):
                    while state.phase == CHANCE:
                        rules.receive(state, rules.drawn(state, below(generator, rules.pool_size(state))))
                    if state.phase == OVER:
                        break
                    number = look(net, state, moves, values, slots, 0, generator, work)
                    best = 0
                    for other in range(1, number):
                        if values[other] > values[best]:
                            best = other
                    said = values[best] if state.turn == seat else np.inf
                    rules.act(state, moves[best])
                if said == np.inf or state.phase == OVER:
                    said = value(net, state, seat, work)
                found[world, at] = 1.0 / (1.0 + np.exp(-said))

    return play_on


class NetSearch:
    """Play on in many worlds from each of the moves that the net likes best; those that fall behind are given up.

    The same view, seed and iterations give the same move; an iteration is one move in one world.
    """

    def __init__(self, game: str, players: int, **changes: float) -> None:
        self._look = Looker(game, players)
        features = self._look.features
        self.plan = replace(features.PLAN, **changes)  # type: ignore[arg-type]
        self._play = player(features)
        self._found = np.zeros((MOST_WORLDS, self.plan.width))
        self._room = (
            self._found,
            np.zeros(2, dtype=features.rules.STATE),
            np.zeros(len(features.rules.ITEMS), dtype=np.int8),
            np.zeros(1, dtype=np.uint64),
            np.zeros(self.plan.replies, dtype=np.int16),
            np.zeros(self.plan.replies),
            features.slots(players),
            desk(features, players, self._look.net[1], self.plan.replies),
        )

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        moves, chances = self.think(view, budget, chance)
        return notation.write(view.rules, int(moves[int(np.argmax(chances))]))

    def think(self, view: View, budget: Budget, chance: Seeded) -> tuple[np.ndarray, np.ndarray]:
        """The moves that were tried, and the chance to be ahead that each seems to give."""
        begin = time.perf_counter()
        seed = np.uint64(chance.below(2**32))
        states = copied(view)
        moves, said = self._look(states)
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
            span = (worlds, worlds + more)
            self._play(self._look.net, states, view.seat, moves, alive, span, seed, self.plan.depth, self._room)
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

"""Judging by sampled worlds: what is hidden is dealt anew many times, and the game played on from there."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np

from sixfold.bots.greedy import Judge, copied
from sixfold.bots.net import LOOKS, ONE_MOVE, THIS, Mind, say
from sixfold.bots.tree import by_place
from sixfold.engine.entry import single
from sixfold.engine.game import View
from sixfold.games import packages
from sixfold.games.contract import Judgement
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.generator import below, picked, stream
from sixfold.games.shared.symbols import CHANCE, NONE, OVER, lowest
from sixfold.review.estimating import POINTS, WIDTH, Drawn, Option, Weighed, decided, shared
from sixfold.review.shapes import mark_of

MOST_WORLDS = 1 << 14
# Worlds before any move is given up; each later look doubles them.
FIRST_LOOK = 16
# A move is given up when it is behind by so many standard errors.
PATIENCE = 3.0
# The thinking ends when the cost is known so well (points) and the mark would be the same at both ends of its interval.
CLEAR = 0.6
# Not even a net is surer than this of a difference (points).
LEAST_ERROR = 0.01
TO_THE_END = 10_000
# A move that ends a decided game leaves nothing to gain.
ENOUGH = 100.0


class Sampler(Protocol):
    """How a world is played on. ``found`` gets a chance for each world and move."""

    @property
    def name(self) -> str: ...
    @property
    def found(self) -> np.ndarray: ...
    @property
    def depth(self) -> int:
        """How many decisions are played on behind a move."""

    def look(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The moves, those first that look best at once, and how good each looks."""

    def play_on(
        self,
        states: np.ndarray,
        seat: int,
        moves: np.ndarray,
        alive: np.ndarray,
        span: tuple[int, int],
        seed: int,
        depth: int,
    ) -> None:
        """Make each move that is alive in some worlds and play on; NONE is no move."""

    def margin(self, states: np.ndarray, seat: int) -> float:
        """How many steps the own lowest value seems to end ahead of the best other one's."""


class NetSampler:
    """A net plays on for some decisions, and judges."""

    name = "net"

    def __init__(self, game: str, players: int) -> None:
        self._first = Mind(game, players, LOOKS)
        features = self._first.features
        self.depth = features.PLAN.depth
        self._mind = Mind(game, players, features.PLAN.replies, MOST_WORLDS, WIDTH + 1)
        self.found = self._mind.found
        self.play_on = self._mind.play_on
        self._told = np.zeros(features.inputs(players), dtype=np.int8)
        self._room = np.zeros(features.SMALL, np.int8), np.zeros(features.WORK, np.int32), np.zeros(6, np.uint64)
        self._layers = np.zeros((2, int(self._mind.net[1].max())), dtype=np.float32)

    def look(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        moves, said = self._first.look(states)
        order = np.argsort(-said, kind="stable")
        return moves[order], POINTS / (1.0 + np.exp(-said[order]))

    def margin(self, states: np.ndarray, seat: int) -> float:
        features = self._first.features
        features.describe(states[0], seat, self._told, *self._room)
        weights, sizes = self._mind.net
        row = say(weights, sizes, self._told, self._layers)
        return float(self._layers[row, int(sizes[-1]) - 1]) * features.GOAL


@cache
def playouts(judgement: Judgement) -> Callable[..., None]:
    """Compiled: make each of some moves in some worlds, and let the light hand play to the end."""
    rules = judgement.rules

    @compiled
    def play(views: Any, seat: int, tried: Any, alive: Any, span: Any, seed: Any, room: Any) -> None:
        worlds, sight, work, kinds, dice, results, rewards, found, margins = room
        for world in range(span[0], span[1]):
            worlds[0] = views[0]
            dice[0] = stream(seed, world)
            owner = rules.unknown(worlds[0], seat)
            while owner != NONE:
                rules.possible(worlds[0], owner, kinds)
                rules.fill(worlds[0], owner, picked(dice, kinds))
                owner = rules.unknown(worlds[0], seat)
            for at in range(tried.size):
                if not alive[at]:
                    continue
                worlds[1] = worlds[0]
                state = worlds[1]
                dice[0] = stream(~seed, world)
                if tried[at] != NONE:
                    rules.act(state, tried[at])
                judgement.look(state, sight)
                while state.phase != OVER:
                    if state.phase == CHANCE:
                        rules.receive(state, rules.drawn(state, below(dice, rules.pool_size(state))))
                    else:
                        judgement.act(state, sight, judgement.light(state, sight, work, dice))
                rules.values(state, results)
                least = -100
                for other in range(state.players):
                    if other != seat:
                        least = max(least, lowest(results[other]))
                margins[world, at] = lowest(results[seat]) - least
                by_place(results, state.players, rewards)
                found[world, at] = rewards[seat]

    return play


class PlayoutSampler:
    """For games without a net: the search's light hand plays to the end."""

    name = "playouts"
    depth = TO_THE_END

    def __init__(self, game: str, players: int) -> None:
        judgement = packages()[game].judgement
        self._judge = Judge(game, foresight=True)
        self._play = playouts(judgement)
        self.found = np.zeros((MOST_WORLDS, WIDTH + 1))
        self._margins = np.zeros((MOST_WORLDS, WIDTH + 1))
        self._room = (
            np.zeros(2, dtype=judgement.rules.STATE),
            np.empty(judgement.SIGHT, dtype=np.int8),
            np.zeros(judgement.WORK),
            np.zeros(len(judgement.rules.ITEMS), dtype=np.int8),
            np.zeros(1, dtype=np.uint64),
            np.zeros((max(judgement.rules.PLAYERS), 6), dtype=np.int8),
            np.zeros(max(judgement.rules.PLAYERS)),
            self.found,
            self._margins,
        )

    def look(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        moves, values = self._judge(states)
        order = np.argsort(-values, kind="stable")
        return moves[order], values[order]

    def play_on(
        self,
        states: np.ndarray,
        seat: int,
        moves: np.ndarray,
        alive: np.ndarray,
        span: tuple[int, int],
        seed: int,
        depth: int,
    ) -> None:
        self._play(states, seat, moves, alive, span, np.uint64(seed), self._room)

    def margin(self, states: np.ndarray, seat: int) -> float:
        worlds = 64
        self.play_on(states, seat, THIS, ONE_MOVE, (0, worlds), 0, self.depth)
        return float(self._margins[:worlds, 0].mean())


def sampler(game: str, players: int) -> Sampler:
    """A net where one ships, else playouts."""
    package = packages()[game]
    known = package.features is not None and package.net(players).exists()
    return NetSampler(game, players) if known else PlayoutSampler(game, players)


class Worlds:
    """Judges by worlds that are the same for all moves, and thinks longer where moves are close."""

    def __init__(self, game: str, players: int) -> None:
        self.sampler = sampler(game, players)
        self.name = self.sampler.name
        self._act = single(packages()[game].rules).act

    def weigh(self, view: View, played: int, iterations: int, seed: int) -> Weighed:
        """An iteration is one move in one world."""
        assert view.seat is not None
        states = copied(view)
        moves, mine = self._candidates(states, played)
        race = self.race(states, view.seat, moves, mine, iterations, seed)
        order = [race.best, *(at for at in race.order() if at != race.best)]
        options = [
            Option(int(moves[at]), race.chances[at], 0.0 if at == race.best else race.errors[at]) for at in order
        ]
        where = order.index(mine)
        options[where] = Option(played, options[where].chance, options[where].error)
        margins = None
        if decided(options[0].chance, options[where].chance):
            margins = [self._margin(states, view.seat, option.move) for option in options]
        return Weighed(options, where, margins)

    def race(
        self, states: np.ndarray, seat: int, moves: np.ndarray, mine: int, iterations: int, seed: int, depth: int = 0
    ) -> "Race":
        """Sequential halving: all moves in some worlds, those that seem as good as the best in twice as many."""
        race = Race(self.sampler.found, len(moves), mine)
        while race.goes_on():
            more = min(max(race.worlds, FIRST_LOOK), (iterations - race.spent) // int(race.alive.sum()))
            more = min(more, MOST_WORLDS - race.worlds)
            if more < 1:
                break
            span = race.worlds, race.worlds + more
            self.sampler.play_on(states, seat, moves, race.alive, span, seed, depth or self.sampler.depth)
            race.count(more)
        return race

    def draw(self, before: View, after: View, iterations: int, seed: int) -> Drawn:
        worlds = min(max(iterations // 2, 2), MOST_WORLDS)
        average = self._samples(before, worlds, seed)
        chance = self._samples(after, worlds, seed)
        error = POINTS * float((chance - average).std(ddof=1)) / np.sqrt(worlds)
        return Drawn(POINTS * float(chance.mean()), POINTS * float(average.mean()), float(error))

    def chances(self, views: Sequence[View], iterations: int, seed: int) -> list[float]:
        worlds = min(max(iterations // len(views), 2), MOST_WORLDS)
        return shared([POINTS * float(self._samples(view, worlds, seed).mean()) for view in views])

    def _samples(self, view: View, worlds: int, seed: int) -> np.ndarray:
        """The chance of a view's seat in some worlds, after the next decision: there nets have learned to judge."""
        assert view.seat is not None
        if view.over:
            result = np.zeros(view.players)
            by_place(np.array(view.values, dtype=np.int8), view.players, result)
            return np.full(worlds, result[view.seat])
        self.sampler.play_on(copied(view), view.seat, THIS, ONE_MOVE, (0, worlds), seed, 1)
        return self.sampler.found[:worlds, 0].copy()

    def _candidates(self, states: np.ndarray, played: int) -> tuple[np.ndarray, int]:
        """The moves that look best at once and lead to different positions, the played one always with them."""
        wanted = self._behind(states, played)
        found: dict[bytes, int] = {}
        for move in self.sampler.look(states)[0]:
            found.setdefault(self._behind(states, int(move)), int(move))
            if len(found) == WIDTH:
                break
        found.setdefault(wanted, played)
        return np.array(list(found.values()), dtype=np.int16), list(found).index(wanted)

    def _behind(self, states: np.ndarray, move: int) -> bytes:
        after = _writable(states.tobytes(), states)
        self._act(after, move)
        return after.tobytes()

    def _margin(self, states: np.ndarray, seat: int, move: int) -> float:
        after = _writable(self._behind(states, move), states)
        if after[0].phase == OVER:
            return ENOUGH
        return self.sampler.margin(after, seat)


def _writable(data: bytes, like: np.ndarray) -> np.ndarray:
    """A state from its bytes, much quicker than NumPy copies it field by field."""
    return np.frombuffer(bytearray(data), dtype=like.dtype)


class Race:
    """Moves in the same worlds: their chances in points, and the standard errors of being behind the best."""

    def __init__(self, found: np.ndarray, number: int, mine: int) -> None:
        self._found = found
        self._mine = mine
        self.alive = np.ones(number, dtype=np.bool_)
        self.chances = [POINTS / 2] * number
        self.errors = [POINTS] * number
        self.worlds = self.spent = self.best = 0

    def count(self, more: int) -> None:
        """After so many more worlds; moves that are given up keep what they had."""
        self.worlds += more
        self.spent += more * int(self.alive.sum())
        found = self._found[: self.worlds, : len(self.alive)]
        means = np.where(self.alive, found.mean(0), -1.0)
        self.best = int(np.argmax(means))
        spread = (found[:, self.best, None] - found).std(0, ddof=1) / np.sqrt(self.worlds)
        for at in np.flatnonzero(self.alive):
            self.chances[at] = POINTS * float(means[at])
            self.errors[at] = max(POINTS * float(spread[at]), LEAST_ERROR)
            behind = self.chances[self.best] - self.chances[at]
            self.alive[at] = behind <= PATIENCE * self.errors[at] or at in (self.best, self._mine)

    def goes_on(self) -> bool:
        """Is anything open: another move that may be the best, or what the played one cost?"""
        if self.worlds == 0:
            return True
        open_moves = set(np.flatnonzero(self.alive).tolist()) - {self.best, self._mine}
        if open_moves or self.best == self._mine:
            return bool(open_moves)
        cost, error = self.chances[self.best] - self.chances[self._mine], self.errors[self._mine]
        return error > CLEAR or mark_of(cost - 2 * error) != mark_of(cost + 2 * error)

    def order(self) -> list[int]:
        """The moves by their chances."""
        return sorted(range(len(self.chances)), key=lambda at: -self.chances[at])

"""Judging by sampled worlds: what is hidden is dealt anew many times, and the game played on from there."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Protocol

import numpy as np

from sixfold.bots.choosing import best_first
from sixfold.bots.greedy import Judge, copied
from sixfold.bots.net import LOOKS, ONE_MOVE, THIS, Mind, chance_of, kind_of
from sixfold.bots.tree import by_place
from sixfold.engine.game import View
from sixfold.games import packages
from sixfold.games.contract import Features, Judgement
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.generator import below, picked, stream
from sixfold.games.shared.symbols import CHANCE, NONE, OVER, lowest
from sixfold.review.estimating import ENOUGH, POINTS, WIDTH, Drawn, Option, Weighed, decided, shared
from sixfold.review.racing import (
    BEST,
    GOING,
    MINE,
    NUMBER,
    WORLDS,
    count,
    error,
    gatherer,
    line_up,
    mean,
    more_worlds,
    rank,
)

MOST_WORLDS = 1 << 14
TO_THE_END = 10_000
# In so many worlds games without a net are played to their end to know a margin.
MARGIN_WORLDS = 64


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

    def margin(self, states: np.ndarray, seat: int, move: int) -> float:
        """How many steps the own lowest value seems to end ahead of the best other one's after a move."""


@cache
def net_margin(features: Features) -> Callable[..., float]:
    """Compiled: what a net says of the margin behind a move."""
    rules, net_kind = features.rules, kind_of(features)

    @compiled
    def margin(net: Any, states: Any, seat: int, move: int, room: Any) -> float:
        worlds, told, small, work, keys, layers = room[0], room[2], room[3], room[4], room[5], room[8]
        weights, sizes = net
        worlds[2] = states[0]
        rules.act(worlds[2], move)
        if worlds[2].phase == OVER:
            return ENOUGH
        features.describe(worlds[2], seat, told, small, work, keys)
        net_kind.forget(layers)
        net_kind.listen(weights, sizes, told, layers, 0)
        return float(net_kind.say_of_one(weights, sizes, layers, int(sizes[sizes.size - 1]) - 1) * features.GOAL)

    return margin


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
        self._margin = net_margin(features)

    def look(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        moves, said = self._first.look(states)
        order = np.empty(len(said), dtype=np.int32)
        best_first(said, order)
        return moves[order], POINTS * np.array([chance_of(one) for one in said[order]])

    def margin(self, states: np.ndarray, seat: int, move: int) -> float:
        return float(self._margin(self._mind.net, states, seat, move, self._mind.room))


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
                ended = state.phase == OVER
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
                margins[world, at] = ENOUGH if ended else float(lowest(results[seat]) - least)
                by_place(results, state.players, rewards)
                found[world, at] = rewards[seat]

    return play


def playout_desk(judgement: Judgement, worlds: int, moves: int) -> tuple[np.ndarray, ...]:
    """Room to play on in so many worlds with so many moves; the last two are ``found`` and the margins."""
    players = max(judgement.rules.PLAYERS)
    return (
        np.zeros(2, dtype=judgement.rules.STATE),
        np.empty(judgement.SIGHT, dtype=np.int8),
        np.zeros(judgement.WORK),
        np.zeros(len(judgement.rules.ITEMS), dtype=np.int8),
        np.zeros(1, dtype=np.uint64),
        np.zeros((players, 6), dtype=np.int8),
        np.zeros(players),
        np.zeros((worlds, moves)),
        np.zeros((worlds, moves)),
    )


class PlayoutSampler:
    """For games without a net: the search's light hand plays to the end."""

    name = "playouts"
    depth = TO_THE_END

    def __init__(self, game: str, players: int) -> None:
        judgement = packages()[game].judgement
        self._judge = Judge(game, foresight=True)
        self._play = playouts(judgement)
        self._room = playout_desk(judgement, MOST_WORLDS, WIDTH + 1)
        self.found, self._margins = self._room[-2:]

    def look(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        moves, values = self._judge(states)
        order = np.empty(len(values), dtype=np.int32)
        best_first(values, order)
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

    def margin(self, states: np.ndarray, seat: int, move: int) -> float:
        self.play_on(states, seat, np.array([move], dtype=np.int16), ONE_MOVE, (0, MARGIN_WORLDS), 0, self.depth)
        return mean(self._margins, MARGIN_WORLDS, 0)


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
        rules = packages()[game].rules
        self._gather = gatherer(rules)
        trials = np.zeros(WIDTH + 1, dtype=rules.STATE)
        self._trials = trials, trials.view(np.uint8).reshape(WIDTH + 1, rules.STATE.itemsize)

    def weigh(self, view: View, played: int, iterations: int, seed: int) -> Weighed:
        """An iteration is one move in one world."""
        assert view.seat is not None
        states = copied(view)
        race = self.start(states, played)
        self.run(race, states, view.seat, iterations, seed)
        order = race.order()
        options = [Option(int(race.moves[at]), float(race.chances[at]), float(race.errors[at])) for at in order]
        options[0] = replace(options[0], error=0.0)
        where = order.index(race.mine)
        options[where] = replace(options[where], move=played)
        margins = None
        if decided(options[0].chance, options[where].chance):
            margins = [self.sampler.margin(states, view.seat, option.move) for option in options]
        return Weighed(options, where, margins)

    def start(self, states: np.ndarray, played: int) -> "Race":
        """The moves that look best at once and lead to different positions, the played one always with them."""
        race = Race(np.zeros(WIDTH + 1, dtype=np.int16))
        self._gather(states, self.sampler.look(states)[0], played, *self._trials, race.moves, race.going)
        race.line_up()
        return race

    def race(self, states: np.ndarray, seat: int, moves: np.ndarray, mine: int, iterations: int, seed: int) -> "Race":
        """Some moves against each other."""
        race = Race(moves)
        race.going[NUMBER], race.going[MINE] = len(moves), mine
        race.line_up()
        self.run(race, states, seat, iterations, seed)
        return race

    def run(self, race: "Race", states: np.ndarray, seat: int, iterations: int, seed: int) -> None:
        """Sequential halving: all moves in some worlds, those that seem as good as the best in twice as many."""
        sampler, number = self.sampler, race.going[NUMBER]
        while more := more_worlds(*race.state, iterations, MOST_WORLDS):
            span = race.worlds, race.worlds + more
            sampler.play_on(states, seat, race.moves[:number], race.alive[:number], span, seed, sampler.depth)
            count(*race.state, sampler.found, more)

    def draw(self, before: View, after: View, iterations: int, seed: int) -> Drawn:
        worlds = min(max(iterations // 2, 2), MOST_WORLDS)
        found = self.sampler.found
        self._sample(before, worlds, seed)
        found[:worlds, 1] = found[:worlds, 0]
        self._sample(after, worlds, seed)
        return Drawn(
            POINTS * mean(found, worlds, 0), POINTS * mean(found, worlds, 1), POINTS * error(found, worlds, 0, 1)
        )

    def chances(self, views: Sequence[View], iterations: int, seed: int) -> list[float]:
        worlds = min(max(iterations // len(views), 2), MOST_WORLDS)
        found = []
        for view in views:
            self._sample(view, worlds, seed)
            found.append(POINTS * mean(self.sampler.found, worlds, 0))
        return shared(found)

    def _sample(self, view: View, worlds: int, seed: int) -> None:
        """The chance of a view's seat in some worlds, after the next decision: there nets have learned to judge."""
        assert view.seat is not None
        if view.over:
            result = np.zeros(view.players)
            by_place(np.array(view.values, dtype=np.int8), view.players, result)
            self.sampler.found[:worlds, 0] = result[view.seat]
        else:
            self.sampler.play_on(copied(view), view.seat, THIS, ONE_MOVE, (0, worlds), seed, 1)


class Race:
    """Moves in the same worlds: their chances in points, and the standard errors of being behind the best."""

    def __init__(self, moves: np.ndarray) -> None:
        self.moves = moves
        self.going = np.zeros(GOING, dtype=np.int32)
        self.alive = np.zeros(len(moves), dtype=np.bool_)
        self.chances, self.errors = np.zeros(len(moves)), np.zeros(len(moves))
        self.state = self.going, self.alive, self.chances, self.errors

    def line_up(self) -> None:
        line_up(*self.state)

    @property
    def worlds(self) -> int:
        return int(self.going[WORLDS])

    @property
    def best(self) -> int:
        return int(self.going[BEST])

    @property
    def mine(self) -> int:
        return int(self.going[MINE])

    def order(self) -> list[int]:
        """The moves, the best first."""
        found = np.zeros(self.going[NUMBER], dtype=np.int32)
        rank(self.going, self.chances, found)
        return [int(at) for at in found]

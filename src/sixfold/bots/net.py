"""The bot that learned: a net judges the positions behind its moves, one look ahead (docs/nets.md)."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from sixfold.bots import Budget, dense, graph
from sixfold.bots.choosing import best
from sixfold.bots.greedy import copied
from sixfold.bots.tree import by_place
from sixfold.engine import notation
from sixfold.engine.chance import Seeded
from sixfold.engine.game import SetupError, View, rules_of
from sixfold.games import packages
from sixfold.games.contract import Features
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.generator import below, picked, stream
from sixfold.games.shared.judging import rank
from sixfold.games.shared.mathematics import exp
from sixfold.games.shared.symbols import CHANCE, NONE, OVER

# How many moves the bot shows to its net, those first that look best at first sight.
LOOKS = 160
# What is overlooked is counted in hundredths.
OF_ALL = 100
# What a net's file says about it.
ABOUT = ("game", "players", "version", "games")
# Log odds that no net says.
SURE = 50.0


def features_of(game: str, players: int) -> Features:
    """What nets are told of a game."""
    rules_of(game, players)
    features = packages()[game].features
    if features is None:
        raise SetupError(f"nets know nothing of {game}")
    return features


def kind_of(features: Features) -> ModuleType:
    """How the nets of a game are made: compiled functions that listen to numbers and say what they think."""
    return {"dense": dense, "graph": graph}[features.NET]


@cache
def load(path: Path, game: str, players: int) -> tuple[np.ndarray, np.ndarray]:
    """A net's weights in one row, and its sizes: that of what it is told first, that of what it says last."""
    features = features_of(game, players)
    try:
        with np.load(path) as file:
            about = (str(file["game"]), int(file["players"]), int(file["version"]))
            arrays = {name: file[name].astype(np.float32) for name in file.files if name not in ABOUT}
        if about != (game, players, features.VERSION):
            raise SetupError(f"{path} is a net for {about[0]} with {about[1]} players, inputs of version {about[2]}")
        net: tuple[np.ndarray, np.ndarray] = kind_of(features).packed(arrays, features.inputs(players))
    except SetupError:
        raise
    except FileNotFoundError:
        raise SetupError(f"there is no net for {game} with {players} players") from None
    except (OSError, ValueError, KeyError) as error:
        raise SetupError(f"{path} is no net: {error}") from None
    return net


@compiled
def sure(results: np.ndarray, players: int, seat: int, rewards: np.ndarray) -> float:
    """How good the end of a game is for a seat, as log odds that no net says."""
    by_place(results, players, rewards)
    return SURE * (2.0 * rewards[seat] - 1.0)


@compiled
def chance_of(said: float) -> float:
    """Log odds as a chance."""
    return 1.0 / (1.0 + exp(-said))


# Closed over is a module, never a compiled function: only so can Numba cache what is made.


@cache
def thinker(features: Features) -> Callable[..., int]:
    """Compiled: make each of some moves in some worlds and play on as the net would.

    A world is a way to deal what is hidden, the same for all moves. ``found`` gets the chances to be ahead that come of
    it; returns how many moves the net was shown for the last decision, which are in ``moves`` with what it said.
    """
    rules, net_kind = features.rules, kind_of(features)

    @compiled
    def think(
        net: Any, views: Any, seat: int, tried: Any, alive: Any, span: Any, seed: Any, how: Any, room: Any
    ) -> int:
        weights, sizes = net
        depth, slots, blind = how
        worlds, sight, told, small, work, keys, results, rewards, layers, first, moves, values, kinds, dice, found = (
            room
        )
        players = int(views[0].players)
        number = 0
        net_kind.forget(layers)
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
                said = np.inf
                for _ in range(depth):
                    while state.phase == CHANCE:
                        rules.receive(state, rules.drawn(state, below(dice, rules.pool_size(state))))
                    if state.phase == OVER:
                        break
                    turn = int(state.turn)
                    features.glance(state, sight)
                    number = 0
                    for again in range(2):
                        # Who has overlooked everything sees at least what is plain to see.
                        most = moves.size if again == 0 else 1
                        for which in range(slots if number == 0 or again == 0 else 0):
                            move, seen = features.slot(state, sight, which)
                            if move == NONE or (again == 0 and blind > 0 and below(dice, OF_ALL) < blind):
                                continue
                            if number < most or seen > first[number - 1]:
                                number = rank(moves, first, number, most, move, seen)
                    waiting = NONE
                    for which in range(number):
                        worlds[2] = state
                        rules.act(worlds[2], moves[which])
                        if worlds[2].phase == OVER:
                            rules.values(worlds[2], results)
                            values[which] = sure(results, players, turn, rewards)
                            continue
                        features.describe(worlds[2], turn, told, small, work, keys)
                        net_kind.listen(weights, sizes, told, layers, int(waiting != NONE))
                        if waiting == NONE:
                            waiting = which
                        else:
                            values[waiting], values[which] = net_kind.say(weights, sizes, layers, 0)
                            waiting = NONE
                    if waiting != NONE:
                        values[waiting] = net_kind.say_of_one(weights, sizes, layers, 0)
                    chosen = best(values[:number])
                    said = values[chosen] if turn == seat else np.inf
                    rules.act(state, moves[chosen])
                if said == np.inf and state.phase == OVER:
                    rules.values(state, results)
                    said = sure(results, players, seat, rewards)
                elif said == np.inf:
                    features.describe(state, seat, told, small, work, keys)
                    net_kind.listen(weights, sizes, told, layers, 0)
                    said = net_kind.say_of_one(weights, sizes, layers, 0)
                found[world, at] = chance_of(said)
        return number

    return think


ONE_MOVE, ONE_WORLD = np.ones(1, dtype=np.bool_), (0, 1)
THIS = np.array([NONE], dtype=np.int16)


def desk(features: Features, told: int, widest: int, looks: int, worlds: int, moves: int) -> tuple[np.ndarray, ...]:
    """Room to think for a net that is told so many numbers and whose widest layer has so many."""
    return (
        np.zeros(3, dtype=features.rules.STATE),
        np.zeros(features.SIGHT, dtype=np.int8),
        np.zeros(told, dtype=np.int8),
        np.zeros(features.SMALL, dtype=np.int8),
        np.zeros(features.WORK, dtype=np.int32),
        np.zeros(6, dtype=np.uint64),
        np.zeros((max(features.rules.PLAYERS), 6), dtype=np.int8),
        np.zeros(max(features.rules.PLAYERS)),
        kind_of(features).scratch(max(told, widest)),
        np.zeros(looks),
        np.zeros(looks, dtype=np.int16),
        np.zeros(looks),
        np.zeros(len(features.rules.ITEMS), dtype=np.int8),
        np.zeros(1, dtype=np.uint64),
        np.zeros((worlds, moves)),
    )


class Mind:
    """A game's net, and room to think: for so many looks a decision, worlds, and moves to try."""

    def __init__(
        self, game: str, players: int, looks: int, worlds: int = 1, width: int = 1, path: Path | None = None
    ) -> None:
        self.features = features = features_of(game, players)
        self.net = load(path or packages()[game].net(players), game, players)
        self._slots = features.slots(players)
        self._think = thinker(features)
        self.room = desk(features, features.inputs(players), int(self.net[1].max()), looks, worlds, width)
        *_, self._moves, self._values, _, _, self.found = self.room

    def look(self, states: np.ndarray, blind: int = 0, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """The moves, those first that look best at first sight, and their log odds; so many in a hundred are
        overlooked."""
        how = (1, self._slots, blind)
        seat = int(states["turn"][0])
        number = self._think(self.net, states, seat, THIS, ONE_MOVE, ONE_WORLD, np.uint64(seed), how, self.room)
        return self._moves[:number].copy(), self._values[:number].copy()

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
        """Make each move that is alive in some worlds and play on for some decisions; ``found`` gets the chances."""
        how = (depth, self._slots, 0)
        self._think(self.net, states, seat, moves, alive, span, np.uint64(seed), how, self.room)


class Net:
    """The move that a net likes best, of those that look best at first sight; some may be overlooked."""

    def __init__(self, game: str, players: int, looks: int = LOOKS, blind: int = 0) -> None:
        self._mind = Mind(game, players, looks)
        self._blind = blind

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        moves, values = self._mind.look(copied(view), self._blind, chance.below(2**32) if self._blind else 0)
        return notation.write(view.rules, int(moves[int(np.argmax(values))]))

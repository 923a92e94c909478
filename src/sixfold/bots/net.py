"""The bot that learned: a net judges the positions behind its moves, one look ahead (docs/nets.md)."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sixfold.bots import Budget
from sixfold.bots.greedy import copied
from sixfold.bots.tree import by_place
from sixfold.engine import notation
from sixfold.engine.chance import Seeded
from sixfold.engine.game import SetupError, View, rules_of
from sixfold.games import packages
from sixfold.games.contract import Features
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.generator import below, stream
from sixfold.games.shared.judging import rank
from sixfold.games.shared.symbols import NONE, OVER

# How many moves the bot shows to its net, those first that look best at first sight.
LOOKS = 256
# What is overlooked is counted in hundredths.
OF_ALL = 100
# Sure of a result: log odds that no net says.
SURE = 50.0


def features_of(game: str, players: int) -> Features:
    """What nets are told of a game."""
    rules_of(game, players)
    features = packages()[game].features
    if features is None:
        raise SetupError(f"nets know nothing of {game}")
    return features


@cache
def load(path: Path, game: str, players: int) -> tuple[np.ndarray, np.ndarray]:
    """A net's weights in one row, layer by layer (inputs × outputs, then biases), and the layers' sizes."""
    features = features_of(game, players)
    try:
        with np.load(path) as file:
            about = (str(file["game"]), int(file["players"]), int(file["version"]))
            layers = [
                (file[f"weight{number}"].astype(np.float32), file[f"bias{number}"].astype(np.float32))
                for number in range(sum(name.startswith("weight") for name in file.files))
            ]
    except FileNotFoundError:
        raise SetupError(f"there is no net for {game} with {players} players") from None
    except (OSError, ValueError, KeyError) as error:
        raise SetupError(f"{path} is no net: {error}") from None
    if about != (game, players, features.VERSION):
        raise SetupError(f"{path} is a net for {about[0]} with {about[1]} players, inputs of version {about[2]}")
    sizes = [layers[0][0].shape[1], *(len(bias) for _, bias in layers)]
    weights = np.concatenate([part for weight, bias in layers for part in (weight.T.ravel(), bias)])
    return weights, np.array(sizes, dtype=np.int64)


# The net, position by position


@compiled
def add_rows(
    x: Any, a: np.ndarray, y: Any, b: np.ndarray, z: Any, c: np.ndarray, w: Any, d: np.ndarray, out: np.ndarray
) -> None:
    """Add four rows, each times a number."""
    for to in range(a.size):
        out[to] += (x * a[to] + y * b[to]) + (z * c[to] + w * d[to])


@compiled
def multiply(weights: np.ndarray, begin: int, given: np.ndarray, size: int, out: np.ndarray, width: int) -> None:
    """Add to ``out`` the rows of a matrix times the numbers given; rows times 0 are left out, the others go by four."""
    at = 0
    while at < size:
        a = b = c = d = begin
        x = y = z = w = np.float32(0.0)
        found = 0
        while at < size and found < 4:
            number = np.float32(given[at])
            if number != np.float32(0.0):
                row = begin + at * width
                if found == 0:
                    x = number
                    a = row
                elif found == 1:
                    y = number
                    b = row
                elif found == 2:
                    z = number
                    c = row
                else:
                    w = number
                    d = row
                found += 1
            at += 1
        if found > 0:
            # Rows of their own: the compiler then knows that no index is negative, and takes many columns at once.
            add_rows(
                x,
                weights[a : a + width],
                y,
                weights[b : b + width],
                z,
                weights[c : c + width],
                w,
                weights[d : d + width],
                out,
            )


@compiled
def say(weights: np.ndarray, sizes: np.ndarray, told: np.ndarray, room: np.ndarray) -> int:
    """What a net says of one position; returns the row of ``room`` where it stands."""
    begin = 0
    to = 0
    for layer in range(sizes.size - 1):
        width = int(sizes[layer + 1])
        size = int(sizes[layer])
        biases = begin + size * width
        to = layer % 2
        for at in range(width):
            room[to, at] = weights[biases + at]
        if layer == 0:
            multiply(weights, begin, told, size, room[to], width)
        else:
            multiply(weights, begin, room[1 - to], size, room[to], width)
        if layer < sizes.size - 2:
            for at in range(width):
                room[to, at] = max(room[to, at], np.float32(0.0))
        begin = biases + width
    return to


def desk(features: Features, players: int, sizes: np.ndarray, most: int) -> tuple[np.ndarray, ...]:
    """Room to think: a state, sight, what the net is told, room of the features, results, and the net's layers."""
    return (
        np.zeros(1, dtype=features.rules.STATE),
        np.zeros(features.SIGHT, dtype=np.int8),
        np.zeros(features.inputs(players), dtype=np.int8),
        np.zeros(features.SMALL, dtype=np.int8),
        np.zeros(features.WORK, dtype=np.int32),
        np.zeros(6, dtype=np.uint64),
        np.zeros((4, 6), dtype=np.int8),
        np.zeros(4),
        np.zeros((2, int(sizes.max())), dtype=np.float32),
        np.zeros(most),
    )


@cache
def judge(features: Features) -> Callable[..., float]:
    """Compiled: how good a position is for a seat that has just decided or waits, as log odds."""
    rules = features.rules

    @compiled
    def value(net: Any, state: Any, seat: int, room: Any) -> float:
        weights, sizes = net
        _, _, told, small, work, keys, results, rewards, layers, _ = room
        if state.phase == OVER:
            rules.values(state, results)
            by_place(results, int(state.players), rewards)
            return SURE * (2.0 * rewards[seat] - 1.0)
        features.describe(state, seat, told, small, work, keys)
        return float(layers[say(weights, sizes, told, layers), 0])

    return value


@cache
def looker(features: Features) -> Callable[..., int]:
    """Compiled: the moves that look best at first sight with what a net says of them; returns how many."""
    rules = features.rules
    value = judge(features)

    @compiled
    def notice(state: Any, moves: Any, most: int, slots: int, blind: int, generator: Any, room: Any) -> int:
        """The moves that look best at first sight; so many in a hundred are overlooked."""
        size = 0
        for which in range(slots):
            move, seen = features.slot(state, room[1], which)
            if move == NONE or (blind > 0 and below(generator, OF_ALL) < blind):
                continue
            if size < most or seen > room[9][size - 1]:
                size = rank(moves, room[9], size, most, move, seen)
        return size

    @compiled
    def look(net: Any, state: Any, moves: Any, values: Any, slots: int, blind: int, generator: Any, room: Any) -> int:
        after = room[0]
        features.glance(state, room[1])
        size = notice(state, moves, moves.size, slots, blind, generator, room)
        if size == 0:
            size = notice(state, moves, moves.size, slots, 0, generator, room)
        seat = int(state.turn)
        for at in range(size):
            after[0] = state
            rules.act(after[0], moves[at])
            values[at] = value(net, after[0], seat, room)
        return size

    return look


class Looker:
    """Moves of a game with what a net says of them."""

    def __init__(self, game: str, players: int, looks: int = LOOKS, path: Path | None = None) -> None:
        self.features = features = features_of(game, players)
        self.net = load(path or packages()[game].net(players), game, players)
        self._look = looker(features)
        self._moves = np.zeros(looks, dtype=np.int16)
        self._values = np.zeros(looks)
        self._slots = features.slots(players)
        self._generator = np.zeros(1, dtype=np.uint64)
        self._room = desk(features, players, self.net[1], looks)

    def __call__(self, states: np.ndarray, blind: int = 0, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """The moves, those first that look best at first sight, and their log odds; some may be overlooked."""
        self._generator[0] = stream(np.uint64(seed), 0)
        number = self._look(
            self.net, states[0], self._moves, self._values, self._slots, blind, self._generator, self._room
        )
        return self._moves[:number].copy(), self._values[:number].copy()


class Net:
    """The move that a net likes best, of those that look best at first sight; some may be overlooked."""

    def __init__(self, game: str, players: int, looks: int = LOOKS, blind: int = 0) -> None:
        self._look = Looker(game, players, looks)
        self._blind = blind

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        moves, values = self._look(copied(view), self._blind, chance.below(2**32) if self._blind else 0)
        return notation.write(view.rules, int(moves[int(np.argmax(values))]))

"""The bot that learned: a net judges the positions behind its moves, one look ahead (docs/nets.md)."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sixfold.bots import Budget
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
# To so much the weights of a first layer are rounded. Sums below 64 are then exact, so that a number told again is
# taken away without a trace.
STEP = np.float32(2.0**-18)
# Log odds that no net says.
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
    """A net's weights in one row, layer by layer, and the layers' sizes.

    Of a layer: inputs × outputs, of the last one outputs × inputs; then biases.
    """
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
    layers[0] = (np.rint(layers[0][0] / STEP) * STEP).astype(np.float32), layers[0][1]
    sizes = [layers[0][0].shape[1], *(len(bias) for _, bias in layers)]
    turned = [(weight.T, bias) for weight, bias in layers[:-1]] + layers[-1:]
    weights = np.concatenate([part for weight, bias in turned for part in (weight.ravel(), bias)])
    return weights, np.array(sizes, dtype=np.int64)


# The net. Its first layer only changes what has changed since it was told last: positions behind the moves of one
# position have much in common. The others take two positions at a time: reading the weights takes longest.

# Rows of the room: two positions, the places of what matters, the next layer of both; the sums of the first layer, and
# what it was told. Places and what was told are whole numbers.
PLACES, NEXT, SUMS, TOLD, ROOM = 2, 3, 5, 6, 7


def scratch(widest: int) -> np.ndarray:
    """Room for a net whose widest layer has so many numbers: one more, which is 0, and some to count by four."""
    return np.zeros((ROOM, -(-(widest + 1) // 4) * 4), dtype=np.float32)


@compiled
def forget(room: np.ndarray) -> None:
    """Begin anew, perhaps with another net: it has been told nothing but zeros."""
    for at in range(room.shape[1]):
        room[SUMS, at] = np.float32(0.0)
        room[TOLD, at] = np.float32(0.0)


@compiled
def fill_up(places: np.ndarray, found: int, place: int) -> int:
    """Put a place that does not matter behind those found until they can be divided by four."""
    whole = found + -found % 4
    for at in range(found, whole):
        places[at] = place
    return whole


@compiled
def changes(told: np.ndarray, size: int, before: np.ndarray, places: np.ndarray) -> int:
    """The places where a net is told something else than before; returns how many.

    No branch here: where that is, nobody can predict.
    """
    found = 0
    for at in range(size):
        places[found] = at
        found += told[at] != before[at]
    return fill_up(places, found, 0)


@compiled
def change(told: np.ndarray, before: np.ndarray, place: int) -> Any:
    """By how much a number is another than before; it is not from now on."""
    number = np.int32(told[place])
    by = np.float32(number - before[place])
    before[place] = number
    return by


@compiled
def gather(one: np.ndarray, two: np.ndarray, size: int, places: np.ndarray) -> int:
    """The places where one of two rows is above 0, and none is below; returns how many."""
    found = 0
    for at in range(size):
        places[found] = at
        found += one[at] + two[at] > np.float32(0.0)
    one[size] = np.float32(0.0)
    two[size] = np.float32(0.0)
    return fill_up(places, found, size)


@compiled
def add_rows(
    x: Any, a: np.ndarray, y: Any, b: np.ndarray, z: Any, c: np.ndarray, w: Any, d: np.ndarray, out: np.ndarray
) -> None:
    """Add four rows, each times a number."""
    for to in range(a.size):
        out[to] += (x * a[to] + y * b[to]) + (z * c[to] + w * d[to])


@compiled
def add_rows_twice(
    x: Any, a: np.ndarray, y: Any, b: np.ndarray, z: Any, c: np.ndarray, w: Any, d: np.ndarray, out: Any
) -> None:
    """Add four rows to two others, each times a number for the one and one for the other.

    In this order a row times 0 changes nothing: what is said of a position does not hang on the one beside it.
    """
    one, two = out
    for to in range(a.size):
        one[to] = (((one[to] + x[0] * a[to]) + y[0] * b[to]) + z[0] * c[to]) + w[0] * d[to]
        two[to] = (((two[to] + x[1] * a[to]) + y[1] * b[to]) + z[1] * c[to]) + w[1] * d[to]


@compiled
def listen(weights: np.ndarray, sizes: np.ndarray, told: np.ndarray, room: np.ndarray, which: int) -> None:
    """The first layer of the first or second position that is told."""
    size, width = int(sizes[0]), int(sizes[1])
    places, before, sums = room[PLACES].view(np.int32), room[TOLD].view(np.int32), room[SUMS, :width]
    for at in range(0, changes(told, size, before, places), 4):
        a, b, c, d = int(places[at]), int(places[at + 1]), int(places[at + 2]), int(places[at + 3])
        # Rows of their own: the compiler then knows that no index is negative, and takes many columns at once.
        add_rows(
            change(told, before, a),
            weights[a * width : (a + 1) * width],
            change(told, before, b),
            weights[b * width : (b + 1) * width],
            change(told, before, c),
            weights[c * width : (c + 1) * width],
            change(told, before, d),
            weights[d * width : (d + 1) * width],
            sums,
        )
    biases, out = weights[size * width : (size + 1) * width], room[which, :width]
    for at in range(width):
        out[at] = max(sums[at] + biases[at], np.float32(0.0))


@compiled
def go_on(weights: np.ndarray, size: int, width: int, room: np.ndarray, first: int) -> None:
    """From one layer of both positions, in two rows from ``first`` on, to the next, whose weights these are."""
    one, two, places = room[first], room[first + 1], room[PLACES].view(np.int32)
    out = room[NEXT - first, :width], room[NEXT - first + 1, :width]
    biases = weights[size * width : (size + 1) * width]
    for at in range(width):
        out[0][at] = biases[at]
        out[1][at] = biases[at]
    for at in range(0, gather(one, two, size, places), 4):
        a, b, c, d = int(places[at]), int(places[at + 1]), int(places[at + 2]), int(places[at + 3])
        add_rows_twice(
            (one[a], two[a]),
            weights[a * width : (a + 1) * width],
            (one[b], two[b]),
            weights[b * width : (b + 1) * width],
            (one[c], two[c]),
            weights[c * width : (c + 1) * width],
            (one[d], two[d]),
            weights[d * width : (d + 1) * width],
            out,
        )
    for at in range(width):
        out[0][at] = max(out[0][at], np.float32(0.0))
        out[1][at] = max(out[1][at], np.float32(0.0))


@compiled
def product(layer: np.ndarray, weights: np.ndarray) -> float:
    """A layer's numbers, each times its weight: the sum, by pairwise summation. The layer is used up."""
    size = weights.size
    for at in range(size):
        layer[at] *= weights[at]
    while size > 1:
        half = (size + 1) // 2
        low, high = layer[:half], layer[half:size]
        for at in range(high.size):
            low[at] += high[at]
        size = half
    return float(layer[0])


@compiled
def say(weights: np.ndarray, sizes: np.ndarray, room: np.ndarray, which: int) -> tuple[float, float]:
    """What a net says of the two positions that it listened to last: one of its numbers."""
    begin, first = (int(sizes[0]) + 1) * int(sizes[1]), 0
    last = sizes.size - 2
    for layer in range(1, last):
        size, width = int(sizes[layer]), int(sizes[layer + 1])
        go_on(weights[begin:], size, width, room, first)
        begin += (size + 1) * width
        first = NEXT - first
    size = int(sizes[last])
    row = weights[begin + which * size : begin + (which + 1) * size]
    bias = float(weights[begin + int(sizes[last + 1]) * size + which])
    return product(room[first], row) + bias, product(room[first + 1], row) + bias


@compiled
def say_of_one(weights: np.ndarray, sizes: np.ndarray, room: np.ndarray, which: int) -> float:
    """The same where there is no second position."""
    for at in range(room.shape[1]):
        room[1, at] = np.float32(0.0)
    return say(weights, sizes, room, which)[0]


@compiled
def heard(weights: np.ndarray, sizes: np.ndarray, told: np.ndarray, room: np.ndarray) -> float:
    """How good a net says that a position is, as log odds."""
    listen(weights, sizes, told, room, 0)
    return say_of_one(weights, sizes, room, 0)


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
    rules = features.rules

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
        forget(layers)
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
                        listen(weights, sizes, told, layers, int(waiting != NONE))
                        if waiting == NONE:
                            waiting = which
                        else:
                            values[waiting], values[which] = say(weights, sizes, layers, 0)
                            waiting = NONE
                    if waiting != NONE:
                        values[waiting] = say_of_one(weights, sizes, layers, 0)
                    chosen = best(values[:number])
                    said = values[chosen] if turn == seat else np.inf
                    rules.act(state, moves[chosen])
                if said == np.inf and state.phase == OVER:
                    rules.values(state, results)
                    said = sure(results, players, seat, rewards)
                elif said == np.inf:
                    features.describe(state, seat, told, small, work, keys)
                    said = heard(weights, sizes, told, layers)
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
        scratch(max(told, widest)),
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

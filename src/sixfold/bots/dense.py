"""A net of dense layers (multilayer perceptron), compiled.

Its first layer only changes what has changed since it was told last: positions behind the moves of one position have
much in common. The others take two positions at a time: reading the weights takes longest.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sixfold.games.shared.compiling import compiled

# To so much the weights of a first layer are rounded. Sums below 64 are then exact, so that a number told again is
# taken away without a trace.
STEP = np.float32(2.0**-18)

# Rows of the room: two positions, the places of what matters, the next layer of both; the sums of the first layer, and
# what it was told. Places and what was told are whole numbers.
PLACES, NEXT, SUMS, TOLD, ROOM = 2, 3, 5, 6, 7


def packed(arrays: Mapping[str, np.ndarray], inputs: int) -> tuple[np.ndarray, np.ndarray]:
    """A net's weights in one row, layer by layer, and the layers' sizes.

    Of a layer: inputs × outputs, of the last one outputs × inputs; then biases.
    """
    number = sum(name.startswith("weight") for name in arrays)
    layers = [(arrays[f"weight{at}"], arrays[f"bias{at}"]) for at in range(number)]
    layers[0] = (np.rint(layers[0][0] / STEP) * STEP).astype(np.float32), layers[0][1]
    sizes = [inputs, *(len(bias) for _, bias in layers)]
    turned = [(weight.T, bias) for weight, bias in layers[:-1]] + layers[-1:]
    weights = np.concatenate([part for weight, bias in turned for part in (weight.ravel(), bias)])
    return weights, np.array(sizes, dtype=np.int64)


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
def multiply_two(
    weights: np.ndarray, one: np.ndarray, two: np.ndarray, size: int, places: np.ndarray, out: Any
) -> None:
    """Add the weights' rows to two rows, each times a number of the one and of the other, none of them negative."""
    width = out[0].size
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


@compiled
def positive(numbers: np.ndarray) -> None:
    """ReLU: what is negative becomes 0."""
    for at in range(numbers.size):
        numbers[at] = max(numbers[at], np.float32(0.0))


@compiled
def go_on(weights: np.ndarray, size: int, width: int, room: np.ndarray, first: int) -> None:
    """From one layer of both positions, in two rows from ``first`` on, to the next, whose weights these are."""
    one, two = room[NEXT - first, :width], room[NEXT - first + 1, :width]
    biases = weights[size * width : (size + 1) * width]
    for at in range(width):
        one[at] = biases[at]
        two[at] = biases[at]
    multiply_two(weights, room[first], room[first + 1], size, room[PLACES].view(np.int32), (one, two))
    positive(one)
    positive(two)


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

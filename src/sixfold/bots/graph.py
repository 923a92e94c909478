"""A graph net, compiled: the six symbols and the fifteen pairs of them tell each other things (message passing).

Every symbol is treated alike, and so is every pair, whatever they are called: one set of weights learns from all of
them. Symbols say something of themselves; in every round each pair hears its two symbols, and each symbol its five
pairs; at the end all are added up.
"""

from collections.abc import Iterable, Mapping

import numpy as np

from sixfold.bots.dense import add_rows, fill_up, multiply_two, positive, product
from sixfold.games.shared.compiling import compiled

SYMBOLS = 6
PAIRS = np.array([(a, b) for a in range(SYMBOLS) for b in range(a + 1, SYMBOLS)], dtype=np.int8)
# Which symbols are in which pairs.
JOINS = (np.arange(SYMBOLS)[:, None, None] == PAIRS).any(2).astype(np.float32)

# What its sizes are: of what it is told in all, of a symbol, the last so many of these that mean cards, and of the
# whole; then the width of every round, and how many numbers it says.
TOLD, ROW, COMMON, WHOLE, WIDTHS = range(5)

# Rows of the room: what the net has come to for two positions; the places of what matters; numbers told; what symbols
# have said, what they say to themselves and to their pairs, and what they hear; a pair; all symbols, all pairs, and the
# most of any pair that is held.
PLACES, NUMBERS, SAID, NEXT, HEARD, PAIR, ALL_SYMBOLS, ALL_PAIRS, BEST, ROOM = 2, 3, 4, 10, 16, 22, 23, 24, 25, 26


def rounds_of(names: Iterable[str]) -> int:
    """How many rounds a net has, by the names of its arrays."""
    return sum(name.startswith("own_bias") for name in names)


def packed(arrays: Mapping[str, np.ndarray], inputs: int) -> tuple[np.ndarray, np.ndarray]:
    """A net's weights in one row and its sizes; all weights are inputs × outputs but the last ones."""
    row, whole = arrays["symbol"].shape[1], arrays["whole"].shape[1]
    rounds = rounds_of(arrays)
    told = (inputs - SYMBOLS * row - whole) // len(PAIRS)
    widths = [len(arrays[f"own_bias{at}"]) for at in range(rounds)]
    parts = [arrays["symbol"].T, arrays["whole"].T, arrays["symbol_bias"]]
    for at in range(rounds):
        parts += [np.concatenate((arrays[f"own{at}"], arrays[f"meet{at}"])).T, arrays[f"own_bias{at}"]]
        parts += [arrays[f"pair{at}"].T, arrays[f"pair_bias{at}"], arrays[f"hear{at}"].T]
    parts += [arrays[f"all_{what}"].T for what in ("symbols", "pairs", "best", "whole")]
    parts += [arrays["all_bias"], arrays["say"], arrays["say_bias"]]
    sizes = [inputs, row, arrays["pair0"].shape[1] - told, whole, *widths, len(arrays["say_bias"])]
    return np.concatenate([part.ravel() for part in parts]), np.array(sizes, dtype=np.int64)


def scratch(widest: int) -> np.ndarray:
    """Room for a net whose widest round has so many numbers: twice as many, and some to count by four."""
    return np.zeros((ROOM, -(-(2 * widest + 4) // 4) * 4), dtype=np.float32)


@compiled
def forget(room: np.ndarray) -> None:
    """Nothing is remembered."""


@compiled
def nonzero(numbers: np.ndarray, size: int, places: np.ndarray) -> int:
    """The places of the numbers that are not 0; returns how many. The number behind the last one becomes 0."""
    found = 0
    for at in range(size):
        places[found] = at
        found += numbers[at] != np.float32(0.0)
    numbers[size] = np.float32(0.0)
    return fill_up(places, found, size)


@compiled
def multiply(weights: np.ndarray, numbers: np.ndarray, size: int, places: np.ndarray, out: np.ndarray) -> None:
    """Add the weights' rows, each times its number."""
    width = out.size
    for at in range(0, nonzero(numbers, size, places), 4):
        a, b, c, d = int(places[at]), int(places[at + 1]), int(places[at + 2]), int(places[at + 3])
        add_rows(
            numbers[a],
            weights[a * width : (a + 1) * width],
            numbers[b],
            weights[b * width : (b + 1) * width],
            numbers[c],
            weights[c * width : (c + 1) * width],
            numbers[d],
            weights[d * width : (d + 1) * width],
            out,
        )


@compiled
def copy(numbers: np.ndarray, out: np.ndarray) -> None:
    for at in range(out.size):
        out[at] = numbers[at]


@compiled
def add(numbers: np.ndarray, out: np.ndarray) -> None:
    for at in range(out.size):
        out[at] += numbers[at]


@compiled
def tell_whole(weights: np.ndarray, sizes: np.ndarray, told: np.ndarray, room: np.ndarray, out: np.ndarray) -> None:
    """Add what the numbers of the whole mean."""
    numbers, size = room[NUMBERS], int(sizes[WHOLE])
    begin = SYMBOLS * int(sizes[ROW])
    for at in range(size):
        numbers[at] = np.float32(told[begin + at])
    multiply(weights, numbers, size, room[PLACES].view(np.int32), out)


@compiled
def tell_symbols(weights: np.ndarray, sizes: np.ndarray, told: np.ndarray, room: np.ndarray) -> int:
    """What each symbol says first, by its own numbers and those of the whole; returns where the weights go on."""
    row, whole, width = int(sizes[ROW]), int(sizes[WHOLE]), int(sizes[WIDTHS])
    of_whole, biases = weights[row * width :], (row + whole) * width
    common = room[PAIR, :width]
    copy(weights[biases : biases + width], common)
    tell_whole(of_whole, sizes, told, room, common)
    numbers, places = room[NUMBERS], room[PLACES].view(np.int32)
    for symbol in range(SYMBOLS):
        out = room[SAID + symbol, :width]
        copy(common, out)
        for at in range(row):
            numbers[at] = np.float32(told[symbol * row + at])
        multiply(weights, numbers, row, places, out)
        positive(out)
    return biases + width


@compiled
def tell_pair(sizes: np.ndarray, told: np.ndarray, pair: int, numbers: np.ndarray) -> int:
    """The numbers of a pair: those told of it, and which cards show both symbols; returns how many."""
    row, common = int(sizes[ROW]), int(sizes[COMMON])
    begin = SYMBOLS * row + int(sizes[WHOLE])
    size = 0
    for at in range(begin + pair, int(sizes[TOLD]), len(PAIRS)):
        numbers[size] = np.float32(told[at])
        size += 1
    one, other = int(PAIRS[pair, 0]) * row, int(PAIRS[pair, 1]) * row
    for at in range(row - common, row):
        numbers[size] = np.float32(told[one + at] * told[other + at])
        size += 1
    return size


@compiled
def hear_pairs(weights: np.ndarray, sizes: np.ndarray, told: np.ndarray, room: np.ndarray, width: int) -> int:
    """Every pair hears its symbols and tells them something; returns where the weights go on."""
    places, numbers, out = room[PLACES].view(np.int32), room[NUMBERS], room[PAIR, :width]
    all_pairs, best = room[ALL_PAIRS, :width], room[BEST, :width]
    all_pairs[:] = np.float32(0.0)
    best[:] = np.float32(0.0)
    for symbol in range(SYMBOLS):
        room[HEARD + symbol, :width] = np.float32(0.0)
    biases = 0
    for pair in range(len(PAIRS)):
        size = tell_pair(sizes, told, pair, numbers)
        held = numbers[0] > np.float32(0.0)
        biases = size * width
        one, other = int(PAIRS[pair, 0]), int(PAIRS[pair, 1])
        copy(weights[biases : biases + width], out)
        add(room[NEXT + one, width : 2 * width], out)
        add(room[NEXT + other, width : 2 * width], out)
        multiply(weights, numbers, size, places, out)
        positive(out)
        add(out, room[HEARD + one, :width])
        add(out, room[HEARD + other, :width])
        add(out, all_pairs)
        if held:
            for at in range(width):
                best[at] = max(best[at], out[at])
    return biases + width


@compiled
def one_round(
    weights: np.ndarray, sizes: np.ndarray, told: np.ndarray, room: np.ndarray, before: int, width: int
) -> int:
    """Symbols speak, pairs listen and speak, symbols listen; returns where the weights go on."""
    places, both = room[PLACES].view(np.int32), 2 * width
    for symbol in range(SYMBOLS):
        out = room[NEXT + symbol, :both]
        out[width:] = np.float32(0.0)
        copy(weights[before * both : before * both + width], out[:width])
    for symbol in range(0, SYMBOLS, 2):
        one, two = room[NEXT + symbol, :both], room[NEXT + symbol + 1, :both]
        multiply_two(weights, room[SAID + symbol], room[SAID + symbol + 1], before, places, (one, two))
    begin = before * both + width
    begin += hear_pairs(weights[begin:], sizes, told, room, width)
    for symbol in range(0, SYMBOLS, 2):
        one, two = room[SAID + symbol, :width], room[SAID + symbol + 1, :width]
        copy(room[NEXT + symbol, :width], one)
        copy(room[NEXT + symbol + 1, :width], two)
        multiply_two(weights[begin:], room[HEARD + symbol], room[HEARD + symbol + 1], width, places, (one, two))
        positive(one)
        positive(two)
    return begin + width * width


@compiled
def listen(weights: np.ndarray, sizes: np.ndarray, told: np.ndarray, room: np.ndarray, which: int) -> None:
    """Come to something about the first or second position that is told."""
    places = room[PLACES].view(np.int32)
    begin, width = tell_symbols(weights, sizes, told, room), int(sizes[WIDTHS])
    for at in range(WIDTHS, sizes.size - 1):
        before, width = width, int(sizes[at])
        begin += one_round(weights[begin:], sizes, told, room, before, width)
    everything = room[ALL_SYMBOLS, :width]
    everything[:] = np.float32(0.0)
    for symbol in range(SYMBOLS):
        add(room[SAID + symbol, :width], everything)
    out, square = room[which, :width], width * width
    biases = begin + 3 * square + int(sizes[WHOLE]) * width
    copy(weights[biases : biases + width], out)
    for part in range(3):
        multiply(weights[begin + part * square :], room[ALL_SYMBOLS + part], width, places, out)
    tell_whole(weights[begin + 3 * square :], sizes, told, room, out)
    positive(out)


@compiled
def say_row(weights: np.ndarray, sizes: np.ndarray, layer: np.ndarray, which: int) -> float:
    """One of the numbers that a net says, by what it has come to, which is used up."""
    width, says = int(sizes[sizes.size - 2]), int(sizes[sizes.size - 1])
    begin = weights.size - says * (width + 1) + which * width
    return product(layer, weights[begin : begin + width]) + float(weights[weights.size - says + which])


@compiled
def say(weights: np.ndarray, sizes: np.ndarray, room: np.ndarray, which: int) -> tuple[float, float]:
    """What a net says of the two positions that it listened to last: one of its numbers."""
    return say_row(weights, sizes, room[0], which), say_row(weights, sizes, room[1], which)


@compiled
def say_of_one(weights: np.ndarray, sizes: np.ndarray, room: np.ndarray, which: int) -> float:
    """The same where there is no second position."""
    return say_row(weights, sizes, room[0], which)

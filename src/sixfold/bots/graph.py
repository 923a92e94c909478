"""A graph net, compiled: message passing between the six symbols and their fifteen pairs.

All symbols share one set of weights, and so do all pairs. Each symbol starts with an embedding of its inputs; in every
round each pair receives the states of its two symbols, and each symbol the messages of its five pairs; the final states
are summed.
"""

from collections.abc import Iterable, Mapping

import numpy as np

from sixfold.bots.dense import add_rows, dot, multiply_pair, pad_to_four, relu
from sixfold.games.shared.compiler import compiled

SYMBOLS = 6
PAIRS = np.array([(a, b) for a in range(SYMBOLS) for b in range(a + 1, SYMBOLS)], dtype=np.int8)
# The incidence matrix: which symbols are in which pairs.
INCIDENCE = (np.arange(SYMBOLS)[:, None, None] == PAIRS).any(2).astype(np.float32)

# Meaning of the sizes: all inputs, inputs per symbol, how many of these (the last ones) stand for cards, and global
# inputs; then the width of every round, and the number of outputs.
INPUTS, SYMBOL_INPUTS, CARD_INPUTS, GLOBAL_INPUTS, WIDTHS = range(5)

# Rows of the workspace: the last hidden layer of two positions; indices of nonzero values; input values; symbol states,
# what symbols send to themselves and to their pairs, and the messages they receive; one pair; the sums over symbols and
# over pairs, and the maximum over pairs in hand.
INDICES, VALUES, STATES, NEXT, MESSAGES, PAIR, SYMBOL_SUM, PAIR_SUM, HELD_MAX, ROWS = (
    2,
    3,
    4,
    10,
    16,
    22,
    23,
    24,
    25,
    26,
)


def rounds_of(names: Iterable[str]) -> int:
    """The number of message-passing rounds of a net, from the names of its arrays."""
    return sum(name.startswith("own_bias") for name in names)


def pack_weights(arrays: Mapping[str, np.ndarray], inputs: int) -> tuple[np.ndarray, np.ndarray]:
    """A net's weights as one flat array, and its sizes; all matrices are inputs × outputs except the last."""
    per_symbol, per_game = arrays["symbol"].shape[1], arrays["whole"].shape[1]
    rounds = rounds_of(arrays)
    per_pair = (inputs - SYMBOLS * per_symbol - per_game) // len(PAIRS)
    widths = [len(arrays[f"own_bias{at}"]) for at in range(rounds)]
    parts = [arrays["symbol"].T, arrays["whole"].T, arrays["symbol_bias"]]
    for at in range(rounds):
        parts += [np.concatenate((arrays[f"own{at}"], arrays[f"meet{at}"])).T, arrays[f"own_bias{at}"]]
        parts += [arrays[f"pair{at}"].T, arrays[f"pair_bias{at}"], arrays[f"hear{at}"].T]
    parts += [arrays[f"all_{what}"].T for what in ("symbols", "pairs", "best", "whole")]
    parts += [arrays["all_bias"], arrays["say"], arrays["say_bias"]]
    sizes = [inputs, per_symbol, arrays["pair0"].shape[1] - per_pair, per_game, *widths, len(arrays["say_bias"])]
    return np.concatenate([part.ravel() for part in parts]), np.array(sizes, dtype=np.int64)


def make_workspace(widest: int) -> np.ndarray:
    """Scratch rows for a net of this width: twice the width, with padding to a multiple of four."""
    return np.zeros((ROWS, -(-(2 * widest + 4) // 4) * 4), dtype=np.float32)


@compiled
def reset(workspace: np.ndarray) -> None:
    """Do nothing: a graph net keeps no state between positions."""


@compiled
def nonzero(values: np.ndarray, size: int, indices: np.ndarray) -> int:
    """List the indices of nonzero values; returns the padded count. Sets the value after the last one to 0."""
    count = 0
    for at in range(size):
        indices[count] = at
        count += values[at] != np.float32(0.0)
    values[size] = np.float32(0.0)
    return pad_to_four(indices, count, size)


@compiled
def multiply(weights: np.ndarray, values: np.ndarray, size: int, indices: np.ndarray, out: np.ndarray) -> None:
    """Multiply a row of values by a weight matrix and add the result to the output."""
    width = out.size
    for at in range(0, nonzero(values, size, indices), 4):
        a, b, c, d = int(indices[at]), int(indices[at + 1]), int(indices[at + 2]), int(indices[at + 3])
        add_rows(
            values[a],
            weights[a * width : (a + 1) * width],
            values[b],
            weights[b * width : (b + 1) * width],
            values[c],
            weights[c * width : (c + 1) * width],
            values[d],
            weights[d * width : (d + 1) * width],
            out,
        )


@compiled
def copy(values: np.ndarray, out: np.ndarray) -> None:
    for at in range(out.size):
        out[at] = values[at]


@compiled
def add(values: np.ndarray, out: np.ndarray) -> None:
    for at in range(out.size):
        out[at] += values[at]


@compiled
def add_global_inputs(
    weights: np.ndarray, sizes: np.ndarray, inputs: np.ndarray, workspace: np.ndarray, out: np.ndarray
) -> None:
    """Add the contribution of the global inputs."""
    values, size = workspace[VALUES], int(sizes[GLOBAL_INPUTS])
    offset = SYMBOLS * int(sizes[SYMBOL_INPUTS])
    for at in range(size):
        values[at] = np.float32(inputs[offset + at])
    multiply(weights, values, size, workspace[INDICES].view(np.int32), out)


@compiled
def embed_symbols(weights: np.ndarray, sizes: np.ndarray, inputs: np.ndarray, workspace: np.ndarray) -> int:
    """Compute each symbol's first state from its own and the global inputs; returns the number of weights used."""
    per_symbol, per_game, width = int(sizes[SYMBOL_INPUTS]), int(sizes[GLOBAL_INPUTS]), int(sizes[WIDTHS])
    global_weights, biases = weights[per_symbol * width :], (per_symbol + per_game) * width
    shared = workspace[PAIR, :width]
    copy(weights[biases : biases + width], shared)
    add_global_inputs(global_weights, sizes, inputs, workspace, shared)
    values, indices = workspace[VALUES], workspace[INDICES].view(np.int32)
    for symbol in range(SYMBOLS):
        out = workspace[STATES + symbol, :width]
        copy(shared, out)
        for at in range(per_symbol):
            values[at] = np.float32(inputs[symbol * per_symbol + at])
        multiply(weights, values, per_symbol, indices, out)
        relu(out)
    return biases + width


@compiled
def gather_pair_inputs(sizes: np.ndarray, inputs: np.ndarray, pair: int, values: np.ndarray) -> int:
    """Gather the inputs of a pair: its own, and which cards show both symbols; returns their number."""
    per_symbol, per_card = int(sizes[SYMBOL_INPUTS]), int(sizes[CARD_INPUTS])
    offset = SYMBOLS * per_symbol + int(sizes[GLOBAL_INPUTS])
    size = 0
    for at in range(offset + pair, int(sizes[INPUTS]), len(PAIRS)):
        values[size] = np.float32(inputs[at])
        size += 1
    first, second = int(PAIRS[pair, 0]) * per_symbol, int(PAIRS[pair, 1]) * per_symbol
    for at in range(per_symbol - per_card, per_symbol):
        values[size] = np.float32(inputs[first + at] * inputs[second + at])
        size += 1
    return size


@compiled
def update_pairs(weights: np.ndarray, sizes: np.ndarray, inputs: np.ndarray, workspace: np.ndarray, width: int) -> int:
    """Update every pair from its symbols and send messages back; returns the number of weights used."""
    indices, values, out = workspace[INDICES].view(np.int32), workspace[VALUES], workspace[PAIR, :width]
    pair_sum, held_max = workspace[PAIR_SUM, :width], workspace[HELD_MAX, :width]
    pair_sum[:] = np.float32(0.0)
    held_max[:] = np.float32(0.0)
    for symbol in range(SYMBOLS):
        workspace[MESSAGES + symbol, :width] = np.float32(0.0)
    biases = 0
    for pair in range(len(PAIRS)):
        size = gather_pair_inputs(sizes, inputs, pair, values)
        held = values[0] > np.float32(0.0)
        biases = size * width
        first, second = int(PAIRS[pair, 0]), int(PAIRS[pair, 1])
        copy(weights[biases : biases + width], out)
        add(workspace[NEXT + first, width : 2 * width], out)
        add(workspace[NEXT + second, width : 2 * width], out)
        multiply(weights, values, size, indices, out)
        relu(out)
        add(out, workspace[MESSAGES + first, :width])
        add(out, workspace[MESSAGES + second, :width])
        add(out, pair_sum)
        if held:
            for at in range(width):
                held_max[at] = max(held_max[at], out[at])
    return biases + width


@compiled
def message_round(
    weights: np.ndarray, sizes: np.ndarray, inputs: np.ndarray, workspace: np.ndarray, previous_width: int, width: int
) -> int:
    """One round of messages from symbols to pairs and back; returns the number of weights used."""
    indices, both = workspace[INDICES].view(np.int32), 2 * width
    for symbol in range(SYMBOLS):
        out = workspace[NEXT + symbol, :both]
        out[width:] = np.float32(0.0)
        copy(weights[previous_width * both : previous_width * both + width], out[:width])
    for symbol in range(0, SYMBOLS, 2):
        row_a, row_b = workspace[NEXT + symbol, :both], workspace[NEXT + symbol + 1, :both]
        multiply_pair(
            weights, workspace[STATES + symbol], workspace[STATES + symbol + 1], previous_width, indices, (row_a, row_b)
        )
    offset = previous_width * both + width
    offset += update_pairs(weights[offset:], sizes, inputs, workspace, width)
    for symbol in range(0, SYMBOLS, 2):
        row_a, row_b = workspace[STATES + symbol, :width], workspace[STATES + symbol + 1, :width]
        copy(workspace[NEXT + symbol, :width], row_a)
        copy(workspace[NEXT + symbol + 1, :width], row_b)
        multiply_pair(
            weights[offset:],
            workspace[MESSAGES + symbol],
            workspace[MESSAGES + symbol + 1],
            width,
            indices,
            (row_a, row_b),
        )
        relu(row_a)
        relu(row_b)
    return offset + width * width


@compiled
def feed(weights: np.ndarray, sizes: np.ndarray, inputs: np.ndarray, workspace: np.ndarray, which: int) -> None:
    """Compute the last hidden layer for the first or second position of a pair."""
    indices = workspace[INDICES].view(np.int32)
    offset, width = embed_symbols(weights, sizes, inputs, workspace), int(sizes[WIDTHS])
    for at in range(WIDTHS, sizes.size - 1):
        previous_width, width = width, int(sizes[at])
        offset += message_round(weights[offset:], sizes, inputs, workspace, previous_width, width)
    symbol_sum = workspace[SYMBOL_SUM, :width]
    symbol_sum[:] = np.float32(0.0)
    for symbol in range(SYMBOLS):
        add(workspace[STATES + symbol, :width], symbol_sum)
    out, square = workspace[which, :width], width * width
    biases = offset + 3 * square + int(sizes[GLOBAL_INPUTS]) * width
    copy(weights[biases : biases + width], out)
    for part in range(3):
        multiply(weights[offset + part * square :], workspace[SYMBOL_SUM + part], width, indices, out)
    add_global_inputs(weights[offset + 3 * square :], sizes, inputs, workspace, out)
    relu(out)


@compiled
def output_value(weights: np.ndarray, sizes: np.ndarray, layer: np.ndarray, which: int) -> float:
    """One output of the net from its last hidden layer, which is overwritten."""
    width, outputs = int(sizes[sizes.size - 2]), int(sizes[sizes.size - 1])
    offset = weights.size - outputs * (width + 1) + which * width
    return dot(layer, weights[offset : offset + width]) + float(weights[weights.size - outputs + which])


@compiled
def output_pair(weights: np.ndarray, sizes: np.ndarray, workspace: np.ndarray, which: int) -> tuple[float, float]:
    """One output of the net for each of the two positions that were fed last."""
    return output_value(weights, sizes, workspace[0], which), output_value(weights, sizes, workspace[1], which)


@compiled
def output_single(weights: np.ndarray, sizes: np.ndarray, workspace: np.ndarray, which: int) -> float:
    """One output of the net when only one position was fed."""
    return output_value(weights, sizes, workspace[0], which)

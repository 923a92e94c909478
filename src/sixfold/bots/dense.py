"""A net of dense layers (multilayer perceptron), compiled.

The first layer is updated incrementally with the inputs that changed, since the successors of one position have much in
common. The other layers process two positions at a time, because reading the weights dominates.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sixfold.games.shared.compiler import compiled

# The weights of the first layer are rounded to multiples of this. Sums below 64 are then exact, so that an input can be
# subtracted again without any rounding error.
QUANTUM = np.float32(2.0**-18)

# Rows of the workspace: a layer of two positions, the indices of active inputs, the next layer of both positions, the
# sums of the first layer, and its last inputs. Indices and inputs are integers.
INDICES, NEXT, SUMS, INPUTS, ROWS = 2, 3, 5, 6, 7


def pack_weights(arrays: Mapping[str, np.ndarray], inputs: int) -> tuple[np.ndarray, np.ndarray]:
    """A net's weights as one flat array, layer by layer, and the layers' sizes.

    Each layer is stored as inputs × outputs, the last one as outputs × inputs, followed by its biases.
    """
    layer_count = sum(name.startswith("weight") for name in arrays)
    layers = [(arrays[f"weight{at}"], arrays[f"bias{at}"]) for at in range(layer_count)]
    layers[0] = (np.rint(layers[0][0] / QUANTUM) * QUANTUM).astype(np.float32), layers[0][1]
    sizes = [inputs, *(len(bias) for _, bias in layers)]
    transposed = [(weight.T, bias) for weight, bias in layers[:-1]] + layers[-1:]
    weights = np.concatenate([part for weight, bias in transposed for part in (weight.ravel(), bias)])
    return weights, np.array(sizes, dtype=np.int64)


def make_workspace(widest: int) -> np.ndarray:
    """Scratch rows for a net of this width, padded with a zero and rounded up to a multiple of four."""
    return np.zeros((ROWS, -(-(widest + 1) // 4) * 4), dtype=np.float32)


@compiled
def reset(workspace: np.ndarray) -> None:
    """Reset the incremental first layer to all-zero inputs, for example before switching nets."""
    for at in range(workspace.shape[1]):
        workspace[SUMS, at] = np.float32(0.0)
        workspace[INPUTS, at] = np.float32(0.0)


@compiled
def pad_to_four(indices: np.ndarray, count: int, filler: int) -> int:
    """Pad a list of indices with a harmless one to a multiple of four; returns the padded length."""
    padded = count + -count % 4
    for at in range(count, padded):
        indices[at] = filler
    return padded


@compiled
def changed_inputs(inputs: np.ndarray, size: int, previous: np.ndarray, indices: np.ndarray) -> int:
    """List the inputs that differ from the previous ones; returns the padded count.

    Branch-free, because the differences are unpredictable.
    """
    count = 0
    for at in range(size):
        indices[count] = at
        count += inputs[at] != previous[at]
    return pad_to_four(indices, count, 0)


@compiled
def take_delta(inputs: np.ndarray, previous: np.ndarray, index: int) -> Any:
    """The change of an input since the previous position, which is then updated."""
    value = np.int32(inputs[index])
    delta = np.float32(value - previous[index])
    previous[index] = value
    return delta


@compiled
def active_inputs(row_a: np.ndarray, row_b: np.ndarray, size: int, indices: np.ndarray) -> int:
    """List the columns where either of two nonnegative rows is positive; returns the padded count."""
    count = 0
    for at in range(size):
        indices[count] = at
        count += row_a[at] + row_b[at] > np.float32(0.0)
    row_a[size] = np.float32(0.0)
    row_b[size] = np.float32(0.0)
    return pad_to_four(indices, count, size)


@compiled
def add_rows(
    x: Any, a: np.ndarray, y: Any, b: np.ndarray, z: Any, c: np.ndarray, w: Any, d: np.ndarray, out: np.ndarray
) -> None:
    """Add four rows, each scaled by a factor."""
    for to in range(a.size):
        out[to] += (x * a[to] + y * b[to]) + (z * c[to] + w * d[to])


@compiled
def add_rows_twice(
    x: Any, a: np.ndarray, y: Any, b: np.ndarray, z: Any, c: np.ndarray, w: Any, d: np.ndarray, out: Any
) -> None:
    """Add four rows to two outputs, scaled by a separate factor for each output.

    In this order of summation a row times 0 changes nothing, so a position's output does not depend on its neighbour.
    """
    row_a, row_b = out
    for to in range(a.size):
        row_a[to] = (((row_a[to] + x[0] * a[to]) + y[0] * b[to]) + z[0] * c[to]) + w[0] * d[to]
        row_b[to] = (((row_b[to] + x[1] * a[to]) + y[1] * b[to]) + z[1] * c[to]) + w[1] * d[to]


@compiled
def feed(weights: np.ndarray, sizes: np.ndarray, inputs: np.ndarray, workspace: np.ndarray, which: int) -> None:
    """Compute the first layer for the first or second position of a pair."""
    size, width = int(sizes[0]), int(sizes[1])
    indices, previous, sums = (
        workspace[INDICES].view(np.int32),
        workspace[INPUTS].view(np.int32),
        workspace[SUMS, :width],
    )
    for at in range(0, changed_inputs(inputs, size, previous, indices), 4):
        a, b, c, d = int(indices[at]), int(indices[at + 1]), int(indices[at + 2]), int(indices[at + 3])
        # Separate slices tell the compiler that no index is negative, so it vectorizes over columns.
        add_rows(
            take_delta(inputs, previous, a),
            weights[a * width : (a + 1) * width],
            take_delta(inputs, previous, b),
            weights[b * width : (b + 1) * width],
            take_delta(inputs, previous, c),
            weights[c * width : (c + 1) * width],
            take_delta(inputs, previous, d),
            weights[d * width : (d + 1) * width],
            sums,
        )
    biases, out = weights[size * width : (size + 1) * width], workspace[which, :width]
    for at in range(width):
        out[at] = max(sums[at] + biases[at], np.float32(0.0))


@compiled
def multiply_pair(
    weights: np.ndarray, row_a: np.ndarray, row_b: np.ndarray, size: int, indices: np.ndarray, out: Any
) -> None:
    """Multiply two nonnegative rows by a weight matrix and add the results to two outputs."""
    width = out[0].size
    for at in range(0, active_inputs(row_a, row_b, size, indices), 4):
        a, b, c, d = int(indices[at]), int(indices[at + 1]), int(indices[at + 2]), int(indices[at + 3])
        add_rows_twice(
            (row_a[a], row_b[a]),
            weights[a * width : (a + 1) * width],
            (row_a[b], row_b[b]),
            weights[b * width : (b + 1) * width],
            (row_a[c], row_b[c]),
            weights[c * width : (c + 1) * width],
            (row_a[d], row_b[d]),
            weights[d * width : (d + 1) * width],
            out,
        )


@compiled
def relu(values: np.ndarray) -> None:
    """Apply ReLU in place."""
    for at in range(values.size):
        values[at] = max(values[at], np.float32(0.0))


@compiled
def forward_layer(weights: np.ndarray, size: int, width: int, workspace: np.ndarray, first: int) -> None:
    """Compute the next layer of both positions from the two rows starting at ``first``."""
    row_a, row_b = workspace[NEXT - first, :width], workspace[NEXT - first + 1, :width]
    biases = weights[size * width : (size + 1) * width]
    for at in range(width):
        row_a[at] = biases[at]
        row_b[at] = biases[at]
    multiply_pair(
        weights, workspace[first], workspace[first + 1], size, workspace[INDICES].view(np.int32), (row_a, row_b)
    )
    relu(row_a)
    relu(row_b)


@compiled
def dot(layer: np.ndarray, weights: np.ndarray) -> float:
    """The dot product of a layer and its weights, by pairwise summation. Overwrites the layer."""
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
def output_pair(weights: np.ndarray, sizes: np.ndarray, workspace: np.ndarray, which: int) -> tuple[float, float]:
    """One output of the net for each of the two positions that were fed last."""
    offset, first = (int(sizes[0]) + 1) * int(sizes[1]), 0
    last = sizes.size - 2
    for layer in range(1, last):
        size, width = int(sizes[layer]), int(sizes[layer + 1])
        forward_layer(weights[offset:], size, width, workspace, first)
        offset += (size + 1) * width
        first = NEXT - first
    size = int(sizes[last])
    row = weights[offset + which * size : offset + (which + 1) * size]
    bias = float(weights[offset + int(sizes[last + 1]) * size + which])
    return dot(workspace[first], row) + bias, dot(workspace[first + 1], row) + bias


@compiled
def output_single(weights: np.ndarray, sizes: np.ndarray, workspace: np.ndarray, which: int) -> float:
    """One output of the net when only one position was fed."""
    for at in range(workspace.shape[1]):
        workspace[1, at] = np.float32(0.0)
    return output_pair(weights, sizes, workspace, which)[0]


@compiled
def evaluate(weights: np.ndarray, sizes: np.ndarray, inputs: np.ndarray, workspace: np.ndarray) -> float:
    """The net's evaluation of a position, as log-odds."""
    feed(weights, sizes, inputs, workspace, 0)
    return output_single(weights, sizes, workspace, 0)

"""Choosing among moves by their values, compiled so that the browser makes the same choice."""

import numpy as np

from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.generator import below
from sixfold.games.shared.symbols import NONE

# Values that differ by less than this count as equal.
TOLERANCE = 1e-9
# Slips are given in percent.
PERCENT = 100


@compiled
def precedes(values: np.ndarray, first: int, second: int) -> bool:
    """Whether one move ranks before another: by value, and by index among equals."""
    if values[first] != values[second]:
        return values[first] > values[second]
    return first < second


@compiled
def sift_down(values: np.ndarray, order: np.ndarray, at: int, size: int) -> None:
    """Restore the heap below an index (the sift-down step of heapsort)."""
    moving = order[at]
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and precedes(values, order[child], order[child + 1]):
            child += 1
        if not precedes(values, moving, order[child]):
            break
        order[at] = order[child]
        at = child
    order[at] = moving


@compiled
def argsort_descending(values: np.ndarray, order: np.ndarray) -> None:
    """Write the indices of the values, best value first, using heapsort."""
    size = values.size
    for at in range(size):
        order[at] = at
    for at in range(size // 2 - 1, -1, -1):
        sift_down(values, order, at, size)
    for end in range(size - 1, 0, -1):
        order[0], order[end] = order[end], order[0]
        sift_down(values, order, 0, end)


@compiled
def argmax(values: np.ndarray) -> int:
    """The index of the largest value, the first one among equals."""
    winner = 0
    for at in range(1, values.size):
        if values[at] > values[winner]:
            winner = at
    return winner


@compiled
def random_argmax(values: np.ndarray, generator: np.ndarray) -> int:
    """The index of one of the largest values, chosen uniformly."""
    threshold = values[argmax(values)] - TOLERANCE
    ties = 0
    for at in range(values.size):
        ties += values[at] >= threshold
    skip = below(generator, ties)
    for at in range(values.size):
        if values[at] >= threshold:
            if skip == 0:
                return at
            skip -= 1
    return NONE


@compiled
def random_of_better_half(values: np.ndarray, order: np.ndarray, generator: np.ndarray) -> int:
    """The index of one of the better half of the values, chosen uniformly."""
    argsort_descending(values, order)
    return int(np.int64(order[below(generator, (values.size + 1) // 2)]))


@compiled
def squared_deviations(samples: np.ndarray, number: int, first: int, second: int) -> float:
    """How much the difference between two columns varies in the first rows: the sum of its squared deviations."""
    mean = 0.0
    for row in range(number):
        mean += samples[row, first] - samples[row, second]
    mean /= number
    squares = 0.0
    for row in range(number):
        deviation = samples[row, first] - samples[row, second] - mean
        squares += deviation * deviation
    return squares


@compiled
def most_visited_move(nodes: np.ndarray) -> int:
    """The root move with the most visits; ties go to the larger total reward, then to the smaller move number."""
    chosen = nodes[0].child
    at = nodes[chosen].sibling
    while at != NONE:
        if nodes[at].visits != nodes[chosen].visits:
            better = nodes[at].visits > nodes[chosen].visits
        elif nodes[at].total != nodes[chosen].total:
            better = nodes[at].total > nodes[chosen].total
        else:
            better = nodes[at].move < nodes[chosen].move
        if better:
            chosen = at
        at = nodes[at].sibling
    return int(np.int64(nodes[chosen].move))

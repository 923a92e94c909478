"""How the bots choose among moves that have values: compiled, so that a browser chooses just the same."""

import numpy as np

from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.generator import below
from sixfold.games.shared.symbols import NONE

# Values that differ by less are equal.
CLOSE = 1e-9
# Slips are counted in hundredths.
OF_ALL = 100


@compiled
def before(values: np.ndarray, one: int, other: int) -> bool:
    """Does a move come before another: the better first, equal ones as they are?"""
    if values[one] != values[other]:
        return values[one] > values[other]
    return one < other


@compiled
def sift(values: np.ndarray, order: np.ndarray, at: int, size: int) -> None:
    """Heapsort's step: let a number sink below those that come after it."""
    sinking = order[at]
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and before(values, order[child], order[child + 1]):
            child += 1
        if not before(values, sinking, order[child]):
            break
        order[at] = order[child]
        at = child
    order[at] = sinking


@compiled
def best_first(values: np.ndarray, order: np.ndarray) -> None:
    """Heapsort: where the best value stands, the second best, and so on."""
    size = values.size
    for at in range(size):
        order[at] = at
    for at in range(size // 2 - 1, -1, -1):
        sift(values, order, at, size)
    for end in range(size - 1, 0, -1):
        order[0], order[end] = order[end], order[0]
        sift(values, order, 0, end)


@compiled
def best(values: np.ndarray) -> int:
    """Where the best value stands first."""
    found = 0
    for at in range(1, values.size):
        if values[at] > values[found]:
            found = at
    return found


@compiled
def any_best(values: np.ndarray, generator: np.ndarray) -> int:
    """Where one of the best values stands, each as likely."""
    enough = values[best(values)] - CLOSE
    number = 0
    for at in range(values.size):
        number += values[at] >= enough
    left = below(generator, number)
    for at in range(values.size):
        if values[at] >= enough:
            if left == 0:
                return at
            left -= 1
    return NONE


@compiled
def any_of_better_half(values: np.ndarray, order: np.ndarray, generator: np.ndarray) -> int:
    """Where one of the better half of the values stands, each as likely."""
    best_first(values, order)
    return int(np.int64(order[below(generator, (values.size + 1) // 2)]))


@compiled
def most_tried(nodes: np.ndarray) -> int:
    """The move at the root of a search that was tried most; among equals the one that brought more, or comes first."""
    found = nodes[0].child
    at = nodes[found].sibling
    while at != NONE:
        if nodes[at].visits != nodes[found].visits:
            better = nodes[at].visits > nodes[found].visits
        elif nodes[at].total != nodes[found].total:
            better = nodes[at].total > nodes[found].total
        else:
            better = nodes[at].move < nodes[found].move
        if better:
            found = at
        at = nodes[at].sibling
    return int(np.int64(nodes[found].move))

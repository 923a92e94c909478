"""What the judgements of the three games share."""

import numpy as np

from sixfold.games.shared.compiling import compiled

# For games in which nothing needs remembering between two moves.


@compiled
def look(state: np.record, sight: np.ndarray) -> None:
    """There is nothing to remember."""


@compiled
def copy_sight(sight: np.ndarray, seen: np.ndarray) -> None:
    """There is nothing to remember."""


@compiled
def rank(moves: np.ndarray, values: np.ndarray, size: int, most: int, move: int, value: float) -> int:
    """Put a move into the list of the best ones, the best first; returns how many there are now."""
    if size == most:
        if value <= values[size - 1]:
            return size
        size -= 1
    at = size
    while at > 0 and values[at - 1] < value:
        moves[at] = moves[at - 1]
        values[at] = values[at - 1]
        at -= 1
    moves[at] = move
    values[at] = value
    return size + 1


@compiled
def clear(numbers: np.ndarray) -> None:
    """All of them nothing. A loop, since assigning to a slice takes Numba seconds to compile."""
    for at in range(numbers.size):
        numbers[at] = 0.0


@compiled
def weighed(weights: np.ndarray, terms: np.ndarray) -> float:
    """What a move is good for as one number."""
    value = 0.0
    for term in range(terms.size):
        value += weights[term] * terms[term]
    return value

"""Shared helpers for the games' heuristics."""

from collections.abc import Callable
from typing import Any

import numpy as np

from sixfold.games.shared.compiler import compiled

# For games that need no board features.


def act_of(rules: Any) -> Callable[[np.record, np.ndarray, int], None]:
    """Compile a function that applies a move; there are no board features to update."""

    @compiled
    def act(state: np.record, board_features: np.ndarray, move: int) -> None:
        rules.act(state, move)

    return act


@compiled
def compute_board_features(state: np.record, board_features: np.ndarray) -> None:
    """There are no board features to compute."""


@compiled
def copy_board_features(board_features: np.ndarray, copied: np.ndarray) -> None:
    """There are no board features to copy."""


@compiled
def rank(moves: np.ndarray, values: np.ndarray, size: int, most: int, move: int, value: float) -> int:
    """Insert a move into a list of at most ``most`` moves sorted by descending value; returns the new size."""
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
def sum_at(table: np.ndarray, values: np.ndarray) -> float:
    """The sum of a table's entries at a player's values."""
    total = 0.0
    for at in range(values.size):
        total += table[values[at]]
    return total


@compiled
def clear(numbers: np.ndarray) -> None:
    """Set an array to zero; a loop, because Numba takes seconds to compile a slice assignment."""
    for at in range(numbers.size):
        numbers[at] = 0.0


@compiled
def weighted_sum(weights: np.ndarray, terms: np.ndarray) -> float:
    """The weighted sum of the terms of a move."""
    value = 0.0
    for term in range(terms.size):
        value += weights[term] * terms[term]
    return value

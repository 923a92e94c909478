"""Shared helpers for net inputs: a canonical order of the symbols, and expected gains."""

import numpy as np

from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.generator import mixed

# The worth of steps in hundredths: less the further a symbol is ahead of the player's lowest.
SLOPE = 0.25
STEPS = 19
WORTH = np.rint(
    100 * (np.exp(-SLOPE * np.arange(STEPS))[:, None] - np.exp(-SLOPE * (np.arange(STEPS)[:, None] + np.arange(STEPS))))
).astype(np.int32)
# The worth of a bonus turn in the same unit: about as much as a good turn.
BONUS = 60
MAX_INPUT = 127


@compiled
def clamp(number: int) -> int:
    """Limit a number to the largest possible net input."""
    return min(number, MAX_INPUT)


@compiled
def sort_by_keys(order: np.ndarray, keys: np.ndarray) -> None:
    """Sort the symbols by ascending key; the sort is stable."""
    for end in range(1, 6):
        key = keys[end]
        symbol = order[end]
        at = end
        while at > 0 and keys[at - 1] > key:
            keys[at] = keys[at - 1]
            order[at] = order[at - 1]
            at -= 1
        keys[at] = key
        order[at] = symbol


@compiled
def sort_symbols(rows: np.ndarray, width: int, order: np.ndarray, keys: np.ndarray) -> None:
    """Sort the symbols by their rows: by the first two numbers, then by a hash of the whole row.

    This makes the order independent of the symbols' names: symbols with equal rows are interchangeable to a net that
    sees only the rows.
    """
    for symbol in range(6):
        first = np.uint64(rows[symbol * width]) << np.uint64(56)
        keys[symbol] = first | (np.uint64(rows[symbol * width + 1]) << np.uint64(48))
        order[symbol] = symbol
    sort_by_keys(order, keys)
    tied = False
    for at in range(5):
        tied = tied or keys[at] == keys[at + 1]
    if not tied:
        return
    for at in range(6):
        keys[at] |= hash_row(rows, order[at] * width, width) >> np.uint64(16)
    sort_by_keys(order, keys)


@compiled
def hash_row(rows: np.ndarray, begin: int, width: int) -> np.uint64:
    """A hash of one row."""
    word = np.uint64(0)
    for at in range(width):
        word = mixed(word ^ np.uint64(rows[begin + at] + at * 1024))
    return word


@compiled
def refine_order(order: np.ndarray, keys: np.ndarray, pairs: np.ndarray, of: np.ndarray, groups: np.ndarray) -> None:
    """Order symbols with equal keys by their relations to other symbols: ``pairs[of[a, b]]`` for symbols a and b.

    This is colour refinement: symbols are distinguished by their relations to the groups found so far. If that no
    longer splits any group, its symbols are taken as equivalent, and any one may come first.
    """
    for at in range(6):
        groups[at] = groups[at - 1] if at > 0 and keys[at] == keys[at - 1] else at
    while True:
        tied = 0
        for at in range(6):
            tied += groups[at] != at
        if tied == 0:
            return
        for at in range(6):
            word = np.uint64(0)
            for other in range(6):
                if other != at:
                    common = int(pairs[of[order[at], order[other]]])
                    word += mixed(np.uint64(common * 8 + groups[other] + 1))
            keys[at] = (np.uint64(groups[at]) << np.uint64(56)) | (word >> np.uint64(8))
        sort_by_keys(order, keys)
        still = 0
        first = -1
        for at in range(6):
            groups[at] = groups[at - 1] if at > 0 and keys[at] == keys[at - 1] else at
            still += groups[at] != at
            if first < 0 and groups[at] != at:
                first = groups[at]
        if still == tied:
            for at in range(first + 1, 6):
                if groups[at] == first:
                    groups[at] = first + 1


@compiled
def expected_best(gains: np.ndarray, begin: int, copies: np.ndarray, kinds: int, held: int) -> int:
    """The expected best gain among ``held`` items drawn from the unseen ones; the kinds' gains start at ``begin``.

    Sums over the gains in descending order, each times the probability that it is the best one held. Overwrites the
    gains.
    """
    unseen = 0
    for kind in range(kinds):
        unseen += copies[kind]
    expected = 0.0
    none_held = 1.0
    left = unseen
    while left > 0 and held > 0 and none_held > 0.01:
        best = 0
        for kind in range(kinds):
            best = max(best, gains[begin + kind])
        if best == 0:
            break
        for kind in range(kinds):
            if gains[begin + kind] == best:
                gains[begin + kind] = 0
                left -= copies[kind]
        share = left / unseen
        none_left = share * share * share
        if held > 3:
            none_left *= none_left
        expected += best * (none_held - none_left)
        none_held = none_left
    return int(expected)


@compiled
def sort_descending(numbers: np.ndarray, begin: int, size: int) -> None:
    """Sort a section of an array in descending order."""
    for end in range(begin + 1, begin + size):
        number = numbers[end]
        at = end
        while at > begin and numbers[at - 1] < number:
            numbers[at] = numbers[at - 1]
            at -= 1
        numbers[at] = number

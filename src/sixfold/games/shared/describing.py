"""What the nets of the three games share: symbols in an order that no renaming changes, and gains to expect."""

import numpy as np

from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.generator import mixed

# A step is worth less the further a symbol is ahead of the player's lowest; in hundredths.
SLOPE = 0.25
STEPS = 19
WORTH = np.rint(
    100 * (np.exp(-SLOPE * np.arange(STEPS))[:, None] - np.exp(-SLOPE * (np.arange(STEPS)[:, None] + np.arange(STEPS))))
).astype(np.int32)
# What an extra turn is worth in the same coin: about as much as a good turn.
BONUS = 60
MOST = 127


@compiled
def capped(number: int) -> int:
    """The greatest number that an input of a net can be."""
    return min(number, MOST)


@compiled
def sort_by_keys(order: np.ndarray, keys: np.ndarray) -> None:
    """Put the symbols in ascending order of their keys; those with the same key stay as they are."""
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
def ordered(rows: np.ndarray, width: int, order: np.ndarray, keys: np.ndarray) -> None:
    """The symbols in ascending order of their rows: by the first two numbers, then by a hash of all of them.

    Symbols with the same row are the same to a net that is told no more than their rows, so that no renaming of symbols
    changes what it is told.
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
        keys[at] |= hashed(rows, order[at] * width, width) >> np.uint64(16)
    sort_by_keys(order, keys)


@compiled
def hashed(rows: np.ndarray, begin: int, width: int) -> np.uint64:
    """A hash of some numbers."""
    word = np.uint64(0)
    for at in range(width):
        word = mixed(word ^ np.uint64(rows[begin + at] + at * 1024))
    return word


@compiled
def tell_apart(order: np.ndarray, keys: np.ndarray, pairs: np.ndarray, of: np.ndarray, groups: np.ndarray) -> None:
    """Order symbols with the same key by what they have in common with others: ``pairs[of[a, b]]`` for two of them.

    Colour refinement: symbols are told apart by what they have in common with those told apart so far. Where that helps
    no further, they are the same from all sides, and any one may come first.
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
    """The best gain to expect of some items drawn from those unseen; ``gains`` of the kinds begin at a place.

    Gain by gain in falling order: what it is, times the chance that it is the best one held. The gains are used up.
    """
    unseen = 0
    for kind in range(kinds):
        unseen += copies[kind]
    expected = 0.0
    nothing = 1.0
    left = unseen
    while left > 0 and held > 0 and nothing > 0.01:
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
        without = share * share * share
        if held > 3:
            without *= without
        expected += best * (nothing - without)
        nothing = without
    return int(expected)


@compiled
def put_in_falling_order(numbers: np.ndarray, begin: int, size: int) -> None:
    """Sort some numbers of an array, the greatest first."""
    for end in range(begin + 1, begin + size):
        number = numbers[end]
        at = end
        while at > begin and numbers[at - 1] < number:
            numbers[at] = numbers[at - 1]
            at -= 1
        numbers[at] = number

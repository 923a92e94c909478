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
def ordered(rows: np.ndarray, width: int, order: np.ndarray, keys: np.ndarray) -> None:
    """The symbols in ascending order of their rows: by the first two numbers, then by a hash of all of them.

    Symbols with the same row are the same to a net, so that no renaming of symbols changes what it is told.
    """
    for symbol in range(6):
        word = np.uint64(0)
        for at in range(width):
            word = mixed(word ^ np.uint64(rows[symbol * width + at] + at * 1024))
        first = np.uint64(rows[symbol * width]) << np.uint64(56)
        second = np.uint64(rows[symbol * width + 1]) << np.uint64(48)
        key = first | second | (word >> np.uint64(16))
        at = symbol
        while at > 0 and keys[at - 1] > key:
            keys[at] = keys[at - 1]
            order[at] = order[at - 1]
            at -= 1
        keys[at] = key
        order[at] = symbol


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

"""Sets of up to 64 things in one word: how many there are, and which one is number n.

Signed and unsigned numbers do not mix in compiled code (together they become floats), hence the many conversions.
"""

import numpy as np

from sixfold.games.shared.compiling import compiled

_ONES = np.uint64(0x5555555555555555)
_TWOS = np.uint64(0x3333333333333333)
_FOURS = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)
_SIGNS = np.uint64(0x8080808080808080)
_BYTE = np.uint64(255)


def _positions(byte: int) -> list[int]:
    set_bits = [bit for bit in range(8) if byte >> bit & 1]
    return set_bits + [8] * (8 - len(set_bits))


# The position of each set bit of a byte.
_IN_BYTE = np.array([_positions(byte) for byte in range(256)], dtype=np.int8)


@compiled
def _byte_counts(word: np.uint64) -> np.uint64:
    """The number of bits in each byte of a word, in that byte."""
    word = word - ((word >> np.uint64(1)) & _ONES)
    word = (word & _TWOS) + ((word >> np.uint64(2)) & _TWOS)
    return (word + (word >> np.uint64(4))) & _FOURS


@compiled
def size(word: np.uint64) -> int:
    """How many bits are set."""
    return int(np.int64((_byte_counts(word) * _BYTES) >> np.uint64(56)))


@compiled
def spread(number: int) -> np.uint64:
    """A number below 256 in every byte of a word."""
    return np.uint64(number) * _BYTES


@compiled
def sums(word: np.uint64) -> np.uint64:
    """In each byte, the sum of that byte and all lower ones."""
    return word * _BYTES


@compiled
def last(word: np.uint64) -> int:
    """The highest byte."""
    return int(np.int64(word >> np.uint64(56)))


@compiled
def bytes_upto(word: np.uint64, most: int) -> int:
    """How many bytes of a word are not more than a number; all are below 128."""
    return size(((spread(most) | _SIGNS) - word) & _SIGNS)


@compiled
def member(word: np.uint64, which: int) -> int:
    """The position of the set bit that has ``which`` set bits below it."""
    upto = sums(_byte_counts(word))
    at = np.uint64(8 * bytes_upto(upto, which))
    before = int(np.int64(((upto << np.uint64(8)) >> at) & _BYTE))
    return int(np.int64(at)) + int(_IN_BYTE[np.int64((word >> at) & _BYTE), which - before])

"""Sets as bits, of up to 64 things in one word or of any number in several: how many there are, which is number n.

Signed and unsigned numbers do not mix in compiled code (together they become floats), hence the many conversions.
"""

import numpy as np

from sixfold.games.shared.compiling import compiled

# Bits in a word.
WORD = 64

_ONES = np.uint64(0x5555555555555555)
_TWOS = np.uint64(0x3333333333333333)
_FOURS = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)
_SIGNS = np.uint64(0x8080808080808080)
_BYTE = np.uint64(255)
# In each byte, another of its eight bits.
_DIAGONAL = np.uint64(0x8040201008040201)


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


@compiled
def has(word: np.uint64, thing: int) -> bool:
    """Is it in the set?"""
    return bool((word >> np.uint64(thing)) & np.uint64(1))


@compiled
def apart(word: np.uint64, first: int) -> np.uint64:
    """Eight bits of a word from number ``first`` on, each as a byte that is 0 or 1."""
    byte = (word >> np.uint64(first)) & _BYTE
    return ((((byte * _BYTES) & _DIAGONAL) + ~_SIGNS) >> np.uint64(7)) & _BYTES


@compiled
def packed(counts: np.ndarray, first: int) -> np.uint64:
    """Eight small numbers as the bytes of a word."""
    word = np.uint64(0)
    for at in range(8):
        word += np.uint64(np.uint8(counts[first + at])) << np.uint64(8 * at)
    return word


# Sets in several words. What two of them have in common is never written down.


@compiled
def nothing(words: np.ndarray) -> bool:
    """Is the set empty?"""
    found = np.uint64(0)
    for word in range(words.size):
        found |= words[word]
    return found == np.uint64(0)


@compiled
def narrow(words: np.ndarray, others: np.ndarray) -> None:
    """Leave only what is in another set too."""
    for word in range(words.size):
        words[word] &= others[word]


@compiled
def common_size(one: np.ndarray, other: np.ndarray) -> int:
    """How many things are in both sets."""
    number = 0
    for word in range(one.size):
        number += size(one[word] & other[word])
    return number


@compiled
def in_both(one: np.ndarray, other: np.ndarray, thing: int) -> bool:
    """Is it in both sets?"""
    return has(one[thing // WORD] & other[thing // WORD], thing % WORD)


@compiled
def common_member(one: np.ndarray, other: np.ndarray, which: int) -> int:
    """The thing in both sets that has ``which`` others before it."""
    found = 0
    upto = 0
    before = 0
    # No branch that nobody can predict: every word but the last is counted.
    for word in range(one.size - 1):
        upto += size(one[word] & other[word])
        if which >= upto:
            found = word + 1
            before = upto
    return found * WORD + member(one[found] & other[found], which - before)

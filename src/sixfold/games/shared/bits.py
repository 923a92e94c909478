"""Bit sets, of up to 64 elements in one word or of any number in several words: size, membership, n-th element.

In compiled code, mixing signed and unsigned integers yields floats, hence the many conversions.
"""

import numpy as np

from sixfold.games.shared.compiler import compiled

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
    """The number of set bits."""
    return int(np.int64((_byte_counts(word) * _BYTES) >> np.uint64(56)))


@compiled
def broadcast(number: int) -> np.uint64:
    """A word with a number below 256 in every byte."""
    return np.uint64(number) * _BYTES


@compiled
def sums(word: np.uint64) -> np.uint64:
    """Prefix sums: in each byte, the sum of that byte and all lower ones."""
    return word * _BYTES


@compiled
def last(word: np.uint64) -> int:
    """The highest byte."""
    return int(np.int64(word >> np.uint64(56)))


@compiled
def bytes_upto(word: np.uint64, most: int) -> int:
    """How many bytes of a word are at most ``most``; all bytes must be below 128."""
    return size(((broadcast(most) | _SIGNS) - word) & _SIGNS)


@compiled
def member(word: np.uint64, which: int) -> int:
    """The position of the set bit that has ``which`` set bits below it."""
    upto = sums(_byte_counts(word))
    at = np.uint64(8 * bytes_upto(upto, which))
    before = int(np.int64(((upto << np.uint64(8)) >> at) & _BYTE))
    return int(np.int64(at)) + int(_IN_BYTE[np.int64((word >> at) & _BYTE), which - before])


@compiled
def has(word: np.uint64, element: int) -> bool:
    """Whether an element is in the set."""
    return bool((word >> np.uint64(element)) & np.uint64(1))


@compiled
def spread_bits(word: np.uint64, first: int) -> np.uint64:
    """Eight bits of a word, starting at bit ``first``, each as a byte that is 0 or 1."""
    byte = (word >> np.uint64(first)) & _BYTE
    return ((((byte * _BYTES) & _DIAGONAL) + ~_SIGNS) >> np.uint64(7)) & _BYTES


@compiled
def packed(counts: np.ndarray, first: int) -> np.uint64:
    """Pack eight small numbers into the bytes of a word."""
    word = np.uint64(0)
    for at in range(8):
        word += np.uint64(np.uint8(counts[first + at])) << np.uint64(8 * at)
    return word


# Sets in several words. Intersections are never stored.


@compiled
def is_empty(words: np.ndarray) -> bool:
    """Whether the set is empty."""
    union = np.uint64(0)
    for word in range(words.size):
        union |= words[word]
    return union == np.uint64(0)


@compiled
def intersect(words: np.ndarray, others: np.ndarray) -> None:
    """Intersect a set in place with another."""
    for word in range(words.size):
        words[word] &= others[word]


@compiled
def common_size(first_set: np.ndarray, second_set: np.ndarray) -> int:
    """The size of the intersection of two sets."""
    number = 0
    for word in range(first_set.size):
        number += size(first_set[word] & second_set[word])
    return number


@compiled
def in_both(first_set: np.ndarray, second_set: np.ndarray, element: int) -> bool:
    """Whether an element is in both sets."""
    return has(first_set[element // WORD] & second_set[element // WORD], element % WORD)


@compiled
def common_member(first_set: np.ndarray, second_set: np.ndarray, which: int) -> int:
    """The element of the intersection at index ``which``."""
    index = 0
    upto = 0
    before = 0
    # Avoids unpredictable branches: every word but the last is counted.
    for word in range(first_set.size - 1):
        upto += size(first_set[word] & second_set[word])
        if which >= upto:
            index = word + 1
            before = upto
    return index * WORD + member(first_set[index] & second_set[index], which - before)

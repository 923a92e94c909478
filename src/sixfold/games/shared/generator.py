"""SplitMix64 in compiled code: bounded numbers, weighted choices, and a stream for each game of a run."""

import numpy as np

from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import kind_at, total

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)


@compiled
def mixed(word: np.uint64) -> np.uint64:
    """SplitMix64's output function: a hash of a 64-bit word."""
    word = (word ^ (word >> np.uint64(30))) * _MIX_A
    word = (word ^ (word >> np.uint64(27))) * _MIX_B
    return word ^ (word >> np.uint64(31))


@compiled
def stream(seed: int | np.uint64, number: int) -> np.uint64:
    """The initial generator state for one game of a seeded run."""
    return mixed(mixed(np.uint64(seed) + _STEP) + np.uint64(number))


@compiled
def below(generator: np.ndarray, limit: int) -> int:
    """A uniformly distributed number from 0 to limit - 1 (Lemire's method)."""
    bound = np.uint64(limit)
    while True:
        generator[0] += _STEP
        product = (mixed(generator[0]) >> np.uint64(32)) * bound
        low = product & _LOW
        if low >= bound or low >= (np.uint64(0x100000000) - bound) % bound:
            return int(np.int64(product >> np.uint64(32)))


@compiled
def picked(generator: np.ndarray, weights: np.ndarray) -> int:
    """A kind of item, chosen with probability proportional to its weight."""
    return kind_at(weights, below(generator, total(weights)))


def seed_word(seed: int) -> np.uint64:
    """The lowest 64 bits of an integer, as a seed."""
    return np.uint64(seed & 0xFFFFFFFFFFFFFFFF)

"""T2: the tiles of the travel edition, and the ways in which the tiles of a rack lie on two cells."""

import numpy as np

from sixfold.rules.compiling import compiled
from sixfold.rules.shared import NONE, SYMBOLS, index_of, two_symbols

# T2: every pair of different symbols three times, every double twice.
TILES = two_symbols(with_doubles=True)
TILE_OF = index_of(TILES)
COPIES = np.array([2 if a == b else 3 for a, b in TILES], dtype=np.int8)
ALL_TILES = int(COPIES.sum())
ITEMS = [SYMBOLS[a] + SYMBOLS[b] for a, b in TILES]


@compiled
def ways(state: np.record) -> int:
    """T5: in how many ways the rack's tiles lie on two cells: a double in one, others in two; equal tiles once."""
    number = 0
    before = NONE
    for at in range(state.rack_size[state.turn]):
        tile = state.rack[state.turn, at]
        if tile != before:
            number += 1 if TILES[tile, 0] == TILES[tile, 1] else 2
        before = tile
    return number


@compiled
def way(state: np.record, which: int) -> int:
    """One of those ways as first symbol * 6 + second symbol."""
    found = NONE
    number = 0
    before = NONE
    for at in range(state.rack_size[state.turn]):
        tile = state.rack[state.turn, at]
        if tile != before:
            a = int(TILES[tile, 0])
            b = int(TILES[tile, 1])
            if which == number:
                found = a * 6 + b
            if which == number + 1 and a != b:
                found = b * 6 + a
            number += 1 if a == b else 2
        before = tile
    return found

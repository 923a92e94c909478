"""T2: the tiles of the travel edition, and the ways in which the tiles of a rack can lie on two cells."""

import numpy as np

from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import SYMBOLS, both_orders, index_of, orders, symbols_of, two_symbols

# T2: every pair of different symbols three times, every double twice.
TILES = two_symbols(with_doubles=True)
TILE_OF = index_of(TILES)
SHOWN = symbols_of(TILES)
_ORDERS = both_orders(TILES)
COPIES = np.array([2 if a == b else 3 for a, b in TILES], dtype=np.int8)
ALL_TILES = int(COPIES.sum())
ITEMS = [SYMBOLS[a] + SYMBOLS[b] for a, b in TILES]


@compiled
def ways(state: np.record) -> np.uint64:
    """T5: the ways in which the rack's tiles can lie on two cells, as a bit set of first symbol * 6 + second symbol."""
    return orders(state.rack[state.turn], _ORDERS)

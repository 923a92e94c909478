"""What the three games share: six symbols, items with two symbols, areas that open together, and places."""

from typing import Any

import numpy as np

from sixfold.games.shared import bits
from sixfold.games.shared.compiling import compiled

SYMBOLS = "RGBOYP"
NONE = -1
RACK = 6

# Phases. Each game adds its own kinds of decision from FIRST_DECISION on.
CHANCE = 0
OVER = 1
FIRST_DECISION = 2


def layout(fields: list[Any]) -> np.dtype[np.void]:
    """The type of a game's state."""
    return np.dtype((np.record, np.dtype(fields, align=True)))


def two_symbols(with_doubles: bool) -> np.ndarray:
    """All tiles or cards as rows of two symbols, in the order of the notation."""
    first = 0 if with_doubles else 1
    rows = [(a, b) for a in range(6) for b in range(a + first, 6)]
    return np.array(rows, dtype=np.int8)


def index_of(items: np.ndarray) -> np.ndarray:
    """The item that shows two symbols, whichever comes first; NONE where there is no such item."""
    table = np.full((6, 6), NONE, dtype=np.int8)
    for item, (a, b) in enumerate(items):
        table[a, b] = table[b, a] = item
    return table


# Two symbols one after the other are one number, which also stands for a bit in a set.
ORDERED = 36


@compiled
def ordered(first: int, second: int) -> int:
    """Two symbols, one after the other."""
    return first * 6 + second


@compiled
def first_of(pair: int) -> int:
    return pair // 6


@compiled
def second_of(pair: int) -> int:
    return pair % 6


def both_orders(items: np.ndarray) -> np.ndarray:
    """The two orders of each item's symbols as a set; a double has one, NONE has none."""
    pairs = [(int(a), int(b)) for a, b in items]
    return np.array([1 << ordered(a, b) | 1 << ordered(b, a) for a, b in pairs] + [0], dtype=np.uint64)


def symbols_of(items: np.ndarray) -> np.ndarray:
    """The symbols of each item as bits; NONE has none."""
    return np.array([1 << int(a) | 1 << int(b) for a, b in items] + [0])


# A rack or hand is an array of six sorted items with NONE behind the last. These functions always go through all six,
# because a branch that nobody can predict costs more.


@compiled
def insert(items: np.ndarray, item: int) -> None:
    """Put an item into a rack or hand."""
    more = np.uint8(item)
    for at in range(RACK):
        # As a number without sign NONE is larger than every item.
        here = np.uint8(items[at])
        items[at] = np.int8(min(here, more))
        more = max(here, more)


@compiled
def remove(items: np.ndarray, item: int) -> None:
    """Take one item out of a rack or hand."""
    gone = 0
    for at in range(RACK - 1):
        gone |= int(items[at]) == item
        items[at] = items[at + gone]
    items[RACK - 1] = NONE


@compiled
def orders(items: np.ndarray, orders_of: np.ndarray) -> np.uint64:
    """The orders in which the symbols of a rack's or hand's items can be used, as bits; equal items count once."""
    found = np.uint64(0)
    for at in range(RACK):
        found |= orders_of[items[at]]
    return found


@compiled
def lowest(values: np.ndarray) -> int:
    """The worst of a player's six values."""
    least = int(values[0])
    for symbol in range(1, 6):
        least = min(least, int(values[symbol]))
    return least


@compiled
def lowest_symbols(values: np.ndarray) -> int:
    """The symbols with the worst of a player's six values, as bits."""
    least = lowest(values)
    found = 0
    for symbol in range(6):
        found |= (int(values[symbol]) == least) << symbol
    return found


@compiled
def shows_lowest(items: np.ndarray, values: np.ndarray, symbols: np.ndarray) -> bool:
    """T16, C13: does any item of a rack or hand show a symbol with the worst of the player's values?"""
    shown = 0
    for at in range(RACK):
        shown |= symbols[items[at]]
    return (shown & lowest_symbols(values)) != 0


@compiled
def limit(values: np.ndarray, areas: tuple[int, int, int]) -> int:
    """C10, D11: how far a row may go."""
    return limit_above(lowest(values), areas)


@compiled
def limit_above(least: int, areas: tuple[int, int, int]) -> int:
    """C10, D11: the same by the lowest row: an area is open once all rows have come at least to the one before it."""
    if least < 1:
        return areas[0]
    if least <= areas[0]:
        return areas[1]
    return areas[2]


@compiled
def next_player(state: np.record) -> int:
    """Who comes after the player in turn, clockwise."""
    player = int(state.turn) + 1
    return player if player < state.players else 0


@compiled
def total(counts: np.ndarray) -> int:
    """How many items there are of all kinds together."""
    number = 0
    for kind in range(counts.size):
        number += counts[kind]
    return number


@compiled
def item_at(counts: np.ndarray, which: int) -> int:
    """The kind of the item that is number ``which`` when all items (127 at most) lie in order."""
    kind = 0
    upto = 0
    # Eight kinds at a time, each in a byte of one word; nothing here has a branch that nobody can predict.
    words = counts.size // 8 * 8
    for block in range(0, words, 8):
        sums = bits.sums(np.uint64(upto) + bits.packed(counts, block))
        kind += bits.bytes_upto(sums, which)
        upto = bits.last(sums)
    for at in range(words, counts.size):
        upto += int(counts[at])
        kind += upto <= which
    return kind


def places(values: np.ndarray) -> list[int]:
    """T20, C16: order by the lowest value, then the next lowest, and so on; equal lists share a place."""
    rows = [sorted(int(value) for value in row) for row in values]
    return [1 + sum(other > row for other in rows) for row in rows]

"""Shared building blocks of the rules: six symbols, items with two symbols, and areas that open together."""

from collections.abc import Callable
from typing import Any

import numpy as np

from sixfold.games.shared import bits
from sixfold.games.shared.compiler import compiled

SYMBOLS = "RGBOYP"
NONE = -1
RACK = 6

# Phases. Each game adds its own kinds of decision from FIRST_DECISION on.
CHANCE = 0
OVER = 1
FIRST_DECISION = 2


def layout(fields: list[Any]) -> np.dtype[np.void]:
    """The record type of a game's state."""
    return np.dtype((np.record, np.dtype(fields, align=True)))


def two_symbols(with_doubles: bool) -> np.ndarray:
    """All tiles or cards as pairs of symbols, in the order of the notation."""
    first = 0 if with_doubles else 1
    rows = [(a, b) for a in range(6) for b in range(a + first, 6)]
    return np.array(rows, dtype=np.int8)


def index_of(items: np.ndarray) -> np.ndarray:
    """A table of the item with two symbols, in either order; NONE where there is no such item."""
    table = np.full((6, 6), NONE, dtype=np.int8)
    for item, (a, b) in enumerate(items):
        table[a, b] = table[b, a] = item
    return table


# An ordered pair of symbols is one number, which also serves as the index of a bit in a set.
ORDERED = 36


@compiled
def ordered(first: int, second: int) -> int:
    """The number of an ordered pair of symbols."""
    return first * 6 + second


@compiled
def first_of(pair: int) -> int:
    return pair // 6


@compiled
def second_of(pair: int) -> int:
    return pair % 6


def both_orders(items: np.ndarray) -> np.ndarray:
    """The ordered pairs of each item's symbols as bit sets; a double has one, NONE has none."""
    pairs = [(int(a), int(b)) for a, b in items]
    return np.array([1 << ordered(a, b) | 1 << ordered(b, a) for a, b in pairs] + [0], dtype=np.uint64)


def symbols_of(items: np.ndarray) -> np.ndarray:
    """The symbols of each item as bit sets; NONE has none."""
    return np.array([1 << int(a) | 1 << int(b) for a, b in items] + [0])


# A rack or hand is an array of six sorted items, padded with NONE. These functions always loop over all six, because
# an unpredictable branch costs more.


@compiled
def insert(items: np.ndarray, item: int) -> None:
    """Insert an item into a rack or hand."""
    carried = np.uint8(item)
    for at in range(RACK):
        # As an unsigned number NONE is larger than every item.
        present = np.uint8(items[at])
        items[at] = np.int8(min(present, carried))
        carried = max(present, carried)


@compiled
def remove(items: np.ndarray, item: int) -> None:
    """Remove one item from a rack or hand."""
    removed = 0
    for at in range(RACK - 1):
        removed |= int(items[at]) == item
        items[at] = items[at + removed]
    items[RACK - 1] = NONE


@compiled
def orders(items: np.ndarray, orders_of: np.ndarray) -> np.uint64:
    """The ordered pairs of symbols that the items of a rack or hand can form, as a bit set."""
    found = np.uint64(0)
    for at in range(RACK):
        found |= orders_of[items[at]]
    return found


@compiled
def lowest(values: np.ndarray) -> int:
    """The lowest of a player's six values."""
    least = int(values[0])
    for symbol in range(1, 6):
        least = min(least, int(values[symbol]))
    return least


@compiled
def lowest_symbols(values: np.ndarray) -> int:
    """The symbols with the lowest of a player's six values, as a bit set."""
    least = lowest(values)
    found = 0
    for symbol in range(6):
        found |= (int(values[symbol]) == least) << symbol
    return found


@compiled
def shows_lowest(items: np.ndarray, values: np.ndarray, symbols: np.ndarray) -> bool:
    """T16, C13: whether any item of a rack or hand shows a symbol with the player's lowest value."""
    shown = 0
    for at in range(RACK):
        shown |= symbols[items[at]]
    return (shown & lowest_symbols(values)) != 0


@compiled
def limit(values: np.ndarray, areas: tuple[int, int, int]) -> int:
    """C10, D11: the highest value that a row may reach."""
    return limit_above(lowest(values), areas)


@compiled
def limit_above(least: int, areas: tuple[int, int, int]) -> int:
    """C10, D11: the limit for a lowest value: an area is open once all rows have reached the area before it."""
    if least < 1:
        return areas[0]
    if least <= areas[0]:
        return areas[1]
    return areas[2]


@compiled
def next_player(state: np.record) -> int:
    """The player after the one in turn, clockwise."""
    player = int(state.turn) + 1
    return player if player < state.players else 0


@compiled
def copy_rows(rows: np.ndarray, players: int, result: np.ndarray) -> None:
    """Copy the values of each player."""
    for player in range(players):
        for at in range(result.shape[1]):
            result[player, at] = rows[player, at]


def list_moves(
    count: Callable[[np.record], int], nth: Callable[[np.record, int], int]
) -> Callable[[np.record, np.ndarray], int]:
    """Compile ``legal`` from ``count`` and ``nth``."""

    @compiled
    def legal(state: np.record, moves: np.ndarray) -> int:
        number = count(state)
        for which in range(number):
            moves[which] = nth(state, which)
        return number

    return legal


@compiled
def total(counts: np.ndarray) -> int:
    """The number of items of all kinds together."""
    number = 0
    for kind in range(counts.size):
        number += counts[kind]
    return number


@compiled
def kind_at(counts: np.ndarray, which: int) -> int:
    """The kind of the item at index ``which`` when all items (at most 127) are sorted by kind."""
    kind = 0
    upto = 0
    # Eight kinds at a time, each in a byte of one word, without unpredictable branches.
    words = counts.size // 8 * 8
    for block in range(0, words, 8):
        sums = bits.sums(np.uint64(upto) + bits.packed(counts, block))
        kind += bits.bytes_upto(sums, which)
        upto = bits.last(sums)
    for at in range(words, counts.size):
        upto += int(counts[at])
        kind += upto <= which
    return kind

"""What the three games share: six symbols, items with two symbols, areas that open together, and places."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sixfold.rules.compiling import compiled

SYMBOLS = "RGBOYP"
NONE = -1

# Phases. Each game adds its own kinds of decision from FIRST_DECISION on.
CHANCE = 0
OVER = 1
FIRST_DECISION = 2


@dataclass(frozen=True)
class Refusal:
    """Why a move is not allowed: a key for translation, the clause, and the words that fill the sentence."""

    key: str
    clause: str
    words: dict[str, str] = field(default_factory=dict)


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


@compiled
def insert(items: np.ndarray, size: int, item: int) -> None:
    """Put an item into the first ``size`` sorted ones of a rack or hand."""
    at = size
    while at > 0 and items[at - 1] > item:
        items[at] = items[at - 1]
        at -= 1
    items[at] = item


@compiled
def remove(items: np.ndarray, size: int, item: int) -> None:
    """Take one item out of the ``size`` sorted ones of a rack or hand."""
    at = 0
    while items[at] != item:
        at += 1
    while at + 1 < size:
        items[at] = items[at + 1]
        at += 1
    items[at] = NONE


@compiled
def lowest(values: np.ndarray) -> int:
    """The worst of a player's six values."""
    least = int(values[0])
    for symbol in range(1, 6):
        least = min(least, int(values[symbol]))
    return least


@compiled
def limit(values: np.ndarray, last: int) -> int:
    """C10, D11: how far a row may go: 3 while one row is empty, 6 while one stands below 4, then to the end."""
    least = lowest(values)
    if least < 1:
        return 3
    if least < 4:
        return 6
    return last


@compiled
def total(counts: np.ndarray) -> int:
    """How many items there are of all kinds together."""
    number = 0
    for kind in range(counts.size):
        number += counts[kind]
    return number


@compiled
def item_at(counts: np.ndarray, which: int) -> int:
    """The kind of the item that is number ``which`` when all items lie in order."""
    # Going through all kinds without leaving early costs less than a branch that nobody can predict.
    kind = 0
    upto = 0
    for other in range(counts.size):
        upto += counts[other]
        kind += upto <= which
    return kind


def places(values: np.ndarray) -> list[int]:
    """T20, C16: order by the lowest value, then the next lowest, and so on; equal lists share a place."""
    rows = [sorted(int(value) for value in row) for row in values]
    return [1 + sum(other > row for other in rows) for row in rows]

"""Sheets, rolls and renamings of the symbols: the words in which a position is numbered.

A sheet, a roll and an order of the symbols are each six small numbers; as a *code* they are one, three bits a symbol.
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from math import factorial, prod
from typing import Any

import numpy as np

from sixfold.games.dice import AREAS
from sixfold.games.dice.rules import BOXES
from sixfold.games.shared.compiling import compiled, compiled_with_arrays
from sixfold.games.shared.symbols import limit

CODES = 1 << 18
FULL = 0o777777


@dataclass(frozen=True)
class Variant:
    """Which game is solved; reduced ones serve as proof.

    With fewer symbols the rows of the others are full and no die shows them; with fewer boxes rows begin with marks.
    """

    split_jokers: bool = False
    symbols: int = 6
    boxes: int = BOXES
    dice: int = 4

    def __str__(self) -> str:
        reading = "true" if self.split_jokers else "false"
        return f"split_jokers={reading}, {self.symbols} symbols, {self.boxes} boxes, {self.dice} dice"


@compiled
def code(numbers: np.ndarray) -> int:
    """Six small numbers as one."""
    word = 0
    for symbol in range(6):
        word |= int(numbers[symbol]) << (3 * symbol)
    return word


@compiled
def row(word: int, symbol: int) -> int:
    """One of the six numbers of a code."""
    return (word >> (3 * symbol)) & 7


@compiled
def marks(word: int) -> int:
    """How many boxes of a sheet are marked."""
    number = 0
    for symbol in range(6):
        number += row(word, symbol)
    return number


@compiled
def by_the_strips(word: int, first: int, sheet: np.ndarray) -> bool:
    """D11: can a sheet look like this? No row goes further than the others allow; a full one may be out of play."""
    for symbol in range(6):
        sheet[symbol] = row(word, symbol)
    last = limit(sheet, AREAS)
    for symbol in range(6):
        if sheet[symbol] < row(first, symbol) or (sheet[symbol] > last and row(first, symbol) < BOXES):
            return False
    return True


@compiled_with_arrays
def find_sheets(first: int, found: np.ndarray) -> int:
    """The codes of all sheets that can come of the first, in ascending order; returns how many."""
    sheet = np.zeros(6, dtype=np.int8)
    number = 0
    for word in range(CODES):
        if by_the_strips(word, first, sheet):
            found[number] = word
            number += 1
    return number


def first_sheet(variant: Variant) -> int:
    """The sheet with which everybody begins."""
    rows = [BOXES - variant.boxes] * variant.symbols + [BOXES] * (6 - variant.symbols)
    return int(code(np.array(rows)))


def all_sheets(variant: Variant) -> np.ndarray:
    """The codes of all sheets of a variant."""
    found = np.empty(CODES, dtype=np.int32)
    return found[: find_sheets(first_sheet(variant), found)].copy()


@compiled
def ascending(word: int) -> bool:
    """Do the rows stand in ascending order? One sheet of each class under renaming does."""
    for symbol in range(5):
        if row(word, symbol) > row(word, symbol + 1):
            return False
    return True


@compiled_with_arrays
def ascending_ones(words: np.ndarray) -> np.ndarray:
    """Which sheets of a list stand in ascending order."""
    found = np.zeros(words.size, dtype=np.bool_)
    for at in range(words.size):
        found[at] = ascending(words[at])
    return found


@compiled
def agrees(mine: int, theirs: int) -> bool:
    """Where rows of my ascending sheet are equal, do the opponent's ascend? Then the pair is in its canonical form."""
    for symbol in range(5):
        if row(mine, symbol) == row(mine, symbol + 1) and row(theirs, symbol) > row(theirs, symbol + 1):
            return False
    return True


@compiled
def canonical(mine: int, theirs: int) -> tuple[int, int, int]:
    """Rename the symbols so that my rows ascend, equal ones by the opponent's: both sheets, and the order taken."""
    my_rows = 0
    their_rows = 0
    order = 0
    for symbol in range(6):
        key = row(mine, symbol) << 3 | row(theirs, symbol)
        place = 0
        for other in range(6):
            rival = row(mine, other) << 3 | row(theirs, other)
            if rival < key or (rival == key and other < symbol):
                place += 1
        my_rows |= row(mine, symbol) << (3 * place)
        their_rows |= row(theirs, symbol) << (3 * place)
        order |= symbol << (3 * place)
    return my_rows, their_rows, order


@compiled
def fill_classes(sheets: np.ndarray, class_of: np.ndarray) -> None:
    """Give every sheet the number that its rows have in ascending order."""
    for sheet in sheets:
        class_of[sheet] = class_of[canonical(sheet, sheet)[0]]


@compiled_with_arrays
def orders_of(sheets: np.ndarray) -> np.ndarray:
    """The order in which each sheet's rows ascend, by its code."""
    table = np.zeros(CODES, dtype=np.int32)
    for sheet in sheets:
        table[sheet] = canonical(sheet, sheet)[2]
    return table


@compiled
def reordered(word: int, order: int) -> int:
    """The code of six numbers in another order of the symbols."""
    result = 0
    for place in range(6):
        result |= row(word, row(order, place)) << (3 * place)
    return result


def all_rolls(variant: Variant) -> tuple[np.ndarray, np.ndarray]:
    """D4: the codes of all rolls, in the order of the letters, and each one's chance."""
    words, chances = [], []
    for faces in combinations_with_replacement(range(variant.symbols), variant.dice):
        counts = [faces.count(symbol) for symbol in range(6)]
        words.append(int(code(np.array(counts))))
        ways = factorial(variant.dice) // prod(factorial(number) for number in counts)
        chances.append(ways / variant.symbols**variant.dice)
    return np.array(words, dtype=np.int32), np.array(chances)


def numbered(words: np.ndarray, kind: type[np.signedinteger[Any]] = np.int32) -> np.ndarray:
    """The place of each code in a list; -1 for codes that are not in it."""
    table = np.full(CODES, -1, dtype=kind)
    table[words] = np.arange(len(words), dtype=kind)
    return table


def all_orders() -> np.ndarray:
    """The codes of the 720 orders of the symbols."""
    return np.array([int(code(np.array(order))) for order in permutations(range(6))], dtype=np.int32)


@compiled
def fill_renamed(rolls: np.ndarray, roll_of: np.ndarray, orders: np.ndarray, renamed: np.ndarray) -> None:
    """What every roll is called in every order of the symbols; 0 where a variant has no such roll."""
    for rank in range(orders.size):
        for roll in range(rolls.size):
            renamed[rank, roll] = max(roll_of[reordered(rolls[roll], orders[rank])], 0)

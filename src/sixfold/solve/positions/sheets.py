"""Sheets, rolls and renamings of the symbols, encoded as integers.

A sheet, a roll and an order of the symbols are six small numbers each; their *code* packs them in three bits a symbol.
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from math import factorial, prod
from typing import Any

import numpy as np

from sixfold.games.dice import AREAS
from sixfold.games.dice.rules import BOXES
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.games.shared.symbols import limit

CODES = 1 << 18
FULL = 0o777777


@dataclass(frozen=True)
class Variant:
    """The variant of the game to solve; reduced ones are used for verification.

    With fewer symbols, the rows of the others start full and no die shows them; with fewer boxes, rows start marked.
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
    """Pack six small numbers into a code."""
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
    """The number of marked boxes of a sheet."""
    number = 0
    for symbol in range(6):
        number += row(word, symbol)
    return number


@compiled
def is_reachable(word: int, first: int, sheet: np.ndarray) -> bool:
    """D11: whether a sheet is reachable: no row is further than the others allow, unless it started full."""
    for symbol in range(6):
        sheet[symbol] = row(word, symbol)
    last = limit(sheet, AREAS)
    for symbol in range(6):
        if sheet[symbol] < row(first, symbol) or (sheet[symbol] > last and row(first, symbol) < BOXES):
            return False
    return True


@compiled_with_arrays
def find_sheets(first: int, sheets: np.ndarray) -> int:
    """List the codes of all sheets reachable from the first, in ascending order; returns their number."""
    sheet = np.zeros(6, dtype=np.int8)
    count = 0
    for word in range(CODES):
        if is_reachable(word, first, sheet):
            sheets[count] = word
            count += 1
    return count


def first_sheet(variant: Variant) -> int:
    """The sheet with which every player starts."""
    rows = [BOXES - variant.boxes] * variant.symbols + [BOXES] * (6 - variant.symbols)
    return int(code(np.array(rows)))


def all_sheets(variant: Variant) -> np.ndarray:
    """The codes of all sheets of a variant."""
    sheets = np.empty(CODES, dtype=np.int32)
    return sheets[: find_sheets(first_sheet(variant), sheets)].copy()


@compiled
def is_ascending(word: int) -> bool:
    """Whether the rows are in ascending order, as in one sheet of each class under renaming."""
    for symbol in range(5):
        if row(word, symbol) > row(word, symbol + 1):
            return False
    return True


@compiled_with_arrays
def are_ascending(words: np.ndarray) -> np.ndarray:
    """Flags for the sheets whose rows are in ascending order."""
    flags = np.zeros(words.size, dtype=np.bool_)
    for at in range(words.size):
        flags[at] = is_ascending(words[at])
    return flags


@compiled
def is_canonical_pair(mine: int, theirs: int) -> bool:
    """Whether a pair with an ascending first sheet is canonical: where its rows are equal, the opponent's ascend."""
    for symbol in range(5):
        if row(mine, symbol) == row(mine, symbol + 1) and row(theirs, symbol) > row(theirs, symbol + 1):
            return False
    return True


@compiled
def canonical(mine: int, theirs: int) -> tuple[int, int, int]:
    """Rename the symbols so that my rows ascend, ties by the opponent's rows; returns both sheets and the order."""
    my_rows = 0
    their_rows = 0
    order = 0
    for symbol in range(6):
        key = row(mine, symbol) << 3 | row(theirs, symbol)
        place = 0
        for other_symbol in range(6):
            other_key = row(mine, other_symbol) << 3 | row(theirs, other_symbol)
            if other_key < key or (other_key == key and other_symbol < symbol):
                place += 1
        my_rows |= row(mine, symbol) << (3 * place)
        their_rows |= row(theirs, symbol) << (3 * place)
        order |= symbol << (3 * place)
    return my_rows, their_rows, order


@compiled
def fill_classes(sheets: np.ndarray, class_of: np.ndarray) -> None:
    """Assign every sheet the class of its ascending form."""
    for sheet in sheets:
        class_of[sheet] = class_of[canonical(sheet, sheet)[0]]


@compiled_with_arrays
def orders_of(sheets: np.ndarray) -> np.ndarray:
    """For each sheet's code, the order of symbols in which its rows ascend."""
    table = np.zeros(CODES, dtype=np.int32)
    for sheet in sheets:
        table[sheet] = canonical(sheet, sheet)[2]
    return table


@compiled
def reorder(word: int, order: int) -> int:
    """The code of six numbers after renaming the symbols by an order."""
    result = 0
    for place in range(6):
        result |= row(word, row(order, place)) << (3 * place)
    return result


def all_rolls(variant: Variant) -> tuple[np.ndarray, np.ndarray]:
    """D4: the codes of all rolls in alphabetical order, and their probabilities."""
    words, chances = [], []
    for faces in combinations_with_replacement(range(variant.symbols), variant.dice):
        counts = [faces.count(symbol) for symbol in range(6)]
        words.append(int(code(np.array(counts))))
        ways = factorial(variant.dice) // prod(factorial(count) for count in counts)
        chances.append(ways / variant.symbols**variant.dice)
    return np.array(words, dtype=np.int32), np.array(chances)


def inverse_index(words: np.ndarray, dtype: type[np.signedinteger[Any]] = np.int32) -> np.ndarray:
    """The index of each code in a list; -1 for codes not in it."""
    table = np.full(CODES, -1, dtype=dtype)
    table[words] = np.arange(len(words), dtype=dtype)
    return table


def all_orders() -> np.ndarray:
    """The codes of the 720 orders of the symbols."""
    return np.array([int(code(np.array(order))) for order in permutations(range(6))], dtype=np.int32)


@compiled
def fill_renamed(rolls: np.ndarray, roll_of: np.ndarray, orders: np.ndarray, renamed: np.ndarray) -> None:
    """The index of every roll after every renaming of the symbols; 0 where a variant has no such roll."""
    for rank in range(orders.size):
        for roll in range(rolls.size):
            renamed[rank, roll] = max(roll_of[reorder(rolls[roll], orders[rank])], 0)

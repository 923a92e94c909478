"""The book of a variant: every table that solving, reading and checking its values need.

A position is (my sheet, the opponent's sheet, the dice the opponent shows), before my first roll. Rename the symbols
so that my rows ascend, equal ones by the opponent's rows. Symbols equal on both sheets are tied: dice that differ only
by a renaming of tied symbols share a value, and so do dice that make no difference to anything I can roll.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sixfold.games.shared.compiling import compiled, compiled_with_arrays
from sixfold.solve.positions.outcomes import Turns, turns
from sixfold.solve.positions.sheets import (
    FULL,
    Variant,
    agrees,
    all_orders,
    all_rolls,
    all_sheets,
    ascending_ones,
    canonical,
    code,
    fill_classes,
    fill_renamed,
    marks,
    numbered,
    reordered,
    row,
)
from sixfold.system import all_cores

TIES = 32


class Numbering(NamedTuple):
    """A position's value stands at ``base[class] + place[class, opponent's sheet] + column[class and ties, dice]``."""

    classes: np.ndarray  # the code of each ascending sheet
    class_of: np.ndarray  # the class of each sheet, in whatever order its rows stand
    sheets: np.ndarray  # the code of each sheet
    sheet_of: np.ndarray  # and back
    rolls: np.ndarray  # the code of each roll
    roll_of: np.ndarray  # and back
    chance: np.ndarray  # each roll's
    rank_of: np.ndarray  # the number of an order of the symbols, by its code
    renamed: np.ndarray  # what a roll is called in another order
    column: np.ndarray  # by class and ties (together), and dice in view
    columns: np.ndarray  # how many, by class and ties (together)
    place: np.ndarray  # by class and the opponent's sheet; -1 where the pair is not in its canonical form
    base: np.ndarray  # of each class, and at the end the number of all values


class TurnTables(NamedTuple):
    """The tables of ``turns`` for all classes, one behind the other; ``*_at[class]`` is where a class begins."""

    width: np.ndarray  # how many different columns a class has
    sample: np.ndarray  # by class and ties (together) and column: one of those columns
    cell_at: np.ndarray
    cells: np.ndarray
    set_at: np.ndarray
    bounds: np.ndarray
    members: np.ndarray
    outcome_at: np.ndarray
    outcome_successor: np.ndarray
    outcome_roll: np.ndarray
    successor_at: np.ndarray
    successors: np.ndarray
    idle: np.ndarray


@dataclass(frozen=True)
class Book:
    """Both, with the variant they belong to."""

    variant: Variant
    numbering: Numbering
    turns: TurnTables


@compiled
def ties(mine: int, theirs: int) -> int:
    """Which neighbouring symbols are equal on both sheets, one bit each."""
    found = 0
    for symbol in range(5):
        if row(mine, symbol) == row(mine, symbol + 1) and row(theirs, symbol) == row(theirs, symbol + 1):
            found |= 1 << symbol
    return found


@compiled_with_arrays
def merge(columns: np.ndarray, swaps: np.ndarray, tied: int, merged: np.ndarray, sample: np.ndarray) -> int:
    """Number the dice in view anew, those alike that a renaming of tied symbols turns into each other.

    Writes every roll's number and one former column of each number; returns how many there are.
    """
    parent = np.arange(columns.size)
    for symbol in range(5):
        if not tied >> symbol & 1:
            continue
        for shown in range(columns.size):
            one = columns[shown]
            other = columns[swaps[symbol, shown]]
            while parent[one] != one:
                one = parent[one]
            while parent[other] != other:
                other = parent[other]
            parent[max(one, other)] = min(one, other)
    number = 0
    fresh = np.full(columns.size, -1)
    for shown in range(columns.size):
        root = columns[shown]
        while parent[root] != root:
            root = parent[root]
        if fresh[root] < 0:
            fresh[root] = number
            sample[number] = root
            number += 1
        merged[shown] = fresh[root]
    return number


@compiled
def fill_places(numbering: Numbering, which: int, sizes: np.ndarray) -> int:
    """Where every opponent's sheet begins within a class, given what each form takes; returns what the class takes."""
    mine = numbering.classes[which]
    at = 0
    for sheet in range(numbering.sheets.size):
        theirs = numbering.sheets[sheet]
        numbering.place[which, sheet] = -1
        if mine != FULL and theirs != FULL and agrees(mine, theirs):
            numbering.place[which, sheet] = at
            at += sizes[which * TIES + ties(mine, theirs)]
    return at


@compiled
def locate(numbering: Numbering, mine: int, theirs: int) -> tuple[int, int, int]:
    """Where a pair's values begin, its class and ties (together), and the number of the order taken."""
    mine, theirs, order = canonical(mine, theirs)
    which = int(numbering.class_of[mine])
    at = numbering.base[which] + numbering.place[which, numbering.sheet_of[theirs]]
    return at, which * TIES + ties(mine, theirs), numbering.rank_of[order]


@compiled
def value_at(numbering: Numbering, mine: int, theirs: int, shown: int) -> int:
    """Where the value of one position stands; ``shown`` is the number of a roll."""
    at, form, order = locate(numbering, mine, theirs)
    return at + numbering.column[form, numbering.renamed[order, shown]]


@compiled
def fill_pairs(numbering: Numbering, which: int, firsts: np.ndarray, seconds: np.ndarray, levels: np.ndarray) -> int:
    """The pairs of one class that lead to a pair solved together with them, each two only once; returns how many."""
    mine = numbering.classes[which]
    number = 0
    for sheet in range(numbering.sheets.size):
        if numbering.place[which, sheet] < 0:
            continue
        theirs = numbering.sheets[sheet]
        here = numbering.base[which] + numbering.place[which, sheet]
        there, _, _ = locate(numbering, theirs, mine)
        if here <= there:
            firsts[number] = mine
            seconds[number] = theirs
            levels[number] = marks(mine) + marks(theirs)
            number += 1
    return number


def empty_numbering(variant: Variant) -> Numbering:
    """The numbering of a variant before its columns are known: nothing has a place yet."""
    sheets = all_sheets(variant)
    classes = sheets[ascending_ones(sheets)]
    class_of = numbered(classes, np.int16)
    fill_classes(sheets, class_of)
    rolls, chance = all_rolls(variant)
    roll_of = numbered(rolls, np.int16)
    orders = all_orders()
    renamed = np.zeros((len(orders), len(rolls)), dtype=np.uint8)
    fill_renamed(rolls, roll_of, orders, renamed)
    return Numbering(
        classes, class_of, sheets, numbered(sheets), rolls, roll_of, chance,
        numbered(orders, np.int16), renamed,
        column=np.zeros((len(classes) * TIES, len(rolls)), dtype=np.uint8),
        columns=np.zeros(len(classes) * TIES, dtype=np.int32),
        place=np.empty((len(classes), len(sheets)), dtype=np.int32),
        base=np.zeros(len(classes) + 1, dtype=np.int64),
    )  # fmt: skip


def write_numbering(variant: Variant, columns: np.ndarray) -> tuple[Numbering, np.ndarray]:
    """Number all positions, given each class's columns; also one sample column for each number."""
    numbering = empty_numbering(variant)
    swaps = np.array([[_swapped(roll, at, numbering) for roll in range(len(numbering.rolls))] for at in range(5)])
    sample = np.zeros_like(numbering.column)
    for which, mine in enumerate(numbering.classes):
        equal = ties(int(mine), int(mine))
        for form in range(which * TIES, (which + 1) * TIES):
            if form % TIES & ~equal == 0:
                merged = merge(columns[which], swaps, form % TIES, numbering.column[form], sample[form])
                numbering.columns[form] = merged
        size = fill_places(numbering, which, numbering.columns)
        numbering.base[which + 1] = numbering.base[which] + size
    return numbering, sample


def _swapped(roll: int, symbol: int, numbering: Numbering) -> int:
    """A roll with a symbol and the next one swapped; itself where a variant's dice do not show the other."""
    order = [0, 1, 2, 3, 4, 5]
    order[symbol], order[symbol + 1] = symbol + 1, symbol
    word = reordered(int(numbering.rolls[roll]), code(np.array(order)))
    other = int(numbering.roll_of[word])
    return other if other >= 0 else roll


def write_book(variant: Variant, tell: Callable[[int, int], None] | None = None) -> Book:
    """Work out all tables of a variant; ``tell`` hears how many sheets of how many are done."""
    sheets = all_sheets(variant)
    classes = sheets[ascending_ones(sheets)].tolist()
    rolls, _ = all_rolls(variant)
    tables: list[Turns] = []
    with ThreadPoolExecutor(all_cores()) as pool:
        for table in pool.map(lambda mine: turns(mine, rolls, variant.split_jokers), classes):
            tables.append(table)
            if tell:
                tell(len(tables), len(classes))
    numbering, sample = write_numbering(variant, np.array([table.columns for table in tables]))
    return Book(variant, numbering, _together(tables, sample))


def _together(tables: list[Turns], sample: np.ndarray) -> TurnTables:
    def starts(sizes: list[int]) -> np.ndarray:
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    def joined(name: str) -> np.ndarray:
        return np.concatenate([getattr(table, name).ravel() for table in tables])

    # The bounds of a class's sets count through all members, and there is one bound more than there are sets.
    members = starts([len(table.members) for table in tables])
    bounds = [table.bounds.astype(np.int64) + begin for table, begin in zip(tables, members[:-1], strict=True)]
    return TurnTables(
        width=np.array([table.cells.shape[1] for table in tables], dtype=np.int32),
        sample=sample,
        cell_at=starts([table.cells.size for table in tables]),
        cells=joined("cells"),
        set_at=starts([len(table.bounds) for table in tables]),
        bounds=np.concatenate(bounds),
        members=joined("members"),
        outcome_at=starts([len(table.outcome_roll) for table in tables]),
        outcome_successor=joined("outcome_successor"),
        outcome_roll=joined("outcome_roll"),
        successor_at=starts([len(table.successors) for table in tables]),
        successors=joined("successors"),
        idle=np.array([table.idle for table in tables]),
    )


@dataclass(frozen=True)
class Pairs:
    """Pairs of sheets to be solved, ordered by level: ``first[level_at[level] : level_at[level + 1]]``."""

    first: np.ndarray
    second: np.ndarray
    level_at: np.ndarray


def all_pairs(numbering: Numbering) -> Pairs:
    """Each two pairs (mine, theirs) and (theirs, mine) once, by the marks on both sheets together."""

    def of_class(which: int) -> list[np.ndarray]:
        part = [np.empty(len(numbering.sheets), dtype=kind) for kind in (np.int32, np.int32, np.int16)]
        number = fill_pairs(numbering, which, *part)
        return [array[:number].copy() for array in part]

    with ThreadPoolExecutor(all_cores()) as pool:
        parts = list(pool.map(of_class, range(len(numbering.classes))))
    first, second, levels = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = np.argsort(levels, kind="stable")
    level_at = np.searchsorted(levels[order], np.arange(2 * marks(FULL) + 2))
    return Pairs(first[order], second[order], level_at)

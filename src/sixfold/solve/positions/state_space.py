"""The state space of a variant: the tables for solving it, and for reading and checking its values.

A position is (my sheet, the opponent's sheet, the opponent's dice in view), before my first roll. Symbols are renamed
so that my rows ascend, ties broken by the opponent's rows. Symbols with equal rows on both sheets are tied: dice that
differ only by a renaming of tied symbols share a value, and so do dice that make no difference to any of my rolls.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.solve.positions.outcomes import Turns, turns
from sixfold.solve.positions.sheets import (
    FULL,
    Variant,
    all_orders,
    all_rolls,
    all_sheets,
    are_ascending,
    canonical,
    code,
    fill_classes,
    fill_renamed,
    inverse_index,
    is_canonical_pair,
    marks,
    reorder,
    row,
)
from sixfold.system import available_cores

TIES = 32


class Numbering(NamedTuple):
    """A position's value has index ``base[class] + place[class, opponent's sheet] + column[class and ties, dice]``."""

    classes: np.ndarray  # the code of each ascending sheet
    class_of: np.ndarray  # the class of each sheet, for any order of its rows
    sheets: np.ndarray  # the code of each sheet
    sheet_of: np.ndarray  # its inverse
    rolls: np.ndarray  # the code of each roll
    roll_of: np.ndarray  # its inverse
    chance: np.ndarray  # the probability of each roll
    rank_of: np.ndarray  # the index of an order of the symbols, by its code
    renamed: np.ndarray  # the index of a roll after renaming the symbols by an order
    column: np.ndarray  # by class and ties (together), and dice in view
    columns: np.ndarray  # the number of columns, by class and ties (together)
    place: np.ndarray  # by class and the opponent's sheet; -1 where the pair is not canonical
    base: np.ndarray  # of each class, then the total number of values


class TurnTables(NamedTuple):
    """The tables of ``turns`` for all classes, concatenated; ``*_at[class]`` is the offset of a class."""

    width: np.ndarray  # the number of distinct columns of a class
    sample: np.ndarray  # by class and ties (together) and merged column: one original column
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
class StateSpace:
    """The numbering and turn tables of a variant."""

    variant: Variant
    numbering: Numbering
    turns: TurnTables


@compiled
def ties(mine: int, theirs: int) -> int:
    """A bit mask of neighbouring symbols with equal rows on both sheets."""
    bits = 0
    for symbol in range(5):
        if row(mine, symbol) == row(mine, symbol + 1) and row(theirs, symbol) == row(theirs, symbol + 1):
            bits |= 1 << symbol
    return bits


@compiled_with_arrays
def merge(columns: np.ndarray, swaps: np.ndarray, tied: int, merged: np.ndarray, sample: np.ndarray) -> int:
    """Merge the columns of dice that a renaming of tied symbols turns into each other, by union-find.

    Writes the merged column of every roll and one original column of each; returns the number of merged columns.
    """
    parent = np.arange(columns.size)
    for symbol in range(5):
        if not tied >> symbol & 1:
            continue
        for shown in range(columns.size):
            first_root = columns[shown]
            second_root = columns[swaps[symbol, shown]]
            while parent[first_root] != first_root:
                first_root = parent[first_root]
            while parent[second_root] != second_root:
                second_root = parent[second_root]
            parent[max(first_root, second_root)] = min(first_root, second_root)
    count = 0
    new_number = np.full(columns.size, -1)
    for shown in range(columns.size):
        root = columns[shown]
        while parent[root] != root:
            root = parent[root]
        if new_number[root] < 0:
            new_number[root] = count
            sample[count] = root
            count += 1
        merged[shown] = new_number[root]
    return count


@compiled
def fill_places(numbering: Numbering, which: int, sizes: np.ndarray) -> int:
    """Fill in the offset of every opponent's sheet within a class, given each form's size; returns the class's size."""
    mine = numbering.classes[which]
    at = 0
    for sheet in range(numbering.sheets.size):
        theirs = numbering.sheets[sheet]
        numbering.place[which, sheet] = -1
        if mine != FULL and theirs != FULL and is_canonical_pair(mine, theirs):
            numbering.place[which, sheet] = at
            at += sizes[which * TIES + ties(mine, theirs)]
    return at


@compiled
def locate(numbering: Numbering, mine: int, theirs: int) -> tuple[int, int, int]:
    """The offset of a pair's values, its form (class and ties together), and the index of the renaming."""
    mine, theirs, order = canonical(mine, theirs)
    which = int(numbering.class_of[mine])
    at = numbering.base[which] + numbering.place[which, numbering.sheet_of[theirs]]
    return at, which * TIES + ties(mine, theirs), numbering.rank_of[order]


@compiled
def value_at(numbering: Numbering, mine: int, theirs: int, shown: int) -> int:
    """The index of a position's value; ``shown`` is the index of a roll."""
    at, form, order = locate(numbering, mine, theirs)
    return at + numbering.column[form, numbering.renamed[order, shown]]


@compiled
def fill_pairs(numbering: Numbering, which: int, firsts: np.ndarray, seconds: np.ndarray, levels: np.ndarray) -> int:
    """List the pairs of one class, counting (mine, theirs) and (theirs, mine) once; returns their number."""
    mine = numbering.classes[which]
    count = 0
    for sheet in range(numbering.sheets.size):
        if numbering.place[which, sheet] < 0:
            continue
        theirs = numbering.sheets[sheet]
        offset = numbering.base[which] + numbering.place[which, sheet]
        mirror_offset, _, _ = locate(numbering, theirs, mine)
        if offset <= mirror_offset:
            firsts[count] = mine
            seconds[count] = theirs
            levels[count] = marks(mine) + marks(theirs)
            count += 1
    return count


def empty_numbering(variant: Variant) -> Numbering:
    """The numbering of a variant with empty columns and places."""
    sheets = all_sheets(variant)
    classes = sheets[are_ascending(sheets)]
    class_of = inverse_index(classes, np.int16)
    fill_classes(sheets, class_of)
    rolls, chance = all_rolls(variant)
    roll_of = inverse_index(rolls, np.int16)
    orders = all_orders()
    renamed = np.zeros((len(orders), len(rolls)), dtype=np.uint8)
    fill_renamed(rolls, roll_of, orders, renamed)
    return Numbering(
        classes, class_of, sheets, inverse_index(sheets), rolls, roll_of, chance,
        inverse_index(orders, np.int16), renamed,
        column=np.zeros((len(classes) * TIES, len(rolls)), dtype=np.uint8),
        columns=np.zeros(len(classes) * TIES, dtype=np.int32),
        place=np.empty((len(classes), len(sheets)), dtype=np.int32),
        base=np.zeros(len(classes) + 1, dtype=np.int64),
    )  # fmt: skip


def build_numbering(variant: Variant, columns: np.ndarray) -> tuple[Numbering, np.ndarray]:
    """Build the numbering from each class's columns; also returns an original column for each merged one."""
    numbering = empty_numbering(variant)
    swaps = np.array([[_swap_symbols(roll, at, numbering) for roll in range(len(numbering.rolls))] for at in range(5)])
    sample = np.zeros_like(numbering.column)
    for which, mine in enumerate(numbering.classes):
        possible_ties = ties(int(mine), int(mine))
        for form in range(which * TIES, (which + 1) * TIES):
            if form % TIES & ~possible_ties == 0:
                merged = merge(columns[which], swaps, form % TIES, numbering.column[form], sample[form])
                numbering.columns[form] = merged
        size = fill_places(numbering, which, numbering.columns)
        numbering.base[which + 1] = numbering.base[which] + size
    return numbering, sample


def _swap_symbols(roll: int, symbol: int, numbering: Numbering) -> int:
    """The index of a roll with a symbol and the next one swapped; unchanged if the variant has no such roll."""
    order = [0, 1, 2, 3, 4, 5]
    order[symbol], order[symbol + 1] = symbol + 1, symbol
    swapped = reorder(int(numbering.rolls[roll]), code(np.array(order)))
    swapped_roll = int(numbering.roll_of[swapped])
    return swapped_roll if swapped_roll >= 0 else roll


def build_state_space(variant: Variant, on_progress: Callable[[int, int], None] | None = None) -> StateSpace:
    """Compute all tables of a variant; ``on_progress`` receives the sheets done and their total."""
    sheets = all_sheets(variant)
    classes = sheets[are_ascending(sheets)].tolist()
    rolls, _ = all_rolls(variant)
    tables: list[Turns] = []
    with ThreadPoolExecutor(available_cores()) as pool:
        for table in pool.map(lambda mine: turns(mine, rolls, variant.split_jokers), classes):
            tables.append(table)
            if on_progress:
                on_progress(len(tables), len(classes))
    numbering, sample = build_numbering(variant, np.array([table.columns for table in tables]))
    return StateSpace(variant, numbering, _concatenate(tables, sample))


def _concatenate(tables: list[Turns], sample: np.ndarray) -> TurnTables:
    def starts(sizes: list[int]) -> np.ndarray:
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    def concatenated(name: str) -> np.ndarray:
        return np.concatenate([getattr(table, name).ravel() for table in tables])

    # The bounds of a class's sets index the concatenated members, and there is one more bound than sets.
    members = starts([len(table.members) for table in tables])
    bounds = [table.bounds.astype(np.int64) + offset for table, offset in zip(tables, members[:-1], strict=True)]
    return TurnTables(
        width=np.array([table.cells.shape[1] for table in tables], dtype=np.int32),
        sample=sample,
        cell_at=starts([table.cells.size for table in tables]),
        cells=concatenated("cells"),
        set_at=starts([len(table.bounds) for table in tables]),
        bounds=np.concatenate(bounds),
        members=concatenated("members"),
        outcome_at=starts([len(table.outcome_roll) for table in tables]),
        outcome_successor=concatenated("outcome_successor"),
        outcome_roll=concatenated("outcome_roll"),
        successor_at=starts([len(table.successors) for table in tables]),
        successors=concatenated("successors"),
        idle=np.array([table.idle for table in tables]),
    )


@dataclass(frozen=True)
class Pairs:
    """Pairs of sheets to solve, ordered by level: ``first[level_at[level] : level_at[level + 1]]``."""

    first: np.ndarray
    second: np.ndarray
    level_at: np.ndarray


def all_pairs(numbering: Numbering) -> Pairs:
    """All pairs, with (mine, theirs) and (theirs, mine) listed once, ordered by the total number of marks."""

    def of_class(which: int) -> list[np.ndarray]:
        arrays = [np.empty(len(numbering.sheets), dtype=dtype) for dtype in (np.int32, np.int32, np.int16)]
        count = fill_pairs(numbering, which, *arrays)
        return [array[:count].copy() for array in arrays]

    with ThreadPoolExecutor(available_cores()) as pool:
        parts = list(pool.map(of_class, range(len(numbering.classes))))
    first, second, levels = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    order = np.argsort(levels, kind="stable")
    level_at = np.searchsorted(levels[order], np.arange(2 * marks(FULL) + 2))
    return Pairs(first[order], second[order], level_at)

"""Verification of a solution: the residual of the optimality equation over all positions."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from sixfold.games.dice.rules import BOXES
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.solve.positions.sheets import FULL, row
from sixfold.solve.positions.state_space import TIES, Numbering, StateSpace, TurnTables, locate, ties
from sixfold.solve.values.equation import UNIT, Side, make_side, prepare, roll_thrice
from sixfold.solve.values.file import ValueFileError, Values, unpack_value
from sixfold.system import available_cores


@compiled_with_arrays
def class_residuals(
    numbering: Numbering, turns: TurnTables, values: np.ndarray, which: int, side: Side, residuals: np.ndarray
) -> None:
    """The residual of every position of a class: the difference between its value and a one-turn backup of the others.

    Turns that mark nothing use the stored value, like all others.
    """
    mine = numbering.classes[which]
    for sheet in range(numbering.sheets.size):
        place = numbering.place[which, sheet]
        if place < 0:
            continue
        theirs = numbering.sheets[sheet]
        form = which * TIES + ties(mine, theirs)
        columns = numbering.columns[form]
        prepare(numbering, turns, values, theirs, form, side)
        at = numbering.base[which] + place
        side.value[:columns] = values[at : at + columns]
        roll_thrice(numbering.chance, columns, side)
        for column in range(columns):
            residual = abs(side.value[column] - values[at + column]) / UNIT
            residuals[0] = max(residuals[0], residual)
            residuals[1] += residual


@dataclass(frozen=True)
class Residual:
    """The largest and the mean residual, and the number of values."""

    largest: float
    mean: float
    values: int


def residual(
    space: StateSpace, values: np.ndarray, on_progress: Callable[[int, int], None] = lambda done, total: None
) -> Residual:
    """The residual of the optimality equation over all positions."""
    class_count = len(space.numbering.classes)
    residuals = np.zeros((class_count, 2))

    def of_class(which: int) -> None:
        side = make_side(space.turns, len(space.numbering.rolls))
        class_residuals(space.numbering, space.turns, values, which, side, residuals[which])

    with ThreadPoolExecutor(available_cores()) as pool:
        for done, _ in enumerate(pool.map(of_class, range(class_count)), start=1):
            on_progress(done, class_count)
    return Residual(float(residuals[:, 0].max()), float(residuals[:, 1].sum() / len(values)), len(values))


@compiled
def class_drop(numbering: Numbering, block: np.ndarray, which: int) -> float:
    """The largest loss from one more mark over all positions of a class; by D12 there is none."""
    mine = numbering.classes[which]
    drop = 0
    for sheet in range(numbering.sheets.size):
        place = numbering.place[which, sheet]
        if place < 0:
            continue
        theirs = numbering.sheets[sheet]
        at = numbering.base[which] + place
        form = which * TIES + ties(mine, theirs)
        for symbol in range(6):
            more = mine + (1 << 3 * symbol)
            if row(mine, symbol) == BOXES or numbering.sheet_of[more] < 0 or more == FULL:
                continue
            more_at, more_form, order = locate(numbering, more, theirs)
            for shown in range(numbering.rolls.size):
                before = unpack_value(block, at, numbering.column[form, shown])
                afterwards = unpack_value(block, more_at, numbering.column[more_form, numbering.renamed[order, shown]])
                drop = max(drop, before - afterwards)
    return drop / UNIT


def largest_drop(values: Values, on_progress: Callable[[int, int], None] = lambda done, total: None) -> float:
    """The largest loss from one more mark over all positions; all classes must be loaded."""
    class_count = len(values.numbering.classes)
    drops = [0.0]
    with ThreadPoolExecutor(available_cores()) as pool:
        for drop in pool.map(lambda which: class_drop(values.numbering, values.block, which), range(class_count)):
            drops.append(drop)
            on_progress(len(drops) - 1, class_count)
    return max(drops)


def difference(
    first: Values, second: Values, on_progress: Callable[[int, int], None] = lambda done, total: None
) -> float:
    """The largest difference between the values of two files of the same game."""
    if first.variant != second.variant:
        raise ValueFileError(f"{first.path} and {second.path} hold the values of different games")
    largest = 0
    for which in range(len(first.numbering.classes)):
        blocks = [values.unpack_class(which) for values in (first, second)]
        if len(blocks[0]):
            largest = max(largest, int(np.abs(blocks[0] - blocks[1]).max()))
        on_progress(which + 1, len(first.numbering.classes))
    return largest / UNIT

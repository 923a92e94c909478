"""The approximation of the solution that comes with the package: about the chance of every position.

What it knows is taught by the values (``teaching``): the mean over all ways in which the symbols of two sheets can lie
to each other (by both classes), what one more mark adds to the log-odds there, and, in marks, what the dice in view add
to a class and how the rows of one symbol on both sheets and its dice in view go together. The last boxes it knows by
heart (``Ending``). One turn of exact looking ahead (``choosing``) does the rest.
"""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sixfold.games.shared.compiling import compiled, compiled_with_arrays
from sixfold.games.shared.mathematics import exp, tanh
from sixfold.solve.positions.book import TIES, Numbering, empty_numbering, ties
from sixfold.solve.positions.sheets import (
    CODES,
    FULL,
    Variant,
    agrees,
    ascending,
    ascending_ones,
    canonical,
    marks,
    orders_of,
    row,
)
from sixfold.solve.values.file import digest
from sixfold.system import whole_binary_file

# So many boxes on both sheets together are few.
FEW = 14
FINEST = 255

FILE = "dice.guess.npz"
DATA_FILES = ("dice.guess.npz",)
# How fine each part is kept there.
SCALES = {"pairs": 2048, "slope": 1024, "dice": 1024, "rows": 1024}


class Ending(NamedTuple):
    """The chances with few boxes left, one byte each: those of a pair of sheets stand together, one for each column.

    A sum over rows and dice is far off there, and so were nearly all large mistakes of an approximation without this.
    """

    column: np.ndarray  # as in the numbering of a book, for the classes that take part
    chances: np.ndarray  # in parts of FINEST
    pairs: np.ndarray  # both sheets of each pair in its canonical form, as one ascending number
    at: np.ndarray  # where the chances of each pair begin, and at the end how many there are


@compiled
def few_left(mine: int, theirs: int) -> bool:
    """Is the end near?"""
    return 2 * marks(FULL) - marks(mine) - marks(theirs) <= FEW


@compiled_with_arrays
def find_pairs(numbering: Numbering, column: np.ndarray, sheets: np.ndarray, pairs: np.ndarray, at: np.ndarray) -> int:
    """Every pair of such sheets with few boxes left, and where its chances begin; returns how many there are."""
    number = 0
    at[0] = 0
    for mine in sheets:
        if not ascending(mine):
            continue
        which = numbering.class_of[mine]
        for theirs in sheets:
            if few_left(mine, theirs) and agrees(mine, theirs):
                pairs[number] = mine * CODES + theirs
                at[number + 1] = at[number] + column[which * TIES + ties(mine, theirs)].max() + 1
                number += 1
    return number


def indexed(numbering: Numbering, column: np.ndarray, chances: np.ndarray) -> Ending:
    """An ending with the index of its pairs, which follows from the rest."""
    late = np.array([few_left(int(sheet), FULL) and sheet != FULL for sheet in numbering.sheets])
    sheets = numbering.sheets[late].astype(np.int64)
    room = int(ascending_ones(sheets).sum()) * len(sheets)
    pairs, at = np.empty(room, np.int64), np.empty(room + 1, np.int64)
    number = find_pairs(numbering, column, sheets, pairs, at)
    return Ending(column, chances, pairs[:number].copy(), at[: number + 1].copy())


@compiled
def remembered(numbering: Numbering, ending: Ending, mine: int, theirs: int, shown: int) -> float:
    """The chance of the player about to roll where few boxes are left; ``shown`` is the number of a roll."""
    mine, theirs, order = canonical(mine, theirs)
    pair = np.searchsorted(ending.pairs, mine * CODES + theirs)
    form = numbering.class_of[mine] * TIES + ties(mine, theirs)
    column = ending.column[form, numbering.renamed[numbering.rank_of[order], shown]]
    return ending.chances[ending.at[pair] + column] / FINEST


class Guess(NamedTuple):
    """The approximation: log-odds = pairs + slope * (dice + sum over the symbols of rows), by my class and theirs.

    Rows that need the same symbols quicken the game for both, which is good for the one who is behind: so there are two
    tables of rows, the second of which counts by how far ahead I am. With few boxes left the ending says it all.
    """

    pairs: np.ndarray  # by both classes
    slope: np.ndarray  # by both classes: about what one more mark adds
    dice: np.ndarray  # by my class, their stage and the dice in view, in marks
    rows: np.ndarray  # by my class, their stage, table, my row, the dice of its symbol in view and their row, in marks
    ending: Ending
    order_of: np.ndarray  # the order in which a sheet's rows ascend, by its code


@compiled
def stage(sheet: int) -> int:
    """In which strip the lowest row of an ascending sheet has its next box."""
    return (row(sheet, 0) > 0) + (row(sheet, 0) > 3)


@compiled
def ahead(odds: float) -> float:
    """How far ahead somebody with these log-odds is: from -1 to 1."""
    return tanh(odds / 2)


@compiled
def guessed(numbering: Numbering, guess: Guess, mine: int, theirs: int, shown: int) -> float:
    """About the chance of the player about to roll."""
    if few_left(mine, theirs):
        return remembered(numbering, guess.ending, mine, theirs, shown)
    which = numbering.class_of[mine]
    other = numbering.class_of[theirs]
    order = guess.order_of[mine]
    at = stage(numbering.classes[other])
    rows = guess.rows[which, at]
    lead = ahead(guess.pairs[which, other])
    more = guess.dice[which, at, numbering.renamed[numbering.rank_of[order], shown]]
    dice_shown = numbering.rolls[shown]
    for place in range(6):
        symbol = row(order, place)
        more += rows[0, place, row(dice_shown, symbol), row(theirs, symbol)]
        more += lead * rows[1, place, row(dice_shown, symbol), row(theirs, symbol)]
    odds = guess.pairs[which, other] + guess.slope[which, other] * more
    return 1.0 / (1.0 + exp(-odds))


# No approximation, for whoever needs only the values.
NO_ENDING = Ending(np.zeros((1, 1), np.uint8), np.zeros(1, np.uint8), np.zeros(1, np.int64), np.zeros(1, np.int64))
_NO_PAIRS, _NO_DICE, _NO_ROWS = (np.zeros((1,) * sides, np.float32) for sides in (2, 3, 6))
NO_GUESS = Guess(_NO_PAIRS, _NO_PAIRS, _NO_DICE, _NO_ROWS, NO_ENDING, np.zeros(1, np.int32))


# The file


def packed_guess(guess: Guess) -> dict[str, np.ndarray]:
    """An approximation as it stands in a file."""
    whole = {name: np.rint(getattr(guess, name) * scale) for name, scale in SCALES.items()}
    parts = {name: np.clip(numbers, -32767, 32767).astype(np.int16) for name, numbers in whole.items()}
    return {**parts, "column": guess.ending.column, "chances": guess.ending.chances}


def unpacked_guess(numbering: Numbering, arrays: Mapping[str, np.ndarray]) -> Guess:
    """An approximation from what stands in a file."""
    parts = {name: arrays[name].astype(np.float32) / np.float32(scale) for name, scale in SCALES.items()}
    ending = indexed(numbering, arrays["column"], arrays["chances"])
    return Guess(**parts, ending=ending, order_of=orders_of(numbering.sheets))


def save_guess(path: Path, guess: Guess) -> None:
    """Write an approximation."""
    arrays: dict[str, Any] = packed_guess(guess)
    with whole_binary_file(path) as file:
        np.savez_compressed(file, **arrays)


def shipped_digest() -> str:
    """A digest of the approximation that comes with the package, to know it by."""
    return digest(resources.files("sixfold.solve.play").joinpath(FILE).read_bytes()).hex()


@cache
def shipped() -> tuple[Numbering, Guess]:
    """The approximation that comes with the package, and the numbering of its classes and rolls."""
    numbering = empty_numbering(Variant())
    with resources.files("sixfold.solve.play").joinpath(FILE).open("rb") as file:
        return numbering, unpacked_guess(numbering, np.load(file))

"""The approximation of the solution that ships with the package: an estimated chance for every position.

Its tables are fitted to the exact values (``regression``). For each pair of classes they hold the mean log-odds over
all alignments of the two sheets' symbols, and the effect of one more mark. In units of marks they hold the effect of
the dice in view on a class, and the interaction of a symbol's rows on both sheets with its dice in view. Positions with
few open boxes are stored exactly (``Ending``). Expectimax over one turn (``expectimax``) does the rest.
"""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.games.shared.mathematics import exp, tanh
from sixfold.solve.positions.sheets import (
    CODES,
    FULL,
    Variant,
    are_ascending,
    canonical,
    is_ascending,
    is_canonical_pair,
    marks,
    orders_of,
    row,
)
from sixfold.solve.positions.state_space import TIES, Numbering, empty_numbering, ties
from sixfold.solve.values.file import digest
from sixfold.system import atomic_binary_file

# The endgame begins when both sheets together have at most this many open boxes.
ENDGAME_BOXES = 14
CHANCE_LEVELS = 255

FILE = "dice.guess.npz"
DATA_FILES = ("dice.guess.npz",)
# The fixed-point scale of each stored table.
SCALES = {"pairs": 2048, "slope": 1024, "dice": 1024, "rows": 1024}


class Ending(NamedTuple):
    """The endgame table: chances as single bytes, grouped by pair of sheets, one for each column.

    The additive model is inaccurate there; without this table nearly all large errors were in the endgame.
    """

    column: np.ndarray  # as in ``Numbering``, for the classes of the endgame
    chances: np.ndarray  # in units of 1 / CHANCE_LEVELS
    pairs: np.ndarray  # both sheets of each pair in canonical form, as one number; sorted
    at: np.ndarray  # the offset of each pair's chances, then their total number


@compiled
def is_endgame(mine: int, theirs: int) -> bool:
    """Whether a pair of sheets belongs to the endgame."""
    return 2 * marks(FULL) - marks(mine) - marks(theirs) <= ENDGAME_BOXES


@compiled_with_arrays
def index_pairs(numbering: Numbering, column: np.ndarray, sheets: np.ndarray, pairs: np.ndarray, at: np.ndarray) -> int:
    """List the endgame pairs of these sheets and the offsets of their chances; returns the number of pairs."""
    number = 0
    at[0] = 0
    for mine in sheets:
        if not is_ascending(mine):
            continue
        which = numbering.class_of[mine]
        for theirs in sheets:
            if is_endgame(mine, theirs) and is_canonical_pair(mine, theirs):
                pairs[number] = mine * CODES + theirs
                at[number + 1] = at[number] + column[which * TIES + ties(mine, theirs)].max() + 1
                number += 1
    return number


def index_ending(numbering: Numbering, column: np.ndarray, chances: np.ndarray) -> Ending:
    """Build an endgame table with the index of its pairs, which is not stored."""
    endgame = np.array([is_endgame(int(sheet), FULL) and sheet != FULL for sheet in numbering.sheets])
    sheets = numbering.sheets[endgame].astype(np.int64)
    capacity = int(are_ascending(sheets).sum()) * len(sheets)
    pairs, at = np.empty(capacity, np.int64), np.empty(capacity + 1, np.int64)
    number = index_pairs(numbering, column, sheets, pairs, at)
    return Ending(column, chances, pairs[:number].copy(), at[: number + 1].copy())


@compiled
def endgame_chance(numbering: Numbering, ending: Ending, mine: int, theirs: int, shown: int) -> float:
    """The endgame chance of the player about to roll; ``shown`` is the index of a roll."""
    mine, theirs, order = canonical(mine, theirs)
    pair = np.searchsorted(ending.pairs, mine * CODES + theirs)
    form = numbering.class_of[mine] * TIES + ties(mine, theirs)
    column = ending.column[form, numbering.renamed[numbering.rank_of[order], shown]]
    return ending.chances[ending.at[pair] + column] / CHANCE_LEVELS


class Guess(NamedTuple):
    """The approximation: log-odds = pairs + slope * (dice + sum over the symbols of rows), by my class and theirs.

    Rows that need the same symbols speed up the game for both players, which favours the one who is behind. So there
    are two tables of rows, the second scaled by the player's lead. In the endgame only ``ending`` is used.
    """

    pairs: np.ndarray  # by both classes
    slope: np.ndarray  # by both classes: roughly the effect of one more mark
    dice: np.ndarray  # by my class, their stage and the dice in view, in marks
    rows: np.ndarray  # by my class, their stage, table, my row, the dice of its symbol in view and their row, in marks
    ending: Ending
    order_of: np.ndarray  # the order in which a sheet's rows ascend, by its code


@compiled
def stage(sheet: int) -> int:
    """The strip that holds the next box of the lowest row of an ascending sheet."""
    return (row(sheet, 0) > 0) + (row(sheet, 0) > 3)


@compiled
def lead_of(odds: float) -> float:
    """The lead for given log-odds, from -1 to 1."""
    return tanh(odds / 2)


@compiled
def guess_chance(numbering: Numbering, guess: Guess, mine: int, theirs: int, shown: int) -> float:
    """The estimated chance of the player about to roll."""
    if is_endgame(mine, theirs):
        return endgame_chance(numbering, guess.ending, mine, theirs, shown)
    my_class = numbering.class_of[mine]
    their_class = numbering.class_of[theirs]
    order = guess.order_of[mine]
    their_stage = stage(numbering.classes[their_class])
    rows = guess.rows[my_class, their_stage]
    lead = lead_of(guess.pairs[my_class, their_class])
    adjustment = guess.dice[my_class, their_stage, numbering.renamed[numbering.rank_of[order], shown]]
    shown_dice = numbering.rolls[shown]
    for place in range(6):
        symbol = row(order, place)
        adjustment += rows[0, place, row(shown_dice, symbol), row(theirs, symbol)]
        adjustment += lead * rows[1, place, row(shown_dice, symbol), row(theirs, symbol)]
    odds = guess.pairs[my_class, their_class] + guess.slope[my_class, their_class] * adjustment
    return 1.0 / (1.0 + exp(-odds))


# A placeholder where only the exact values are used.
NO_ENDING = Ending(np.zeros((1, 1), np.uint8), np.zeros(1, np.uint8), np.zeros(1, np.int64), np.zeros(1, np.int64))
_NO_PAIRS, _NO_DICE, _NO_ROWS = (np.zeros((1,) * sides, np.float32) for sides in (2, 3, 6))
NO_GUESS = Guess(_NO_PAIRS, _NO_PAIRS, _NO_DICE, _NO_ROWS, NO_ENDING, np.zeros(1, np.int32))


# The file


def pack_guess(guess: Guess) -> dict[str, np.ndarray]:
    """The arrays of an approximation as stored in a file."""
    scaled = {name: np.rint(getattr(guess, name) * scale) for name, scale in SCALES.items()}
    arrays = {name: np.clip(values, -32767, 32767).astype(np.int16) for name, values in scaled.items()}
    return {**arrays, "column": guess.ending.column, "chances": guess.ending.chances}


def unpack_guess(numbering: Numbering, arrays: Mapping[str, np.ndarray]) -> Guess:
    """An approximation from the arrays of a file."""
    tables = {name: arrays[name].astype(np.float32) / np.float32(scale) for name, scale in SCALES.items()}
    ending = index_ending(numbering, arrays["column"], arrays["chances"])
    return Guess(**tables, ending=ending, order_of=orders_of(numbering.sheets))


def save_guess(path: Path, guess: Guess) -> None:
    """Write an approximation to a file."""
    arrays: dict[str, Any] = pack_guess(guess)
    with atomic_binary_file(path) as file:
        np.savez_compressed(file, **arrays)


def shipped_digest() -> str:
    """A digest that identifies the shipped approximation."""
    return digest(resources.files("sixfold.solve.play").joinpath(FILE).read_bytes()).hex()


@cache
def shipped() -> tuple[Numbering, Guess]:
    """The shipped approximation, with the numbering of its classes and rolls."""
    numbering = empty_numbering(Variant())
    with resources.files("sixfold.solve.play").joinpath(FILE).open("rb") as file:
        return numbering, unpack_guess(numbering, np.load(file))

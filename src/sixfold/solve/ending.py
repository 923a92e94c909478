"""The last boxes of a game, known by heart: where few are left, every position's chance in one byte.

A sum over rows and dice is far off there, and so were nearly all large mistakes of an approximation without this.
"""

from typing import NamedTuple

import numpy as np

from sixfold.games.shared.compiling import compiled, compiled_with_arrays
from sixfold.solve.book import TIES, Numbering, locate, ties
from sixfold.solve.equation import UNIT
from sixfold.solve.packing import unpacked
from sixfold.solve.sheets import CODES, FULL, agrees, ascending, ascending_ones, canonical, marks

# So many boxes on both sheets together are few.
FEW = 14
FINEST = 255


class Ending(NamedTuple):
    """The chances with few boxes left: those of a pair of sheets stand together, one for each column."""

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
def fill_chances(numbering: Numbering, block: np.ndarray, ending: Ending, chances: np.ndarray) -> None:
    """Read the chances of an ending from the values; all its classes must be ready."""
    for pair in range(ending.pairs.size):
        place, _, _ = locate(numbering, ending.pairs[pair] // CODES, ending.pairs[pair] % CODES)
        for at in range(ending.at[pair], ending.at[pair + 1]):
            chances[at] = int(unpacked(block, place, at - ending.at[pair]) / UNIT * FINEST + 0.5)


def learn_ending(numbering: Numbering, block: np.ndarray) -> Ending:
    """The ending of a value file."""
    late = np.array([few_left(int(sheet), FULL) for sheet in numbering.classes])
    column = np.where(np.repeat(late, TIES)[:, None], numbering.column, 0).astype(np.uint8)
    ending = indexed(numbering, column, np.empty(0, np.uint8))
    chances = np.zeros(int(ending.at[-1]), np.uint8)
    fill_chances(numbering, block, ending, chances)
    return ending._replace(chances=chances)


@compiled
def remembered(numbering: Numbering, ending: Ending, mine: int, theirs: int, shown: int) -> float:
    """The chance of the player about to roll where few boxes are left; ``shown`` is the number of a roll."""
    mine, theirs, order = canonical(mine, theirs)
    pair = np.searchsorted(ending.pairs, mine * CODES + theirs)
    form = numbering.class_of[mine] * TIES + ties(mine, theirs)
    column = ending.column[form, numbering.renamed[numbering.rank_of[order], shown]]
    return ending.chances[ending.at[pair] + column] / FINEST

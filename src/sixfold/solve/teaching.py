"""The approximation, taught by the values: log-odds by both sheets' classes, and what the dice in view add to them.

It forgets how the symbols of the two sheets lie to each other, and how the dice matter more or less to different
opponents; one turn of exact looking ahead makes up for most of it.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np

from sixfold.playout import all_cores
from sixfold.rules.compiling import compiled
from sixfold.solve.book import TIES, Numbering, empty_numbering, ties
from sixfold.solve.equation import UNIT
from sixfold.solve.packing import unpacked
from sixfold.solve.reckoning import SCALE, Guess
from sixfold.solve.sheets import FULL, Variant, canonical
from sixfold.solve.values import Values, complete

FILES = {False: "dice.guess.npz", True: "dice-split_jokers.guess.npz"}


@compiled
def renamings(tied: int) -> int:
    """In how many ways tied symbols can be renamed."""
    number = 1
    run = 1
    for symbol in range(5):
        run = run + 1 if tied >> symbol & 1 else 1
        number *= run
    return number


@compiled
def log_odds(chance: float) -> float:
    """The logarithm of the odds, within what the approximation can say."""
    chance = min(max(chance, 1e-6), 1 - 1e-6)
    return np.log(chance / (1 - chance))


@compiled
def teach_class(numbering: Numbering, block: np.ndarray, which: int, pairs: np.ndarray, dice: np.ndarray) -> None:
    """Sums over all opponents of a class: chances by the opponent's class, and what each roll in view adds.

    ``pairs[:, 0]`` and ``dice[:, 0]`` are weighted sums, ``[:, 1]`` the weights; even positions teach most about dice.
    """
    mine = numbering.classes[which]
    for sheet in range(numbering.sheets.size):
        if numbering.place[which, sheet] < 0:
            continue
        theirs = numbering.sheets[sheet]
        tied = ties(mine, theirs)
        weight = renamings(ties(mine, mine)) / renamings(tied)
        at = numbering.base[which] + numbering.place[which, sheet]
        mean = 0.0
        for roll in range(numbering.rolls.size):
            mean += numbering.chance[roll] * unpacked(block, at, numbering.column[which * TIES + tied, roll]) / UNIT
        opponent = numbering.class_of[canonical(theirs, theirs)[0]]
        pairs[opponent, 0] += weight * mean
        pairs[opponent, 1] += weight
        heed = weight * mean * (1 - mean)
        for roll in range(numbering.rolls.size):
            chance = unpacked(block, at, numbering.column[which * TIES + tied, roll]) / UNIT
            dice[roll, 0] += heed * (log_odds(chance) - log_odds(mean))
            dice[roll, 1] += heed


def teach(values: Values) -> Guess:
    """The approximation of a value file; all its classes must be ready."""
    numbering = values.numbering
    number, rolls = len(numbering.classes), len(numbering.rolls)
    pairs, dice = np.zeros((number, number, 2)), np.zeros((number, rolls, 2))

    def of_class(which: int) -> None:
        teach_class(numbering, values.block, which, pairs[which], dice[which])
        mine = int(numbering.classes[which])
        # Symbols that my sheet does not tell apart count alike, whatever they are to the opponent.
        alike = numbering.column[which * TIES + ties(mine, mine)]
        for column in range(alike.max() + 1):
            dice[which, alike == column] = dice[which, alike == column].sum(axis=0)

    with ThreadPoolExecutor(all_cores()) as pool:
        list(pool.map(of_class, np.flatnonzero(numbering.classes != FULL)))
    chances = pairs[..., 0] / np.maximum(pairs[..., 1], 1e-9)
    odds = np.vectorize(log_odds, otypes=[float])(chances)
    return Guess(_parts(odds), _parts(dice[..., 0] / np.maximum(dice[..., 1], 1e-9)))


def _parts(odds: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(odds * SCALE), -32767, 32767).astype(np.int16)


def save_guess(path: Path, guess: Guess) -> None:
    with complete(path) as file:
        np.savez_compressed(file, **guess._asdict())


@cache
def shipped(split_jokers: bool) -> tuple[Numbering, Guess]:
    """The approximation that comes with the package, and the numbering of its classes and rolls."""
    with resources.files("sixfold.solve").joinpath(FILES[split_jokers]).open("rb") as file:
        arrays = np.load(file)
        return empty_numbering(Variant(split_jokers)), Guess(arrays["pairs"], arrays["dice"])

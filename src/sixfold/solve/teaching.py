"""The approximation, taught by the values.

It knows the mean over all ways in which the symbols of two sheets can lie to each other (by both classes), what one more
mark adds to the log-odds there, and, in marks, what the dice in view add to a class and how the rows of one symbol on
both sheets and its dice in view go together. One turn of exact looking ahead does the rest.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np

from sixfold.playout import all_cores
from sixfold.rules.compiling import compiled
from sixfold.rules.dice import BOXES
from sixfold.solve.book import TIES, Numbering, empty_numbering, ties
from sixfold.solve.equation import UNIT
from sixfold.solve.packing import unpacked
from sixfold.solve.reckoning import Guess
from sixfold.solve.sheets import FULL, Variant, canonical, row
from sixfold.solve.values import Values, complete

FILE = "dice.guess.npz"
SCALE = 2048.0


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
def teach_pairs(numbering: Numbering, block: np.ndarray, which: int, sums: np.ndarray) -> None:
    """Sums over all opponents of a class, by the opponent's class: chances and weights."""
    mine = numbering.classes[which]
    for sheet in range(numbering.sheets.size):
        if numbering.place[which, sheet] < 0:
            continue
        theirs = numbering.sheets[sheet]
        tied = ties(mine, theirs)
        at = numbering.base[which] + numbering.place[which, sheet]
        mean = 0.0
        for roll in range(numbering.rolls.size):
            mean += numbering.chance[roll] * unpacked(block, at, numbering.column[which * TIES + tied, roll]) / UNIT
        opponent = numbering.class_of[canonical(theirs, theirs)[0]]
        weight = renamings(ties(mine, mine)) / renamings(tied)
        sums[opponent, 0] += weight * mean
        sums[opponent, 1] += weight


@compiled
def teach_rest(
    numbering: Numbering, block: np.ndarray, guess: Guess, which: int, every: int, dice: np.ndarray, rows: np.ndarray,
    aims: np.ndarray,
) -> None:  # fmt: skip
    """Add every so many-th opponent of a class to the equations of least squares for ``dice`` and ``rows``.

    ``dice[roll]`` has a sum of what is left to explain and a sum of weights; ``rows[lowest]`` is the matrix of the
    rows' equations, ``aims[lowest]`` their right side, by the opponent's lowest row. Even positions count most.
    """
    mine = numbering.classes[which]
    items = np.empty(6, dtype=np.int64)
    for sheet in range(which % every, numbering.sheets.size, every):
        if numbering.place[which, sheet] < 0:
            continue
        theirs = numbering.sheets[sheet]
        tied = ties(mine, theirs)
        at = numbering.base[which] + numbering.place[which, sheet]
        their_rows = canonical(theirs, theirs)[0]
        low = row(their_rows, 0)
        pair = guess.pairs[which, numbering.class_of[their_rows]]
        slope = guess.slope[which, numbering.class_of[their_rows]]
        even = 1.0 / (2.0 + np.exp(pair) + np.exp(-pair))
        known = guess.rows[row(mine, 0), low]
        for roll in range(numbering.rolls.size):
            chance = unpacked(block, at, numbering.column[which * TIES + tied, roll]) / UNIT
            weight = numbering.chance[roll] * even * even * renamings(ties(mine, mine)) / renamings(tied)
            by_rows = 0.0
            for symbol in range(6):
                shown = row(numbering.rolls[roll], symbol)
                by_rows += known[shown, row(mine, symbol), row(theirs, symbol)]
                items[symbol] = (shown * 8 + row(mine, symbol)) * 8 + row(theirs, symbol)
            left = log_odds(chance) - pair
            dice[roll, 0] += weight * slope * (left - slope * by_rows)
            dice[roll, 1] += weight * slope * slope
            for symbol in range(6):
                aims[low, items[symbol]] += weight * slope * (left - slope * guess.dice[which, roll])
                for other in range(6):
                    rows[low, items[symbol], items[other]] += weight * slope * slope


def slopes(numbering: Numbering, pairs: np.ndarray) -> np.ndarray:
    """What one more mark adds to the log-odds, on average over the rows where it may stand."""
    found = np.zeros_like(pairs)
    for which, mine in enumerate(numbering.classes.tolist()):
        more = {int(canonical(mine + (1 << 3 * at), 0)[0]) for at in range(6) if row(mine, at) < BOXES}
        after = [int(numbering.class_of[sheet]) for sheet in more if sheet != FULL and numbering.class_of[sheet] >= 0]
        if after:
            found[which] = pairs[after].mean(axis=0) - pairs[which]
    return np.maximum(found, 0.02)


def teach(values: Values, every: int = 16, rounds: int = 4) -> Guess:
    """The approximation of a value file; all its classes must be ready."""
    numbering = values.numbering
    number, rolls = len(numbering.classes), len(numbering.rolls)
    sums = np.zeros((number, number, 2))
    active = np.flatnonzero(numbering.classes != FULL)
    with ThreadPoolExecutor(all_cores()) as pool:
        list(pool.map(lambda which: teach_pairs(numbering, values.block, which, sums[which]), active))
        chances = sums[..., 0] / np.maximum(sums[..., 1], 1e-9)
        pairs = np.vectorize(log_odds, otypes=[np.float32])(chances)
        dice = np.zeros((number, rolls), np.float32)
        guess = Guess(pairs, slopes(numbering, pairs), dice, np.zeros((8, 8, 5, 8, 8), np.float32))
        for _ in range(rounds):
            guess = _better(values, guess, active, every, pool)
    return rounded(guess, numbering)


def _better(values: Values, guess: Guess, active: np.ndarray, every: int, pool: ThreadPoolExecutor) -> Guess:
    """One round: the dice given the rows, and the rows given the dice, each by least squares."""
    numbering = values.numbering
    dice, rows = guess.dice.copy(), guess.rows.copy()
    size = 5 * 8 * 8

    def of_class(which: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        found = np.zeros((len(numbering.rolls), 2)), np.zeros((8, size, size)), np.zeros((8, size))
        teach_rest(numbering, values.block, guess, which, every, *found)
        return found

    lowest = row(numbering.classes, 0)
    for low in range(8):
        matrix, aims = np.zeros((8, size, size)), np.zeros((8, size))
        some = active[lowest[active] == low]
        for which, (sums, part, aim) in zip(some, pool.map(of_class, some), strict=True):
            mine = int(numbering.classes[which])
            # Symbols that my sheet does not tell apart count alike, whatever they are to the opponent.
            alike = numbering.column[which * TIES + ties(mine, mine)]
            for column in range(alike.max() + 1):
                total = sums[alike == column].sum(axis=0)
                dice[which, alike == column] = total[0] / max(total[1], 1e-12)
            matrix += part
            aims += aim
        for other in range(8):
            ridge = 1e-4 * max(np.trace(matrix[other]) / size, 1e-12)
            solution = np.linalg.solve(matrix[other] + ridge * np.eye(size), aims[other])
            rows[low, other] = solution.reshape(5, 8, 8)
    # Both at once would explain the same thing twice; half a step each settles down.
    return guess._replace(dice=(guess.dice + dice) / 2, rows=(guess.rows + rows) / 2)


def rounded(guess: Guess, numbering: Numbering) -> Guess:
    """As it will be when it is read again from a file."""
    return _read({"pairs": _parts(guess.pairs), "dice": _parts(guess.dice), "rows": _parts(guess.rows)}, numbering)


def _parts(numbers: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(numbers * SCALE), -32767, 32767).astype(np.int16)


def _read(arrays: Mapping[str, np.ndarray], numbering: Numbering) -> Guess:
    pairs, dice, rows = (arrays[name].astype(np.float32) / np.float32(SCALE) for name in ("pairs", "dice", "rows"))
    return Guess(pairs, slopes(numbering, pairs), dice, rows)


def save_guess(path: Path, guess: Guess) -> None:
    """Write an approximation; the slopes follow from the pairs."""
    with complete(path) as file:
        np.savez_compressed(file, **{name: _parts(getattr(guess, name)) for name in ("pairs", "dice", "rows")})


@cache
def shipped() -> tuple[Numbering, Guess]:
    """The approximation that comes with the package, and the numbering of its classes and rolls."""
    numbering = empty_numbering(Variant())
    with resources.files("sixfold.solve").joinpath(FILE).open("rb") as file:
        return numbering, _read(np.load(file), numbering)

"""The approximation, taught by the values: weighted least squares on the log-odds, two parts in turn."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from sixfold.games.dice.rules import BOXES
from sixfold.games.shared.compiling import compiled, compiled_with_arrays
from sixfold.solve.play.approximation import (
    FINEST,
    Ending,
    Guess,
    ahead,
    few_left,
    indexed,
    packed_guess,
    stage,
    unpacked_guess,
)
from sixfold.solve.positions.book import TIES, Numbering, locate, ties
from sixfold.solve.positions.sheets import CODES, FULL, orders_of, row
from sixfold.solve.values.equation import UNIT
from sixfold.solve.values.file import Values, unpacked
from sixfold.system import all_cores

STAGES = 3
ROUNDS = 2
ENOUGH = 2000


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
        opponent = numbering.class_of[theirs]
        weight = renamings(ties(mine, mine)) / renamings(tied)
        sums[opponent, 0] += weight * mean
        sums[opponent, 1] += weight


@compiled
def run_of(mine: int, place: int) -> int:
    """The first of the rows that are equal to this one on an ascending sheet: they are not told apart."""
    while place > 0 and row(mine, place - 1) == row(mine, place):
        place -= 1
    return place


@compiled
def explain(
    guess: Guess, numbering: Numbering, which: int, theirs: int, roll: int, items: np.ndarray, shares: np.ndarray
) -> float:
    """What the approximation adds for the dice in view, in marks; which numbers it adds up for that, and how much."""
    mine = numbering.classes[which]
    other = numbering.class_of[theirs]
    at = stage(numbering.classes[other])
    lead = ahead(guess.pairs[which, other])
    rows = guess.rows[which, at]
    total = guess.dice[which, at, roll]
    items[0] = numbering.column[which * TIES + ties(mine, mine), roll]
    shares[0] = 1.0
    for place in range(6):
        shown = row(numbering.rolls[roll], place)
        for table in range(2):
            shares[1 + table * 6 + place] = lead if table else 1.0
            total += shares[1 + table * 6 + place] * rows[table, place, shown, row(theirs, place)]
            item = ((table * 6 + run_of(mine, place)) * 5 + shown) * 8 + row(theirs, place)
            items[1 + table * 6 + place] = numbering.rolls.size + item
    return total


@compiled_with_arrays
def teach_rest(
    numbering: Numbering, block: np.ndarray, guess: Guess, which: int, matrix: np.ndarray, aims: np.ndarray,
    means: np.ndarray, lines: np.ndarray,
) -> None:  # fmt: skip
    """Add the opponents of a class to the equations of least squares for its dice and rows, by their stage.

    By the opponent's class, ``means`` gathers how much each of those numbers is added, and ``lines`` how the truth
    goes with the sum of them as it is now. Positions count as they are undecided; of many opponents some are enough.
    """
    mine = numbering.classes[which]
    items, shares = np.empty(13, dtype=np.int64), np.empty(13)
    every = 1 + numbering.sheets.size // renamings(ties(mine, mine)) // ENOUGH
    seen = 0
    for sheet in range(numbering.sheets.size):
        if numbering.place[which, sheet] < 0:
            continue
        seen += 1
        if seen % every:
            continue
        theirs = numbering.sheets[sheet]
        tied = ties(mine, theirs)
        at = numbering.base[which] + numbering.place[which, sheet]
        opponent = numbering.class_of[theirs]
        their_stage = stage(numbering.classes[opponent])
        even = 1.0 - ahead(guess.pairs[which, opponent]) ** 2
        slope = guess.slope[which, opponent]
        heed = even * even * renamings(ties(mine, mine)) / renamings(tied)
        if heed < 1e-6:
            continue
        for roll in range(numbering.rolls.size):
            weight = heed * numbering.chance[roll]
            truth = log_odds(unpacked(block, at, numbering.column[which * TIES + tied, roll]) / UNIT)
            now = explain(guess, numbering, which, theirs, roll, items, shares)
            line = lines[opponent]
            line[0] += weight
            line[1] += weight * now
            line[2] += weight * now * now
            line[3] += weight * truth
            line[4] += weight * truth * now
            for one in range(13):
                amount = weight * slope * shares[one]
                means[opponent, items[one]] += amount
                aims[their_stage, items[one]] += amount * truth
                equation = matrix[their_stage, items[one]]
                for other in range(13):
                    equation[items[other]] += amount * slope * shares[other]


def slopes(numbering: Numbering, pairs: np.ndarray) -> np.ndarray:
    """What one more mark adds to the log-odds, on average over the rows where it may stand."""
    found = np.zeros_like(pairs)
    for which, mine in enumerate(numbering.classes.tolist()):
        more = {int(numbering.class_of[mine + (1 << 3 * at)]) for at in range(6) if row(mine, at) < BOXES}
        after = [other for other in more if other >= 0 and numbering.classes[other] != FULL]
        if after:
            found[which] = pairs[after].mean(axis=0) - pairs[which]
    return np.maximum(found, 0.02)


def teach(values: Values, tell: Callable[[int, int], None] = lambda done, all: None) -> Guess:
    """The approximation of a value file; all its classes must be ready."""
    numbering = values.numbering
    number, rolls = len(numbering.classes), len(numbering.rolls)
    sums = np.zeros((number, number, 2))
    active = np.flatnonzero(numbering.classes != FULL)
    with ThreadPoolExecutor(all_cores()) as pool:
        list(pool.map(lambda which: teach_pairs(numbering, values.block, which, sums[which]), active))
        chances = sums[..., 0] / np.maximum(sums[..., 1], 1e-9)
        pairs = np.vectorize(log_odds, otypes=[np.float32])(chances)
        guess = Guess(
            pairs,
            slopes(numbering, pairs),
            np.zeros((number, STAGES, rolls), np.float32),
            np.zeros((number, STAGES, 2, 6, 5, 8), np.float32),
            learn_ending(numbering, values.block),
            orders_of(numbering.sheets),
        )
        # Dice and rows for the slopes there are, and slopes for these dice and rows, in turn.
        for done in range(2 * ROUNDS):
            list(pool.map(lambda which, part=done % 2: (learn_rows, learn_lines)[part](values, guess, which), active))
            tell(done + 1, 2 * ROUNDS)
    return unpacked_guess(numbering, packed_guess(guess))


def equations(values: Values, guess: Guess, which: int) -> list[np.ndarray]:
    """The equations of one class: see ``teach_rest``."""
    size, number = len(values.numbering.rolls) + 2 * 6 * 5 * 8, len(values.numbering.classes)
    shapes = (STAGES, size, size), (STAGES, size), (number, size), (number, 5)
    found = [np.zeros(shape) for shape in shapes]
    teach_rest(values.numbering, values.block, guess, which, *found)
    return found


def learn_rows(values: Values, guess: Guess, which: int) -> None:
    """Find the best dice and rows of one class, whatever they are on average over an opponent's class."""
    numbering = values.numbering
    mine = int(numbering.classes[which])
    matrix, aims, means, lines = equations(values, guess, which)
    alike = numbering.column[which * TIES + ties(mine, mine)]
    runs = [run_of(mine, place) for place in range(6)]
    stages = np.array([stage(sheet) for sheet in numbering.classes.tolist()])
    for at in range(STAGES):
        some = (stages == at) & (lines[:, 0] > 0)
        share = means[some] / np.maximum(lines[some, :1], 1e-300)
        left = matrix[at] - means[some].T @ share
        ridge = 1e-5 * np.trace(left) / len(left) + 1e-30
        found = np.linalg.solve(left + ridge * np.eye(len(left)), aims[at] - lines[some, 3] @ share)
        guess.dice[which, at] = found[alike]
        guess.rows[which, at] = found[len(alike) :].reshape(2, 6, 5, 8)[:, runs]


def learn_lines(values: Values, guess: Guess, which: int) -> None:
    """Find the best pairs and slopes of one class: a line through the truth for each class of opponents."""
    weight, now, square, truth, both = equations(values, guess, which)[3].T
    known = weight > 0
    weight = np.where(known, weight, 1.0)
    spread = square - now * now / weight
    # What was there keeps slopes sane that are hardly ever seen.
    prior = 0.001 * spread.max() + 1e-30
    slope = (both - now * truth / weight + prior * guess.slope[which]) / (spread + prior)
    guess.pairs[which] = np.where(known, (truth - slope * now) / weight, guess.pairs[which])
    guess.slope[which] = np.where(known, slope, guess.slope[which])


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

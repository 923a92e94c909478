"""Fitting the approximation to the values: weighted least squares on the log-odds, alternating between two parts."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from sixfold.games.dice.rules import BOXES
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.solve.play.approximation import (
    CHANCE_LEVELS,
    Ending,
    Guess,
    index_ending,
    is_endgame,
    lead_of,
    pack_guess,
    stage,
    unpack_guess,
)
from sixfold.solve.positions.sheets import CODES, FULL, orders_of, row
from sixfold.solve.positions.state_space import TIES, Numbering, locate, ties
from sixfold.solve.values.equation import UNIT
from sixfold.solve.values.file import Values, unpack_value
from sixfold.system import available_cores

STAGES = 3
ROUNDS = 2
ENOUGH_OPPONENTS = 2000


@compiled
def renamings(tied: int) -> int:
    """The number of renamings of tied symbols."""
    number = 1
    run = 1
    for symbol in range(5):
        run = run + 1 if tied >> symbol & 1 else 1
        number *= run
    return number


@compiled
def log_odds(chance: float) -> float:
    """The log-odds of a chance, clamped to the range of the approximation."""
    chance = min(max(chance, 1e-6), 1 - 1e-6)
    return np.log(chance / (1 - chance))


@compiled
def sum_pairs(numbering: Numbering, block: np.ndarray, which: int, sums: np.ndarray) -> None:
    """Sum chances and weights over all opponents of a class, by the opponent's class."""
    mine = numbering.classes[which]
    for sheet in range(numbering.sheets.size):
        if numbering.place[which, sheet] < 0:
            continue
        theirs = numbering.sheets[sheet]
        tied = ties(mine, theirs)
        at = numbering.base[which] + numbering.place[which, sheet]
        mean = 0.0
        for roll in range(numbering.rolls.size):
            mean += numbering.chance[roll] * unpack_value(block, at, numbering.column[which * TIES + tied, roll]) / UNIT
        opponent = numbering.class_of[theirs]
        weight = renamings(ties(mine, mine)) / renamings(tied)
        sums[opponent, 0] += weight * mean
        sums[opponent, 1] += weight


@compiled
def run_of(mine: int, place: int) -> int:
    """The first row equal to this one on an ascending sheet; equal rows share their parameters."""
    while place > 0 and row(mine, place - 1) == row(mine, place):
        place -= 1
    return place


@compiled
def linear_terms(
    guess: Guess, numbering: Numbering, my_class: int, theirs: int, roll: int, items: np.ndarray, shares: np.ndarray
) -> float:
    """The adjustment of the approximation in marks; also writes which parameters it sums, and their factors."""
    mine = numbering.classes[my_class]
    their_class = numbering.class_of[theirs]
    their_stage = stage(numbering.classes[their_class])
    lead = lead_of(guess.pairs[my_class, their_class])
    rows = guess.rows[my_class, their_stage]
    total = guess.dice[my_class, their_stage, roll]
    items[0] = numbering.column[my_class * TIES + ties(mine, mine), roll]
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
def add_equations(
    numbering: Numbering, block: np.ndarray, guess: Guess, which: int, matrix: np.ndarray, targets: np.ndarray,
    means: np.ndarray, lines: np.ndarray,
) -> None:  # fmt: skip
    """Add the opponents of a class to the normal equations for its dice and rows, by the opponent's stage.

    By the opponent's class, ``means`` accumulates the weight of each parameter, and ``lines`` the regression of the
    true log-odds on the current adjustment. Undecided positions weigh more; large sets of opponents are subsampled.
    """
    mine = numbering.classes[which]
    items, shares = np.empty(13, dtype=np.int64), np.empty(13)
    stride = 1 + numbering.sheets.size // renamings(ties(mine, mine)) // ENOUGH_OPPONENTS
    visited = 0
    for sheet in range(numbering.sheets.size):
        if numbering.place[which, sheet] < 0:
            continue
        visited += 1
        if visited % stride:
            continue
        theirs = numbering.sheets[sheet]
        tied = ties(mine, theirs)
        at = numbering.base[which] + numbering.place[which, sheet]
        opponent = numbering.class_of[theirs]
        their_stage = stage(numbering.classes[opponent])
        undecidedness = 1.0 - lead_of(guess.pairs[which, opponent]) ** 2
        slope = guess.slope[which, opponent]
        pair_weight = undecidedness * undecidedness * renamings(ties(mine, mine)) / renamings(tied)
        if pair_weight < 1e-6:
            continue
        for roll in range(numbering.rolls.size):
            weight = pair_weight * numbering.chance[roll]
            truth = log_odds(unpack_value(block, at, numbering.column[which * TIES + tied, roll]) / UNIT)
            prediction = linear_terms(guess, numbering, which, theirs, roll, items, shares)
            line = lines[opponent]
            line[0] += weight
            line[1] += weight * prediction
            line[2] += weight * prediction * prediction
            line[3] += weight * truth
            line[4] += weight * truth * prediction
            for term in range(13):
                amount = weight * slope * shares[term]
                means[opponent, items[term]] += amount
                targets[their_stage, items[term]] += amount * truth
                equation = matrix[their_stage, items[term]]
                for other_term in range(13):
                    equation[items[other_term]] += amount * slope * shares[other_term]


def slopes(numbering: Numbering, pairs: np.ndarray) -> np.ndarray:
    """The effect of one more mark on the log-odds, averaged over the rows that can take it."""
    result = np.zeros_like(pairs)
    for my_class, mine in enumerate(numbering.classes.tolist()):
        successors = {int(numbering.class_of[mine + (1 << 3 * at)]) for at in range(6) if row(mine, at) < BOXES}
        unfinished = [successor for successor in successors if successor >= 0 and numbering.classes[successor] != FULL]
        if unfinished:
            result[my_class] = pairs[unfinished].mean(axis=0) - pairs[my_class]
    return np.maximum(result, 0.02)


def fit(values: Values, on_progress: Callable[[int, int], None] = lambda done, total: None) -> Guess:
    """Fit the approximation to a value file; all its classes must be loaded."""
    numbering = values.numbering
    class_count, rolls = len(numbering.classes), len(numbering.rolls)
    sums = np.zeros((class_count, class_count, 2))
    active = np.flatnonzero(numbering.classes != FULL)
    with ThreadPoolExecutor(available_cores()) as pool:
        list(pool.map(lambda which: sum_pairs(numbering, values.block, which, sums[which]), active))
        chances = sums[..., 0] / np.maximum(sums[..., 1], 1e-9)
        pairs = np.vectorize(log_odds, otypes=[np.float32])(chances)
        guess = Guess(
            pairs,
            slopes(numbering, pairs),
            np.zeros((class_count, STAGES, rolls), np.float32),
            np.zeros((class_count, STAGES, 2, 6, 5, 8), np.float32),
            build_ending(numbering, values.block),
            orders_of(numbering.sheets),
        )
        # Alternate: fit dice and rows for the current slopes, then pairs and slopes for these dice and rows.
        for done in range(2 * ROUNDS):
            list(pool.map(lambda which, part=done % 2: (fit_rows, fit_lines)[part](values, guess, which), active))
            on_progress(done + 1, 2 * ROUNDS)
    return unpack_guess(numbering, pack_guess(guess))


def equations(values: Values, guess: Guess, which: int) -> list[np.ndarray]:
    """The normal equations of one class; see ``add_equations``."""
    size, class_count = len(values.numbering.rolls) + 2 * 6 * 5 * 8, len(values.numbering.classes)
    shapes = (STAGES, size, size), (STAGES, size), (class_count, size), (class_count, 5)
    arrays = [np.zeros(shape) for shape in shapes]
    add_equations(values.numbering, values.block, guess, which, *arrays)
    return arrays


def fit_rows(values: Values, guess: Guess, which: int) -> None:
    """Fit the dice and rows of one class, after removing the mean over each opponent's class."""
    numbering = values.numbering
    mine = int(numbering.classes[which])
    matrix, targets, means, lines = equations(values, guess, which)
    columns = numbering.column[which * TIES + ties(mine, mine)]
    runs = [run_of(mine, place) for place in range(6)]
    stages = np.array([stage(sheet) for sheet in numbering.classes.tolist()])
    for at in range(STAGES):
        opponents = (stages == at) & (lines[:, 0] > 0)
        share = means[opponents] / np.maximum(lines[opponents, :1], 1e-300)
        reduced = matrix[at] - means[opponents].T @ share
        ridge = 1e-5 * np.trace(reduced) / len(reduced) + 1e-30
        solution = np.linalg.solve(reduced + ridge * np.eye(len(reduced)), targets[at] - lines[opponents, 3] @ share)
        guess.dice[which, at] = solution[columns]
        guess.rows[which, at] = solution[len(columns) :].reshape(2, 6, 5, 8)[:, runs]


def fit_lines(values: Values, guess: Guess, which: int) -> None:
    """Fit the pairs and slopes of one class: a regression line for each class of opponents."""
    weight, prediction, square, truth, product = equations(values, guess, which)[3].T
    observed = weight > 0
    weight = np.where(observed, weight, 1.0)
    spread = square - prediction * prediction / weight
    # The previous slope acts as a prior where there are few observations.
    prior = 0.001 * spread.max() + 1e-30
    slope = (product - prediction * truth / weight + prior * guess.slope[which]) / (spread + prior)
    guess.pairs[which] = np.where(observed, (truth - slope * prediction) / weight, guess.pairs[which])
    guess.slope[which] = np.where(observed, slope, guess.slope[which])


@compiled
def fill_chances(numbering: Numbering, block: np.ndarray, ending: Ending, chances: np.ndarray) -> None:
    """Read the chances of the endgame from the values; all its classes must be loaded."""
    for pair in range(ending.pairs.size):
        place, _, _ = locate(numbering, ending.pairs[pair] // CODES, ending.pairs[pair] % CODES)
        for at in range(ending.at[pair], ending.at[pair + 1]):
            chances[at] = int(unpack_value(block, place, at - ending.at[pair]) / UNIT * CHANCE_LEVELS + 0.5)


def build_ending(numbering: Numbering, block: np.ndarray) -> Ending:
    """Build the endgame table of a value file."""
    endgame = np.array([is_endgame(int(sheet), FULL) for sheet in numbering.classes])
    column = np.where(np.repeat(endgame, TIES)[:, None], numbering.column, 0).astype(np.uint8)
    ending = index_ending(numbering, column, np.empty(0, np.uint8))
    chances = np.zeros(int(ending.at[-1]), np.uint8)
    fill_chances(numbering, block, ending, chances)
    return ending._replace(chances=chances)

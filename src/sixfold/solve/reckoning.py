"""What a turn is worth: every way to score a roll by the rule book, and rolling again."""

from typing import NamedTuple

import numpy as np

from sixfold.rules import dice
from sixfold.rules.compiling import compiled
from sixfold.rules.shared import NONE
from sixfold.solve.book import TIES, Numbering, TurnTables, locate
from sixfold.solve.equation import UNIT, WON
from sixfold.solve.packing import unpacked
from sixfold.solve.sheets import FULL, canonical, code, marks
from sixfold.solve.turns import after, lay_out
from sixfold.solve.values import value

UNKNOWN = -2

# How the values of a position are had: from the file, or from the approximation.


class Guess(NamedTuple):
    """The approximation: log-odds in parts of SCALE, by both classes, and what the dice in view add, by class."""

    pairs: np.ndarray
    dice: np.ndarray


SCALE = 2048.0


@compiled
def guessed(numbering: Numbering, guess: Guess, mine: int, theirs: int, shown: int) -> float:
    """About the chance of the player about to roll."""
    my_rows, _, order = canonical(mine, mine)
    their_rows, _, _ = canonical(theirs, theirs)
    which = numbering.class_of[my_rows]
    odds = float(guess.pairs[which, numbering.class_of[their_rows]])
    odds += guess.dice[which, numbering.renamed[numbering.rank_of[order], shown]]
    return 1.0 / (1.0 + np.exp(-odds / SCALE))


@compiled
def worth(numbering: Numbering, block: np.ndarray, sheet: int, theirs: int, roll: int) -> float:
    """My chance when I end a turn with this sheet, showing this roll; the opponent's class must be ready."""
    if sheet == FULL:
        return 1.0
    return 1.0 - value(numbering, block, theirs, sheet, roll) / UNIT


@compiled
def guessed_worth(numbering: Numbering, guess: Guess, sheet: int, theirs: int, roll: int) -> float:
    """The same by the approximation."""
    if sheet == FULL:
        return 1.0
    return 1.0 - guessed(numbering, guess, theirs, sheet, roll)


# How a way to score is chosen.
BEST = 0
NO_JOKERS = 1
GREEDY = 2
GUESS = 3


@compiled
def choose(
    numbering: Numbering, block: np.ndarray, guess: Guess, taste: int, trial: np.ndarray, mine: int, theirs: int,
    shown: int, roll: int,
) -> tuple[int, float]:  # fmt: skip
    """The way to score a roll that somebody's taste prefers, and its worth in their eyes; dice as codes."""
    state = trial[0]
    lay_out(state, mine, shown, roll)
    number = numbering.roll_of[roll]
    best = NONE
    best_worth = -1.0
    most = -1
    for which in range(1 if taste == NO_JOKERS else dice.count(state)):
        move = dice.nth(state, which)
        sheet = after(state, mine, move)
        if taste == GREEDY:
            made = marks(sheet)
            if made < most:
                continue
            if made > most:
                most = made
                best_worth = -1.0
        if taste == GUESS:
            own = guessed_worth(numbering, guess, sheet, theirs, number)
        else:
            own = worth(numbering, block, sheet, theirs, number)
        if own > best_worth:
            best = move
            best_worth = own
    return best, best_worth


@compiled
def look_ahead(
    numbering: Numbering, block: np.ndarray, guess: Guess, taste: int, trial: np.ndarray, mine: int, theirs: int,
    shown: int, again: np.ndarray,
) -> None:  # fmt: skip
    """What the first, second and third roll are worth to somebody before they are made, in this order in ``again``."""
    keep = np.empty(numbering.rolls.size)
    for roll in range(numbering.rolls.size):
        _, keep[roll] = choose(numbering, block, guess, taste, trial, mine, theirs, shown, numbering.rolls[roll])
    expect(numbering.chance, keep, again)


@compiled
def expect(chance: np.ndarray, keep: np.ndarray, again: np.ndarray) -> None:
    """D4: from what keeping each roll is worth to what the third, second and first roll are worth."""
    after_it = 0.0
    for rolls in range(dice.ROLLS - 1, -1, -1):
        again[rolls] = 0.0
        for roll in range(chance.size):
            again[rolls] += chance[roll] * max(keep[roll], after_it)
        after_it = again[rolls]


@compiled
def look_ahead_quickly(
    numbering: Numbering, turns: TurnTables, block: np.ndarray, mine: int, theirs: int, shown: int, places: np.ndarray,
    again: np.ndarray,
) -> None:  # fmt: skip
    """The same for perfect play, from the tables of all turns; ``places`` is room for three numbers a successor."""
    mine, theirs, order = canonical(mine, theirs)
    _, form, _ = locate(numbering, mine, theirs)
    which = form // TIES
    column = turns.sample[form, numbering.column[form, numbering.renamed[numbering.rank_of[order], shown]]]
    begin = turns.successor_at[which]
    for successor in range(turns.successor_at[which + 1] - begin):
        places[successor, 0] = UNKNOWN
    keep = np.empty(numbering.rolls.size)
    for roll in range(numbering.rolls.size):
        outcomes = turns.set_at[which] + turns.cells[turns.cell_at[which] + roll * turns.width[which] + column]
        best = 0
        for member in range(turns.bounds[outcomes], turns.bounds[outcomes + 1]):
            successor = turns.outcome_successor[turns.outcome_at[which] + turns.members[member]]
            if places[successor, 0] == UNKNOWN:
                find_place(numbering, theirs, turns.successors[begin + successor], places[successor])
            at, their_form, rank = places[successor]
            if at == WON:
                best = UNIT
            else:
                seen = numbering.column[their_form, numbering.renamed[rank, roll]]
                best = max(best, UNIT - unpacked(block, at, seen))
        keep[roll] = best / UNIT
    expect(numbering.chance, keep, again)


@compiled
def find_place(numbering: Numbering, theirs: int, sheet: int, place: np.ndarray) -> None:
    """Where the opponent's values stand after a turn that ends with this sheet."""
    if sheet == FULL:
        place[0] = WON
    else:
        place[0], place[1], place[2] = locate(numbering, theirs, sheet)


@compiled
def sheet_of(state: np.record, player: int) -> int:
    """A player's sheet as a code."""
    return code(state.marks[player])


@compiled
def dice_of(state: np.record, player: int) -> int:
    """The dice a player shows, as a code."""
    return code(state.dice[player])

"""Expectimax over one turn: every way to score a roll by the rule book, and rolling again, judged by the values."""

import numpy as np

from sixfold.games.dice import rules as dice
from sixfold.games.shared.compiling import compiled, compiled_with_arrays
from sixfold.games.shared.symbols import NONE
from sixfold.solve.play.approximation import Guess, guessed
from sixfold.solve.positions.book import TIES, Numbering, TurnTables, locate
from sixfold.solve.positions.outcomes import after, covers, lay_out
from sixfold.solve.positions.sheets import FULL, canonical, code, marks
from sixfold.solve.values.equation import UNIT, WON
from sixfold.solve.values.file import unpacked, value

UNKNOWN = -2


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


# No values, for whoever needs only the approximation.
NO_BLOCK = np.zeros(1, dtype=np.uint8)

# How a way to score is chosen: the best, the best without jokers, the best of those with most marks, the best guess.
BEST = 0
NO_JOKERS = 1
GREEDY = 2
GUESS = 3


@compiled
def candidates(taste: int, state: np.record, mine: int, sheets: np.ndarray, moves: np.ndarray) -> int:
    """The ways to score that somebody looks at, and the sheets they give: only those that no other covers (D12)."""
    number = 0
    for which in range(1 if taste == NO_JOKERS else dice.count(state)):
        move = dice.nth(state, which)
        sheet = after(state, mine, move)
        covered = False
        for at in range(number):
            covered = covered or covers(sheets[at], sheet)
        if covered or (taste == GREEDY and number and marks(sheet) < marks(sheets[0])):
            continue
        kept = 0
        for at in range(number):
            if not covers(sheet, sheets[at]) and (taste != GREEDY or marks(sheets[at]) == marks(sheet)):
                sheets[kept] = sheets[at]
                moves[kept] = moves[at]
                kept += 1
        sheets[kept] = sheet
        moves[kept] = move
        number = kept + 1
    return number


@compiled_with_arrays
def choose(
    numbering: Numbering, block: np.ndarray, guess: Guess, taste: int, trial: np.ndarray, mine: int, theirs: int,
    shown: int, roll: int,
) -> tuple[int, float]:  # fmt: skip
    """The way to score a roll that somebody's taste prefers, and its worth in their eyes; dice as codes."""
    sheets = np.empty(dice.MOST_LEGAL, dtype=np.int64)
    moves = np.empty(dice.MOST_LEGAL, dtype=np.int64)
    lay_out(trial[0], mine, shown, roll)
    number = numbering.roll_of[roll]
    best = NONE
    best_worth = -1.0
    for at in range(candidates(taste, trial[0], mine, sheets, moves)):
        if taste == GUESS:
            own = guessed_worth(numbering, guess, sheets[at], theirs, number)
        else:
            own = worth(numbering, block, sheets[at], theirs, number)
        if own > best_worth:
            best = moves[at]
            best_worth = own
    return best, best_worth


@compiled_with_arrays
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


@compiled_with_arrays
def best_move(
    numbering: Numbering, block: np.ndarray, guess: Guess, taste: int, trial: np.ndarray, mine: int, theirs: int,
    shown: int, roll: int, rolls: int,
) -> int:  # fmt: skip
    """The move of somebody who has made so many rolls in this turn: score, or roll again if that is worth more."""
    move, own = choose(numbering, block, guess, taste, trial, mine, theirs, shown, roll)
    if rolls < dice.ROLLS:
        again = np.empty(dice.ROLLS)
        look_ahead(numbering, block, guess, taste, trial, mine, theirs, shown, again)
        if again[rolls] > own:
            return dice.REROLL
    return move


@compiled_with_arrays
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

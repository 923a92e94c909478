"""Expectimax over one turn: every legal way to score a roll, and rerolling, evaluated by the values."""

import numpy as np

from sixfold.games.dice import rules as dice
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.games.shared.symbols import NONE
from sixfold.solve.play.approximation import Guess, guess_chance
from sixfold.solve.positions.outcomes import covers, lay_out, sheet_after
from sixfold.solve.positions.sheets import FULL, canonical, code, marks
from sixfold.solve.positions.state_space import TIES, Numbering, TurnTables, locate
from sixfold.solve.values.equation import UNIT, WON
from sixfold.solve.values.file import read_value, unpack_value

UNKNOWN = -2


@compiled
def worth(numbering: Numbering, block: np.ndarray, sheet: int, theirs: int, roll: int) -> float:
    """The player's chance after ending a turn with this sheet and roll; the opponent's class must be loaded."""
    if sheet == FULL:
        return 1.0
    return 1.0 - read_value(numbering, block, theirs, sheet, roll) / UNIT


@compiled
def guess_worth(numbering: Numbering, guess: Guess, sheet: int, theirs: int, roll: int) -> float:
    """The same chance by the approximation."""
    if sheet == FULL:
        return 1.0
    return 1.0 - guess_chance(numbering, guess, theirs, sheet, roll)


# A placeholder where only the approximation is used.
NO_BLOCK = np.zeros(1, dtype=np.uint8)

# Policies for scoring: by exact value, without jokers, most marks first, or by the approximation.
BEST = 0
NO_JOKERS = 1
GREEDY = 2
GUESS = 3


@compiled
def candidates(policy: int, state: np.record, mine: int, sheets: np.ndarray, moves: np.ndarray) -> int:
    """List the ways to score that a policy considers and their sheets, without those that another one covers (D12)."""
    number = 0
    for index in range(1 if policy == NO_JOKERS else dice.count(state)):
        move = dice.nth(state, index)
        sheet = sheet_after(state, mine, move)
        covered = False
        for at in range(number):
            covered = covered or covers(sheets[at], sheet)
        if covered or (policy == GREEDY and number and marks(sheet) < marks(sheets[0])):
            continue
        remaining = 0
        for at in range(number):
            if not covers(sheet, sheets[at]) and (policy != GREEDY or marks(sheets[at]) == marks(sheet)):
                sheets[remaining] = sheets[at]
                moves[remaining] = moves[at]
                remaining += 1
        sheets[remaining] = sheet
        moves[remaining] = move
        number = remaining + 1
    return number


@compiled_with_arrays
def choose(
    numbering: Numbering, block: np.ndarray, guess: Guess, policy: int, trial: np.ndarray, mine: int, theirs: int,
    shown: int, roll: int,
) -> tuple[int, float]:  # fmt: skip
    """The way to score a roll that a policy prefers, and its worth by that policy; dice as codes."""
    sheets = np.empty(dice.MAX_LEGAL, dtype=np.int64)
    moves = np.empty(dice.MAX_LEGAL, dtype=np.int64)
    lay_out(trial[0], mine, shown, roll)
    roll_index = numbering.roll_of[roll]
    best = NONE
    best_worth = -1.0
    for at in range(candidates(policy, trial[0], mine, sheets, moves)):
        if policy == GUESS:
            candidate_worth = guess_worth(numbering, guess, sheets[at], theirs, roll_index)
        else:
            candidate_worth = worth(numbering, block, sheets[at], theirs, roll_index)
        if candidate_worth > best_worth:
            best = moves[at]
            best_worth = candidate_worth
    return best, best_worth


@compiled_with_arrays
def look_ahead(
    numbering: Numbering, block: np.ndarray, guess: Guess, policy: int, trial: np.ndarray, mine: int, theirs: int,
    shown: int, reroll_worth: np.ndarray,
) -> None:  # fmt: skip
    """Compute the policy's worth of the first, second and third roll before each is made."""
    keep_worth = np.empty(numbering.rolls.size)
    for roll in range(numbering.rolls.size):
        _, keep_worth[roll] = choose(numbering, block, guess, policy, trial, mine, theirs, shown, numbering.rolls[roll])
    expect(numbering.chance, keep_worth, reroll_worth)


@compiled
def expect(chance: np.ndarray, keep_worth: np.ndarray, reroll_worth: np.ndarray) -> None:
    """D4: from the worth of keeping each roll, compute the worth of the third, second and first roll."""
    next_roll = 0.0
    for rolls in range(dice.ROLLS - 1, -1, -1):
        reroll_worth[rolls] = 0.0
        for roll in range(chance.size):
            reroll_worth[rolls] += chance[roll] * max(keep_worth[roll], next_roll)
        next_roll = reroll_worth[rolls]


@compiled_with_arrays
def best_move(
    numbering: Numbering, block: np.ndarray, guess: Guess, policy: int, trial: np.ndarray, mine: int, theirs: int,
    shown: int, roll: int, rolls: int,
) -> int:  # fmt: skip
    """A policy's move after ``rolls`` rolls of a turn: score, or reroll if that is worth more."""
    move, keep_worth = choose(numbering, block, guess, policy, trial, mine, theirs, shown, roll)
    if rolls < dice.ROLLS:
        reroll_worth = np.empty(dice.ROLLS)
        look_ahead(numbering, block, guess, policy, trial, mine, theirs, shown, reroll_worth)
        if reroll_worth[rolls] > keep_worth:
            return dice.REROLL
    return move


@compiled_with_arrays
def look_ahead_quickly(
    numbering: Numbering, turns: TurnTables, block: np.ndarray, mine: int, theirs: int, shown: int, places: np.ndarray,
    reroll_worth: np.ndarray,
) -> None:  # fmt: skip
    """``look_ahead`` for perfect play, using the turn tables; ``places`` holds three scratch numbers per successor."""
    mine, theirs, order = canonical(mine, theirs)
    _, form, _ = locate(numbering, mine, theirs)
    my_class = form // TIES
    column = turns.sample[form, numbering.column[form, numbering.renamed[numbering.rank_of[order], shown]]]
    first_successor = turns.successor_at[my_class]
    for successor in range(turns.successor_at[my_class + 1] - first_successor):
        places[successor, 0] = UNKNOWN
    keep_worth = np.empty(numbering.rolls.size)
    for roll in range(numbering.rolls.size):
        outcomes = turns.set_at[my_class] + turns.cells[turns.cell_at[my_class] + roll * turns.width[my_class] + column]
        best = 0
        for member in range(turns.bounds[outcomes], turns.bounds[outcomes + 1]):
            successor = turns.outcome_successor[turns.outcome_at[my_class] + turns.members[member]]
            if places[successor, 0] == UNKNOWN:
                find_place(numbering, theirs, turns.successors[first_successor + successor], places[successor])
            at, their_form, rank = places[successor]
            if at == WON:
                best = UNIT
            else:
                their_column = numbering.column[their_form, numbering.renamed[rank, roll]]
                best = max(best, UNIT - unpack_value(block, at, their_column))
        keep_worth[roll] = best / UNIT
    expect(numbering.chance, keep_worth, reroll_worth)


@compiled
def find_place(numbering: Numbering, theirs: int, sheet: int, place: np.ndarray) -> None:
    """Locate the opponent's values after a turn that ends with this sheet."""
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

"""What a roll can make of a sheet: every way to score it by the rule book, less what another way beats everywhere.

The opponent's sheet plays no part in it, so it is worked out once for each sheet, dice in view and roll.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sixfold.games.dice import rules as dice
from sixfold.games.shared.compiling import compiled, compiled_with_arrays
from sixfold.solve.positions.sheets import CODES, code, row

MOST_RESULTS = dice.MOST_LEGAL
# The lowest bit of the row after each row.
_BORROWED = 0o1111110


def before_scoring(split_jokers: bool) -> np.ndarray:
    """A state of the rule book in which player 0 has made the third roll; sheets and dice are filled in later."""
    states = dice.start(2, split_jokers=split_jokers)
    states[0].opening = 0
    states[0].turn = 0
    states[0].rolls = dice.ROLLS
    states[0].phase = dice.DECIDE
    return states


@compiled
def lay_out(state: np.record, mine: int, shown: int, roll: int) -> None:
    """Put a sheet, the opponent's dice and a roll of player 0 into the rule book's state."""
    for symbol in range(6):
        state.marks[0, symbol] = row(mine, symbol)
        state.dice[0, symbol] = row(roll, symbol)
        state.dice[1, symbol] = row(shown, symbol)


@compiled
def after(state: np.record, mine: int, move: int) -> int:
    """D6 to D12: the sheet that a way to score gives, by the rule book."""
    dice.earn(state, move)
    dice.mark(state)
    result = code(state.marks[0])
    for symbol in range(6):
        state.marks[0, symbol] = row(mine, symbol)
    return result


@compiled
def covers(more: int, less: int) -> bool:
    """Has one sheet at least as many marks as the other in every row? Then no row borrows from the next."""
    return (more ^ less ^ (more - less)) & _BORROWED == 0


@compiled
def add_result(results: np.ndarray, number: int, word: int) -> int:
    """Take a sheet into the list unless one there covers it; what it covers goes. More marks never hurt (D12)."""
    for at in range(number):
        if covers(results[at], word):
            return number
    kept = 0
    for at in range(number):
        if not covers(word, results[at]):
            results[kept] = results[at]
            kept += 1
    results[kept] = word
    return kept + 1


@compiled
def best_results(state: np.record, mine: int, results: np.ndarray) -> int:
    """The sheets that the laid-out roll can give, without those that another covers, in ascending order."""
    number = 0
    for which in range(dice.count(state)):
        number = add_result(results, number, after(state, mine, dice.nth(state, which)))
    for at in range(1, number):
        word = results[at]
        place = at
        while place > 0 and results[place - 1] > word:
            results[place] = results[place - 1]
            place -= 1
        results[place] = word
    return number


@compiled
def same_list(one: np.ndarray, other: np.ndarray, size: int) -> bool:
    """Do two lists begin with the same numbers?"""
    for at in range(size):
        if one[at] != other[at]:
            return False
    return True


@compiled
def find_set(draft: "Draft", results: np.ndarray, size: int, first: int, sets: int) -> int:
    """The set among those of the same roll that holds exactly these results; the number of sets if there is none."""
    for which in range(first, sets):
        begin = draft.bounds[which]
        if draft.bounds[which + 1] - begin == size and same_list(draft.members[begin:], results, size):
            return which
    return sets


@compiled_with_arrays
def tabulate(states: np.ndarray, mine: int, rolls: np.ndarray, draft: "Draft") -> int:
    """For every roll (columns) against every dice in view (rows): the number of its set of results; returns how many.

    A set belongs to one roll, since the roll stays in view; ``draft.members`` holds the sheets of every set.
    """
    results = np.empty(MOST_RESULTS, dtype=np.int32)
    sets = 0
    draft.bounds[0] = 0
    for roll in range(rolls.size):
        first = sets
        for shown in range(rolls.size):
            lay_out(states[0], mine, rolls[shown], rolls[roll])
            size = best_results(states[0], mine, results)
            which = find_set(draft, results, size, first, sets)
            if which == sets:
                begin = draft.bounds[sets]
                draft.members[begin : begin + size] = results[:size]
                draft.bounds[sets + 1] = begin + size
                draft.rolls[sets] = roll
                sets += 1
            draft.cells[shown, roll] = which
    return sets


class Draft(NamedTuple):
    """Room for one sheet's table."""

    cells: np.ndarray
    bounds: np.ndarray
    members: np.ndarray
    rolls: np.ndarray


@dataclass(frozen=True)
class Turns:
    """All that a turn can make of one sheet.

    ``columns`` gives dice in view that make no difference the same number; ``cells[roll, column]`` is a set of
    outcomes, from ``bounds[set]`` in ``members``; an outcome is a roll with the sheet it leads to (``successors``);
    ``idle[roll]`` is the set that marks nothing, or -1.
    """

    columns: np.ndarray
    cells: np.ndarray
    bounds: np.ndarray
    members: np.ndarray
    outcome_successor: np.ndarray
    outcome_roll: np.ndarray
    successors: np.ndarray
    idle: np.ndarray


def turns(mine: int, rolls: np.ndarray, split_jokers: bool) -> Turns:
    """The table of one sheet, from the rule book."""
    number = len(rolls)
    cells = np.zeros((number, number), dtype=np.int32)
    draft = Draft(cells, *(np.zeros(size, np.int32) for size in (number**2 + 1, number**2 * 8, number**2)))
    sets = tabulate(before_scoring(split_jokers), mine, rolls, draft)
    bounds, set_rolls = draft.bounds[: sets + 1].copy(), draft.rolls[:sets]
    sheets = draft.members[: bounds[-1]]
    pairs = np.repeat(set_rolls, np.diff(bounds)).astype(np.int64) << 18 | sheets
    outcomes, members = np.unique(pairs, return_inverse=True)
    successors, outcome_successor = np.unique(outcomes & (CODES - 1), return_inverse=True)
    idle = np.full(number, -1, dtype=np.int32)
    still = np.flatnonzero((np.diff(bounds) == 1) & (sheets[bounds[:-1]] == mine))
    idle[set_rolls[still]] = still
    _, first, columns = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    return Turns(
        columns=columns.ravel().astype(np.uint8),
        cells=np.ascontiguousarray(cells[first].T).astype(np.uint16),
        bounds=bounds,
        members=members.ravel().astype(np.uint16),
        outcome_successor=outcome_successor.ravel().astype(np.uint16),
        outcome_roll=(outcomes >> 18).astype(np.uint8),
        successors=successors.astype(np.int32),
        idle=idle,
    )

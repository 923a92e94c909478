"""The outcomes of a roll for a sheet: every legal way to score it, without dominated ones.

They do not depend on the opponent's sheet, so they are computed once for each sheet, dice in view and roll.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sixfold.games.dice import rules as dice
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.solve.positions.sheets import CODES, code, row

MAX_RESULTS = dice.MAX_LEGAL
# The lowest bit of the row after each row.
_BORROW_BITS = 0o1111110


def scoring_state(split_jokers: bool) -> np.ndarray:
    """A game state in which player 0 has made the third roll; ``lay_out`` fills in sheets and dice."""
    states = dice.start(2, split_jokers=split_jokers)
    states[0].opening = 0
    states[0].turn = 0
    states[0].rolls = dice.ROLLS
    states[0].phase = dice.DECIDE
    return states


@compiled
def lay_out(state: np.record, mine: int, shown: int, roll: int) -> None:
    """Put player 0's sheet and roll and the opponent's dice into a game state."""
    for symbol in range(6):
        state.marks[0, symbol] = row(mine, symbol)
        state.dice[0, symbol] = row(roll, symbol)
        state.dice[1, symbol] = row(shown, symbol)


@compiled
def sheet_after(state: np.record, mine: int, move: int) -> int:
    """D6 to D12: the sheet after a way to score, by the rules; the state is restored."""
    dice.earn(state, move)
    dice.mark(state)
    result = code(state.marks[0])
    for symbol in range(6):
        state.marks[0, symbol] = row(mine, symbol)
    return result


@compiled
def covers(more: int, less: int) -> bool:
    """Whether one sheet has at least as many marks as another in every row: then no row borrows from the next."""
    return (more ^ less ^ (more - less)) & _BORROW_BITS == 0


@compiled
def add_result(results: np.ndarray, count: int, sheet: int) -> int:
    """Add a sheet to the list unless one there covers it, and remove those it covers: more marks never hurt (D12)."""
    for at in range(count):
        if covers(results[at], sheet):
            return count
    remaining = 0
    for at in range(count):
        if not covers(sheet, results[at]):
            results[remaining] = results[at]
            remaining += 1
    results[remaining] = sheet
    return remaining + 1


@compiled
def undominated_results(state: np.record, mine: int, results: np.ndarray) -> int:
    """The sheets that the laid-out roll can lead to, without covered ones, in ascending order."""
    count = 0
    for index in range(dice.count(state)):
        count = add_result(results, count, sheet_after(state, mine, dice.nth(state, index)))
    for at in range(1, count):
        sheet = results[at]
        place = at
        while place > 0 and results[place - 1] > sheet:
            results[place] = results[place - 1]
            place -= 1
        results[place] = sheet
    return count


@compiled
def same_prefix(first: np.ndarray, second: np.ndarray, size: int) -> bool:
    """Whether two lists share their first ``size`` numbers."""
    for at in range(size):
        if first[at] != second[at]:
            return False
    return True


@compiled
def find_set(draft: "Draft", results: np.ndarray, size: int, first: int, sets: int) -> int:
    """The set of the same roll with exactly these results; the number of sets if there is none."""
    for which in range(first, sets):
        begin = draft.bounds[which]
        if draft.bounds[which + 1] - begin == size and same_prefix(draft.members[begin:], results, size):
            return which
    return sets


@compiled_with_arrays
def tabulate(states: np.ndarray, mine: int, rolls: np.ndarray, draft: "Draft") -> int:
    """Number the set of results of every roll (columns) against all dice in view (rows); returns the number of sets.

    A set belongs to one roll, since the roll stays in view; ``draft.members`` holds the sheets of every set.
    """
    results = np.empty(MAX_RESULTS, dtype=np.int32)
    sets = 0
    draft.bounds[0] = 0
    for roll in range(rolls.size):
        first = sets
        for shown in range(rolls.size):
            lay_out(states[0], mine, rolls[shown], rolls[roll])
            size = undominated_results(states[0], mine, results)
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
    """Scratch arrays for one sheet's table."""

    cells: np.ndarray
    bounds: np.ndarray
    members: np.ndarray
    rolls: np.ndarray


@dataclass(frozen=True)
class Turns:
    """All outcomes of a turn for one sheet.

    ``columns`` assigns equivalent dice in view the same number; ``cells[roll, column]`` is a set of
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
    """Compute the table of one sheet by the rules."""
    roll_count = len(rolls)
    cells = np.zeros((roll_count, roll_count), dtype=np.int32)
    draft = Draft(cells, *(np.zeros(size, np.int32) for size in (roll_count**2 + 1, roll_count**2 * 8, roll_count**2)))
    sets = tabulate(scoring_state(split_jokers), mine, rolls, draft)
    bounds, set_rolls = draft.bounds[: sets + 1].copy(), draft.rolls[:sets]
    sheets = draft.members[: bounds[-1]]
    pairs = np.repeat(set_rolls, np.diff(bounds)).astype(np.int64) << 18 | sheets
    outcomes, members = np.unique(pairs, return_inverse=True)
    successors, outcome_successor = np.unique(outcomes & (CODES - 1), return_inverse=True)
    idle = np.full(roll_count, -1, dtype=np.int32)
    idle_sets = np.flatnonzero((np.diff(bounds) == 1) & (sheets[bounds[:-1]] == mine))
    idle[set_rolls[idle_sets]] = idle_sets
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

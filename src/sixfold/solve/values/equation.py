"""Value iteration on the Bellman optimality equation, for one pair of sheets at a time.

Chances are integers in units of 1 / ``UNIT``, so the iteration ends when nothing changes. A turn that marks something
leads to a pair with more marks, which was solved before; one that marks nothing leads from (mine, theirs) to
(theirs, mine), so these two are solved together. The functions process every ``step``-th item from ``first`` on: a CPU
core processes all of them, the threads of a CUDA block share them.
"""

from typing import NamedTuple

import numpy as np

from sixfold.games.shared.compiler import compiled
from sixfold.solve.positions.sheets import FULL, canonical
from sixfold.solve.positions.state_space import TIES, Numbering, TurnTables, locate

UNIT = 1 << 30
WON = -1


class Side(NamedTuple):
    """Scratch arrays for solving one pair of sheets from one side."""

    at: np.ndarray  # of each successor: the offset of the opponent's values
    form: np.ndarray  # its class and ties
    order: np.ndarray  # its order of the symbols
    outcome: np.ndarray  # the worth of each outcome to me
    best: np.ndarray  # the worth of each set of outcomes
    keep: np.ndarray  # the worth of keeping a roll, by roll and column
    again: np.ndarray  # the worth of the next roll, by column
    value: np.ndarray  # the values, by column


def make_side(turns: TurnTables, rolls: int) -> Side:
    """Allocate scratch arrays large enough for any pair."""

    def largest(starts: np.ndarray) -> int:
        return int(np.diff(starts).max())

    successors = largest(turns.successor_at)
    return Side(
        np.zeros(successors, np.int64), np.zeros(successors, np.int32), np.zeros(successors, np.int16),
        np.zeros(largest(turns.outcome_at), np.int32), np.zeros(largest(turns.set_at), np.int32),
        np.zeros(rolls * rolls), np.zeros((2, rolls)), np.zeros(rolls, np.int32),
    )  # fmt: skip


@compiled
def find_successors(
    numbering: Numbering, turns: TurnTables, which: int, theirs: int, side: Side, first: int, step: int
) -> None:
    """Locate the opponent's values after each result of my turn."""
    begin = turns.successor_at[which]
    for successor in range(first, turns.successor_at[which + 1] - begin, step):
        mine = turns.successors[begin + successor]
        if mine == FULL:
            side.at[successor] = WON
        else:
            at, form, order = locate(numbering, theirs, mine)
            side.at[successor] = at
            side.form[successor] = form
            side.order[successor] = order


@compiled
def look_up_outcomes(
    numbering: Numbering, turns: TurnTables, values: np.ndarray, which: int, side: Side, first: int, step: int
) -> None:
    """Compute the worth of each outcome: one minus the chance of the opponent, who now sees my roll."""
    begin = turns.outcome_at[which]
    for outcome in range(first, turns.outcome_at[which + 1] - begin, step):
        successor = turns.outcome_successor[begin + outcome]
        at = side.at[successor]
        if at == WON:
            side.outcome[outcome] = UNIT
        else:
            shown = numbering.renamed[side.order[successor], turns.outcome_roll[begin + outcome]]
            side.outcome[outcome] = UNIT - values[at + numbering.column[side.form[successor], shown]]


@compiled
def choose_outcomes(turns: TurnTables, which: int, side: Side, first: int, step: int) -> None:
    """Compute the worth of the best outcome of each set."""
    begin = turns.set_at[which]
    for number in range(first, turns.set_at[which + 1] - begin - 1, step):
        best = 0
        for member in range(turns.bounds[begin + number], turns.bounds[begin + number + 1]):
            best = max(best, side.outcome[turns.members[member]])
        side.best[number] = best


@compiled
def fill_keep(turns: TurnTables, which: int, form: int, columns: int, rolls: int, side: Side) -> None:
    """Compute the worth of keeping each roll against all dice in view."""
    width = turns.width[which]
    for roll in range(rolls):
        begin = turns.cell_at[which] + roll * width
        for column in range(columns):
            side.keep[roll * columns + column] = side.best[turns.cells[begin + turns.sample[form, column]]]


@compiled
def set_idle_worth(turns: TurnTables, which: int, form: int, columns: int, roll: int, side: Side, worth: int) -> None:
    """Set the worth of keeping a roll that marks nothing."""
    idle = turns.idle[which, roll]
    if idle < 0 or side.best[idle] == worth:
        return
    side.best[idle] = worth
    begin = turns.cell_at[which] + roll * turns.width[which]
    for column in range(columns):
        if turns.cells[begin + turns.sample[form, column]] == idle:
            side.keep[roll * columns + column] = worth


@compiled
def roll_thrice(chance: np.ndarray, columns: int, side: Side) -> int:
    """D4: compute the value of a turn of up to three rolls for all dice in view; returns the largest change."""
    this_roll = side.again[0]
    next_roll = side.again[1]
    next_roll[:columns] = 0.0
    for _ in range(3):
        this_roll[:columns] = 0.0
        for roll in range(chance.size):
            probability = chance[roll]
            keep = side.keep[roll * columns : (roll + 1) * columns]
            for column in range(columns):
                this_roll[column] += probability * max(keep[column], next_roll[column])
        this_roll, next_roll = next_roll, this_roll
    change = 0
    for column in range(columns):
        value = int(next_roll[column] + 0.5)
        change = max(change, abs(value - side.value[column]))
        side.value[column] = value
    return change


@compiled
def column_value(turns: TurnTables, chance: np.ndarray, best: np.ndarray, form: int, column: int) -> int:
    """The value of a turn for a single column, directly from the sets."""
    width = turns.width[form // TIES]
    begin = turns.cell_at[form // TIES] + turns.sample[form, column]
    value = 0.0
    for _ in range(3):
        again = 0.0
        for roll in range(chance.size):
            again += chance[roll] * max(float(best[turns.cells[begin + roll * width]]), value)
        value = again
    return int(value + 0.5)


@compiled
def prepare(numbering: Numbering, turns: TurnTables, values: np.ndarray, theirs: int, form: int, side: Side) -> None:
    """Prepare everything that a pair needs from pairs with more marks; ``link_idle_roll`` adds idle rolls."""
    which = form // TIES
    find_successors(numbering, turns, which, theirs, side, 0, 1)
    look_up_outcomes(numbering, turns, values, which, side, 0, 1)
    choose_outcomes(turns, which, side, 0, 1)
    fill_keep(turns, which, form, numbering.columns[form], numbering.rolls.size, side)


@compiled
def link_idle_roll(
    numbering: Numbering, turns: TurnTables, form: int, side: Side, roll: int, other: Side, other_form: int, shown: int
) -> None:
    """Set the worth of a roll that marks nothing: it passes the turn to the other side, which sees the renamed roll."""
    worth = UNIT - other.value[numbering.column[other_form, shown]]
    set_idle_worth(turns, form // TIES, form, numbering.columns[form], roll, side, worth)


@compiled
def solve_pair(
    numbering: Numbering, turns: TurnTables, values: np.ndarray, mine: int, theirs: int, side_a: Side, side_b: Side
) -> int:
    """Solve (mine, theirs), in its canonical form, and (theirs, mine), given all pairs with more marks.

    Each side's values fall when the other's rise. Starting from zero for the second side, its values rise from round to
    round until nothing changes. A pair that is its own mirror image is still solved on two sides: substituted into
    itself, rounding could make it oscillate forever. Returns the number of rounds.
    """
    offset, form, _ = locate(numbering, mine, theirs)
    other_mine, other_theirs, order = canonical(theirs, mine)
    mirror_offset, other_form, _ = locate(numbering, other_mine, other_theirs)
    renamed = numbering.renamed[numbering.rank_of[order]]
    prepare(numbering, turns, values, theirs, form, side_a)
    prepare(numbering, turns, values, other_theirs, other_form, side_b)
    side_b.value[:] = 0
    change = 2
    rounds = 0
    while change > 1:
        for roll in range(renamed.size):
            link_idle_roll(numbering, turns, form, side_a, roll, side_b, other_form, renamed[roll])
        roll_thrice(numbering.chance, numbering.columns[form], side_a)
        for roll in range(renamed.size):
            link_idle_roll(numbering, turns, other_form, side_b, renamed[roll], side_a, form, roll)
        change = roll_thrice(numbering.chance, numbering.columns[other_form], side_b)
        rounds += 1
    for column in range(numbering.columns[form]):
        values[offset + column] = side_a.value[column]
    for column in range(numbering.columns[other_form]):
        values[mirror_offset + column] = side_b.value[column]
    return rounds


@compiled
def solve_pairs(
    numbering: Numbering,
    turns: TurnTables,
    values: np.ndarray,
    mine: np.ndarray,
    theirs: np.ndarray,
    side_a: Side,
    side_b: Side,
) -> int:
    """Solve pairs of one level; returns the total number of rounds."""
    rounds = 0
    for pair in range(mine.size):
        rounds += solve_pair(numbering, turns, values, mine[pair], theirs[pair], side_a, side_b)
    return rounds

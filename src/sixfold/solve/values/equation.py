"""Value iteration on the optimality equation (Bellman's), for one pair of sheets at a time.

Chances are whole numbers of ``UNIT``, so that a solution is reached when nothing changes any more. A turn that marks
something leads to a pair with more marks, solved before; one that marks nothing leads from (mine, theirs) to
(theirs, mine), so these two are solved together. The functions take every ``step``-th item from ``first`` on: one core
takes all of them, the threads of a CUDA block share them.
"""

from typing import NamedTuple

import numpy as np

from sixfold.games.shared.compiling import compiled
from sixfold.solve.positions.book import TIES, Numbering, TurnTables, locate
from sixfold.solve.positions.sheets import FULL, canonical

UNIT = 1 << 30
WON = -1


class Side(NamedTuple):
    """Room to work out one pair of sheets from one side."""

    at: np.ndarray  # of each successor: where the opponent's values begin
    form: np.ndarray  # its class and ties
    order: np.ndarray  # its order of the symbols
    outcome: np.ndarray  # what each outcome is worth to me
    best: np.ndarray  # what each set of outcomes is worth
    keep: np.ndarray  # what keeping a roll is worth: by roll and column
    again: np.ndarray  # what the next roll is worth: by column
    value: np.ndarray  # the values: by column


def room(turns: TurnTables, rolls: int) -> Side:
    """Room enough for any pair."""

    def most(starts: np.ndarray) -> int:
        return int(np.diff(starts).max())

    successors = most(turns.successor_at)
    return Side(
        np.zeros(successors, np.int64), np.zeros(successors, np.int32), np.zeros(successors, np.int16),
        np.zeros(most(turns.outcome_at), np.int32), np.zeros(most(turns.set_at), np.int32),
        np.zeros(rolls * rolls), np.zeros((2, rolls)), np.zeros(rolls, np.int32),
    )  # fmt: skip


@compiled
def find_successors(
    numbering: Numbering, turns: TurnTables, which: int, theirs: int, side: Side, first: int, step: int
) -> None:
    """Where the opponent's values stand after each result of my turn."""
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
    """What each outcome is worth to me: one minus the opponent's chance, who now sees my roll."""
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
    """The best of each set of outcomes."""
    begin = turns.set_at[which]
    for number in range(first, turns.set_at[which + 1] - begin - 1, step):
        best = 0
        for member in range(turns.bounds[begin + number], turns.bounds[begin + number + 1]):
            best = max(best, side.outcome[turns.members[member]])
        side.best[number] = best


@compiled
def fill_keep(turns: TurnTables, which: int, form: int, columns: int, rolls: int, side: Side) -> None:
    """What keeping each roll is worth against each dice in view."""
    width = turns.width[which]
    for roll in range(rolls):
        begin = turns.cell_at[which] + roll * width
        for column in range(columns):
            side.keep[roll * columns + column] = side.best[turns.cells[begin + turns.sample[form, column]]]


@compiled
def mark_nothing(turns: TurnTables, which: int, form: int, columns: int, roll: int, side: Side, worth: int) -> None:
    """Tell what keeping a roll is worth where it marks nothing."""
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
    """D4: the value of a turn with up to three rolls, for each dice in view; returns the largest change."""
    again = side.again[0]
    before = side.again[1]
    before[:columns] = 0.0
    for _ in range(3):
        again[:columns] = 0.0
        for roll in range(chance.size):
            share = chance[roll]
            keep = side.keep[roll * columns : (roll + 1) * columns]
            for column in range(columns):
                again[column] += share * max(keep[column], before[column])
        again, before = before, again
    change = 0
    for column in range(columns):
        value = int(before[column] + 0.5)
        change = max(change, abs(value - side.value[column]))
        side.value[column] = value
    return change


@compiled
def column_value(turns: TurnTables, chance: np.ndarray, best: np.ndarray, form: int, column: int) -> int:
    """The same for one column alone, straight from the sets."""
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
    """All that a pair needs from pairs with more marks; what marks nothing is told later."""
    which = form // TIES
    find_successors(numbering, turns, which, theirs, side, 0, 1)
    look_up_outcomes(numbering, turns, values, which, side, 0, 1)
    choose_outcomes(turns, which, side, 0, 1)
    fill_keep(turns, which, form, numbering.columns[form], numbering.rolls.size, side)


@compiled
def link(
    numbering: Numbering, turns: TurnTables, form: int, side: Side, roll: int, other: Side, other_form: int, seen: int
) -> None:
    """A roll that marks nothing hands the turn to the other side, which sees it under its own name."""
    worth = UNIT - other.value[numbering.column[other_form, seen]]
    mark_nothing(turns, form // TIES, form, numbering.columns[form], roll, side, worth)


@compiled
def solve_pair(
    numbering: Numbering, turns: TurnTables, values: np.ndarray, mine: int, theirs: int, one: Side, two: Side
) -> int:
    """Solve (mine, theirs), in its canonical form, and (theirs, mine), given all pairs with more marks.

    Each side's values fall when the other's rise. Beginning with nothing for the second side, its values rise from
    round to round until nothing changes. A pair that is its own other side is worked out twice all the same: put into
    itself, it might be tossed to and fro by rounding for ever. Returns the number of rounds.
    """
    here, form, _ = locate(numbering, mine, theirs)
    mover, watcher, order = canonical(theirs, mine)
    there, other_form, _ = locate(numbering, mover, watcher)
    seen = numbering.renamed[numbering.rank_of[order]]
    prepare(numbering, turns, values, theirs, form, one)
    prepare(numbering, turns, values, watcher, other_form, two)
    two.value[:] = 0
    change = 2
    rounds = 0
    while change > 1:
        for roll in range(seen.size):
            link(numbering, turns, form, one, roll, two, other_form, seen[roll])
        roll_thrice(numbering.chance, numbering.columns[form], one)
        for roll in range(seen.size):
            link(numbering, turns, other_form, two, seen[roll], one, form, roll)
        change = roll_thrice(numbering.chance, numbering.columns[other_form], two)
        rounds += 1
    for column in range(numbering.columns[form]):
        values[here + column] = one.value[column]
    for column in range(numbering.columns[other_form]):
        values[there + column] = two.value[column]
    return rounds


@compiled
def solve_pairs(
    numbering: Numbering,
    turns: TurnTables,
    values: np.ndarray,
    mine: np.ndarray,
    theirs: np.ndarray,
    one: Side,
    two: Side,
) -> int:
    """Solve pairs of one level; returns the number of rounds that all took."""
    rounds = 0
    for pair in range(mine.size):
        rounds += solve_pair(numbering, turns, values, mine[pair], theirs[pair], one, two)
    return rounds

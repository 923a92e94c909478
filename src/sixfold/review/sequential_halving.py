"""Sequential halving, compiled: moves compared in the same worlds, with their chances in points and standard errors.

A world is one determinization of the hidden information. Sums run over the worlds in order, so that a browser gets the
same result to the last digit.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from sixfold.bots.selection import precedes, squared_deviations
from sixfold.games.contract import Rules
from sixfold.games.shared.compiler import compiled
from sixfold.review.evaluator import WIDTH
from sixfold.review.model import MARKS, POINTS

# Worlds before any move is eliminated; each later stage doubles them.
FIRST_WORLDS = 16
# A move is eliminated when it trails the best by this many standard errors.
ELIMINATION_Z = 3.0
# The search ends when no other move can be better by more than this (points), the error of the cost is below it, and
# the mark is the same at both ends of the cost's interval.
TOLERANCE = 0.6
# While it is unclear whether a move was a mistake or a blunder, the iterations are multiplied by this.
EXTENSION = 4
# A lower bound on the standard error of a difference (points).
MIN_ERROR = 0.01

# Indices into ``stats``: the number of moves, the worlds sampled so far, the iterations used, the best move so far, and
# the played move.
NUMBER, WORLDS, ITERATIONS_USED, BEST, PLAYED = range(5)
STATS_SIZE = 5
_THRESHOLDS = tuple(MARKS.values())
# Marks up to this index are not severe.
SLIP_INDEX = 1


class Race(NamedTuple):
    """The statistics of the compared moves: ``stats`` of all of them, and for each whether it is still active, its
    chance, and the standard error of its distance to the best."""

    stats: np.ndarray
    active: np.ndarray
    chances: np.ndarray
    errors: np.ndarray


@compiled
def mean(chances: np.ndarray, worlds: int, at: int) -> float:
    """The mean chance of a move over the first worlds."""
    total = 0.0
    for world in range(worlds):
        total += chances[world, at]
    return total / worlds


@compiled
def error(chances: np.ndarray, worlds: int, first: int, second: int) -> float:
    """The standard error of the difference between two moves; 1 for a single world."""
    if worlds < 2:
        return 1.0
    squares = squared_deviations(chances, worlds, first, second)
    return float(np.sqrt(squares / (worlds - 1)) / np.sqrt(float(worlds)))


@compiled
def reset(race: Race) -> None:
    """Reset all moves to active, with an unknown chance."""
    stats, active, chances, errors = race
    stats[WORLDS] = stats[ITERATIONS_USED] = stats[BEST] = 0
    for at in range(stats[NUMBER]):
        active[at] = True
        chances[at] = POINTS / 2
        errors[at] = POINTS


@compiled
def mark_index(cost: float) -> int:
    """How many of the marks' thresholds a cost reaches."""
    reached = 0
    for least in _THRESHOLDS:
        reached += cost >= least
    return reached


@compiled
def is_open(race: Race) -> bool:
    """Whether another move may still be better than the best so far, or the cost of the played one is still unclear."""
    stats, active, chances, errors = race
    best, played = stats[BEST], stats[PLAYED]
    if stats[WORLDS] == 0:
        return True
    for at in range(stats[NUMBER]):
        if active[at] and at != best and at != played and chances[at] + 2 * errors[at] > chances[best] + TOLERANCE:
            return True
    if best == played:
        return False
    cost = chances[best] - chances[played]
    return errors[played] > TOLERANCE or mark_index(cost - 2 * errors[played]) != mark_index(cost + 2 * errors[played])


@compiled
def severity_unclear(race: Race) -> bool:
    """Whether it is still unclear if the played move was a mistake, or if it was a blunder."""
    stats, _, chances, errors = race
    best, played = stats[BEST], stats[PLAYED]
    if stats[WORLDS] == 0 or best == played:
        return False
    cost = chances[best] - chances[played]
    return max(mark_index(cost - 2 * errors[played]), SLIP_INDEX) != max(
        mark_index(cost + 2 * errors[played]), SLIP_INDEX
    )


@compiled
def next_batch_size(race: Race, iterations: int, most: int) -> int:
    """The number of worlds of the next stage; 0 if nothing is open or no iterations are left."""
    stats = race.stats
    if not is_open(race):
        return 0
    remaining = 0
    for at in range(stats[NUMBER]):
        remaining += race.active[at]
    if severity_unclear(race):
        iterations *= EXTENSION
    more = min(
        max(stats[WORLDS], FIRST_WORLDS), (iterations - stats[ITERATIONS_USED]) // remaining, most - stats[WORLDS]
    )
    return max(int(more), 0)


@compiled
def update(race: Race, sampled: np.ndarray, more: int) -> None:
    """Update the statistics after more worlds and eliminate moves; eliminated moves keep theirs."""
    stats, active, chances, errors = race
    stats[WORLDS] += more
    worlds = int(stats[WORLDS])
    best = -1
    for at in range(stats[NUMBER]):
        if active[at]:
            stats[ITERATIONS_USED] += more
            chances[at] = POINTS * mean(sampled, worlds, at)
            if best < 0 or chances[at] > chances[best]:
                best = at
    stats[BEST] = best
    for at in range(stats[NUMBER]):
        if active[at]:
            errors[at] = max(POINTS * error(sampled, worlds, best, at), MIN_ERROR)
            near = chances[best] - chances[at] <= ELIMINATION_Z * errors[at]
            active[at] = near or at == stats[PLAYED]


@compiled
def rank(race: Race, order: np.ndarray) -> None:
    """Order the moves: the best of the remaining ones first, then the others by their chances."""
    number, best = race.stats[NUMBER], race.stats[BEST]
    size = 0
    for at in range(number):
        if at == best:
            continue
        place = size
        while place > 0 and precedes(race.chances, at, order[place]):
            order[place + 1] = order[place]
            place -= 1
        order[place + 1] = at
        size += 1
    order[0] = best


@cache
def candidate_selector(rules: Rules) -> Callable[..., None]:
    """Compile the selection of candidates: the first moves that lead to different positions, and always the played one.

    ``trials`` and ``raw`` are the same memory, as states and as bytes.
    """

    @compiled
    def select(
        states: np.ndarray, moves: np.ndarray, played: int, trials: np.ndarray, raw: np.ndarray, candidates: np.ndarray,
        stats: np.ndarray,
    ) -> None:  # fmt: skip
        number = 0
        for which in range(moves.size):
            move = moves[which]
            trials[number] = states[0]
            rules.act(trials[number], move)
            if first_equal(raw, number) == number:
                candidates[number] = move
                number += 1
            if number == WIDTH:
                break
        trials[number] = states[0]
        rules.act(trials[number], played)
        played_at = first_equal(raw, number)
        if played_at == number:
            candidates[number] = played
            number += 1
        stats[NUMBER] = number
        stats[PLAYED] = played_at

    return select


@compiled
def first_equal(raw: np.ndarray, which: int) -> int:
    """The index of the first row equal to the given one."""
    for row in range(which):
        at = 0
        while at < raw.shape[1] and raw[row, at] == raw[which, at]:
            at += 1
        if at == raw.shape[1]:
            return row
    return which

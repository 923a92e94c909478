"""Sequential halving, compiled: moves in the same worlds, their chances in points, and how sure those are.

Sums go world by world, in their order: so a browser finds the same last digit.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from sixfold.bots.choosing import before
from sixfold.games.contract import Rules
from sixfold.games.shared.compiling import compiled
from sixfold.review.estimating import POINTS, WIDTH
from sixfold.review.shapes import MARKS

# Worlds before any move is given up; each later look doubles them.
FIRST_LOOK = 16
# A move is given up when it is behind by so many standard errors.
PATIENCE = 3.0
# The thinking ends when no other move can be better by more than this (points), the cost is known so well, and the mark
# would be the same at both ends of its interval.
CLEAR = 0.6
# Where it is not clear whether a move was a mistake or a blunder, so many times as many iterations.
LONGER = 4
# Not even a net is surer than this of a difference (points).
LEAST_ERROR = 0.01

# How a race goes: the moves in it, in how many worlds they have been tried, the iterations that took, which is the best
# so far, and which was played.
NUMBER, WORLDS, SPENT, BEST, MINE = range(5)
GOING = 5
_STEPS = tuple(MARKS.values())
# What is no more than this is nothing grave.
SLIP = 1


@compiled
def mean(found: np.ndarray, worlds: int, at: int) -> float:
    """The chance of a move in some worlds."""
    total = 0.0
    for world in range(worlds):
        total += found[world, at]
    return total / worlds


@compiled
def error(found: np.ndarray, worlds: int, one: int, other: int) -> float:
    """The standard error of the difference between two moves; of one world nothing is known."""
    if worlds < 2:
        return 1.0
    middle = 0.0
    for world in range(worlds):
        middle += found[world, one] - found[world, other]
    middle /= worlds
    squares = 0.0
    for world in range(worlds):
        off = found[world, one] - found[world, other] - middle
        squares += off * off
    return float(np.sqrt(squares / (worlds - 1)) / np.sqrt(float(worlds)))


@compiled
def line_up(going: np.ndarray, alive: np.ndarray, chances: np.ndarray, errors: np.ndarray) -> None:
    """Before the first world nothing is known of any move."""
    going[WORLDS] = going[SPENT] = going[BEST] = 0
    for at in range(going[NUMBER]):
        alive[at] = True
        chances[at] = POINTS / 2
        errors[at] = POINTS


@compiled
def mark_number(cost: float) -> int:
    """How many of the marks' limits a cost reaches."""
    reached = 0
    for least in _STEPS:
        reached += cost >= least
    return reached


@compiled
def goes_on(going: np.ndarray, alive: np.ndarray, chances: np.ndarray, errors: np.ndarray) -> bool:
    """Is anything open: another move that may be better than the best so far, or what the played one cost?"""
    first, mine = going[BEST], going[MINE]
    if going[WORLDS] == 0:
        return True
    for at in range(going[NUMBER]):
        if alive[at] and at != first and at != mine and chances[at] + 2 * errors[at] > chances[first] + CLEAR:
            return True
    if first == mine:
        return False
    cost = chances[first] - chances[mine]
    return errors[mine] > CLEAR or mark_number(cost - 2 * errors[mine]) != mark_number(cost + 2 * errors[mine])


@compiled
def grave_or_not(going: np.ndarray, chances: np.ndarray, errors: np.ndarray) -> bool:
    """Is it open whether the played move was a mistake, or whether it was a blunder?"""
    first, mine = going[BEST], going[MINE]
    if going[WORLDS] == 0 or first == mine:
        return False
    cost = chances[first] - chances[mine]
    return max(mark_number(cost - 2 * errors[mine]), SLIP) != max(mark_number(cost + 2 * errors[mine]), SLIP)


@compiled
def more_worlds(
    going: np.ndarray, alive: np.ndarray, chances: np.ndarray, errors: np.ndarray, iterations: int, most: int
) -> int:
    """In how many more worlds the moves that are alive are tried next; 0 where nothing is open or nothing left."""
    if not goes_on(going, alive, chances, errors):
        return 0
    racing = 0
    for at in range(going[NUMBER]):
        racing += alive[at]
    if grave_or_not(going, chances, errors):
        iterations *= LONGER
    more = min(max(going[WORLDS], FIRST_LOOK), (iterations - going[SPENT]) // racing, most - going[WORLDS])
    return max(int(more), 0)


@compiled
def count(
    going: np.ndarray, alive: np.ndarray, chances: np.ndarray, errors: np.ndarray, found: np.ndarray, more: int
) -> None:
    """After so many more worlds; moves that are given up keep what they had."""
    going[WORLDS] += more
    worlds = int(going[WORLDS])
    first = -1
    for at in range(going[NUMBER]):
        if alive[at]:
            going[SPENT] += more
            chances[at] = POINTS * mean(found, worlds, at)
            if first < 0 or chances[at] > chances[first]:
                first = at
    going[BEST] = first
    for at in range(going[NUMBER]):
        if alive[at]:
            errors[at] = max(POINTS * error(found, worlds, first, at), LEAST_ERROR)
            near = chances[first] - chances[at] <= PATIENCE * errors[at]
            alive[at] = near or at == going[MINE]


@compiled
def rank(going: np.ndarray, chances: np.ndarray, order: np.ndarray) -> None:
    """The best move of those that were tried longest, then the others by their chances."""
    number, first = going[NUMBER], going[BEST]
    size = 0
    for at in range(number):
        if at == first:
            continue
        place = size
        while place > 0 and before(chances, at, order[place]):
            order[place + 1] = order[place]
            place -= 1
        order[place + 1] = at
        size += 1
    order[0] = first


@cache
def gatherer(rules: Rules) -> Callable[..., None]:
    """Compiled: the first moves that lead to different positions, and always the played one.

    ``trials`` and ``plain`` are the same memory, as states and as bytes.
    """

    @compiled
    def gather(
        states: np.ndarray, moves: np.ndarray, played: int, trials: np.ndarray, plain: np.ndarray, taken: np.ndarray,
        going: np.ndarray,
    ) -> None:  # fmt: skip
        number = 0
        for which in range(moves.size):
            move = moves[which]
            trials[number] = states[0]
            rules.act(trials[number], move)
            if same(plain, number) == number:
                taken[number] = move
                number += 1
            if number == WIDTH:
                break
        trials[number] = states[0]
        rules.act(trials[number], played)
        mine = same(plain, number)
        if mine == number:
            taken[number] = played
            number += 1
        going[NUMBER] = number
        going[MINE] = mine

    return gather


@compiled
def same(plain: np.ndarray, which: int) -> int:
    """The first of the rows up to one that is the same as that."""
    for row in range(which):
        at = 0
        while at < plain.shape[1] and plain[row, at] == plain[which, at]:
            at += 1
        if at == plain.shape[1]:
            return row
    return which

"""What a net is told of a position of the dice game: whole numbers; everything lies open (docs/nets.md)."""

import numpy as np

from sixfold.games.contract import NetPlan
from sixfold.games.dice import AREAS, rules
from sixfold.games.dice import GOAL as GOAL
from sixfold.games.dice import turns_needed as turns
from sixfold.games.dice.race import turns_of
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.describing import capped, ordered
from sixfold.games.shared.symbols import CHANCE, NONE, limit, lowest

# A net knows only the numbers that it has learned with.
VERSION = 1
NET = "dense"
PLAN = NetPlan(width=8, depth=4, replies=8, prior=16.0)


def inputs(players: int) -> int:
    """How many numbers a net is told."""
    return len(scales(players))


def scales(players: int) -> np.ndarray:
    """What each number is divided by, so that all are about as great as 1.

    Of each symbol: everybody's marks, dice, and whether D11 bars the row now. Of the whole: see ``describe``.
    """
    symbol = [7] * players + [2] * players + [1] * players
    return np.array(symbol * 6 + [1] * players + [1, 3] + [7] * players + [42] * players + [40] * players, np.float32)


SMALL = 1
ROWS, ORDER = 0, 72
WORK = 78


@compiled
def describe(
    state: np.record, seat: int, out: np.ndarray, small: np.ndarray, work: np.ndarray, keys: np.ndarray
) -> None:
    """Tell a net what a seat knows of a position."""
    players = int(state.players)
    width = 3 * players
    for step in range(players):
        player = (seat + step) % players
        end = limit(state.marks[player], AREAS)
        for symbol in range(6):
            work[symbol * width + step] = state.marks[player, symbol]
            work[symbol * width + players + step] = state.dice[player, symbol]
            work[symbol * width + 2 * players + step] = state.marks[player, symbol] >= end
    ordered(work, width, work[ORDER:], keys)
    for rank in range(6):
        row = work[ORDER + rank] * width
        for at in range(width):
            out[rank * width + at] = work[row + at]
    at = 6 * width
    turn = (int(state.turn) - seat + players) % players
    for step in range(players):
        player = (seat + step) % players
        total = 0
        for symbol in range(6):
            total += state.marks[player, symbol]
        out[at + step] = step == turn
        out[at + players + 2 + step] = lowest(state.marks[player])
        out[at + 2 * players + 2 + step] = total
        needed = turns_of(turns.word_of(state.marks[player]), players)
        out[at + 3 * players + 2 + step] = capped(int(needed * 4.0 + 0.5))
    out[at + players] = state.phase == CHANCE
    out[at + players + 1] = state.rolls


# The moves that are judged: all of them


SIGHT = 1


def slots(players: int) -> int:
    """How many moves there can be: with three dice or two at most one group, a joker for one of six symbols or not."""
    return rules.MOST_LEGAL if players == 2 else 8


def judged(players: int) -> int:
    """How many of them are judged by a net."""
    return slots(players)


@compiled
def glance(state: np.record, sight: np.ndarray) -> None:
    """There is nothing to see that the moves would not show."""


@compiled
def slot(state: np.record, sight: np.ndarray, which: int) -> tuple[int, float]:
    """A move by its number, or NONE; at first sight all look alike."""
    if which >= rules.count(state):
        return NONE, 0.0
    return int(rules.nth(state, which)), 0.0

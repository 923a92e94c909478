"""Judging the two-player dice game by its solution: the value file where there is one, else the approximation.

Every chance is a whole number of UNIT, the same wherever a position is met: before a roll, after it, and behind the
move that led there. So what a game's steps gain and lose adds up to its result to the last digit.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from sixfold.engine.game import View
from sixfold.games.dice import rules as dice
from sixfold.games.shared.compiling import compiled, compiled_with_arrays
from sixfold.review.estimating import POINTS, WIDTH, Drawn, Option, Weighed, decided
from sixfold.solve.play.approximation import NO_GUESS, Guess, guessed, shipped
from sixfold.solve.play.choosing import BEST, GUESS, NO_BLOCK, guessed_worth, look_ahead, worth
from sixfold.solve.positions.book import Numbering
from sixfold.solve.positions.outcomes import after, before_scoring, lay_out
from sixfold.solve.positions.sheets import row
from sixfold.solve.values.equation import UNIT
from sixfold.solve.values.file import Values, default_path, open_values, value

# Rolling again leaves the sheet as it is.
NO_SHEET = -1
# There is no roll left.
NO_ROLL = -1.0


@compiled
def whole(chance: float) -> float:
    """A chance as a whole number of UNIT, in points: sums of such numbers are exact."""
    parts = np.floor(chance * UNIT)
    rest = chance * UNIT - parts
    # A half goes to the even neighbour.
    if rest > 0.5 or (rest == 0.5 and parts % 2.0 == 1.0):
        parts += 1.0
    return float(POINTS * parts / UNIT)


@compiled_with_arrays
def every_way(
    numbering: Numbering, block: np.ndarray, guess: Guess, taste: int, trial: np.ndarray, mine: int, theirs: int,
    shown: int, roll: int, again: float, moves: np.ndarray, sheets: np.ndarray, chances: np.ndarray,
) -> int:  # fmt: skip
    """Everything that can be done with a roll, the sheet it gives and its chance in points; ``again`` is what another
    roll is worth. Returns how many ways there are."""
    lay_out(trial[0], mine, shown, roll)
    number = dice.count(trial[0])
    for which in range(number):
        moves[which] = dice.nth(trial[0], which)
        sheets[which] = after(trial[0], mine, moves[which])
        if taste == GUESS:
            own = guessed_worth(numbering, guess, sheets[which], theirs, numbering.roll_of[roll])
        else:
            own = worth(numbering, block, sheets[which], theirs, numbering.roll_of[roll])
        chances[which] = whole(own)
    if again != NO_ROLL:
        moves[number], sheets[number], chances[number] = dice.REROLL, NO_SHEET, whole(again)
        number += 1
    return number


@compiled
def best_ways(sheets: np.ndarray, chances: np.ndarray, order: np.ndarray) -> int:
    """Where the ways to different sheets stand, the best first; returns how many there are."""
    many = 0
    for last in range(sheets.size - 1, -1, -1):
        known = False
        for at in range(many):
            known = known or sheets[order[at]] == sheets[last]
        if known:
            continue
        first = 0
        while sheets[first] != sheets[last]:
            first += 1
        at = many
        while at > 0 and chances[order[at - 1]] < chances[first]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = first
        many += 1
    return many


@compiled
def keep_some(moves: np.ndarray, sheets: np.ndarray, order: np.ndarray, played: int) -> int:
    """Put the played move among the best ones, in the last place if it is none of them; returns where it stands."""
    mine = 0
    while moves[mine] != played:
        mine += 1
    where = 0
    while sheets[order[where]] != sheets[mine]:
        where += 1
    place = min(where, WIDTH)
    order[place] = mine
    return place


@compiled
def margin(sheets: np.ndarray, which: int, theirs: int) -> float:
    """How far the lowest row is ahead after a move; rolling again promises what the best scoring now does."""
    most = 0
    for at in range(sheets.size):
        if sheets[at] != NO_SHEET and (at == which or sheets[which] == NO_SHEET):
            most = max(most, lowest_row(sheets[at]))
    return float(most - lowest_row(theirs))


@compiled
def lowest_row(sheet: int) -> int:
    """The marks in the lowest row of a sheet."""
    least = row(sheet, 0)
    for symbol in range(1, 6):
        least = min(least, row(sheet, symbol))
    return least


@compiled
def before_turn(
    numbering: Numbering, block: np.ndarray, guess: Guess, taste: int, mine: int, theirs: int, shown: int
) -> float:
    """The chance of the player about to make the first roll, when the other one shows dice."""
    if taste == GUESS:
        return guessed(numbering, guess, mine, theirs, numbering.roll_of[shown])
    return value(numbering, block, mine, theirs, numbering.roll_of[shown]) / UNIT


@compiled
def before_opening(numbering: Numbering, block: np.ndarray, guess: Guess, taste: int, mine: int, theirs: int) -> float:
    """The chance of the player who begins, over what the other may roll before (D3)."""
    total = 0.0
    for roll in range(numbering.rolls.size):
        shown = numbering.rolls[roll]
        total += numbering.chance[roll] * before_turn(numbering, block, guess, taste, mine, theirs, shown)
    return total


def solves(game: str, players: int) -> bool:
    """Is this the game that is solved?"""
    return (game, players) == (dice.NAME, 2)


def values_of(record: object, path: Path | None = None) -> Values | None:
    """The exact values for a record's game, from a file or from where they are kept; none where there are none."""
    if not isinstance(record, dict) or not solves(str(record.get("game")), record.get("players") or 0):
        return None
    options = record.get("options")
    split = isinstance(options, dict) and options.get("split_jokers") is True
    return open_values(split, path) if path or default_path(split).exists() else None


class Solution:
    """Knows the chance of every position, exactly or nearly."""

    def __init__(self, split_jokers: bool, values: Values | None = None) -> None:
        self.name = "approximation" if values is None else "values"
        self._values = values
        if values is None:
            self._numbering, self._guess = shipped()
            self._block, self._taste = NO_BLOCK, GUESS
        else:
            self._numbering, self._guess = values.numbering, NO_GUESS
            self._block, self._taste = values.block, BEST
        self._tables = self._numbering, self._block, self._guess, self._taste
        self._trial = before_scoring(split_jokers)
        # A turn asks for the same several times.
        self._ways = lru_cache(64)(self._weigh_all)
        self._next_rolls = lru_cache(4096)(self._look_ahead)
        self._opening = lru_cache(4096)(self._average_opening)

    def weigh(self, view: View, played: int, iterations: int = 0, seed: int = 0) -> Weighed:
        moves, sheets, chances, best = self._ways(*seen(view))
        order = best.copy()
        where = keep_some(moves, sheets, order, played)
        kept = order[: max(WIDTH, where + 1)]
        options = [Option(int(moves[at]), float(chances[at]), 0.0) for at in kept]
        margins = None
        if decided(options[0].chance, options[where].chance):
            theirs = seen(view)[1]
            margins = [margin(sheets, at, theirs) for at in kept]
        return Weighed(options, where, margins)

    def every_option(self, view: View) -> list[Option]:
        """Everything that whoever is in turn can do and that comes to something else, the best first."""
        moves, _, chances, best = self._ways(*seen(view))
        return [Option(int(moves[at]), float(chances[at]), 0.0) for at in best]

    def draw(self, before: View, after: View, iterations: int = 0, seed: int = 0) -> Drawn:
        mover = int(before.states["turn"][0])
        return Drawn(self.chance(after, mover), self.chance(before, mover), 0.0)

    def chances(self, views: Sequence[View], iterations: int = 0, seed: int = 0) -> list[float]:
        first = self.chance(views[0], 0)
        return [first, POINTS - first]

    def chance(self, view: View, player: int) -> float:
        """A player's chance in any position of a game, in points."""
        if view.over:
            # D13: who fills the sheet wins at once.
            return POINTS if view.states["turn"][0] == player else 0.0
        mover, mine = self._of_mover(view)
        return mine if mover == player else POINTS - mine

    def _of_mover(self, view: View) -> tuple[int, float]:
        """The player in turn and the chance; before the opening roll (D3) the one who then begins."""
        mine, theirs, shown, roll, rolls = seen(view)
        if view.states["opening"][0]:
            return 0, whole(self._opening(theirs, mine))
        if view.turn is not None:
            _, _, chances, best = self._ways(mine, theirs, shown, roll, rolls)
            chance = float(chances[best[0]])
        elif rolls or not shown:
            # D15: nobody may have shown dice yet.
            chance = whole(self._next_rolls(mine, theirs, shown)[rolls])
        else:
            self._get_ready(mine)
            chance = whole(before_turn(*self._tables, mine, theirs, shown))
        return int(view.states["turn"][0]), chance

    def _average_opening(self, mine: int, theirs: int) -> float:
        self._get_ready(mine)
        return float(before_opening(*self._tables, mine, theirs))

    def _look_ahead(self, mine: int, theirs: int, shown: int) -> list[float]:
        """What the first, the second and the third roll are worth before they are made."""
        self._get_ready(theirs)
        again = np.zeros(dice.ROLLS)
        look_ahead(*self._tables, self._trial, mine, theirs, shown, again)
        return [float(chance) for chance in again]

    def _get_ready(self, sheet: int) -> None:
        if self._values is not None:
            self._values.get_ready(sheet)

    def _weigh_all(self, mine: int, theirs: int, shown: int, roll: int, rolls: int) -> tuple[np.ndarray, ...]:
        """Everything that can be done with a roll (moves, sheets, chances), and where the different ways stand."""
        again = self._next_rolls(mine, theirs, shown)[rolls] if rolls < dice.ROLLS else NO_ROLL
        self._get_ready(theirs)
        moves, sheets, order = (np.zeros(dice.MOST_LEGAL, dtype=np.int64) for _ in range(3))
        chances = np.zeros(dice.MOST_LEGAL)
        number = every_way(*self._tables, self._trial, mine, theirs, shown, roll, again, moves, sheets, chances)
        many = best_ways(sheets[:number], chances[:number], order)
        return moves[:number], sheets[:number], chances[:number], order[:many]


def seen(view: View) -> tuple[int, int, int, int, int]:
    """Both sheets, the opponent's dice and the roll of the player in turn as codes, and the number of rolls made."""
    states = view.states
    me = int(states["turn"][0])
    marks, shown = states["marks"][0].tolist(), states["dice"][0].tolist()
    words = marks[me], marks[1 - me], shown[1 - me], shown[me]
    mine, theirs, other, own = (sum(one << 3 * symbol for symbol, one in enumerate(word)) for word in words)
    return mine, theirs, other, own, int(states["rolls"][0])

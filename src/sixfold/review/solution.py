"""Judging the two-player dice game by its solution: the value file where there is one, else the approximation.

Every chance is a whole number of UNIT, the same wherever a position is met: before a roll, after it, and behind the
move that led there. So what a game's steps gain and lose adds up to its result to the last digit.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixfold.engine.game import View
from sixfold.games.dice import rules as dice
from sixfold.games.shared.compiling import compiled_with_arrays
from sixfold.review.estimating import POINTS, WIDTH, Drawn, Option, Weighed, decided
from sixfold.solve.play.approximation import NO_GUESS, Guess, guessed, shipped
from sixfold.solve.play.choosing import BEST, GUESS, NO_BLOCK, guessed_worth, look_ahead, worth
from sixfold.solve.positions.book import Numbering
from sixfold.solve.positions.outcomes import after, before_scoring, lay_out
from sixfold.solve.positions.sheets import row
from sixfold.solve.values.equation import UNIT
from sixfold.solve.values.file import Values, default_path, open_values


@compiled_with_arrays
def weigh_roll(
    numbering: Numbering, block: np.ndarray, guess: Guess, taste: int, trial: np.ndarray, mine: int, theirs: int,
    shown: int, roll: int, moves: np.ndarray, sheets: np.ndarray, chances: np.ndarray,
) -> int:  # fmt: skip
    """Every way to score a roll, the sheet it gives and its chance; returns how many there are."""
    lay_out(trial[0], mine, shown, roll)
    number = dice.count(trial[0])
    for which in range(number):
        moves[which] = dice.nth(trial[0], which)
        sheets[which] = after(trial[0], mine, moves[which])
        if taste == GUESS:
            chances[which] = guessed_worth(numbering, guess, sheets[which], theirs, numbering.roll_of[roll])
        else:
            chances[which] = worth(numbering, block, sheets[which], theirs, numbering.roll_of[roll])
    return number


# Rolling again leaves the sheet as it is.
NO_SHEET = -1


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


def whole(chance: float) -> float:
    """A chance as a whole number of UNIT, in points: sums of such numbers are exact."""
    return POINTS * round(chance * UNIT) / UNIT


class Way(NamedTuple):
    """A move, its chance in points and the sheet it gives."""

    move: int
    chance: float
    sheet: int


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
        self._trial = before_scoring(split_jokers)
        self._moves, self._sheets = (np.zeros(dice.MOST_LEGAL, dtype=np.int64) for _ in range(2))
        self._chances = np.zeros(dice.MOST_LEGAL)
        # A turn asks for the same several times.
        self._ways = lru_cache(64)(self._weigh_all)
        self._next_rolls = lru_cache(4096)(self._look_ahead)
        self._opening = lru_cache(4096)(self._average_opening)

    def weigh(self, view: View, played: int, iterations: int = 0, seed: int = 0) -> Weighed:
        every, ordered = self._ways(*seen(view))
        same = next(way.sheet for way in every if way.move == played)
        where = next(at for at, way in enumerate(ordered) if way.sheet == same)
        kept = ordered[:WIDTH] if where < WIDTH else [*ordered[:WIDTH], ordered[where]]
        where = min(where, WIDTH)
        options = [Option(played if at == where else way.move, way.chance, 0.0) for at, way in enumerate(kept)]
        margins = None
        if decided(options[0].chance, options[where].chance):
            margins = [_margin(view, way, every) for way in kept]
        return Weighed(options, where, margins)

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
            chance = self._ways(mine, theirs, shown, roll, rolls)[1][0].chance
        elif rolls:
            chance = whole(self._next_rolls(mine, theirs, shown)[rolls])
        else:
            chance = whole(self._before_turn(mine, theirs, shown))
        return int(view.states["turn"][0]), chance

    def _average_opening(self, mine: int, theirs: int) -> float:
        """The chance of the player who begins, over what the other may roll before (D3)."""
        chances = [self._before_turn(mine, theirs, int(roll)) for roll in self._numbering.rolls]
        return float(np.dot(self._numbering.chance, chances))

    def _before_turn(self, mine: int, theirs: int, shown: int) -> float:
        """The chance of the player about to make the first roll; D15: nobody may have shown dice yet."""
        if not shown:
            return self._next_rolls(mine, theirs, shown)[0]
        if self._values is not None:
            return self._values.chance(mine, theirs, shown)
        return float(guessed(self._numbering, self._guess, mine, theirs, int(self._numbering.roll_of[shown])))

    def _look_ahead(self, mine: int, theirs: int, shown: int) -> list[float]:
        """What the first, the second and the third roll are worth before they are made."""
        self._get_ready(theirs)
        again = np.zeros(dice.ROLLS)
        tables = self._numbering, self._block, self._guess, self._taste, self._trial
        look_ahead(*tables, mine, theirs, shown, again)
        return [float(chance) for chance in again]

    def _get_ready(self, theirs: int) -> None:
        if self._values is not None:
            self._values.get_ready(theirs)

    def _weigh_all(self, mine: int, theirs: int, shown: int, roll: int, rolls: int) -> tuple[list[Way], list[Way]]:
        """Everything that can be done with a roll, and the ways that lead to different sheets, the best first."""
        self._get_ready(theirs)
        tables = self._numbering, self._block, self._guess, self._taste, self._trial
        room = self._moves, self._sheets, self._chances
        number = int(weigh_roll(*tables, mine, theirs, shown, roll, *room))
        moves, sheets, chances = (array[:number].tolist() for array in room)
        every = [Way(move, whole(chance), sheet) for move, sheet, chance in zip(moves, sheets, chances, strict=True)]
        if rolls < dice.ROLLS:
            every.append(Way(dice.REROLL, whole(self._next_rolls(mine, theirs, shown)[rolls]), NO_SHEET))
        different = {way.sheet: way for way in reversed(every)}.values()
        return every, sorted(different, key=lambda way: -way.chance)


def seen(view: View) -> tuple[int, int, int, int, int]:
    """Both sheets, the opponent's dice and the roll of the player in turn as codes, and the number of rolls made."""
    states = view.states
    me = int(states["turn"][0])
    marks, shown = states["marks"][0].tolist(), states["dice"][0].tolist()
    words = marks[me], marks[1 - me], shown[1 - me], shown[me]
    mine, theirs, other, own = (sum(one << 3 * symbol for symbol, one in enumerate(word)) for word in words)
    return mine, theirs, other, own, int(states["rolls"][0])


def _margin(view: View, way: Way, every: Sequence[Way]) -> float:
    """How far the lowest row is ahead after a move; rolling again promises what the best scoring now does."""
    sheets = [way.sheet] if way.sheet != NO_SHEET else [one.sheet for one in every if one.sheet != NO_SHEET]
    return float(max(map(_lowest, sheets)) - _lowest(seen(view)[1]))


def _lowest(sheet: int) -> int:
    return min(int(row(sheet, symbol)) for symbol in range(6))

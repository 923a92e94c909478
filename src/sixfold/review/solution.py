"""Judging the two-player dice game by its solution: the value file where there is one, else the approximation.

Every chance is a whole number of UNIT, the same wherever a position is met: before a roll, after it, and behind the
move that led there. So what a game's steps gain and lose adds up to its result to the last digit.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from sixfold.engine.game import View
from sixfold.games.dice import rules as dice
from sixfold.games.shared.compiling import compiled_with_arrays
from sixfold.games.shared.symbols import lowest
from sixfold.review.estimating import POINTS, WIDTH, Drawn, Option, Weighed, decided
from sixfold.solve.play.approximation import NO_GUESS, Guess, guessed, shipped
from sixfold.solve.play.choosing import BEST, GUESS, NO_BLOCK, guessed_worth, look_ahead, worth
from sixfold.solve.play.players import seen
from sixfold.solve.positions.book import Numbering
from sixfold.solve.positions.outcomes import after, before_scoring, lay_out
from sixfold.solve.positions.sheets import row
from sixfold.solve.values.equation import UNIT
from sixfold.solve.values.file import Values


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


def whole(chance: float) -> float:
    """A chance as a whole number of UNIT, in points: sums of such numbers are exact."""
    return POINTS * round(chance * UNIT) / UNIT


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
        # A turn asks for what its rolls are worth several times.
        self._next_rolls = lru_cache(4096)(self._look_ahead)

    def weigh(self, view: View, played: int, iterations: int = 0, seed: int = 0) -> Weighed:
        ways = self._ways(*seen(view))
        ordered = sorted(ways, key=lambda way: -way[1])
        same = next(sheet for move, _, sheet in self._all if move == played)
        where = next(at for at, way in enumerate(ordered) if way[2] == same)
        kept = ordered[:WIDTH] if where < WIDTH else [*ordered[:WIDTH], ordered[where]]
        where = min(where, WIDTH)
        options = [Option(played if at == where else way[0], way[1], 0.0) for at, way in enumerate(kept)]
        margins = None
        if decided(options[0].chance, options[where].chance):
            margins = [self._margin(view, way[2]) for way in kept]
        return Weighed(options, where, margins)

    def draw(self, before: View, after: View, iterations: int = 0, seed: int = 0) -> Drawn:
        mover = int(before.state.turn)
        return Drawn(self.chance(after, mover), self.chance(before, mover), 0.0)

    def chances(self, views: Sequence[View], iterations: int = 0, seed: int = 0) -> list[float]:
        first = self.chance(views[0], 0)
        return [first, POINTS - first]

    def chance(self, view: View, player: int) -> float:
        """A player's chance in any position of a game, in points."""
        if view.over:
            # D13: who fills the sheet wins at once.
            return POINTS if view.state.turn == player else 0.0
        mover, mine = self._of_mover(view)
        return mine if mover == player else POINTS - mine

    def _of_mover(self, view: View) -> tuple[int, float]:
        """The player in turn and the chance; before the opening roll (D3) the one who then begins."""
        state = view.state
        if state.opening:
            chances = [self._before_turn(0, 0, int(roll)) for roll in self._numbering.rolls]
            return 0, whole(float(np.dot(self._numbering.chance, chances)))
        mine, theirs, shown, roll, rolls = seen(view)
        if view.turn is not None:
            chance = max(way[1] for way in self._ways(mine, theirs, shown, roll, rolls))
        elif rolls:
            chance = whole(self._next_rolls(mine, theirs, shown)[rolls])
        else:
            chance = whole(self._before_turn(mine, theirs, shown))
        return int(state.turn), chance

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

    def _ways(self, mine: int, theirs: int, shown: int, roll: int, rolls: int) -> list[tuple[int, float, int]]:
        """A move, its chance and its sheet for everything that can come of a roll; rolling again has no sheet."""
        self._get_ready(theirs)
        tables = self._numbering, self._block, self._guess, self._taste, self._trial
        room = self._moves, self._sheets, self._chances
        number = int(weigh_roll(*tables, mine, theirs, shown, roll, *room))
        moves, sheets, chances = (array[:number].tolist() for array in room)
        self._all = [(move, whole(chance), sheet) for move, sheet, chance in zip(moves, sheets, chances, strict=True)]
        if rolls < dice.ROLLS:
            self._all.append((dice.REROLL, whole(self._next_rolls(mine, theirs, shown)[rolls]), NO_SHEET))
        return list({way[2]: way for way in reversed(self._all)}.values())

    def _margin(self, view: View, sheet: int) -> float:
        """How far the lowest row is ahead after a move; rolling again promises what the best scoring now does."""
        _, theirs, *_ = seen(view)
        sheets = [sheet] if sheet != NO_SHEET else [way[2] for way in self._all if way[2] != NO_SHEET]
        return max(_lowest(one) for one in sheets) - _lowest(theirs)


NO_SHEET = -1


def _lowest(sheet: int) -> float:
    return float(lowest(np.array([row(sheet, symbol) for symbol in range(6)])))

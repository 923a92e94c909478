"""Exact chances of a position, and of every option for a roll."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sixfold.engine import notation
from sixfold.errors import SetupError
from sixfold.games.dice import rules as dice
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.solve.play.approximation import NO_GUESS, Guess
from sixfold.solve.play.expectimax import BEST, best_move, look_ahead, worth
from sixfold.solve.positions.outcomes import lay_out, scoring_state, sheet_after
from sixfold.solve.positions.sheets import FULL, code, row
from sixfold.solve.positions.state_space import Numbering
from sixfold.solve.values.file import Values

NOTHING = "-"


@dataclass(frozen=True)
class Choice:
    """A move, the resulting sheet (none for a reroll), the chance afterwards, and its loss against the best move."""

    move: str
    sheet: str | None
    chance: float
    loss: float


def read_sheet(values: Values, text: str, whose: str) -> int:
    """Parse a sheet: six digits in the order R G B O Y P."""
    if len(text) != 6 or not (text.isascii() and text.isdigit()) or max(text) > str(dice.BOXES):
        raise SetupError(f"{whose} is six digits from 0 to 7, the marks in the order R G B O Y P, not {text!r}")
    sheet = int(code(np.array([int(digit) for digit in text])))
    if values.numbering.sheet_of[sheet] < 0:
        raise SetupError(f"{whose} cannot be {text}: a row goes further than the others allow (D11)")
    if sheet == FULL:
        raise SetupError(f"{whose} is full, so the game is over (D13)")
    return sheet


def read_dice(values: Values, text: str, whose: str) -> int:
    """Parse four dice, as letters in any order."""
    if len(text) != values.variant.dice or not set(text) <= set(SYMBOLS[: values.variant.symbols]):
        raise SetupError(f"{whose}: four of the letters {' '.join(SYMBOLS)}, such as RRBP, not {text!r}")
    return int(code(np.array([text.count(letter) for letter in SYMBOLS])))


def sheet_text(sheet: int) -> str:
    return "".join(str(int(row(sheet, symbol))) for symbol in range(6))


def dice_text(roll: int) -> str:
    return "".join(letter * int(row(roll, symbol)) for symbol, letter in enumerate(SYMBOLS))


class Odds:
    """The chances of one position: both sheets and the opponent's dice in view (none at a hidden start, D15)."""

    def __init__(self, values: Values, mine: int, theirs: int, shown: int) -> None:
        self.values = values
        self.mine, self.theirs, self.shown = mine, theirs, shown
        self._trial = scoring_state(values.variant.split_jokers)
        values.load_class(theirs)

    @property
    def _tables(self) -> tuple[Numbering, np.ndarray, Guess, int, np.ndarray, int, int, int]:
        return self.values.numbering, self.values.block, NO_GUESS, BEST, self._trial, self.mine, self.theirs, self.shown

    def next_rolls(self) -> np.ndarray:
        """The worth of the first, second and third roll before each is made."""
        roll_worth = np.zeros(dice.ROLLS)
        look_ahead(*self._tables, roll_worth)
        return roll_worth

    def chance(self) -> float:
        """The chance of the player about to roll."""
        if not self.shown:
            return float(self.next_rolls()[0])
        return self.values.chance(self.mine, self.theirs, self.shown)

    def choices(self, roll: int, rolls_left: int) -> Sequence[Choice]:
        """All options for a roll, best first."""
        options: list[tuple[float, str, str | None]] = []
        if rolls_left:
            options.append((float(self.next_rolls()[dice.ROLLS - rolls_left]), notation.write(dice, dice.REROLL), None))
        lay_out(self._trial[0], self.mine, self.shown, roll)
        roll_index = int(self.values.numbering.roll_of[roll])
        for index in range(dice.count(self._trial[0])):
            move = dice.nth(self._trial[0], index)
            sheet = sheet_after(self._trial[0], self.mine, move)
            chance = worth(self.values.numbering, self.values.block, sheet, self.theirs, roll_index)
            options.append((float(chance), notation.write(dice, move), sheet_text(sheet)))
        best = max(chance for chance, _, _ in options)
        ordered = sorted(options, key=lambda option: -option[0])
        return [Choice(move, sheet, chance, best - chance) for chance, move, sheet in ordered]

    def best(self, roll: int, rolls: int) -> int:
        """The number of the best move after ``rolls`` rolls."""
        return int(best_move(*self._tables, roll, rolls))

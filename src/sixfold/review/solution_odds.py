"""The exact odds of any position of the two-player dice game that somebody describes, where there is a value file."""

from functools import lru_cache
from pathlib import Path

import msgspec

from sixfold.engine import notation
from sixfold.engine.game import View
from sixfold.errors import UserError
from sixfold.games.contract import Position
from sixfold.games.dice import rules as dice
from sixfold.games.dice.shown import DicePosition
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.review.estimating import POINTS
from sixfold.review.shapes import Candidate, Odds
from sixfold.review.solution import Solution, seen
from sixfold.solve.positions.sheets import FULL
from sixfold.solve.values.file import Values, default_path, open_values
from sixfold.table.positions import view_of

PLAYERS, DICE = 2, 4


class NoPosition(UserError):
    """What was described cannot be; the message says why."""


def exact_odds(shown: Position) -> Odds | None:
    """Everybody's chance and every choice of whoever is in turn, the best first; none where no file knows them."""
    if not isinstance(shown, DicePosition) or shown.players != PLAYERS:
        return None
    split = shown.options.get("split_jokers") is True
    path = default_path(split)
    if not path.exists():
        return None
    values = _opened(split, path, path.stat().st_mtime_ns)
    view = read_view(shown, values)
    by = Solution(split, values)
    first = by.chance(view, 0)
    options = by.every_option(view) if view.turn is not None else []
    moves = [Candidate(notation.write(dice, one.move), one.chance, 0.0) for one in options]
    return Odds([first, POINTS - first], moves)


@lru_cache(2)
def _opened(split: bool, path: Path, written: int) -> Values:
    return open_values(split, path)


def read_view(shown: DicePosition, values: Values) -> View:
    """The position, if there is such a one."""
    _check_parts(shown)
    states = (view := view_of(msgspec.to_builtins(shown))).states
    mine, theirs, other, _, rolls = seen(view)
    if not view.over and FULL in (mine, theirs):
        raise NoPosition("a sheet is full, so the game is over (D13)")
    for sheet in (mine, theirs):
        if values.numbering.sheet_of[sheet] < 0:
            raise NoPosition("a row goes further than the others allow (D11)")
    if not other and not view.over:
        # D3, D15: nobody has shown dice before the opening roll, and at a hidden start before the first turn is over.
        if any(map(any, shown.values)):
            raise NoPosition("the player who is not in turn shows no dice (D5)")
        if not states["hidden_start"][0]:
            if view.turn is not None or shown.turn != 1 or rolls:
                raise NoPosition("the player who is not in turn has not rolled yet (D3)")
            states["opening"] = 1
    return view


def _check_parts(shown: DicePosition) -> None:
    """Everything is there, and within its limits."""
    if shown.turn not in range(2) or len(shown.values) != 2 or len(shown.dice) != 2:
        raise NoPosition("two players have a sheet and dice each, and one of them is in turn (D1)")
    if any(len(row) != len(SYMBOLS) or not set(row) <= set(range(dice.BOXES + 1)) for row in shown.values):
        raise NoPosition(f"a sheet has six rows with 0 to {dice.BOXES} marks each (D2)")
    if any(not set(some) <= set(SYMBOLS) or len(some) not in (0, DICE) for some in shown.dice):
        raise NoPosition(f"a player shows four dice or none, with the letters {' '.join(SYMBOLS)} (D1)")
    deciding, own = shown.phase == "decide", len(shown.dice[shown.turn])
    if shown.rolls not in (range(1, dice.ROLLS + 1) if deciding else range(dice.ROLLS + 1)):
        raise NoPosition(f"a turn has one to {dice.ROLLS} rolls (D4)")
    if shown.phase != "over" and (own == DICE) != deciding:
        raise NoPosition("whoever decides shows four dice, and whoever rolls has taken them up (D4)")

"""The exact odds of any described position of the two-player dice game, if there is a value file."""

from functools import lru_cache
from pathlib import Path

import msgspec

from sixfold.engine import notation
from sixfold.engine.game import View
from sixfold.errors import UserError
from sixfold.games.contract import Position
from sixfold.games.dice import rules as dice
from sixfold.games.dice.codec import DicePosition
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.review.model import POINTS, Candidate, Odds
from sixfold.review.solution import Solution, codes_of
from sixfold.solve.positions.sheets import FULL
from sixfold.solve.values.file import Values, default_path, open_values
from sixfold.table.positions import view_of

PLAYERS, DICE = 2, 4


class NoPosition(UserError):
    """The described position is impossible; the message says why."""


def exact_odds(position: Position) -> Odds | None:
    """Every player's chance and all moves of the active player, best first; None without a value file."""
    if not isinstance(position, DicePosition) or position.players != PLAYERS:
        return None
    split = position.options.get("split_jokers") is True
    path = default_path(split)
    if not path.exists():
        return None
    values = _opened(split, path, path.stat().st_mtime_ns)
    view = read_view(position, values)
    evaluator = Solution(split, values)
    first = evaluator.chance(view, 0)
    options = evaluator.every_option(view) if view.turn is not None else []
    candidates = [Candidate(notation.write(dice, option.move), option.chance, 0.0) for option in options]
    return Odds([first, POINTS - first], candidates)


@lru_cache(2)
def _opened(split: bool, path: Path, written: int) -> Values:
    return open_values(split, path)


def read_view(position: DicePosition, values: Values) -> View:
    """The view of a described position; raises if it is impossible."""
    _check_fields(position)
    states = (view := view_of(msgspec.to_builtins(position))).states
    mine, theirs, opponent_dice, _, rolls = codes_of(view)
    if not view.over and FULL in (mine, theirs):
        raise NoPosition("a sheet is full, so the game is over (D13)")
    for sheet in (mine, theirs):
        if values.numbering.sheet_of[sheet] < 0:
            raise NoPosition("a row goes further than the others allow (D11)")
    if not opponent_dice and not view.over:
        # D3, D15: nobody has shown dice before the opening roll, and at a hidden start before the first turn is over.
        if any(map(any, position.values)):
            raise NoPosition("the player who is not in turn shows no dice (D5)")
        if not states["hidden_start"][0]:
            if view.turn is not None or position.turn != 1 or rolls:
                raise NoPosition("the player who is not in turn has not rolled yet (D3)")
            states["opening"] = 1
    return view


def _check_fields(position: DicePosition) -> None:
    """Check that all fields are present and within their limits."""
    if position.turn not in range(2) or len(position.values) != 2 or len(position.dice) != 2:
        raise NoPosition("two players have a sheet and dice each, and one of them is in turn (D1)")
    if any(len(row) != len(SYMBOLS) or not set(row) <= set(range(dice.BOXES + 1)) for row in position.values):
        raise NoPosition(f"a sheet has six rows with 0 to {dice.BOXES} marks each (D2)")
    if any(not set(dice_shown) <= set(SYMBOLS) or len(dice_shown) not in (0, DICE) for dice_shown in position.dice):
        raise NoPosition(f"a player shows four dice or none, with the letters {' '.join(SYMBOLS)} (D1)")
    deciding, own_dice = position.phase == "decide", len(position.dice[position.turn])
    if position.rolls not in (range(1, dice.ROLLS + 1) if deciding else range(dice.ROLLS + 1)):
        raise NoPosition(f"a turn has one to {dice.ROLLS} rolls (D4)")
    if position.phase != "over" and (own_dice == DICE) != deciding:
        raise NoPosition("whoever decides shows four dice, and whoever rolls has taken them up (D4)")

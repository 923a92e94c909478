"""The position codec of the dice game."""

from typing import Any, Literal

from sixfold.games import contract
from sixfold.games.dice.rules import DECIDE
from sixfold.games.shared.codec import Letters, Number, PositionFields
from sixfold.games.shared.compiler import compiled

PHASES = {DECIDE: "decide"}


class DicePosition(contract.Position, forbid_unknown_fields=True, tag_field="game", tag="dice"):
    """A position of the dice game."""

    phase: Literal["roll", "decide", "over"]
    dice: list[list[str]]
    rolls: int


@compiled
def follow(state: Any) -> None:
    state.opening = 0


POSITION = DicePosition
FIELDS = PositionFields({"dice": Letters("dice"), "rolls": Number("rolls")}, values="marks", follow=follow)
decode = FIELDS.decode

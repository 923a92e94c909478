"""The position codec of the dice game."""

from typing import Any, Literal

from sixfold.games import contract
from sixfold.games.dice.rules import DECIDE
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.shown import Letters, Number, Parts

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
PARTS = Parts({"dice": Letters("dice"), "rolls": Number("rolls")}, values="marks", follow=follow)
shown, tell = PARTS.show, PARTS.tell

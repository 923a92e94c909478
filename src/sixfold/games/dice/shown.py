"""What a view of the dice game shows."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from sixfold.games import contract
from sixfold.games.dice.rules import DECIDE
from sixfold.games.shared.symbols import SYMBOLS

PHASES = {DECIDE: "decide"}


class DicePosition(contract.Position, forbid_unknown_fields=True, tag_field="game", tag="dice"):
    """A position of the dice game."""

    phase: Literal["roll", "decide", "over"]
    dice: list[list[str]]
    rolls: int


POSITION = DicePosition


def shown(fields: Mapping[str, Any]) -> dict[str, Any]:
    rows = fields["dice"][: fields["players"]]
    return {
        "dice": [[SYMBOLS[symbol] for symbol in range(6) for _ in range(row[symbol])] for row in rows],
        "rolls": fields["rolls"],
    }


def tell(state: np.record, position: DicePosition) -> None:
    for player, letters in enumerate(position.dice):
        for letter in letters:
            state.dice[player, SYMBOLS.index(letter)] += 1
    state.marks[: state.players] = position.values
    state.rolls = position.rolls
    state.opening = 0

"""What a view of posy shows."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from sixfold.games import contract
from sixfold.games.shared.codec import Counts
from sixfold.games.shared.symbols import NONE
from sixfold.games.shared.text import HIDDEN
from tests.posy.rules import ITEMS, LAY

PHASES = {LAY: "lay"}


class PosyPosition(contract.Position, forbid_unknown_fields=True, tag_field="game", tag="posy"):
    """A position of posy. ``unseen`` are the undealt flowers and those that this seat cannot see."""

    phase: Literal["deal", "draw", "lay", "over"]
    hands: list[list[str]]
    tops: list[str | None]
    unseen: dict[str, int]
    rest: int


POSITION = PosyPosition
UNSEEN = Counts(ITEMS, "rest")


def names(counts: Sequence[int] | np.ndarray, held: int) -> list[str]:
    """What is in a hand; what nobody may see is hidden."""
    seen = [name for name, number in zip(ITEMS, counts, strict=True) for _ in range(number)]
    return seen + [HIDDEN] * (held - len(seen))


def encode(fields: Mapping[str, Any]) -> dict[str, Any]:
    everybody = range(fields["players"])
    tops = fields["top"][: fields["players"]]
    return {
        "hands": [names(fields["hand"][player], fields["held"][player]) for player in everybody],
        "tops": [None if top == NONE else ITEMS[top] for top in tops],
        "unseen": {name: number for name, number in zip(ITEMS, fields["rest"], strict=True) if number},
        "rest": fields["rest_size"],
    }


def decode(state: np.record, position: PosyPosition) -> None:
    for player, held in enumerate(position.hands):
        state.held[player] = len(held)
        for name in held:
            if name != HIDDEN:
                state.hand[player, ITEMS.index(name)] += 1
    for player, top in enumerate(position.tops):
        state.top[player] = NONE if top is None else ITEMS.index(top)
    UNSEEN.decode(state, position.unseen)
    state.rest_size = position.rest
    state.value[: state.players] = position.values
    state.dealing = position.phase == "deal"

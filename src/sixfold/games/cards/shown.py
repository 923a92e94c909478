"""What a view of the card game shows."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from sixfold.games import contract
from sixfold.games.cards.rules import CHOOSE, ITEMS, OCCASIONS, PLAY, PLAYING
from sixfold.games.shared.picture import item_names
from sixfold.games.shared.shown import named_counts, tell_counts, tell_items

PHASES = {PLAY: "play", CHOOSE: "choose"}
_STAGES = {occasion.word: stage for stage, occasion in enumerate(OCCASIONS)}


class CardsPosition(contract.Position, forbid_unknown_fields=True, tag_field="game", tag="cards"):
    """A position of the card game. ``unseen`` are the cards in the pile and in hands that this seat cannot see."""

    phase: Literal["deal", "open", "draw", "play", "choose", "over"]
    hands: list[list[str]]
    open: list[list[str]]
    unseen: dict[str, int]
    pile: int
    discards: dict[str, int]
    bonus: int


POSITION = CardsPosition


def shown(fields: Mapping[str, Any]) -> dict[str, Any]:
    everybody = range(fields["players"])
    return {
        "hands": [item_names(ITEMS, fields["hand"][player], fields["hand_size"][player]) for player in everybody],
        "open": [item_names(ITEMS, fields["open"][player], fields["open_size"][player]) for player in everybody],
        "unseen": named_counts(ITEMS, fields["pile"]),
        "pile": fields["pile_size"],
        "discards": named_counts(ITEMS, fields["discards"]),
        "bonus": fields["bonus"],
    }


def tell(state: np.record, position: CardsPosition) -> None:
    tell_items(ITEMS, state.hand, state.hand_size, position.hands)
    tell_items(ITEMS, state.open, state.open_size, position.open)
    tell_counts(ITEMS, state.pile, position.unseen)
    tell_counts(ITEMS, state.discards, position.discards)
    state.pile_size = position.pile
    state.discards_size = sum(position.discards.values())
    state.chip[: state.players] = position.values
    state.bonus = position.bonus
    state.stage = _STAGES.get(position.phase, PLAYING)

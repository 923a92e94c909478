"""The position codec of the card game."""

from typing import Any, Literal

from sixfold.games import contract
from sixfold.games.cards.rules import CHOOSE, ITEMS, OCCASIONS, PLAY
from sixfold.games.shared.codec import Counts, Items, Number, PositionFields, Stage
from sixfold.games.shared.compiler import compiled

PHASES = {PLAY: "play", CHOOSE: "choose"}


class CardsPosition(contract.Position, forbid_unknown_fields=True, tag_field="game", tag="cards"):
    """A position of the card game. ``unseen`` are the cards in the pile and in hands that this seat cannot see."""

    phase: Literal["deal", "open", "draw", "play", "choose", "over"]
    hands: list[list[str]]
    open: list[list[str]]
    unseen: dict[str, int]
    pile: int
    discards: dict[str, int]
    bonus: int


@compiled
def follow(state: Any) -> None:
    state.discards_size = state.discards.sum()


POSITION = CardsPosition
FIELDS = PositionFields(
    {
        "hands": Items(ITEMS, "hand", "hand_size"),
        "open": Items(ITEMS, "open", "open_size"),
        "unseen": Counts(ITEMS, "pile"),
        "pile": Number("pile_size"),
        "discards": Counts(ITEMS, "discards"),
        "bonus": Number("bonus"),
    },
    values="chip",
    follow=follow,
    stage=Stage("stage", [occasion.word for occasion in OCCASIONS]),
)
decode = FIELDS.decode

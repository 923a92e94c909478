"""What a view of orchard shows."""

from typing import Any, Literal

from sixfold.games import contract
from sixfold.games.shared.codec import Counts, Items, Number, PositionFields
from sixfold.games.shared.compiler import compiled
from tests.orchard.rules import CHOOSE, ITEMS, LAY

PHASES = {LAY: "lay", CHOOSE: "choose"}


class OrchardPosition(contract.Position, forbid_unknown_fields=True, tag_field="game", tag="orchard"):
    """A position of orchard. ``unseen`` are the fruits in the stock and those that this seat cannot see."""

    phase: Literal["take", "lay", "choose", "over"]
    hands: list[list[str]]
    tops: list[list[str]]
    unseen: dict[str, int]
    stock: int


@compiled
def follow(state: Any) -> None:
    """No field is derived from others."""


POSITION = OrchardPosition
FIELDS = PositionFields(
    {
        "hands": Items(ITEMS, "hand", "held"),
        "tops": Items(ITEMS, "top", "topped"),
        "unseen": Counts(ITEMS, "stock"),
        "stock": Number("stock_size"),
    },
    values="value",
    follow=follow,
)
decode = FIELDS.decode

"""The position codec of the travel edition."""

from typing import Any, Literal

from sixfold.games import contract
from sixfold.games.shared.codec import Counts, Items, Name, Number, PoolSize, PositionFields, Rows
from sixfold.games.shared.compiler import compiled
from sixfold.games.travel.board import BLOCKS, CELLS, CORNERS, EMPTY, LENGTHS, OFF_BOARD, WORDS
from sixfold.games.travel.rules import CHOOSE, ITEMS, PLACE, near_corners

PHASES = {PLACE: "place", CHOOSE: "choose"}


class TravelPosition(contract.Position, forbid_unknown_fields=True, tag_field="game", tag="travel"):
    """A position of the travel edition. ``unseen`` are the tiles in the bag and in racks that this seat cannot see."""

    phase: Literal["deal", "draw", "place", "choose", "over"]
    board: list[str]
    racks: list[list[str]]
    unseen: dict[str, int]
    bag: int
    bonus: int
    placed: int
    corner: str | None


@compiled
def follow(state: Any) -> None:
    """T5, T6: which pairs of cells are free, and where the first round allows a tile."""
    for cell in range(OFF_BOARD):
        if state.board[cell] != EMPTY:
            for word in range(WORDS):
                state.free[word] &= ~BLOCKS[cell, word]
    near_corners(state)


POSITION = TravelPosition
FIELDS = PositionFields(
    {
        "board": Rows(LENGTHS, "board"),
        "racks": Items(ITEMS, "rack", "rack_size"),
        "unseen": Counts(ITEMS, "bag"),
        "bag": PoolSize(),
        "bonus": Number("bonus"),
        "placed": Number("placed"),
        "corner": Name([CELLS[corner] for corner in CORNERS], "corner"),
    },
    values="score",
    follow=follow,
)
decode = FIELDS.decode

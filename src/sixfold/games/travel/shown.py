"""What a view of the travel edition shows."""

from collections.abc import Mapping
from itertools import accumulate, pairwise
from typing import Any, Literal

import numpy as np

from sixfold.games import contract
from sixfold.games.shared.picture import item_names
from sixfold.games.shared.shown import named_counts, tell_counts, tell_items
from sixfold.games.shared.symbols import NONE, SYMBOLS
from sixfold.games.travel.board import BLOCKS, CELL_INDEX, CELLS, CORNERS, EMPTY, LENGTHS, OFF_BOARD
from sixfold.games.travel.rules import CHOOSE, ITEMS, PLACE, near_corners

PHASES = {PLACE: "place", CHOOSE: "choose"}
# Where each row of the board begins, and where the last one ends.
_ROWS = [0, *accumulate(LENGTHS)]


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


POSITION = TravelPosition


def shown(fields: Mapping[str, Any]) -> dict[str, Any]:
    letters = "".join(["." if symbol == EMPTY else SYMBOLS[symbol] for symbol in fields["board"][:OFF_BOARD]])
    racks = zip(fields["rack"], fields["rack_size"], strict=True)
    return {
        "board": [letters[begin:end] for begin, end in pairwise(_ROWS)],
        "racks": [item_names(ITEMS, rack, size) for rack, size in racks],
        "unseen": named_counts(ITEMS, fields["bag"]),
        "bag": fields["pool_size"],
        "bonus": fields["bonus"],
        "placed": fields["placed"],
        "corner": None if fields["corner"] == NONE else CELLS[CORNERS[fields["corner"]]],
    }


def tell(state: np.record, position: TravelPosition) -> None:
    for cell, letter in enumerate("".join(position.board)):
        if letter != ".":
            state.board[cell] = SYMBOLS.index(letter)
            state.free[:] &= ~BLOCKS[cell]
    tell_items(ITEMS, state.rack, state.rack_size, position.racks)
    tell_counts(ITEMS, state.bag, position.unseen)
    state.score[: state.players] = position.values
    state.bonus = position.bonus
    state.placed = position.placed
    state.corner = NONE if position.corner is None else CORNERS.tolist().index(CELL_INDEX[position.corner])
    near_corners(state)

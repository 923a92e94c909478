"""Shared helpers for the games' notations: items with two symbols."""

from sixfold.games.contract import Refusal
from sixfold.games.shared.symbols import SYMBOLS


def no_item(item: str) -> Refusal | None:
    """The reason why a text is not the name of a tile or card, or None if it is one."""
    if len(item) != 2:
        return Refusal("no_item", "record", {"item": item})
    for letter in item:
        if letter not in SYMBOLS:
            return Refusal("no_symbol", "record", {"letter": letter})
    return None

"""Moves of posy as text."""

from sixfold.games.contract import Refusal
from tests.posy.rules import ITEMS

EXAMPLE = "lay R"


def format_move(move: int) -> str:
    return f"lay {ITEMS[move]}"


def diagnose(text: str) -> Refusal | None:
    words = text.split(" ")
    return Refusal("no_symbol", "record", {"letter": words[1]}) if words[0] == "lay" and len(words) == 2 else None

"""Moves of orchard as text."""

from sixfold.games.contract import Refusal
from tests.orchard.rules import CHOICES, HOLD, ITEMS

EXAMPLE = "lay apple"


def format_move(move: int) -> str:
    return f"lay {ITEMS[move]}" if move < HOLD else CHOICES[move - HOLD]


def diagnose(text: str) -> Refusal | None:
    return None

"""Moves of the card game as text (docs/rules/record.md)."""

from sixfold.games.cards.rules import CHOICES, KEEP
from sixfold.games.contract import Refusal
from sixfold.games.shared.notation import no_item
from sixfold.games.shared.symbols import SYMBOLS, first_of, second_of

EXAMPLE = "play RG"


def format_move(move: int) -> str | None:
    if move >= KEEP:
        return CHOICES[move - KEEP]
    first, second = first_of(move), second_of(move)
    return f"play {SYMBOLS[first]}{SYMBOLS[second]}" if first != second else None


def diagnose(text: str) -> Refusal | None:
    """C1: what is wrong with a card."""
    words = text.split(" ")
    if words[0] != "play" or len(words) != 2:
        return None
    return no_item(words[1]) or (Refusal("no_double", "C1") if words[1][0] == words[1][1] else None)

"""Moves of the dice game as text (docs/rules/record.md)."""

import re
from functools import cache

from sixfold.games.contract import Refusal
from sixfold.games.dice.moves import ACTIONS, REROLL, SCORE, joker_of, jokers_in
from sixfold.games.shared.symbols import SYMBOLS

EXAMPLE = "score B2>Y"


def format_move(move: int) -> str | None:
    if move == REROLL:
        return "reroll"
    if move == SCORE:
        return "score"
    jokers = [joker_of(move, which) for which in range(jokers_in(move))]
    if jokers != sorted(jokers):
        return None
    return " ".join(["score", *(f"{SYMBOLS[symbol]}{size}>{SYMBOLS[target]}" for symbol, size, target in jokers)])


@cache
def _texts() -> frozenset[str | None]:
    return frozenset(format_move(move) for move in range(ACTIONS))


def diagnose(text: str) -> Refusal | None:
    """D7: jokers in the wrong order, or of dice that can never be set apart like this."""
    words = text.split(" ")
    if words[0] != "score" or len(words) < 2:
        return None
    ordered = " ".join(["score", *sorted(words[1:], key=_joker_order)])
    if ordered in _texts():
        return Refusal("joker_order", "record", {"example": ordered})
    well_spelt = all(re.fullmatch(rf"[{SYMBOLS}][0-9]>[{SYMBOLS}]", joker) for joker in words[1:])
    return Refusal("joker_dice", "D7") if well_spelt else None


def _joker_order(joker: str) -> tuple[int, ...]:
    return tuple(SYMBOLS.find(letter) if letter in SYMBOLS else ord(letter) for letter in joker)

"""Moves as text (docs/rules/record.md): one spelling for every move, and errors that name the reason."""

import json
import re
from collections.abc import Callable
from functools import cache
from types import ModuleType

from sixfold.errors import UserError
from sixfold.games.cards import rules as cards
from sixfold.games.dice import rules as dice
from sixfold.games.shared.symbols import SYMBOLS, Refusal
from sixfold.games.travel import rules as travel
from sixfold.games.travel.board import CELL_INDEX, CELLS, PAIR_INDEX, PAIRS
from sixfold.language import say

EXAMPLES = {"travel": "place RG c4 c5", "cards": "play RG", "dice": "score B2>Y"}


LONGEST_QUOTE = 80


def quoted(text: str) -> str:
    """What somebody wrote: control characters spelt out, and cut short where it is long."""
    shown = text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 1]}…"
    return json.dumps(shown, ensure_ascii=False)


class Refused(UserError):
    """A move or event that the notation or the rules do not allow."""

    def __init__(self, text: str, refusal: Refusal) -> None:
        self.text = text
        self.refusal = refusal
        super().__init__(self.sentence())

    def sentence(self, language: str = "en") -> str:
        """The whole message: what was said, why not, and the clause."""
        return f"{quoted(self.text)}: {self.reason(language)} ({self.refusal.clause})"

    def reason(self, language: str = "en") -> str:
        return say(self.refusal.key, language, **self.refusal.words)


def _travel_words(move: int) -> str:
    if move >= travel.KEEP:
        return travel.CHOICES[move - travel.KEEP]
    here, there = PAIRS[move // 36]
    return f"place {SYMBOLS[move % 36 // 6]}{SYMBOLS[move % 6]} {CELLS[here]} {CELLS[there]}"


def _cards_words(move: int) -> str | None:
    if move >= cards.KEEP:
        return cards.CHOICES[move - cards.KEEP]
    first, second = divmod(move, 6)
    return f"play {SYMBOLS[first]}{SYMBOLS[second]}" if first != second else None


def _dice_words(move: int) -> str | None:
    if move == dice.REROLL:
        return "reroll"
    if move == dice.SCORE:
        return "score"
    if move < dice.TWO_JOKERS:
        group, target = divmod(move - dice.ONE_JOKER, 6)
        return f"score {SYMBOLS[group // 3]}{group % 3 + 2}>{SYMBOLS[target]}"
    first, second = divmod(move - dice.TWO_JOKERS, 36)
    if first > second:
        return None
    pairs = (f"{SYMBOLS[pair // 6]}2>{SYMBOLS[pair % 6]}" for pair in (first, second))
    return "score " + " ".join(pairs)


_WORDS: dict[str, Callable[[int], str | None]] = {
    "travel": _travel_words,
    "cards": _cards_words,
    "dice": _dice_words,
}


@cache
def spellings(rules: ModuleType) -> tuple[str | None, ...]:
    """Every move's text by its number; None for numbers that no move has."""
    words = _WORDS[rules.NAME]
    return tuple(words(move) for move in range(rules.ACTIONS))


@cache
def _numbers(rules: ModuleType) -> dict[str, int]:
    return {text: move for move, text in enumerate(spellings(rules)) if text is not None}


def write(rules: ModuleType, move: int) -> str:
    """A move as text, without the player's number."""
    text = spellings(rules)[move]
    if text is None:
        raise ValueError(f"{rules.NAME} has no move {move}")
    return text


def read(rules: ModuleType, text: str) -> int:
    """The number of a move that is written as text, without the player's number."""
    move = _numbers(rules).get(text)
    if move is None:
        raise Refused(text, _diagnosis(rules, text))
    return move


def _diagnosis(rules: ModuleType, text: str) -> Refusal:
    """Why a text is no move of this game."""
    words = text.split(" ")
    if rules is travel and words[0] == "place" and len(words) == 4:
        refusal = _no_placement(*words[1:])
    elif rules is cards and words[0] == "play" and len(words) == 2:
        refusal = _no_item(words[1]) or (Refusal("no_double", "C1") if words[1][0] == words[1][1] else None)
    elif rules is dice and words[0] == "score" and len(words) > 1:
        ordered = " ".join(["score", *sorted(words[1:], key=_joker_order)])
        swapped = Refusal("joker_order", "record", {"example": ordered}) if ordered in _numbers(rules) else None
        refusal = swapped or _no_jokers(words[1:])
    else:
        refusal = None
    return refusal or Refusal("not_a_move", "record", {"example": EXAMPLES[rules.NAME]})


def _joker_order(joker: str) -> tuple[int, ...]:
    return tuple(SYMBOLS.find(letter) if letter in SYMBOLS else ord(letter) for letter in joker)


def _no_jokers(jokers: list[str]) -> Refusal | None:
    """Why dice can never be set apart like this; None where it is only the spelling."""
    spelt = all(re.fullmatch(rf"[{SYMBOLS}][0-9]>[{SYMBOLS}]", joker) for joker in jokers)
    return Refusal("joker_dice", "D7") if spelt else None


def _no_item(item: str) -> Refusal | None:
    """Why two letters name no tile or card, or None."""
    if len(item) != 2:
        return Refusal("no_item", "record", {"item": item})
    for letter in item:
        if letter not in SYMBOLS:
            return Refusal("no_symbol", "record", {"letter": letter})
    return None


def _no_placement(tile: str, first: str, second: str) -> Refusal | None:
    refusal = _no_item(tile)
    if refusal:
        return refusal
    for cell in (first, second):
        if cell not in CELL_INDEX:
            return Refusal("no_cell", "T1", {"cell": cell})
    here, there = CELL_INDEX[first], CELL_INDEX[second]
    if (there, here) in PAIR_INDEX:
        return Refusal("cell_order", "record", {"example": f"place {tile[1]}{tile[0]} {second} {first}"})
    return Refusal("not_adjacent", "T5", {"first": first, "second": second})

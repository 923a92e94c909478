"""Moves as text (docs/rules/record.md): one spelling for every move, and errors that name the reason."""

import json
from functools import cache

from sixfold.errors import UserError
from sixfold.games import packages
from sixfold.games.contract import Refusal, Rules
from sixfold.language import say

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


def example(rules: Rules) -> str:
    """A move of a game, to show how moves are written."""
    return packages()[rules.NAME].spelling.EXAMPLE


@cache
def spellings(rules: Rules) -> tuple[str | None, ...]:
    """Every move's text by its number; None for numbers that no move has."""
    return tuple(map(packages()[rules.NAME].spelling.spelled, range(rules.ACTIONS)))


@cache
def _numbers(rules: Rules) -> dict[str, int]:
    return {text: move for move, text in enumerate(spellings(rules)) if text is not None}


def write(rules: Rules, move: int) -> str:
    """A move as text, without the player's number."""
    text = spellings(rules)[move]
    if text is None:
        raise ValueError(f"{rules.NAME} has no move {move}")
    return text


def read(rules: Rules, text: str) -> int:
    """The number of a move that is written as text, without the player's number."""
    move = _numbers(rules).get(text)
    if move is None:
        why = packages()[rules.NAME].spelling.diagnosis(text)
        raise Refused(text, why or Refusal("not_a_move", "record", {"example": example(rules)}))
    return move

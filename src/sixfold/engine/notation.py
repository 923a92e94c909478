"""Moves as text (docs/rules/record.md): exactly one text for every move, and errors that give the reason."""

import json
from functools import cache

from sixfold.errors import UserError
from sixfold.games import packages
from sixfold.games.contract import Refusal, Rules
from sixfold.language import say

LONGEST_QUOTE = 80


def quoted(text: str) -> str:
    """User input quoted for a message: control characters escaped, long texts truncated."""
    excerpt = text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 1]}…"
    return json.dumps(excerpt, ensure_ascii=False)


class Refused(UserError):
    """A move or event that violates the notation or the rules."""

    def __init__(self, text: str, refusal: Refusal) -> None:
        self.text = text
        self.refusal = refusal
        super().__init__(self.sentence())

    def sentence(self, language: str = "en") -> str:
        """The whole message: the rejected text, the reason, and the clause."""
        return f"{quoted(self.text)}: {self.reason(language)} ({self.refusal.clause})"

    def reason(self, language: str = "en") -> str:
        return say(self.refusal.key, language, **self.refusal.words)


def example(rules: Rules) -> str:
    """An example move that shows how moves are written."""
    return packages()[rules.NAME].notation.EXAMPLE


@cache
def move_texts(rules: Rules) -> tuple[str | None, ...]:
    """The text of every move by its number; None for unused numbers."""
    return tuple(map(packages()[rules.NAME].notation.format_move, range(rules.ACTIONS)))


@cache
def _numbers(rules: Rules) -> dict[str, int]:
    return {text: move for move, text in enumerate(move_texts(rules)) if text is not None}


def write(rules: Rules, move: int) -> str:
    """A move as text, without the player's number."""
    text = move_texts(rules)[move]
    if text is None:
        raise ValueError(f"{rules.NAME} has no move {move}")
    return text


def read(rules: Rules, text: str) -> int:
    """Parse the text of a move, without the player's number, and return the move's number."""
    move = _numbers(rules).get(text)
    if move is None:
        refusal = packages()[rules.NAME].notation.diagnose(text)
        raise Refused(text, refusal or Refusal("not_a_move", "record", {"example": example(rules)}))
    return move

"""The rules of a game as text, in the player's language."""

import json
import textwrap
from importlib import resources

from sixfold.language import say

# The text width of a dialog on an 80-column terminal, and the indentation that leaves space for clause numbers.
WIDTH = 72
INDENT = 5


def sections(game: str, language: str) -> list[tuple[str, dict[str, str]]]:
    """Each section's title and its clauses by number; empty for a game that ships no rules text."""
    text = resources.files("sixfold").joinpath("languages", "rules", f"{language}.json").read_text(encoding="utf-8")
    return [(section["title"], section["clauses"]) for section in json.loads(text).get(game, [])]


def text(game: str, language: str) -> str:
    """All rules of a game as one text."""
    blocks = [
        "\n".join([title.upper(), *(_clause(number, clause) for number, clause in clauses.items())])
        for title, clauses in sections(game, language)
    ]
    return "\n\n".join(blocks) or say("rules_elsewhere", language)


def _clause(number: str, clause: str) -> str:
    lines = textwrap.wrap(clause, WIDTH - INDENT)
    return "\n".join([f"{number:<{INDENT}}{lines[0]}", *(" " * INDENT + line for line in lines[1:])])

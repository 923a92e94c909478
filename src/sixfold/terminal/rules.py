"""The rules of a game to read, in the player's language."""

import json
from importlib import resources

from sixfold.language import say


def sections(game: str, language: str) -> list[tuple[str, dict[str, str]]]:
    """Each section's title and its clauses by number; none for a game whose rules are kept elsewhere."""
    text = resources.files("sixfold").joinpath("languages", "rules", f"{language}.json").read_text(encoding="utf-8")
    return [(section["title"], section["clauses"]) for section in json.loads(text).get(game, [])]


def text(game: str, language: str) -> str:
    """The rules as one text."""
    blocks = [
        "\n".join([title.upper(), *(f"{number:>4}  {clause}" for number, clause in clauses.items())])
        for title, clauses in sections(game, language)
    ]
    return "\n\n".join(blocks) or say("rules_elsewhere", language)

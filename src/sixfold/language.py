"""Sentences for people, in English, German and Dutch."""

import json
from functools import cache
from importlib import resources

LANGUAGES = ("en", "de", "nl")


@cache
def sentences(language: str) -> dict[str, str]:
    """All sentences of one language."""
    text = resources.files("sixfold").joinpath("languages", f"{language}.json").read_text(encoding="utf-8")
    table: dict[str, str] = json.loads(text)
    return table


def say(key: str, language: str = "en", **words: object) -> str:
    """One sentence, with its words filled in."""
    return sentences(language)[key].format(**words)

"""User-facing sentences in English, German and Dutch."""

import json
from functools import cache
from importlib import resources

LANGUAGES = ("en", "de", "nl")

# The packages that provide sentences; each has a folder ``languages``.
_PACKAGES = ["sixfold"]


def add_sentences(package: str) -> None:
    """Register the sentences of a game from another distribution, if it has any."""
    if resources.files(package).joinpath("languages").is_dir():
        _PACKAGES.append(package)
        sentences.cache_clear()


@cache
def sentences(language: str) -> dict[str, str]:
    """All sentences of one language by key."""
    table: dict[str, str] = {}
    for package in _PACKAGES:
        text = resources.files(package).joinpath("languages", f"{language}.json").read_text(encoding="utf-8")
        table |= json.loads(text)
    return table


def say(key: str, language: str = "en", **words: object) -> str:
    """One sentence with its placeholders filled in."""
    return sentences(language)[key].format(**words)

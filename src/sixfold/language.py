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
        folder = resources.files(package).joinpath("languages")
        for file in (folder.joinpath(f"{code}.json") for code in dict.fromkeys((LANGUAGES[0], language))):
            # A game from elsewhere may be in English only.
            if file.is_file():
                table |= json.loads(file.read_text(encoding="utf-8"))
    return table


def say(key: str, language: str = "en", **words: object) -> str:
    """One sentence with its placeholders filled in. A sentence that a game from elsewhere lacks is shown as its key."""
    return sentences(language).get(key, key).format(**words)

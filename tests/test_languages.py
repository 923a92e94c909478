"""Sentences for people: the same ones in every language, and all that the source asks for."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sixfold.language import LANGUAGES, say, sentences

SOURCE = Path(__file__).parents[1] / "src" / "sixfold"
OTHERS = [language for language in LANGUAGES if language != "en"]


def placeholders(text: str) -> list[str]:
    return sorted(re.findall(r"\{(\w*)\}", text))


def keys_in_source(function: str) -> Iterator[tuple[str, str]]:
    """Pairs of a file and a key that it writes as the first argument of a function."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == function and node.args:
                key = node.args[0]
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield path.name, key.value


def test_english_german_and_dutch_are_there() -> None:
    assert LANGUAGES == ("en", "de", "nl")
    assert sorted(path.stem for path in (SOURCE / "languages").glob("*.json")) == sorted(LANGUAGES)


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_sentences_in_the_same_order(language: str) -> None:
    assert list(sentences(language)) == list(sentences("en"))


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_has_the_same_placeholders(language: str) -> None:
    for key, text in sentences("en").items():
        assert placeholders(sentences(language)[key]) == placeholders(text), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_can_be_filled_in_and_says_something(language: str) -> None:
    for key, text in sentences(language).items():
        filled = say(key, language, **{name: f"<{name}>" for name in placeholders(text)})
        assert filled.strip() == filled
        assert filled
        assert all(f"<{name}>" in filled for name in placeholders(text))


@pytest.mark.parametrize("function", ["Refusal", "Reason", "say"])
def test_every_key_in_the_source_exists(function: str) -> None:
    found = list(keys_in_source(function))
    assert found
    missing = [f"{file} asks for {key!r}" for file, key in found if key not in sentences("en")]
    assert not missing, "\n".join(missing)


def refusals_in_source() -> Iterator[tuple[str, ast.Call, str]]:
    """Every refusal whose key is written out: the file, the call, and the function's name."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = ast.unparse(node.func).split(".")[-1] if isinstance(node, ast.Call) else ""
            if (
                isinstance(node, ast.Call)
                and name in ("Refusal", "TableRefused")
                and isinstance(node.args[0], ast.Constant)
            ):
                yield path.name, node, name


def test_every_reason_for_a_refusal_is_given_the_words_that_it_names() -> None:
    for file, node, function in refusals_in_source():
        needed = set(placeholders(sentences("en")[ast.literal_eval(node.args[0])]))
        words = node.args[2] if len(node.args) > 2 else ast.Dict([], [])
        if function == "TableRefused":
            assert {word.arg for word in node.keywords} == needed, f"{file}: {ast.unparse(node)}"
        elif isinstance(words, ast.Dict) and None not in words.keys:
            given = {ast.literal_eval(name) for name in words.keys if name is not None}
            assert given == needed, f"{file}: {ast.unparse(node)}"

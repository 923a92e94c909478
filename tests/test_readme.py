"""What a reader can copy from the documents works: examples print what they say, commands and their options exist."""

import ast
import doctest
import json
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from lab.cli import app as lab
from sixfold.cli import app

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]
COMMANDS: Any = typer.main.get_command(app)
LAB: Any = typer.main.get_command(lab)
# What the command line raises for words that it does not understand.
USAGE: Any = typer.BadParameter.__base__


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^[ ]*```{language}\n(.*?)^[ ]*```", text, flags=re.DOTALL | re.MULTILINE)


def pages_with(language: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, language)]


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", pages_with("python"), ids=name)
def test_the_examples_in_python_hold(page: Path) -> None:
    names: dict[str, object] = {}
    for number, block in enumerate(blocks(page, "python"), start=1):
        if ">>>" not in block:
            ast.parse(block)
            continue
        examples = doctest.DocTestParser().get_doctest(block, names, f"{name(page)}, block {number}", str(page), 0)
        runner = doctest.DocTestRunner()
        runner.run(examples, clear_globs=False)
        names = examples.globs
        assert runner.summarize().failed == 0


@pytest.mark.parametrize("page", pages_with("json"), ids=name)
def test_the_examples_in_json_can_be_read(page: Path) -> None:
    for block in blocks(page, "json"):
        json.loads(block)


def commands_in(page: Path) -> Iterator[str]:
    """Every line that a reader may copy into a shell."""
    for block in blocks(page, "sh"):
        yield from (line.partition(" #")[0].strip() for line in block.splitlines() if line.strip())


@cache
def targets() -> set[str]:
    return set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))


@cache
def scripts() -> set[str]:
    return set(json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["scripts"])


def wrong_with(line: str) -> str | None:
    """What a shell would not find: a command of ours, an option of it, a target of make, a script of npm."""
    words = shlex.split(line)
    while words and "=" in words[0]:
        words.pop(0)
    program = Path(words[0]).name if words else ""
    if program == "make":
        lost = [word for word in words[1:] if "=" not in word and word not in targets()]
        return f"no target {lost}" if lost else None
    if words[:2] == ["npm", "run"]:
        return None if words[2] in scripts() else f"no script {words[2]}"
    if program == "python" and words[1:3] == ["-m", "lab"]:
        return _wrong_with_ours(LAB, words[3:])
    return _wrong_with_ours(COMMANDS, words[1:]) if program == "sixfold" else None


def _wrong_with_ours(command: Any, words: list[str]) -> str | None:
    """What the command line says to it; nothing is run."""
    try:
        context = command.make_context(command.name, list(words))
        rest = [*context._protected_args, *context.args]
        if not rest or not hasattr(command, "commands"):
            return None
        _, inner, more = command.resolve_command(context, rest)
        return _wrong_with_ours(inner, more)
    except typer.Exit:
        return None
    except USAGE as error:
        return str(error)


@pytest.mark.parametrize("page", pages_with("sh"), ids=name)
def test_the_commands_that_a_page_names_exist(page: Path) -> None:
    wrong = {line: why for line in commands_in(page) if (why := wrong_with(line)) is not None}
    assert not wrong


@pytest.mark.parametrize(
    "line",
    [
        "sixfold fly",
        "sixfold serve --wings",
        "make coffee",
        "npm run away",
        "sixfold solve cake",
        ".venv/bin/python -m lab cake",
        "sixfold play --seat first",
    ],
)
def test_a_command_that_is_not_there_is_noticed(line: str) -> None:
    assert wrong_with(line) is not None

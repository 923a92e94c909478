"""What several commands share: options of a game, the language, and progress."""

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from sixfold.errors import SetupError
from sixfold.games import packages
from sixfold.games.contract import Value
from sixfold.language import LANGUAGES

GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"one of {', '.join(packages())}")]
Players = Annotated[int, typer.Option(help="how many players")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="an option of the game; may be repeated"),
]

_FLAGS = {"true": True, "false": False}


def read_options(pairs: Sequence[str] | None) -> dict[str, Value]:
    """Options as they are typed: ``split_jokers=true``."""
    options: dict[str, Value] = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise SetupError(f"an option is written name=value, such as name=true, not {pair!r}")
        options[name] = _FLAGS.get(value, value)
    return options


def language_of(wanted: str | None) -> str:
    """The language that was asked for, or the system's, or English."""
    if wanted is not None and wanted not in LANGUAGES:
        raise SetupError(f"there is no language {wanted!r}; choose one of {', '.join(LANGUAGES)}")
    system = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return wanted or (system[:2] if system[:2] in LANGUAGES else "en")


def full_screen() -> bool:
    """Is there a terminal whose whole screen can be drawn on?"""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") not in (None, "", "dumb")


def at_least_one(number: int, what: str) -> None:
    """Refuse numbers that make no sense."""
    if number < 1:
        raise SetupError(f"{what} has to be at least 1, not {number}")


def now_and_then(seconds: float = 5.0) -> Callable[[Callable[[], str]], None]:
    """Progress where there is no terminal to draw a bar on: a line on the error stream, every few seconds at most."""
    said = time.monotonic()

    def tell(line: Callable[[], str]) -> None:
        nonlocal said
        if time.monotonic() >= said + seconds:
            said = time.monotonic()
            print(line(), file=sys.stderr, flush=True)

    return tell


def progress_bar() -> Progress:
    """A bar on the terminal's error stream, so that output can be piped; gone when the work is done."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )

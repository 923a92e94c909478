"""Shared by the commands: game options, the language, and progress output."""

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Annotated, Any

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


def command_line(name: str, text: str, **settings: Any) -> typer.Typer:
    """A command line with the help text ``text``."""
    return typer.Typer(
        name=name,
        help=text,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **settings,
    )


_FLAGS = {"true": True, "false": False}


def read_options(pairs: Sequence[str] | None) -> dict[str, Value]:
    """Parse options as typed: ``split_jokers=true``."""
    options: dict[str, Value] = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise SetupError(f"an option is written name=value, such as name=true, not {pair!r}")
        options[name] = _FLAGS.get(value, value)
    return options


def language_of(requested: str | None) -> str:
    """The requested language, or the system's, or English."""
    if requested is not None and requested not in LANGUAGES:
        raise SetupError(f"there is no language {requested!r}; choose one of {', '.join(LANGUAGES)}")
    system = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return requested or (system[:2] if system[:2] in LANGUAGES else "en")


def full_screen() -> bool:
    """Whether input and output are a terminal that supports full-screen programs."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") not in (None, "", "dumb")


def require_positive(number: int, option: str) -> None:
    """Refuse numbers below 1."""
    if number < 1:
        raise SetupError(f"{option} has to be at least 1, not {number}")


def throttled_printer(seconds: float = 5.0) -> Callable[[Callable[[], str]], None]:
    """A printer of progress lines to stderr, at most one every few seconds, for use without a terminal."""
    last_printed = time.monotonic()

    def print_line(line: Callable[[], str]) -> None:
        nonlocal last_printed
        if time.monotonic() >= last_printed + seconds:
            last_printed = time.monotonic()
            print(line(), file=sys.stderr, flush=True)

    return print_line


def progress_bar() -> Progress:
    """A progress bar on stderr, so that the output can be piped; it disappears when the work is done."""
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

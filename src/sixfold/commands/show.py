"""``sixfold show``: a game to read, or to go through step by step."""

from pathlib import Path
from typing import Annotated

import typer

from sixfold.commands.common import at_least_one, full_screen, language_of


def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a file of records, .sixfold.jsonl")],
    game: Annotated[int, typer.Option(help="which game of the file, counted from 1")] = 1,
    language: Annotated[str | None, typer.Option(help="en, de or nl; the system's if left out")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="print the whole game instead")] = False,
) -> None:
    """Go through a game step by step; without a terminal, or with --plain, print every event and position."""
    from sixfold.engine.record import RecordError, playthrough, replay

    tongue = language_of(language)
    number, line = _found(file, game)
    try:
        if isinstance(line, RecordError):
            raise line
        if plain or not full_screen():
            for text in playthrough(line):
                print(text)
            return
        replay(line)
    except RecordError as error:
        raise RecordError(f"{file} line {number}: {error}") from None
    from sixfold.terminal.opening import show as open_screen

    assert isinstance(line, dict)
    open_screen(line, tongue)


def _found(file: Path, game: int) -> tuple[int, object]:
    """The line of a file that holds a game, and what stands there."""
    from sixfold.engine.record import read_lines
    from sixfold.errors import SetupError

    at_least_one(game, "--game")
    found = 0
    for number, line, _ in read_lines(file):
        found += 1
        if found == game:
            return number, line
    raise SetupError(f"{file} has {found} games, so there is no game {game}")

"""``sixfold show``: print a recorded game, or step through it."""

from pathlib import Path
from typing import Annotated

import typer

from sixfold.commands.cli_support import full_screen, language_of, require_positive


def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a file of records, .sixfold.jsonl")],
    game: Annotated[int, typer.Option(help="which game of the file, counted from 1")] = 1,
    language: Annotated[str | None, typer.Option(help="en, de or nl; the system's if left out")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="print the whole game instead")] = False,
) -> None:
    """Go through a game step by step; without a terminal, or with --plain, print every event and position."""
    from sixfold.engine.record import RecordError, playthrough, replay

    chosen_language = language_of(language)
    number, line = _nth_game(file, game)
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
    from sixfold.terminal.launch import show as open_screen

    assert isinstance(line, dict)
    open_screen(line, chosen_language)


def _nth_game(file: Path, game: int) -> tuple[int, object]:
    """The line number and content of the n-th game of a file."""
    from sixfold.engine.record import read_lines
    from sixfold.errors import SetupError

    require_positive(game, "--game")
    games = 0
    for number, line, _ in read_lines(file):
        games += 1
        if games == game:
            return number, line
    raise SetupError(f"{file} has {games} games, so there is no game {game}")

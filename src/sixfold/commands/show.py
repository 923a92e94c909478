"""``sixfold show``: a game to read."""

from pathlib import Path
from typing import Annotated

import typer

from sixfold.commands.common import at_least_one


def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a file of records, .sixfold.jsonl")],
    game: Annotated[int, typer.Option(help="which game of the file, counted from 1")] = 1,
) -> None:
    """Print a readable playthrough of one game: every event, and the position before every decision."""
    from sixfold.engine.record import RecordError, playthrough, read_lines
    from sixfold.errors import SetupError

    at_least_one(game, "--game")
    found = 0
    for number, line, _ in read_lines(file):
        found += 1
        if found < game:
            continue
        try:
            if isinstance(line, RecordError):
                raise line
            for text in playthrough(line):
                print(text)
        except RecordError as error:
            raise RecordError(f"{file} line {number}: {error}") from None
        return
    raise SetupError(f"{file} has {found} games, so there is no game {game}")

"""``sixfold puzzles``: decisions with one right answer."""

from typing import TYPE_CHECKING, Annotated

import typer

from sixfold.commands.cli_support import GameName
from sixfold.commands.review import ValueFile

if TYPE_CHECKING:
    from sixfold.review.puzzles import Collection, Puzzle

app = typer.Typer(help="Decisions with one right answer, for two players.", no_args_is_help=True)


@app.command()
def check(
    game: GameName,
    number: Annotated[int | None, typer.Argument(help="which of the shipped puzzles, from 1; else all")] = None,
    values: ValueFile = None,
) -> None:
    """Confirm the shipped puzzles again; about a minute each, in the dice game all at once."""
    from sixfold.review.puzzles import PLAYERS, position, solver
    from sixfold.review.solution import values_of

    collection, chosen = _select(game, number)
    by = solver(game, values_of({"game": game, "players": PLAYERS}, values))
    unconfirmed = 0
    for at, puzzle in chosen:
        lead = by.check(position(collection, puzzle).view(puzzle.player), puzzle)
        unconfirmed += lead is None
        verdict = (
            "not confirmed" if lead is None else f"{lead:.1f} points ahead, {puzzle.confirmed:.1f} when it was made"
        )
        print(f"puzzle {at}: {verdict}", flush=True)
    print(f"{len(chosen) - unconfirmed} of {len(chosen)} confirmed by {by.confirmed_by}")
    if unconfirmed:
        raise typer.Exit(1)


@app.command()
def show(
    game: GameName,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="which of the shipped puzzles, from 1")],
    answer: Annotated[bool, typer.Option("--answer", help="give it away")] = False,
) -> None:
    """A puzzle that comes with the package, as the player sees it."""
    from sixfold.review.puzzles import position

    collection, [(_, puzzle)] = _select(game, number)
    print(position(collection, puzzle).view(puzzle.player))
    if answer:
        print(f"{' or '.join(puzzle.answers)}: {puzzle.chance:.1f} points, {puzzle.lead:.1f} ahead of {puzzle.other}")


def _select(game: str, number: int | None) -> tuple["Collection", list[tuple[int, "Puzzle"]]]:
    """A game's puzzles, and the requested one with its number, or all of them."""
    from sixfold.errors import SetupError
    from sixfold.review.puzzles import shipped

    collection = shipped(game)
    puzzles = list(enumerate(collection.puzzles, start=1))
    if number is None:
        return collection, puzzles
    if not 1 <= number <= len(puzzles):
        raise SetupError(f"there are puzzles 1 to {len(puzzles)} of {game}, not {number}")
    return collection, [puzzles[number - 1]]

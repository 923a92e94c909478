"""``sixfold puzzles``: decisions with one right answer."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sixfold.commands.common import GameName, at_least_one, now_and_then, progress_bar
from sixfold.commands.review import ValueFile

if TYPE_CHECKING:
    from sixfold.review.puzzles import Collection, Puzzle

app = typer.Typer(help="Decisions with one right answer, for two players.", no_args_is_help=True)


@app.command()
def make(
    game: GameName,
    out: Annotated[Path, typer.Option(help="the file of puzzles; it grows with each one found")],
    number: Annotated[int, typer.Option(help="how many puzzles")] = 100,
    seed: Annotated[int, typer.Option(help="the same seed looks through the same games")] = 1,
    values: ValueFile = None,
) -> None:
    """Look through strong games for decisions in which one move is ahead of all others, and confirm each."""
    from sixfold.engine.game import rules_of
    from sixfold.review.puzzles import FORMAT, PLAYERS, Collection, Puzzle, make_puzzles, save, solver
    from sixfold.review.solution import values_of

    at_least_one(number, "--number")
    rules_of(game, PLAYERS)
    by = solver(game, values_of({"game": game, "players": PLAYERS}, values))
    found: list[Puzzle] = []
    say = now_and_then()
    with progress_bar() as bar:
        task = bar.add_task("puzzles", total=number)
        for puzzle in make_puzzles(game, by, number, seed):
            found.append(puzzle)
            save(out, Collection(FORMAT, game, PLAYERS, by.confirmed_by, found))
            bar.advance(task)
            if bar.disable:
                say(lambda: f"puzzles: {len(found)} of {number}")
    print(f"written: {out}")


@app.command()
def check(
    game: GameName,
    number: Annotated[int | None, typer.Argument(help="which of the shipped puzzles, from 1; else all")] = None,
    values: ValueFile = None,
) -> None:
    """Confirm the puzzles that come with the package anew, as they are when they are made; about a minute each, in the
    dice game all at once."""
    from sixfold.review.puzzles import PLAYERS, position, solver
    from sixfold.review.solution import values_of

    collection, chosen = _chosen(game, number)
    by = solver(game, values_of({"game": game, "players": PLAYERS}, values))
    wrong = 0
    for at, puzzle in chosen:
        lead = by.check(position(collection, puzzle).view(puzzle.player), puzzle)
        wrong += lead is None
        found = "not confirmed" if lead is None else f"{lead:.1f} points ahead, {puzzle.confirmed:.1f} when it was made"
        print(f"puzzle {at}: {found}", flush=True)
    print(f"{len(chosen) - wrong} of {len(chosen)} confirmed by {by.confirmed_by}")
    if wrong:
        raise typer.Exit(1)


@app.command()
def show(
    game: GameName,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="which of the shipped puzzles, from 1")],
    answer: Annotated[bool, typer.Option("--answer", help="give it away")] = False,
) -> None:
    """A puzzle that comes with the package, as the player sees it."""
    from sixfold.review.puzzles import position

    collection, [(_, puzzle)] = _chosen(game, number)
    print(position(collection, puzzle).view(puzzle.player))
    if answer:
        print(f"{' or '.join(puzzle.answers)}: {puzzle.chance:.1f} points, {puzzle.lead:.1f} ahead of {puzzle.other}")


def _chosen(game: str, number: int | None) -> tuple["Collection", list[tuple[int, "Puzzle"]]]:
    """A game's puzzles, and with their numbers the one that was asked for, or all."""
    from sixfold.errors import SetupError
    from sixfold.review.puzzles import shipped

    collection = shipped(game)
    puzzles = list(enumerate(collection.puzzles, start=1))
    if number is None:
        return collection, puzzles
    if not 1 <= number <= len(puzzles):
        raise SetupError(f"there are puzzles 1 to {len(puzzles)} of {game}, not {number}")
    return collection, [puzzles[number - 1]]

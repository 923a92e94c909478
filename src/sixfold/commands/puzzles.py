"""``sixfold puzzles``: decisions with one right answer."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sixfold.commands.arena import Workers
from sixfold.commands.cli_support import GameName, progress_bar, require_positive, throttled_printer
from sixfold.commands.review import ValueFile
from sixfold.system import available_cores

if TYPE_CHECKING:
    from sixfold.review.puzzles import Collection, Puzzle

app = typer.Typer(help="Decisions with one right answer, for two players.", no_args_is_help=True)


@app.command()
def make(
    game: GameName,
    out: Annotated[Path, typer.Option(help="the file of puzzles, written when all are found")],
    number: Annotated[int, typer.Option(help="how many puzzles")] = 100,
    seed: Annotated[int, typer.Option(help="the same seed looks through the same games")] = 1,
    workers: Workers = None,
    values: ValueFile = None,
) -> None:
    """Look through strong games for decisions in which one move is ahead of all others, and confirm each.

    What is found so far is kept in FILE.part: the same command after an interruption goes on from there.
    """
    from sixfold.arena.runner import interrupt_on_stop_signals
    from sixfold.engine.game import rules_of
    from sixfold.review.puzzle_search import Journal, Search, SearchState, run_search
    from sixfold.review.puzzles import FORMAT, PLAYERS, Collection, method, save
    from sixfold.review.solution import values_of

    require_positive(number, "--number")
    require_positive(workers := available_cores() if workers is None else workers, "--workers")
    rules_of(game, PLAYERS)
    by = method(game, values_of({"game": game, "players": PLAYERS}, values))
    search_state = SearchState(Search(game, number, seed, values))
    journal = Journal(out.with_name(f"{out.name}.part"), search_state.search)
    report = throttled_printer()
    try:
        with progress_bar() as bar, interrupt_on_stop_signals():
            task = bar.add_task("puzzles", total=number)
            for _ in run_search(search_state, journal, workers):
                bar.update(task, completed=len(search_state.puzzles))
                if bar.disable:
                    report(
                        lambda: (
                            f"puzzles: {len(search_state.puzzles)} of {number} in {search_state.games_searched} places"
                        )
                    )
    except KeyboardInterrupt:
        summary = f"{len(search_state.puzzles)} of {number} puzzles in {search_state.games_searched} places"
        print(f"sixfold: stopped with {summary}; the same command goes on from there", file=sys.stderr)
        raise typer.Exit(130) from None
    save(out, Collection(FORMAT, game, PLAYERS, by.confirmed_by, search_state.puzzles))
    journal.remove()
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

"""``python -m lab puzzles``: searches games for decisions with one right answer."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from sixfold.commands.arena import Workers
from sixfold.commands.cli_support import GameName, progress_bar, require_positive, throttled_printer
from sixfold.commands.review import ValueFile
from sixfold.system import available_cores


def puzzles(
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
    from lab.studies.puzzle_search import Journal, Search, SearchState, run_search
    from sixfold.arena.runner import interrupt_on_stop_signals
    from sixfold.engine.game import rules_of
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

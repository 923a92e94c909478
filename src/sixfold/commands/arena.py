"""``sixfold arena``: bots against each other, and how strong they are."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar
from rich.table import Table

from sixfold.commands.cli_support import GameName, Options, Players, read_options, throttled_printer

if TYPE_CHECKING:
    from sixfold.arena.runner import Backend, Progress
    from sixfold.arena.schedule import Settings
    from sixfold.arena.text import Table as Cells

Seed = Annotated[int, typer.Option(help="the same seed deals the same games")]
Workers = Annotated[int | None, typer.Option(help="how many games are played at once; all cores if left out")]
Ray = Annotated[str | None, typer.Option(metavar="ADDRESS", help="play on this Ray cluster; auto finds one here")]


def arena(
    game: GameName,
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT BOT…", help="two or more bots by name, or your own as module:Class")
    ],
    games: Annotated[int, typer.Option(help="at least so many games of every pairing; whole deals only")] = 100,
    players: Players = 2,
    budget: Annotated[
        str | None, typer.Option(help="for each move: 100ms or 500it; each bot's own if left out")
    ] = None,
    option: Options = None,
    seed: Seed = 1,
    move_limit: Annotated[
        float | None, typer.Option(help="seconds after which a bot has lost; ten budgets, at least 10, if left out")
    ] = None,
    workers: Workers = None,
    ray: Ray = None,
    out: Annotated[Path | None, typer.Option(help="the run's folder; one in runs/ if left out")] = None,
) -> None:
    """Let bots play each other: every pairing in all seat orders, with the same chance for each order.

    Win rates with 95% intervals, ratings from one fit over all games, time per move. The folder gets results.json,
    ratings.svg and games.jsonl, the journal: the same command after an interruption goes on where it stopped.
    """
    from sixfold.arena.runner import default_folder
    from sixfold.arena.schedule import Settings, read_budget

    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # so that module:Class finds bots in the working directory
    settings = Settings(
        game, tuple(bots), players, games, read_options(option), read_budget(budget), seed, move_limit
    ).checked()
    show(settings, out or default_folder(settings), place(workers, ray))


def place(workers: int | None, ray: str | None) -> "Backend":
    """The workers or the Ray cluster to play on."""
    from sixfold.arena.runner import Backend
    from sixfold.system import available_cores

    return Backend(available_cores() if workers is None else workers, ray)


def show(settings: "Settings", folder: Path, place: "Backend") -> dict[str, Any]:
    """Play a run with live progress, then print its results; Ctrl-C prints how to resume."""
    from sixfold.arena.runner import interrupt_on_stop_signals, partial_results, run
    from sixfold.arena.workers import WorkerError

    try:
        with interrupt_on_stop_signals(), live(f"{settings.game}, {settings.players} players") as report:
            results = run(settings, folder, place, report)
    except KeyboardInterrupt:
        results = partial_results(settings, folder)
        print_results(results, folder)
        note = f"stopped with {results['unfinished']} of {settings.total} games to play; the same command goes on"
        print(f"sixfold: {note} from {folder}", file=sys.stderr)
        raise typer.Exit(130) from None
    except WorkerError as error:
        print(f"sixfold: {error}", file=sys.stderr)
        raise typer.Exit(1) from None
    print_results(results, folder)
    return results


@contextmanager
def live(description: str) -> Iterator[Any]:
    """A progress bar with speed and time left above the current win rates; plain lines without a terminal."""
    from sixfold.arena.text import progress, speed

    console = Console(stderr=True)
    if not console.is_terminal:
        print_line = throttled_printer()
        yield lambda state: print_line(lambda: progress(state))
        return
    bar = Bar(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[pace]}"))
    task = bar.add_task(description, total=None, pace="")
    with Live(bar, console=console, transient=True, refresh_per_second=4) as screen:

        def report(state: "Progress") -> None:
            bar.update(task, total=state.total, completed=state.done, pace=speed(state))
            rates = Table.grid(padding=(0, 2))
            for bot, rate in sorted(state.win_rates.items(), key=lambda row: -row[1]):
                rates.add_row(f"  {bot}", f"{rate:.1%}")
            screen.update(Group(bar, rates))

        yield report


def print_results(results: dict[str, Any], folder: Path) -> None:
    """Print the result tables and the bots' faults; lines are not wrapped without a terminal."""
    from sixfold.arena import text

    console = Console()
    tables = {text.title(results): text.bots_table(results), "pair by pair": text.pairs_table(results)}
    for title, cells in tables.items() if results["games"] else ():
        if console.is_terminal:
            console.print(_table(title, cells))
        else:
            print(title, *text.lines(cells), "", sep="\n")
    for line in text.faults(results):
        console.print(line, style="red", markup=False, highlight=False)
    console.print(f"in {folder}", markup=False, highlight=False, soft_wrap=True)


def _table(title: str, cells: "Cells") -> Table:
    headings, rows = cells
    table = Table(title=title, box=SIMPLE_HEAD, pad_edge=False)
    for column, heading in enumerate(headings):
        table.add_column(heading.replace("[", "\\["), justify="right" if column else "left")
    for row in rows:
        table.add_row(*(cell.replace("[", "\\[") for cell in row))
    return table

"""``python -m lab bench review`` and ``bench levels``: how reliable reviews are, and if they rank the levels."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.table import Table

from lab.commands.reporting import Json, print_json
from sixfold.commands.arena import Workers
from sixfold.commands.cli_support import GameName, Players, progress_bar, require_positive, throttled_printer
from sixfold.commands.review import ValueFile
from sixfold.engine.game import rules_of
from sixfold.system import available_cores

if TYPE_CHECKING:
    from lab.studies.agreement import Agreement, Deal, Levels

Result = TypeVar("Result")
Games = Annotated[int, typer.Option(help="how many games at each table, between levels drawn by lot")]
Seed = Annotated[int, typer.Option(help="the same seed plays the same games")]


def review(
    game: GameName,
    players: Players = 2,
    games: Games = 20,
    seed: Seed = 1,
    workers: Workers = None,
    values: ValueFile = None,
    as_json: Json = False,
) -> None:
    """How sure reviews are: against exact values where there are any, else against ten times the thinking.

    Ctrl-C ends it early and prints what is known by then.
    """
    from lab.studies.agreement import Agreement, Deal, compared

    require_positive(games, "--games")
    rules_of(game, players)
    agreement = Agreement()
    deals = [Deal(game, players, seed, number, values) for number in range(games)]
    for _, addition in review_deals(compared, deals, workers):
        agreement.add(addition)
    if as_json:
        print_json({"game": game, "players": players, **asdict(agreement)})
    else:
        _print_agreement(f"{game}, {players} players, {agreement.games} games", agreement)


def levels(
    game: GameName,
    games: Games = 100,
    seed: Seed = 1,
    workers: Workers = None,
    values: ValueFile = None,
    as_json: Json = False,
) -> None:
    """Whether the mean cost of a decision tells the levels apart, with every number of players.

    Ctrl-C ends it early and prints what is known by then.
    """
    from lab.studies.agreement import Deal, Levels, costs

    require_positive(games, "--games")
    tables = {players: Levels() for players in rules_of(game).PLAYERS}
    deals = [Deal(game, players, seed, number, values) for number in range(games) for players in tables]
    for deal, addition in review_deals(costs, deals, workers):
        tables[deal.players].add(addition)
    rows = [_row(players, levels) for players, levels in tables.items()]
    if as_json:
        print_json({"game": game, "tables": rows})
    else:
        _print_levels(game, rows)


def review_deals(
    job: Callable[["Deal"], Result], deals: list["Deal"], workers: int | None
) -> Iterator[tuple["Deal", Result]]:
    """Play and review games on all cores, with progress; Ctrl-C keeps the finished ones."""
    from lab.studies.agreement import warm
    from lab.studies.spread import spread
    from sixfold.arena.runner import interrupt_on_stop_signals

    workers = available_cores() if workers is None else workers
    require_positive(workers, "--workers")
    report = throttled_printer()
    results = spread(job, deals, workers, partial(warm, deals[0].game))
    with progress_bar() as bar, interrupt_on_stop_signals(), closing(results):
        task = bar.add_task("reviewing", total=len(deals))
        try:
            for result in results:
                yield result
                bar.advance(task)
                if bar.disable:
                    report(lambda: f"reviewed: {bar.tasks[task].completed:.0f} of {len(deals)} games")
        except KeyboardInterrupt:
            print("sixfold: stopped; this is what is known by now", file=sys.stderr)


def _print_agreement(title: str, agreement: "Agreement") -> None:
    table = Table(title=title, show_header=False)
    for label, part, whole in (
        ("decisions with the same mark, or none", agreement.same, agreement.decisions),
        ("of those that either marked", agreement.same_marked, agreement.marked),
        ("mistakes and blunders of either that both call so", agreement.both_grave, agreement.grave),
        ("the same of the two", agreement.same_grave, agreement.grave),
    ):
        table.add_row(label, f"{part} of {whole}" + (f" ({part / whole:.1%})" if whole else ""))
    table.add_row("largest gap in the books", f"{agreement.gap:.2g} points")
    Console().print(table)


def _row(players: int, levels: "Levels") -> dict[str, Any]:
    from sixfold.bots.levels import LEVELS

    means = {level: levels.mean(level) for level in LEVELS}
    return {
        "players": players,
        "games": levels.games,
        "levels": {
            level: {"decisions": number, "mean": mean, "error": error} for level, (number, mean, error) in means.items()
        },
        "steps": levels.steps(),
    }


def _print_levels(game: str, rows: list[dict[str, Any]]) -> None:
    table = Table(title=f"{game}: mean cost of a decision, by level")
    for heading in ("players", "games", "level", "decisions", "mean cost", "above the next by"):
        table.add_column(heading, justify="right")
    for row in rows:
        for (level, stats), step in zip(row["levels"].items(), [*row["steps"], None], strict=True):
            mean = f"{stats['mean']:.3f} ± {stats['error']:.3f}"
            above = "" if step is None else f"{step:.1f} standard errors"
            table.add_row(str(row["players"]), str(row["games"]), str(level), str(stats["decisions"]), mean, above)
        table.add_section()
    Console().print(table)

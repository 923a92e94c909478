"""Shared by the benchmarks: the measuring loop, every kind of game with progress, and a report as table or JSON."""

import json
import time
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from sixfold.commands.cli_support import progress_bar
from sixfold.games import GAMES
from sixfold.games.contract import Rules
from sixfold.system import machine

Json = Annotated[bool, typer.Option("--json", help="print JSON instead of a table")]
Repeats = Annotated[int, typer.Option(min=1, help="how often each measurement is repeated; the median counts")]
Row = dict[str, Any]


def median_rate(
    work: Callable[[], int], seconds: float, repeats: int, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Units of work per second: the median of several runs of about this length."""
    rates = []
    for _ in range(repeats):
        done = 0
        started = clock()
        while (elapsed := clock() - started) < seconds:
            done += work()
        rates.append(done / elapsed)
    return sorted(rates)[repeats // 2]


def measure_games(measure: Callable[[Rules, int], Row]) -> list[Row]:
    """Measure every game with every number of players."""
    kinds = [(rules, players) for rules in GAMES.values() for players in rules.PLAYERS]
    with progress_bar() as bar:
        return [
            {"game": rules.NAME, "players": players, **measure(rules, players)}
            for rules, players in bar.track(kinds, description="measuring")
        ]


def print_json(report: Mapping[str, Any]) -> None:
    print(json.dumps({**machine(), **report}, indent=2))


def print_rows(title: str, rows: list[Row], columns: Mapping[str, tuple[str, str]]) -> None:
    """Print rows as a table; each column has a heading and a format. Texts are aligned left, numbers right."""
    table = Table(title=title)
    shown = {name: column for name, column in columns.items() if any(name in row for row in rows)}
    for name, (heading, _) in shown.items():
        table.add_column(heading, justify="left" if isinstance(rows[0].get(name), str) else "right")
    for row in rows:
        table.add_row(*(_cell(row[name], form) if name in row else "" for name, (_, form) in shown.items()))
    Console().print(table)


def _cell(value: Any, form: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "NO"
    return form.format(value)


GAME_COLUMNS = {"game": ("game", "{}"), "players": ("players", "{}")}

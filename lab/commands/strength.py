"""``python -m lab strength``: level strengths, written to docs/strength.md."""

from pathlib import Path
from typing import Annotated

import typer

from sixfold.commands.arena import Ray, Seed, Workers
from sixfold.games import packages


def strength(
    tables: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TABLE…]", help=f"such as {next(iter(packages()))}-2; all if left out"),
    ] = None,
    games: Annotated[int, typer.Option(help="at least so many games of every pairing; whole deals only")] = 100,
    seed: Seed = 1,
    workers: Workers = None,
    ray: Ray = None,
    runs: Annotated[Path, typer.Option(help="the folder of the runs, one for each table")] = Path("runs/strength"),
    thinking: Annotated[
        bool, typer.Option("--thinking", help="measure what longer thinking brings, instead of the levels")
    ] = False,
    render: Annotated[bool, typer.Option("--render", help="play nothing, write the page from what is played")] = False,
    out: Annotated[Path, typer.Option(help="the page")] = Path("docs/strength.md"),
) -> None:
    """Measure every level at every table and write the page about it; goes on where it was interrupted."""
    from lab.studies import strength as plan
    from sixfold.commands.arena import place, show

    chosen = plan.tables(tables or ())
    plan.check_page(out)
    if render:
        runs_by_name = {}
    elif thinking:
        runs_by_name = plan.thinking(chosen, games, seed)
    else:
        runs_by_name = {table: plan.settings(table, games, seed) for table in chosen}
    for name, settings in runs_by_name.items():
        show(settings, runs / name, place(workers, ray))
    plan.write_page(out, runs)
    print(f"written: {out}")

"""``python -m lab numbers``: game statistics, written to docs/games-in-numbers.md."""

from pathlib import Path
from typing import Annotated

import typer

from sixfold.commands.cli_support import progress_bar, require_positive, throttled_printer
from sixfold.games import packages


def numbers(
    tables: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TABLE…]", help=f"such as {next(iter(packages()))}-2; all if left out"),
    ] = None,
    games: Annotated[int, typer.Option(help="deals at every table")] = 1000,
    workers: Annotated[int | None, typer.Option(help="games at once; all cores if left out")] = None,
    out: Annotated[Path, typer.Option(help="the page; its pictures go to a folder beside it")] = Path(
        "docs/games-in-numbers.md"
    ),
) -> None:
    """Play many games with strong and with greedy bots, and write what they tell about the games."""
    from lab.studies import games_page, strength
    from lab.studies.game_stats import Count, count
    from sixfold.system import available_cores

    require_positive(games, "--games")
    if workers is not None:
        require_positive(workers, "--workers")
    chosen = [strength.TABLES[table] for table in strength.tables(tables or ())]
    counts = {table: Count() for table in chosen}
    report = throttled_printer()
    with progress_bar() as bar:
        task = bar.add_task("playing", total=games * len(chosen))
        for game, players in chosen:
            for deals, addition in count(game, players, games, workers or available_cores()):
                counts[game, players] += addition
                bar.advance(task, deals)
                if bar.disable:
                    report(lambda: f"played: {bar.tasks[task].completed:.0f} of {bar.tasks[task].total:.0f} deals")
    games_page.write(out, counts, games)
    print(f"written: {out}")

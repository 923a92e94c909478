"""``python -m lab attack``: known attacks of strangers and bad losers, run against a local server."""

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from sixfold.commands.server_options import require_server

if TYPE_CHECKING:
    from lab.loadtest.attack_run import Outcome


def attack(
    server: Annotated[
        str | None, typer.Option(metavar="URL", help="a server on the loopback address; without it one is started")
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, max=60, help="how long each attack goes on")] = 5,
    only: Annotated[list[str] | None, typer.Option(metavar="NAME", help="only this attack; may be repeated")] = None,
) -> None:
    """Attack a server of your own, on the loopback address only, and say what held.

    Meanwhile others play at ten tables: 99% of their moves have to be acknowledged within 250 ms.
    """
    require_server()
    from lab.loadtest.attack_run import ALL
    from lab.loadtest.attacks import check_loopback
    from sixfold.errors import SetupError

    names = only or list(ALL)
    if unknown := [name for name in names if name not in ALL]:
        raise SetupError(f"there is no attack {unknown[0]!r}; choose from {', '.join(ALL)}")
    check_loopback(server or "http://127.0.0.1")
    outcomes = asyncio.run(_attack(server, names, seconds))
    _show(outcomes)
    if skipped := [name for name in names if name not in [outcome.name for outcome in outcomes]]:
        print(f"not tried, since it needs a server that is started here: {', '.join(skipped)}")
    if not all(outcome.held for outcome in outcomes):
        raise typer.Exit(1)


async def _attack(server: str | None, names: list[str], seconds: float) -> "list[Outcome]":
    from lab.loadtest.attack_run import attack_all
    from lab.loadtest.nodes import Node
    from sixfold.commands.cli_support import progress_bar

    with tempfile.TemporaryDirectory(prefix="sixfold-attack-") as folder, progress_bar() as bar:
        task = bar.add_task("starting", total=len(names))

        def progress(name: str) -> None:
            bar.update(task, description=name, advance=1)

        if server is not None:
            return await attack_all(server.rstrip("/"), None, names, seconds, progress)
        database = Path(folder) / "attack.db"
        node = Node(f"sqlite:///{database}", None, Path(folder) / "log", limited=True)
        node.start()
        try:
            await node.wait_until_ready(bots=True)
            return await attack_all(node.url, database, names, seconds, progress)
        finally:
            node.stop()


def _show(outcomes: "list[Outcome]") -> None:
    from lab.loadtest.attack_run import SHARE, WITHIN_SECONDS
    from lab.loadtest.load_run import percentile

    table = Table("attack", "what has to hold", "held", "found")
    for outcome in outcomes:
        for number, finding in enumerate(outcome.findings):
            table.add_row("" if number else outcome.name, finding.what, "yes" if finding.held else "NO", finding.figure)
        typical, worst = (1000 * percentile(outcome.latencies, share) for share in (SHARE, 1.0))
        figure = f"{len(outcome.latencies)} moves: {SHARE:.0%} within {typical:.0f} ms, all within {worst:.0f} ms"
        if outcome.undisturbed:
            requirement = f"others' moves within {1000 * WITHIN_SECONDS:.0f} ms"
            table.add_row(
                "" if outcome.findings else outcome.name, requirement, "yes" if outcome.quick else "NO", figure
            )
        table.add_section()
    Console().print(table)
    failed = sum(not outcome.held for outcome in outcomes)
    print(f"{len(outcomes) - failed} of {len(outcomes)} attacks were withstood")

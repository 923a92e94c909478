"""``sixfold attack``: everything that strangers and bad losers were seen to try, against a server of one's own."""

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from sixfold.commands.serving import need_server

if TYPE_CHECKING:
    from sixfold.loadtest.attacking import Outcome


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
    need_server()
    from sixfold.errors import SetupError
    from sixfold.loadtest.attacking import ALL
    from sixfold.loadtest.attacks import check_loopback

    names = only or list(ALL)
    if unknown := [name for name in names if name not in ALL]:
        raise SetupError(f"there is no attack {unknown[0]!r}; choose from {', '.join(ALL)}")
    check_loopback(server or "http://127.0.0.1")
    outcomes = asyncio.run(_attack(server, names, seconds))
    _show(outcomes)
    if left := [name for name in names if name not in [outcome.name for outcome in outcomes]]:
        print(f"not tried, since it needs a server that is started here: {', '.join(left)}")
    if not all(outcome.held for outcome in outcomes):
        raise typer.Exit(1)


async def _attack(server: str | None, names: list[str], seconds: float) -> "list[Outcome]":
    from sixfold.commands.common import progress_bar
    from sixfold.loadtest.attacking import attack_all
    from sixfold.loadtest.nodes import Node

    with tempfile.TemporaryDirectory(prefix="sixfold-attack-") as place, progress_bar() as bar:
        task = bar.add_task("starting", total=len(names))

        def progress(name: str) -> None:
            bar.update(task, description=name, advance=1)

        if server is not None:
            return await attack_all(server.rstrip("/"), None, names, seconds, progress)
        database = Path(place) / "attack.db"
        node = Node(f"sqlite:///{database}", None, Path(place) / "log", limited=True)
        node.start()
        try:
            await node.wait_until_ready(bots=True)
            return await attack_all(node.url, database, names, seconds, progress)
        finally:
            node.stop()


def _show(outcomes: "list[Outcome]") -> None:
    from sixfold.loadtest.attacking import SHARE, WITHIN_SECONDS
    from sixfold.loadtest.runs import percentile

    shown = Table("attack", "what has to hold", "held", "found")
    for outcome in outcomes:
        for number, found in enumerate(outcome.found):
            shown.add_row("" if number else outcome.name, found.what, "yes" if found.held else "NO", found.figure)
        often, worst = (1000 * percentile(outcome.latencies, share) for share in (SHARE, 1.0))
        figure = f"{len(outcome.latencies)} moves: {SHARE:.0%} within {often:.0f} ms, all within {worst:.0f} ms"
        if outcome.undisturbed:
            quick = f"others' moves within {1000 * WITHIN_SECONDS:.0f} ms"
            shown.add_row("" if outcome.found else outcome.name, quick, "yes" if outcome.quick else "NO", figure)
        shown.add_section()
    Console().print(shown)
    lost = sum(not outcome.held for outcome in outcomes)
    print(f"{len(outcomes) - lost} of {len(outcomes)} attacks were withstood")

"""``python -m lab load``: a load test with scripted players on the loopback address, bounded in number and time."""

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from sixfold.commands.server_options import require_server

if TYPE_CHECKING:
    from lab.loadtest.load_run import Report

Number = Annotated[int, typer.Option(min=1, max=5000, help="tables at once")]


def load(
    tables: Number = 1000,
    rate: Annotated[float, typer.Option(min=1, max=5000, help="actions a second, all tables together")] = 200,
    seconds: Annotated[float, typer.Option(min=1, max=3600, help="how long to play")] = 30,
    nodes: Annotated[int, typer.Option(min=1, max=8, help="servers; more than one need --database")] = 1,
    database: Annotated[str | None, typer.Option(metavar="URL", help="instead of a new SQLite file")] = None,
    redis: Annotated[
        bool, typer.Option("--redis", help="start a Redis for the nodes; it is killed in turn too")
    ] = False,
    kill: Annotated[int, typer.Option(min=0, max=1000, help="how often a server is killed on the way")] = 0,
    fuzz: Annotated[int, typer.Option(min=0, help="instead: send this many messages that make no sense")] = 0,
    seed: Annotated[int, typer.Option(help="the same seed sends the same nonsense")] = 1,
) -> None:
    """Play at many tables at once against servers of our own; say how quick they are and whether anything is lost."""
    require_server()
    from lab.loadtest.nodes import Node, OwnRedis
    from sixfold.errors import SetupError

    if nodes > 1 and database is None:
        raise SetupError("several nodes need a database that they share: --database postgresql://…")
    with tempfile.TemporaryDirectory(prefix="sixfold-load-") as folder:
        own_redis = OwnRedis() if redis else None
        database_url = database or f"sqlite:///{folder}/load.db"
        servers = [
            Node(database_url, own_redis.url if own_redis else None, Path(folder) / f"node{at}.log")
            for at in range(nodes)
        ]
        try:
            if own_redis:
                own_redis.start()
            for server in servers:
                server.start()
            if fuzz:
                asyncio.run(_fuzz(servers[0], fuzz, seed))
            else:
                asyncio.run(_load(servers, own_redis, tables, rate, seconds, kill))
        finally:
            for server in servers:
                server.stop()
            if own_redis:
                own_redis.stop()


async def _load(servers: list, own_redis: object, tables: int, rate: float, seconds: float, kill: int) -> None:  # type: ignore[type-arg]
    from lab.loadtest.load_run import run
    from sixfold.commands.cli_support import progress_bar

    for server in servers:
        await server.wait_until_ready()
    with progress_bar() as bar:
        task = bar.add_task("setting tables", total=100)

        def progress(description: str, share: float) -> None:
            bar.update(task, description=description, completed=min(100, round(100 * share)))

        report = await run(servers, own_redis, tables, rate, seconds, kill, progress)  # type: ignore[arg-type]
    _show(report, tables, rate)
    if report.lost or report.doubled or report.stuck or report.unanswered or report.gaps:
        raise typer.Exit(1)


def _show(report: "Report", tables: int, rate: float) -> None:
    from lab.loadtest.load_run import percentile

    table = Table(title=f"{tables} tables, {rate:g} actions a second asked for", show_header=False)
    table.add_row("actions sent", f"{report.sent:,} ({report.sent / report.seconds:.1f} a second)")
    table.add_row("acknowledged", f"{report.acknowledged:,}")
    for share in (0.5, 0.9, 0.99, 0.999, 1.0):
        table.add_row(f"{share:.1%} within", f"{1000 * percentile(report.latencies, share):.1f} ms")
    table.add_row("acknowledged and lost", str(report.lost))
    table.add_row("doubled", str(report.doubled))
    table.add_row("never answered", str(report.unanswered))
    table.add_row("versions not heard", str(report.gaps))
    table.add_row("servers killed", str(report.deaths))
    table.add_row("tables that did not go on", str(report.stuck))
    table.add_row("connected again", str(report.reconnects))
    table.add_row("refused", ", ".join(f"{key} {number}" for key, number in report.refused.items()) or "none")
    if report.server is not None:
        _show_times(table, report)
    Console().print(table)


# Row titles of the server's timings; acting is the total, from a message's arrival to its answer.
_STAGES = {
    "acting": "the server, in all",
    "deciding": "deciding",
    "storing": "storing",
    "telling": "telling",
    "lag": "the server comes late",
}


def _show_times(table: Table, report: "Report") -> None:
    """Add rows for where the time goes: mean, 99th percentile and maximum."""
    from lab.loadtest.load_run import percentile

    assert report.server is not None
    for stage, title in _STAGES.items():
        timing = report.server.timings[stage]
        typical, worst = (f"{1000 * timing.limit(share):g} ms" for share in (0.99, 1.0))
        table.add_row(title, f"{1000 * timing.mean:.2f} ms on average, 99% within {typical}, all within {worst}")
    late = [1000 * percentile(report.late, share) for share in (0.99, 1.0)]
    table.add_row("the players come late", f"99% within {late[0]:.1f} ms, all within {late[1]:.1f} ms")
    table.add_row("processor of the server", f"{report.server.processor / report.seconds:.0%} of a core")
    table.add_row("processor of the players", f"{report.players_processor / report.seconds:.0%} of a core")


async def _fuzz(server: object, number: int, seed: int) -> None:
    from lab.loadtest.fuzz import fuzz
    from sixfold.commands.cli_support import progress_bar

    await server.wait_until_ready()  # type: ignore[attr-defined]
    with progress_bar() as bar:
        task = bar.add_task("sending nonsense", total=number)
        result = await fuzz(server.url, number, seed, lambda: bar.advance(task))  # type: ignore[attr-defined]
    for key, times in sorted(result.refused.items()):
        print(f"{key:20} {times:,}")
    print(f"{result.sent:,} messages, {sum(result.refused.values()):,} refused with a reason")
    print(f"accepted: {result.accepted}, without an answer: {result.silent}, internal errors: {result.internal}")
    print(f"tables that changed: {result.changed}")
    if result.accepted or result.silent or result.internal or result.changed:
        raise typer.Exit(1)

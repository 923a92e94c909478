"""``sixfold serve``, ``migrate``, ``backup``, ``bot-token``, ``revoke``: the table server and its maintenance."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from sixfold.commands.server_options import DATABASE, Database, require_server

T = TypeVar("T")


def serve(
    host: Annotated[str, typer.Option(help="the address to listen on; 0.0.0.0 for everybody")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="the port to listen on", min=1, max=65535)] = 8000,
    database: Database = DATABASE,
    redis: Annotated[
        str | None, typer.Option(metavar="URL", help="redis://HOST: quicker news between nodes", envvar="SIXFOLD_REDIS")
    ] = None,
    bots: Annotated[bool, typer.Option(help="let bots think in this process")] = True,
    rate: Annotated[
        int, typer.Option(help="HTTP requests a minute from one address; 0 for no limits by address", min=0)
    ] = 300,
    connections: Annotated[int, typer.Option(help="connections at a time from one address", min=1)] = 200,
    pace: Annotated[float, typer.Option(help="messages a second on one socket; 0 for no limit", min=0)] = 20,
    origin: Annotated[
        list[str] | None, typer.Option(help="another page that may use this server, https://HOST; may be repeated")
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="a reverse proxy whose X-Forwarded headers are believed; may be repeated"),
    ] = None,
    unplayed_days: Annotated[
        int,
        typer.Option(metavar="DAYS", help="remove tables that were never started after so long; 0 for never", min=0),
    ] = 7,
    finished_days: Annotated[
        int,
        typer.Option(metavar="DAYS", help="remove tables at which nothing happens after so long; 0 for never", min=0),
    ] = 365,
    keep_records: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="write the records of removed tables here", file_okay=False)
    ] = None,
) -> None:
    """Serve tables on the network."""
    require_server()
    from sixfold.server.settings import Settings

    settings = Settings(
        database,
        redis,
        bots,
        requests_a_minute=rate,
        connections=connections,
        messages_a_second=pace,
        origins=tuple(origin or ()),
        proxies=tuple(proxy or ()),
        unplayed_days=unplayed_days,
        finished_days=finished_days,
        records=keep_records,
        own_process=True,
    )
    _run(_check_database(database))
    run_server(settings, host, port)


def run_server(settings: Any, host: str, port: int, level: str = "INFO") -> None:
    """Serve until stopped; ``level`` is the minimum log level."""
    import uvicorn

    from sixfold.server import logs
    from sixfold.server.app import make_app
    from sixfold.server.connections import guarded_by

    logs.set_up(level)
    app = make_app(settings)
    http, socket = guarded_by(app.state.guard)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=http,
        ws=socket,
        ws_max_size=65536,
        ws_per_message_deflate=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    uvicorn.Server(config).run()


def migrate(database: Database = DATABASE) -> None:
    """Bring a database to the present layout. SQLite does this by itself when serving."""
    require_server()
    from sixfold.server.database import engine_for, keep_private
    from sixfold.server.database import migrate as bring_up

    async def work() -> None:
        engine = engine_for(database)
        keep_private(engine.url)
        await bring_up(engine)
        await engine.dispose()

    _run(work())
    print("the database has the present layout")


def backup(
    out: Annotated[Path, typer.Argument(metavar="FILE", help="the copy to be written")],
    database: Database = DATABASE,
) -> None:
    """Copy a SQLite database while it is being used, and verify the copy. For PostgreSQL use pg_dump."""
    require_server()
    import sqlite3

    from sixfold.commands.cli_support import progress_bar
    from sixfold.errors import SetupError
    from sixfold.server.backup import back_up
    from sixfold.server.database import url_of

    url = url_of(database)
    if url.get_backend_name() != "sqlite":
        raise SetupError(
            "backup copies SQLite files; for PostgreSQL: umask 077 && pg_dump --format=custom --file=FILE URL"
        )
    if not url.database or not Path(url.database).is_file():
        raise SetupError(f"there is no database {url.database}")
    try:
        with progress_bar() as bar:
            task = bar.add_task("copying", total=100)
            copied = back_up(Path(url.database), out, lambda share: bar.update(task, completed=round(100 * share)))
    except sqlite3.Error as error:
        raise SetupError(f"{url.database} could not be copied: {error}") from None
    print(f"the copy is in {out}: {copied.tables:,} tables, {copied.events:,} events, verified")


def bot_token(database: Database = DATABASE) -> None:
    """Print a token for `sixfold bots`: it may play every bot's seat, so keep it to yourself."""
    require_server()
    from sixfold.server.identity import Signer
    from sixfold.server.storage import Storage

    async def secret(storage: Storage) -> str:
        return await storage.shared_secret()

    print(Signer(_run(_with_storage(database, secret))).worker_token())


def revoke(
    token_file: Annotated[
        typer.FileText, typer.Argument(metavar="FILE", help="a file with one cookie or token a line; - for the input")
    ],
    database: Database = DATABASE,
) -> None:
    """Make cookies and tokens void, of guests, of bots and of `sixfold bots`, on all nodes within seconds."""
    require_server()
    from sixfold.errors import SetupError
    from sixfold.server.identity import COOKIE, TOKEN_SECONDS, Signer
    from sixfold.server.storage import Storage
    from sixfold.server.tables import now

    tokens = [line.strip().removeprefix(f"{COOKIE}=") for line in token_file if line.strip()]

    async def work(storage: Storage) -> None:
        signer = Signer(await storage.shared_secret())
        ids = [signer.id_of(token) for token in tokens]
        if None in ids:
            raise SetupError(f"line {ids.index(None) + 1} is no cookie or token of this server, or has expired")
        for token_id in ids:
            await storage.revoke(str(token_id), now() + 1000 * TOKEN_SECONDS)

    _run(_with_storage(database, work))
    print(f"{len(tokens)} revoked")


async def _with_storage(database: str, work: Any) -> Any:
    """Open the database, run ``work`` with its storage, and close it again."""
    from sixfold.server.storage import Storage

    storage = Storage(database)
    try:
        await storage.open()
        return await work(storage)
    finally:
        await storage.close()


async def _check_database(database: str) -> None:
    """Open the database once, so that a problem with it ends in one clear error message."""
    from sixfold.server.storage import Storage

    async def nothing(_: Storage) -> None: ...

    await _with_storage(database, nothing)


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Run database work; errors of the database become one clear error message."""
    from sqlalchemy.exc import SQLAlchemyError

    from sixfold.errors import SetupError
    from sixfold.server.storage import StorageDown

    try:
        return asyncio.run(work)
    except (SQLAlchemyError, StorageDown, OSError) as error:
        cause = error.__cause__ if isinstance(error, StorageDown) else error
        reason = (str(getattr(cause, "orig", None) or cause).splitlines() or ["no answer"])[0]
        raise SetupError(f"the database cannot be used: {reason}") from None

"""``sixfold serve``, ``migrate``, ``backup``, ``bot-token``: the table server and its upkeep."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from sixfold.commands.serving import DATABASE, Database, need_server

T = TypeVar("T")


def serve(
    host: Annotated[str, typer.Option(help="the address to listen on; 0.0.0.0 for everybody")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="the port to listen on", min=1, max=65535)] = 8000,
    database: Database = DATABASE,
    redis: Annotated[
        str | None, typer.Option(metavar="URL", help="redis://HOST: quicker news between nodes", envvar="SIXFOLD_REDIS")
    ] = None,
    bots: Annotated[bool, typer.Option(help="let bots think in this process")] = True,
    rate: Annotated[int, typer.Option(help="HTTP requests a minute from one address; 0 for no limit", min=0)] = 300,
    pace: Annotated[float, typer.Option(help="messages a second on one socket; 0 for no limit", min=0)] = 20,
    origin: Annotated[
        list[str] | None, typer.Option(help="another page that may use this server, https://HOST; may be repeated")
    ] = None,
) -> None:
    """Serve tables on the network."""
    need_server()
    import uvicorn

    from sixfold.server import logs
    from sixfold.server.app import make_app
    from sixfold.server.settings import Settings

    settings = Settings(
        database,
        redis,
        bots,
        requests_a_minute=rate,
        messages_a_second=pace,
        origins=tuple(origin or ()),
        own_process=True,
    )
    _run(_look_at(database))
    logs.set_up()
    config = uvicorn.Config(
        make_app(settings),
        host=host,
        port=port,
        ws="websockets-sansio",
        ws_max_size=65536,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    uvicorn.Server(config).run()


def migrate(database: Database = DATABASE) -> None:
    """Bring a database to the present layout. SQLite does this by itself when serving."""
    need_server()
    from sixfold.server.storage import engine_for
    from sixfold.server.storage import migrate as bring_up

    async def work() -> None:
        engine = engine_for(database)
        await bring_up(engine)
        await engine.dispose()

    _run(work())
    print("the database has the present layout")


def backup(
    out: Annotated[Path, typer.Argument(metavar="FILE", help="the copy to be written")],
    database: Database = DATABASE,
) -> None:
    """Copy a SQLite database while it is being used. For PostgreSQL use pg_dump."""
    need_server()
    import os
    import sqlite3

    from sqlalchemy.engine import make_url

    from sixfold.errors import SetupError
    from sixfold.server.storage import engine_for

    engine_for(database)
    url = make_url(database)
    if not url.drivername.startswith("sqlite"):
        raise SetupError("backup copies SQLite files; for PostgreSQL use pg_dump")
    if not url.database or not Path(url.database).is_file():
        raise SetupError(f"there is no database {url.database}")
    part = out.with_name(f".{out.name}.{os.getpid()}.part")
    try:
        source, target = sqlite3.connect(f"file:{url.database}?mode=ro", uri=True), sqlite3.connect(part)
        with source, target:
            source.backup(target, pages=1000)
        source.close()
        target.close()
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
    print(f"the copy is in {out}")


def bot_token(database: Database = DATABASE) -> None:
    """Print a token for `sixfold bots`: it may play every bot's seat, so keep it to yourself."""
    need_server()
    from sixfold.server.identity import Signer
    from sixfold.server.storage import Storage

    async def secret() -> str:
        storage = Storage(database)
        await storage.open()
        found = await storage.shared_secret()
        await storage.close()
        return found

    print(Signer(_run(secret())).worker_token())


async def _look_at(database: str) -> None:
    """Open the database once, so that trouble with it ends in one clear line."""
    from sixfold.server.storage import Storage

    storage = Storage(database)
    await storage.open()
    await storage.close()


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Run something with the database; what is wrong with it is said in one line."""
    from sqlalchemy.exc import SQLAlchemyError

    from sixfold.errors import SetupError

    try:
        return asyncio.run(work)
    except (SQLAlchemyError, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise SetupError(f"the database cannot be used: {reason}") from None

"""Database engines, file permissions and schema migrations."""

import logging
import os
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from sixfold.errors import SetupError

# Timeouts for a connection, a lock and a query.
CONNECTION_SECONDS, LOCK_SECONDS, ANSWER_SECONDS = 5, 4, 10
READERS = 15
# No write waits for the disk: an acknowledged event survives a crash of the server at once, and a power cut as soon as
# a checkpoint in the background has synced it.
SYNCHRONOUS = "NORMAL"
_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
log = logging.getLogger("sixfold")


def url_of(text: str) -> URL:
    """Parse a database URL (sqlite:///file or postgresql://user@host/name) and set the async driver."""
    try:
        parsed = make_url(text)
    except ArgumentError:
        raise SetupError(f"{text!r} is no database; write sqlite:///FILE or postgresql://USER@HOST/NAME") from None
    kind = parsed.drivername.partition("+")[0]
    if kind not in _DRIVERS:
        raise SetupError(f"a database is sqlite:///FILE or postgresql://USER@HOST/NAME, not {kind}")
    return parsed.set(drivername=_DRIVERS[kind])


def engine_for(text: str) -> AsyncEngine:
    """An engine without timeouts, for migrations."""
    return _engine(url_of(text), {})


def serving_engine(text: str, connections: int = READERS) -> AsyncEngine:
    """An engine for a server, with timeouts, so that no player waits for ever."""
    url = url_of(text)
    if url.get_backend_name() == "sqlite":
        return _engine(url, {"pool_timeout": CONNECTION_SECONDS})
    limits = {
        "lock_timeout": str(1000 * LOCK_SECONDS),
        "statement_timeout": str(1000 * ANSWER_SECONDS),
        "idle_in_transaction_session_timeout": str(1000 * ANSWER_SECONDS),
    }
    arguments = {"timeout": CONNECTION_SECONDS, "command_timeout": ANSWER_SECONDS + 1, "server_settings": limits}
    pool = {"pool_size": connections, "max_overflow": 0, "pool_timeout": CONNECTION_SECONDS}
    return _engine(url, {**pool, "connect_args": arguments})


def _engine(url: URL, options: dict[str, Any]) -> AsyncEngine:
    is_sqlite = url.get_backend_name() == "sqlite"
    engine = create_async_engine(url, pool_pre_ping=not is_sqlite, **options)
    if is_sqlite:
        sa.event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    return engine


def sync_engine(engine: AsyncEngine) -> sa.Engine:
    """A synchronous engine for the same SQLite file, for use in a thread."""
    sync = sa.create_engine(engine.url.set(drivername="sqlite"))
    sa.event.listen(sync, "connect", _prepare_sqlite)
    return sync


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in (
        "journal_mode = WAL",
        f"synchronous = {SYNCHRONOUS}",
        f"busy_timeout = {1000 * LOCK_SECONDS}",
        "wal_autocheckpoint = 0",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def keep_private(url: URL) -> None:
    """Restrict a SQLite file, new or existing, to its owner: the database contains every hand."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return
    os.close(os.open(url.database, os.O_RDWR | os.O_CREAT, 0o600))
    for name in (url.database, f"{url.database}-wal", f"{url.database}-shm"):
        path = Path(name)
        if path.exists() and path.stat().st_mode & 0o077:
            path.chmod(0o600)
            log.warning("others could read the database; its file is for its owner only now", extra={"file": path.name})


# Migrations


def _alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


async def migrate(engine: AsyncEngine) -> None:
    """Migrate a database to the current schema."""

    def upgrade(connection: sa.Connection) -> None:
        _refuse_newer(MigrationContext.configure(connection).get_current_revision())
        config = _alembic()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")

    async with engine.begin() as connection:
        await connection.run_sync(upgrade)


async def check_layout(engine: AsyncEngine) -> None:
    """Refuse a database whose schema is not the current one."""
    head = ScriptDirectory.from_config(_alembic()).get_current_head()

    def current(connection: sa.Connection) -> str | None:
        return MigrationContext.configure(connection).get_current_revision()

    async with engine.connect() as connection:
        revision = await connection.run_sync(current)
    _refuse_newer(revision)
    if revision != head:
        raise SetupError(f"the database has layout {revision}, not {head}; run: sixfold migrate --database URL")


def _refuse_newer(revision: str | None) -> None:
    known = {script.revision for script in ScriptDirectory.from_config(_alembic()).walk_revisions()}
    if revision is not None and revision not in known:
        raise SetupError(f"the database has layout {revision}, which this program does not know; use a newer Sixfold")

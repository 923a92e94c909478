"""Event storage with optimistic concurrency: an event is kept under its version before anyone hears of it."""

import asyncio
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from sixfold.errors import SetupError
from sixfold.server.event_writer import TROUBLE, PostgresWriter, SqliteWriter, Write
from sixfold.server.schema import events, settings, tables
from sixfold.table import Event, Table
from sixfold.table.events import read

MOST_AT_ONCE = 200
LOOK_AT_ONCE = 200
_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


class StorageDown(Exception):
    """The database could not be reached or did not answer; nothing was stored."""


def summary(table: Table, at: int, wake_at: int | None) -> dict[str, Any]:
    """What a table's row says about it."""
    return {
        "version": table.version,
        "stage": table.stage,
        "open_seats": sum(seat.kind == "open" for seat in table.seats),
        "changed_at": at,
        "wake_at": wake_at,
        "bot": (table.bot_to_move() or (None, None))[1],
    }


def engine_for(url: str) -> AsyncEngine:
    """The engine of a database URL: sqlite:///file or postgresql://user@host/name."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise SetupError(f"{url!r} is no database; write sqlite:///FILE or postgresql://USER@HOST/NAME") from None
    kind = parsed.drivername.partition("+")[0]
    if kind not in _DRIVERS:
        raise SetupError(f"a database is sqlite:///FILE or postgresql://USER@HOST/NAME, not {kind}")
    engine = create_async_engine(parsed.set(drivername=_DRIVERS[kind]), pool_pre_ping=kind != "sqlite")
    if kind == "sqlite":
        sa.event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    return engine


def _sync_engine(engine: AsyncEngine) -> sa.Engine:
    """The same SQLite file for a thread of its own."""
    made = sa.create_engine(engine.url.set(drivername="sqlite"))
    sa.event.listen(made, "connect", _prepare_sqlite)
    return made


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 10000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


async def migrate(engine: AsyncEngine) -> None:
    """Bring a database to the present layout."""

    def upgrade(connection: sa.Connection) -> None:
        config = _alembic()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")

    async with engine.begin() as connection:
        await connection.run_sync(upgrade)


async def check_layout(engine: AsyncEngine) -> None:
    """Refuse a database that has another layout than this program."""
    head = ScriptDirectory.from_config(_alembic()).get_current_head()

    def current(connection: sa.Connection) -> str | None:
        return MigrationContext.configure(connection).get_current_revision()

    async with engine.connect() as connection:
        found = await connection.run_sync(current)
    if found != head:
        raise SetupError(f"the database has layout {found}, not {head}; run: sixfold migrate --database URL")


class Storage:
    """One database, shared by any number of nodes."""

    def __init__(self, url: str) -> None:
        self.engine = engine_for(url)
        self.sqlite = self.engine.dialect.name == "sqlite"
        dialect: Any = sqlite if self.sqlite else postgresql
        self._insert_setting = dialect.insert(settings).on_conflict_do_nothing()
        self._writer = SqliteWriter(_sync_engine(self.engine)) if self.sqlite else PostgresWriter(self.engine)
        self._queue: asyncio.Queue[tuple[Write, asyncio.Future[bool]]] = asyncio.Queue()
        self._writing: asyncio.Task[None] | None = None

    async def open(self) -> None:
        if self.sqlite:
            await migrate(self.engine)
        else:
            await check_layout(self.engine)
        self._writing = asyncio.create_task(self._write_forever())

    async def close(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
            await asyncio.gather(self._writing, return_exceptions=True)
        await self._writer.close()
        await self.engine.dispose()

    async def ping(self) -> None:
        async with self.engine.connect() as connection:
            await connection.execute(sa.select(1))

    # Writing

    async def make(self, row: dict[str, Any], bodies: Sequence[bytes]) -> None:
        """A new table with its first events, mostly one."""
        first = [
            {"table_id": row["id"], "version": version, "body": body.decode()}
            for version, body in enumerate(bodies, start=1)
        ]
        try:
            async with self.engine.begin() as connection:
                await connection.execute(sa.insert(tables), row)
                await connection.execute(sa.insert(events), first)
        except TROUBLE as error:
            raise StorageDown(type(error).__name__) from error

    async def append(self, write: Write) -> bool:
        """Store an event; False when another writer had this version first."""
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((write, stored))
        return await stored

    async def _write_forever(self) -> None:
        """All writes that wait are stored together: one transaction costs as much as many."""
        while True:
            batch = [await self._queue.get()]
            while len(batch) < MOST_AT_ONCE and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            try:
                won = await self._writer.store([write for write, _ in batch])
            except TROUBLE as error:
                for _, stored in batch:
                    if not stored.done():
                        stored.set_exception(StorageDown(type(error).__name__))
            else:
                for write, stored in batch:
                    if not stored.done():
                        stored.set_result((write.table, write.version) in won)

    # Reading

    async def load(self, table: str) -> tuple[dict[str, Any], list[Event]] | None:
        """A table's row and all of its events."""
        async with self.engine.connect() as connection:
            row = (await connection.execute(sa.select(tables).where(tables.c.id == table))).mappings().first()
            if row is None:
                return None
            bodies = await self._bodies(connection, table, 0)
        return dict(row), list(read(bodies))

    async def events_after(self, table: str, version: int, made_in: int) -> list[Event]:
        """What was stored after a version of a table that was begun in some format."""
        async with self.engine.connect() as connection:
            bodies = await self._bodies(connection, table, version)
        return list(read(bodies, version + 1, made_in))

    async def _bodies(self, connection: AsyncConnection, table: str, after: int) -> list[str]:
        query = (
            sa.select(events.c.body)
            .where((events.c.table_id == table) & (events.c.version > after))
            .order_by(events.c.version)
        )
        return list((await connection.execute(query)).scalars())

    async def versions(self, ids: Iterable[str]) -> dict[str, int]:
        """How far each of some tables is."""
        found: dict[str, int] = {}
        wanted = list(ids)
        async with self.engine.connect() as connection:
            for start in range(0, len(wanted), LOOK_AT_ONCE):
                some = wanted[start : start + LOOK_AT_ONCE]
                rows = await connection.execute(sa.select(tables.c.id, tables.c.version).where(tables.c.id.in_(some)))
                found.update((table, version) for table, version in rows)
        return found

    async def to_wake(self, at: int, limit: int, clocks: bool, bots: bool) -> list[tuple[str, int]]:
        """Tables with a clock or a bot's turn that is due, with the time that was set, the longest due first."""
        query = sa.select(tables.c.id, tables.c.wake_at).where(tables.c.wake_at <= at)
        if not bots:
            query = query.where(tables.c.bot.is_(None))
        if not clocks:
            query = query.where(tables.c.bot.is_not(None))
        async with self.engine.connect() as connection:
            rows = await connection.execute(query.order_by(tables.c.wake_at).limit(limit))
            return [(table, when) for table, when in rows]

    async def claim(self, table: str, when: int, until: int | None) -> bool:
        """Take on what is due at a table, until a time; False when another node did, or the table went on."""
        change = sa.update(tables).where((tables.c.id == table) & (tables.c.wake_at == when)).values(wake_at=until)
        async with self.engine.begin() as connection:
            return (await connection.execute(change)).rowcount == 1

    async def find(self, game: str | None, stage: str | None, since: int, limit: int) -> list[dict[str, Any]]:
        """Public tables, the latest first."""
        shown = [tables.c[name] for name in ("id", "game", "players", "stage", "open_seats", "made_at", "changed_at")]
        query = sa.select(*shown).where(tables.c.public & (tables.c.changed_at >= since))
        if game is not None:
            query = query.where(tables.c.game == game)
        if stage is not None:
            query = query.where(tables.c.stage == stage)
        async with self.engine.connect() as connection:
            rows = await connection.execute(query.order_by(tables.c.changed_at.desc()).limit(limit))
            return [dict(row) for row in rows.mappings()]

    async def made_since(self, maker: str, at: int) -> int:
        """How many tables a guest has made lately."""
        query = sa.select(sa.func.count()).where((tables.c.maker == maker) & (tables.c.made_at >= at))
        async with self.engine.connect() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def shared_secret(self) -> str:
        """The secret that signs cookies, links and tokens; the first node makes it."""
        mine = {"name": "secret", "value": secrets.token_urlsafe(32)}
        async with self.engine.begin() as connection:
            await connection.execute(self._insert_setting, mine)
            query = sa.select(settings.c.value).where(settings.c.name == "secret")
            return str((await connection.execute(query)).scalar_one())

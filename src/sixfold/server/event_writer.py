"""Group commit: all waiting events go into one transaction, which costs about as much as a single event."""

import asyncio
import sqlite3
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine

from sixfold.server.sql_tables import events, settings, tables

SUMMARY = ("version", "stage", "open_seats", "changed_at", "wake_at", "bot")
Stored = set[tuple[str, int]]


class Write(msgspec.Struct, frozen=True):
    """An event to store as a version of its table, the events that follow from it, and the table's summary after
    them. They are stored atomically."""

    table: str
    version: int
    body: bytes
    summary: dict[str, Any]
    more: tuple[bytes, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        return [
            {"table_id": self.table, "version": version, "body": body.decode()}
            for version, body in enumerate((self.body, *self.more), start=self.version)
        ]


def insert_statement(dialect: Any) -> Any:
    """Insert an event unless another writer has stored this version."""
    return dialect.insert(events).on_conflict_do_nothing()


def summary_update() -> sa.Update:
    """Update a table's summary unless another node has already stored that of a later version."""
    where = (tables.c.id == sa.bindparam("b_id")) & (tables.c.version < sa.bindparam("version"))
    return sa.update(tables).where(where).values({name: sa.bindparam(name) for name in SUMMARY})


def probe_statement(dialect: Any) -> Any:
    """A write whose only purpose is to check that the database accepts writes."""
    insert = dialect.insert(settings)
    return insert.on_conflict_do_update(index_elements=["name"], set_={"value": insert.excluded.value})


def _probe_row() -> dict[str, str]:
    return {"name": "written", "value": str(time.time_ns())}


class Writer(Protocol):
    """Stores a batch of events in one transaction; an empty batch checks that writing works."""

    async def store(self, writes: Sequence[Write]) -> Stored:
        """Returns what was stored; for the rest another writer was first, or the table is gone."""

    async def close(self) -> None: ...


class PostgresWriter:
    """Writes through its own connection, so that readers cannot exhaust it."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._insert = insert_statement(postgresql).returning(events.c.table_id, events.c.version)
        self._update = summary_update()
        named = tables.c.id.in_(sa.bindparam("ids", expanding=True))
        self._lock = sa.select(tables.c.id).where(named).with_for_update(read=True, key_share=True)
        self._probe = probe_statement(postgresql)

    async def store(self, writes: Sequence[Write]) -> Stored:
        async with self._engine.begin() as connection:
            if not writes:
                await connection.exec_driver_sql("LOCK TABLE events IN ROW EXCLUSIVE MODE")
                await connection.execute(self._probe, _probe_row())
                return set()
            return await connection.run_sync(self._store, writes)

    def _store(self, connection: sa.Connection, writes: Sequence[Write]) -> Stored:
        # Until the end of the transaction no other node can remove these tables.
        existing = set(connection.execute(self._lock, {"ids": sorted({write.table for write in writes})}).scalars())
        rows = [write.rows() for write in writes if write.table in existing]
        if not rows:
            return set()
        stored = {
            (table, version) for table, version in connection.execute(self._insert, [first for first, *_ in rows])
        }
        # What follows from an event is stored only where the event itself was.
        more = [row for first, *rest in rows if (first["table_id"], first["version"]) in stored for row in rest]
        if more:
            connection.execute(self._insert, more)
        changes = [{"b_id": w.table, **w.summary} for w in writes if (w.table, w.version) in stored]
        if changes:
            # In a fixed order, so that two nodes never deadlock.
            changes.sort(key=lambda change: change["b_id"])
            connection.execute(self._update, changes)
        return stored

    async def close(self) -> None:
        await self._engine.dispose()


# Older versions cannot take a batch as one JSON text.
HAS_JSON = sqlite3.sqlite_version_info >= (3, 38)
INSERT_ALL = """
    INSERT INTO events (table_id, version, body) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)
    WHERE true ON CONFLICT DO NOTHING
"""
UPDATE_ALL = f"""
    UPDATE tables SET ({", ".join(SUMMARY)}) = ({", ".join(f"row ->> {at}" for at in range(1, len(SUMMARY) + 1))})
    FROM (SELECT value AS row, value ->> 0 AS row_id, value ->> 1 AS row_version FROM json_each(?))
    WHERE id = row_id AND version < row_version
"""


class SqliteWriter:
    """One connection in its own thread. SQLAlchemy compiles the statements once and the driver runs them directly,
    which saves SQLAlchemy's overhead on every event.

    Each statement releases the GIL and has to reacquire it, so a batch is usually two statements, however many events
    it has. Events are stored one by one only if another writer was first or a table has been removed.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, "storage")
        self._connection: Any = None
        dialect = sqlite.dialect(paramstyle="named")
        columns = [column.name for column in events.columns]
        self._insert = str(insert_statement(sqlite).compile(dialect=dialect, column_keys=columns))
        self._update = str(summary_update().compile(dialect=dialect))
        self._find = str(sa.select(tables.c.id).where(tables.c.id == sa.bindparam("id")).compile(dialect=dialect))
        removal = sa.delete(events).where(events.c.table_id == sa.bindparam("id"))
        self._remove = str(removal.compile(dialect=dialect))
        self._probe = str(probe_statement(sqlite).compile(dialect=dialect, column_keys=["name", "value"]))

    async def store(self, writes: Sequence[Write]) -> Stored:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._store, writes)

    def _store(self, writes: Sequence[Write]) -> Stored:
        try:
            if self._connection is None:
                self._connection = self._engine.raw_connection()
            cursor = self._connection.cursor()
            stored: Stored = set()
            if not writes:
                cursor.execute(self._probe, _probe_row())
            elif HAS_JSON and self._all_at_once(cursor, writes):
                stored = {(write.table, write.version) for write in writes}
            else:
                self._connection.rollback()
                stored = self._one_by_one(cursor, writes)
            self._connection.commit()
        except BaseException:
            self._give_up_connection()
            raise
        return stored

    def _all_at_once(self, cursor: Any, writes: Sequence[Write]) -> bool:
        """Store a batch in two statements; returns False if not every event could be stored."""
        rows = [list(row.values()) for write in writes for row in write.rows()]
        changes = [[write.table, *(write.summary[name] for name in SUMMARY)] for write in writes]
        return all(
            cursor.execute(statement, [msgspec.json.encode(values).decode()]).rowcount == len(values)
            for statement, values in ((INSERT_ALL, rows), (UPDATE_ALL, changes))
        )

    def _one_by_one(self, cursor: Any, writes: Sequence[Write]) -> Stored:
        stored: Stored = set()
        for write in writes:
            event, *more = write.rows()
            if cursor.execute(self._insert, event).rowcount:
                for row in more:
                    cursor.execute(self._insert, row)
                cursor.execute(self._update, {"b_id": write.table, **write.summary})
                if cursor.rowcount or cursor.execute(self._find, {"id": write.table}).fetchone():
                    stored.add((write.table, write.version))
                else:
                    # Another process has removed the table.
                    cursor.execute(self._remove, {"id": write.table})
        return stored

    def _give_up_connection(self) -> None:
        """Discard the connection after an error; the next batch opens a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.rollback()
            except sqlite3.Error:
                connection.invalidate()
            connection.close()

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()

"""Event storage with optimistic concurrency: an event is stored under its version before any client sees it."""

import asyncio
import logging
import secrets
import sqlite3
import time
import zlib
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from sixfold.server.checkpoints import EVERY_SECONDS, Checkpoints
from sixfold.server.database import check_layout, keep_private, migrate, serving_engine, sync_engine
from sixfold.server.event_writer import PostgresWriter, SqliteWriter, Write, Writer
from sixfold.server.metrics import Metrics
from sixfold.server.sql_tables import events, reviews, revoked_tokens, settings, tables
from sixfold.server.supervision import Supervisor
from sixfold.table import Event, Table
from sixfold.table.events import read

MOST_AT_ONCE, MOST_WAITING, LOOK_AT_ONCE = 200, 5000, 200
# Events read at a time.
PAGE = 500
BATCH_SECONDS = 15.0
# How long to wait for more events, per event of the last batch, and at most.
GATHER_EACH_SECONDS, GATHER_SECONDS = 0.0005, 0.01
CHECK_SECONDS, CHECK_AGAIN_SECONDS = 2.0, 1.0
REPORT_AGAIN_SECONDS = 10.0
# What an unreachable or unresponsive database raises; the pool's own timeout is a SQLAlchemyError.
DATABASE_ERRORS = (SQLAlchemyError, sqlite3.Error, OSError, TimeoutError)
log = logging.getLogger("sixfold")


class StorageDown(Exception):
    """The database could not be reached or did not answer; a write may or may not have been stored."""


def summary(table: Table, at: int, wake_at: int | None) -> dict[str, Any]:
    """The summary columns of a table's row."""
    return {
        "version": table.version,
        "stage": table.stage,
        "open_seats": sum(seat.kind == "open" for seat in table.seats),
        "changed_at": at,
        "wake_at": wake_at,
        "bot": (table.bot_to_move() or (None, None))[1],
    }


class Storage:
    """One database, shared by any number of nodes."""

    def __init__(self, url: str, metrics: Metrics | None = None) -> None:
        self.engine = serving_engine(url)
        self.sqlite = self.engine.dialect.name == "sqlite"
        self.metrics = metrics or Metrics()
        self.supervisor = Supervisor(self.metrics)
        dialect: Any = sqlite if self.sqlite else postgresql
        self._insert_setting = dialect.insert(settings).on_conflict_do_nothing()
        self._insert_revoked = dialect.insert(revoked_tokens).on_conflict_do_nothing()
        self._upsert_review = _upsert_review_statement(dialect)
        self._writer: Writer = (
            SqliteWriter(sync_engine(self.engine)) if self.sqlite else PostgresWriter(serving_engine(url, 1))
        )
        self._checkpoints = Checkpoints(sync_engine(self.engine)) if self.sqlite else None
        self._queue: asyncio.Queue[tuple[Write | None, asyncio.Future[bool]]] = asyncio.Queue()
        self._down_since: float | None = None
        self._reported_at = float("-inf")
        self._checking: asyncio.Task[None] | None = None
        self._checked_at = float("-inf")

    async def open(self) -> None:
        if self.sqlite:
            keep_private(self.engine.url)
            await migrate(self.engine)
        else:
            await check_layout(self.engine)
        self.supervisor.watch("writer", self._write_forever)
        if self._checkpoints is not None:
            self.supervisor.watch("checkpoints", partial(self._checkpoint_forever, self._checkpoints))

    async def close(self) -> None:
        await self.supervisor.close()
        if self._checkpoints is not None:
            self._checkpoints.close()
        await self._writer.close()
        while not self._queue.empty():
            _fail_all([self._queue.get_nowait()], StorageDown("closed"))
        await self.engine.dispose()

    # Health

    async def check(self) -> None:
        """Raise StorageDown unless the database can be read and written now; tried at most once a second."""
        done = self._checking is None or self._checking.done()
        if done and time.monotonic() - self._checked_at > CHECK_AGAIN_SECONDS:
            self._checked_at = time.monotonic()
            self._checking = asyncio.create_task(self._probe())
            # All callers may time out; retrieve the exception so that asyncio does not complain.
            self._checking.add_done_callback(lambda task: task.cancelled() or task.exception())
        assert self._checking is not None
        try:
            await asyncio.wait_for(asyncio.shield(self._checking), CHECK_SECONDS)
        except TimeoutError as error:
            raise StorageDown("no answer in time") from error

    async def _probe(self) -> None:
        async with self._read_connection() as connection:
            await connection.execute(sa.select(1))
        await self._enqueue(None)

    def _report_failure(self, what: str, error: Exception) -> StorageDown:
        """Count a failure and log it, but not too often."""
        self.metrics.storage_failures.labels(what).inc()
        at = time.monotonic()
        if at - self._reported_at > REPORT_AGAIN_SECONDS:
            self._reported_at = at
            reason = str(getattr(error, "orig", None) or error).partition("\n")[0][:200]
            details = {"what": what, "error": type(error).__name__, "reason": reason, "waiting": self._queue.qsize()}
            log.error("the database is in trouble", extra=details)
        return StorageDown(type(error).__name__)

    @asynccontextmanager
    async def _read_connection(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self.engine.connect() as connection:
                yield connection
        except DATABASE_ERRORS as error:
            raise self._report_failure("reading", error) from error

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self.engine.begin() as connection:
                yield connection
        except DATABASE_ERRORS as error:
            raise self._report_failure("writing", error) from error

    # Writing

    async def make(self, row: dict[str, Any], bodies: Sequence[bytes]) -> None:
        """Store a new table with its first events, usually one."""
        first = [
            {"table_id": row["id"], "version": version, "body": body.decode()}
            for version, body in enumerate(bodies, start=1)
        ]
        async with self.transaction() as connection:
            await connection.execute(sa.insert(tables), row)
            await connection.execute(sa.insert(events), first)

    async def append(self, write: Write) -> bool:
        """Store an event; False when another writer had this version first."""
        return await self._enqueue(write)

    async def _enqueue(self, write: Write | None) -> bool:
        if self._queue.qsize() >= MOST_WAITING:
            raise self._report_failure("writing", StorageDown("too many events wait"))
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((write, stored))
        return await stored

    async def _write_forever(self) -> None:
        """Store all waiting writes in one transaction. If a batch fails, its callers get StorageDown, and the next
        batch is tried as usual."""
        batch: list[tuple[Write | None, asyncio.Future[bool]]] = []
        while True:
            last, batch = len(batch), [await self._queue.get()]
            try:
                if last > 1:
                    # Waking the thread costs as much as many events, so under load batches should be larger.
                    await asyncio.sleep(min(GATHER_SECONDS, last * GATHER_EACH_SECONDS))
                while len(batch) < MOST_AT_ONCE and not self._queue.empty():
                    batch.append(self._queue.get_nowait())
                self.metrics.writes_waiting.set(self._queue.qsize() + len(batch))
                async with asyncio.timeout(BATCH_SECONDS):
                    stored_versions = await self._writer.store([write for write, _ in batch if write is not None])
            except BaseException as error:
                # Writes that were queued meanwhile would wait as long and fail in the same way.
                while not self._queue.empty():
                    batch.append(self._queue.get_nowait())
                _fail_all(batch, StorageDown(type(error).__name__))
                if not isinstance(error, Exception):
                    raise
                self._report_failure("writing", error)
                self._down_since = self._down_since or time.monotonic()
                self.metrics.storage_up.set(0)
            else:
                self._recovered()
                for write, stored in batch:
                    if not stored.done():
                        stored.set_result(write is None or (write.table, write.version) in stored_versions)

    async def _checkpoint_forever(self, checkpoints: Checkpoints) -> None:
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            try:
                await checkpoints.make()
            except DATABASE_ERRORS as error:
                self._report_failure("writing", error)

    def _recovered(self) -> None:
        if self._down_since is not None:
            log.warning("events are stored again", extra={"after": round(time.monotonic() - self._down_since, 1)})
            self._down_since, self._reported_at = None, float("-inf")
            self.metrics.storage_up.set(1)

    # Reading

    async def load(self, table: str) -> tuple[dict[str, Any], list[Event]] | None:
        """A table's row and its first page of events; the rest come from `events_after`."""
        async with self._read_connection() as connection:
            row = (await connection.execute(sa.select(tables).where(tables.c.id == table))).mappings().first()
            if row is None:
                return None
            bodies = await self._bodies(connection, table, 0)
        return dict(row), list(read(bodies))

    async def events_after(self, table: str, version: int, table_format: int) -> list[Event]:
        """The events after a version, at most a page; ``table_format`` is the format the table was created in."""
        async with self._read_connection() as connection:
            bodies = await self._bodies(connection, table, version)
        return list(read(bodies, version + 1, table_format))

    async def _bodies(self, connection: AsyncConnection, table: str, after: int) -> list[str]:
        query = (
            sa.select(events.c.body)
            .where((events.c.table_id == table) & (events.c.version > after))
            .order_by(events.c.version)
            .limit(PAGE)
        )
        return list((await connection.execute(query)).scalars())

    async def versions(self, ids: Iterable[str]) -> dict[str, int]:
        """The current version of each of these tables."""
        versions: dict[str, int] = {}
        table_ids = list(ids)
        async with self._read_connection() as connection:
            for start in range(0, len(table_ids), LOOK_AT_ONCE):
                chunk = table_ids[start : start + LOOK_AT_ONCE]
                rows = await connection.execute(sa.select(tables.c.id, tables.c.version).where(tables.c.id.in_(chunk)))
                versions.update((table, version) for table, version in rows)
        return versions

    async def to_wake(self, at: int, limit: int, clocks: bool, bots: bool) -> list[tuple[str, int]]:
        """Tables whose clock or bot's turn is due, with the due time, the longest due first."""
        query = sa.select(tables.c.id, tables.c.wake_at).where(tables.c.wake_at <= at)
        if not bots:
            query = query.where(tables.c.bot.is_(None))
        if not clocks:
            query = query.where(tables.c.bot.is_not(None))
        async with self._read_connection() as connection:
            rows = await connection.execute(query.order_by(tables.c.wake_at).limit(limit))
            return [(table, when) for table, when in rows]

    async def claim(self, table: str, when: int, until: int | None) -> bool:
        """Claim what is due at a table until a time; False if another node did, or the table has changed."""
        change = sa.update(tables).where((tables.c.id == table) & (tables.c.wake_at == when)).values(wake_at=until)
        async with self.transaction() as connection:
            return (await connection.execute(change)).rowcount == 1

    async def find(self, game: str | None, stage: str | None, since: int, limit: int) -> list[dict[str, Any]]:
        """Public tables, the latest first; if there are more than ``limit``, each creator's latest comes before any
        creator's second."""
        columns = [tables.c[name] for name in ("id", "game", "players", "stage", "open_seats", "made_at", "changed_at")]
        creator = sa.func.coalesce(tables.c.origin, tables.c.maker)
        rank = sa.func.row_number().over(partition_by=creator, order_by=tables.c.changed_at.desc()).label("rank")
        query = sa.select(*columns, rank).where(tables.c.public & (tables.c.changed_at >= since))
        if game is not None:
            query = query.where(tables.c.game == game)
        if stage is not None:
            query = query.where(tables.c.stage == stage)
        ranked = query.subquery()
        fair = sa.select(ranked).order_by(ranked.c.rank, ranked.c.changed_at.desc()).limit(limit)
        async with self._read_connection() as connection:
            rows = [dict(row) for row in (await connection.execute(fair)).mappings()]
        rows.sort(key=lambda row: -row["changed_at"])
        return [{name: value for name, value in row.items() if name != "rank"} for row in rows]

    async def made_since(self, maker: str, at: int) -> int:
        """How many tables a guest has created since a time."""
        query = sa.select(sa.func.count()).where((tables.c.maker == maker) & (tables.c.made_at >= at))
        async with self._read_connection() as connection:
            return int((await connection.execute(query)).scalar_one())

    # Expiry

    async def expired(self, unplayed_before: int, finished_before: int, limit: int) -> list[tuple[str, int]]:
        """Unplayed tables and others without an event since the given times, with their versions."""
        unplayed = (tables.c.stage == "open") & (tables.c.changed_at < unplayed_before)
        finished = (tables.c.stage != "open") & (tables.c.changed_at < finished_before)
        query = sa.select(tables.c.id, tables.c.version).where(unplayed | finished).limit(limit)
        async with self._read_connection() as connection:
            return [(table, version) for table, version in await connection.execute(query)]

    async def remove(self, table: str, version: int) -> bool:
        """Remove a table with its events, unless it has a later version."""
        still = (tables.c.id == table) & (tables.c.version == version)
        async with self.transaction() as connection:
            if (await connection.execute(sa.delete(tables).where(still))).rowcount != 1:
                return False
            for dependent in (events, reviews):
                await connection.execute(sa.delete(dependent).where(dependent.c.table_id == table))
            return True

    # Reviews

    async def review(self, table: str, number: int) -> bytes | None:
        """The review of a table's finished round, if there is one."""
        query = sa.select(reviews.c.body).where((reviews.c.table_id == table) & (reviews.c.number == number))
        async with self._read_connection() as connection:
            body = (await connection.execute(query)).scalar_one_or_none()
        return None if body is None else zlib.decompress(body)

    async def keep_review(self, table: str, number: int, body: bytes) -> None:
        """Store a review, to be removed with its table."""
        async with self.transaction() as connection:
            await connection.execute(
                self._upsert_review, {"b_table": table, "b_number": number, "b_body": zlib.compress(body)}
            )

    # Signing and revocation

    async def shared_secret(self) -> str:
        """The secret that signs cookies, links and tokens; the first node creates it."""
        mine = {"name": "secret", "value": secrets.token_urlsafe(32)}
        async with self.transaction() as connection:
            await connection.execute(self._insert_setting, mine)
            query = sa.select(settings.c.value).where(settings.c.name == "secret")
            return str((await connection.execute(query)).scalar_one())

    async def revoke(self, token_id: str, until: int) -> bool:
        """Revoke a signed id; False if it was revoked already."""
        async with self.transaction() as connection:
            done = await connection.execute(self._insert_revoked, {"id": token_id, "until": until})
            return done.rowcount == 1

    async def unrevoke(self, token_id: str) -> None:
        async with self.transaction() as connection:
            await connection.execute(sa.delete(revoked_tokens).where(revoked_tokens.c.id == token_id))

    async def revoked(self, at: int) -> set[str]:
        """All revoked ids that would not have expired by now."""
        query = sa.select(revoked_tokens.c.id).where(revoked_tokens.c.until > at)
        async with self._read_connection() as connection:
            return {token for (token,) in await connection.execute(query)}

    async def forget_revoked(self, at: int) -> None:
        async with self.transaction() as connection:
            await connection.execute(sa.delete(revoked_tokens).where(revoked_tokens.c.until <= at))


def _upsert_review_statement(dialect: Any) -> Any:
    """Insert or replace a review, unless its table has been removed meanwhile."""
    values = sa.bindparam("b_number", type_=sa.Integer), sa.bindparam("b_body", type_=sa.LargeBinary)
    table = sa.select(tables.c.id, *values).where(tables.c.id == sa.bindparam("b_table"))
    insert = dialect.insert(reviews).from_select(["table_id", "number", "body"], table)
    return insert.on_conflict_do_update(index_elements=["table_id", "number"], set_={"body": insert.excluded.body})


def _fail_all(batch: Iterable[tuple[Write | None, asyncio.Future[bool]]], error: StorageDown) -> None:
    """Fail all waiting writes."""
    for _, stored in batch:
        if not stored.done():
            stored.set_exception(error)

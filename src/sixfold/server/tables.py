"""The tables of a node: loaded from memory or from events, acted on, stored, and broadcast to clients."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sixfold.engine.notation import Refused as MoveRefused
from sixfold.errors import SetupError
from sixfold.server import protocol
from sixfold.server.event_writer import Write
from sixfold.server.heartbeat import Heartbeat
from sixfold.server.limits import Limits
from sixfold.server.metrics import Metrics
from sixfold.server.settings import Settings, check_level
from sixfold.server.storage import PAGE, Storage, StorageDown, summary
from sixfold.server.table_session import Client, TableSession
from sixfold.table import ALWAYS, Actor, Seat, Step, Table, TableRefused, credit, decide, due, make, tick, transfer
from sixfold.table.events import write
from sixfold.table.setup import bot, check_portrait, person

# Long tables are loaded in time slices, so that other tables do not wait.
SLICE_SECONDS = 0.005
log = logging.getLogger("sixfold")
# Refusals of tables that this program can never load.
UNREADABLE = ("table_damaged", "table_newer")
# A guest who only reloads the page must not appear absent.
PRESENCE_SECONDS = 0.5
# How often a node announces its guests, and how long other nodes rely on it.
ANNOUNCE_SECONDS, BELIEVE_SECONDS = 20.0, 60.0


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Hub:
    """The tables in this node's memory. Any node can serve any table, and memory is only a cache."""

    def __init__(self, storage: Storage, settings: Settings, metrics: Metrics) -> None:
        self.storage = storage
        self.settings = settings
        self.metrics = metrics
        self.tables: dict[str, TableSession] = {}
        self.limits = Limits(settings.requests_a_minute, settings.messages_a_second, settings.tables_an_hour)
        self.sockets_of: dict[str, int] = {}  # by guest
        self.sockets_at: dict[str, int] = {}  # by address
        self.sockets = 0
        self.acted_at = time.monotonic()
        self.bots_warming = False
        self.publish_version: Callable[[str, int], None] = lambda table, version: None
        self.publish_guests: Callable[[str, list[str]], None] = lambda table, guests: None
        self.bot_due: Callable[[TableSession], None] = lambda session: None
        self.heartbeat = Heartbeat(storage, now)
        self.down: Callable[[], list[str]] = list  # the background tasks of this node that are not running
        self._loading: dict[str, asyncio.Task[TableSession | None]] = {}

    # Finding

    async def get(self, table: str) -> TableSession:
        """A table, from memory or from its events."""
        session = self.tables.get(table)
        if session is None:
            # Concurrent requests for a table share one load.
            task = self._loading.get(table)
            if task is None:
                task = self._loading[table] = asyncio.create_task(self._load(table))
                task.add_done_callback(lambda _: self._loading.pop(table, None))
            session = await asyncio.shield(task)
        if session is None:
            raise TableRefused("no_table")
        session.used_at = now()
        return session

    async def _load(self, table: str) -> TableSession | None:
        try:
            return await self._open(table)
        except TableRefused as refused:
            why = refused.__cause__ or refused
            log.warning("a table cannot be opened", extra={"table": table, "error": f"{type(why).__name__}: {why}"})
            raise

    async def _open(self, table: str) -> TableSession | None:
        started = time.perf_counter()
        loaded = await self._rebuild(table)
        if loaded is None:
            return None
        row, rebuilt = loaded
        _check_levels(rebuilt)
        session = TableSession(table, rebuilt, row["secret"], row["public"], row["maker"])
        self.tables[table] = session
        self.metrics.opening.observe(time.perf_counter() - started)
        return session

    async def _rebuild(self, table: str) -> tuple[dict[str, Any], Table] | None:
        """Rebuild a table from its events in time slices."""
        loaded = await self.storage.load(table)
        if loaded is None:
            return None
        row, events = loaded
        rebuilt = Table()
        pause = time.perf_counter() + SLICE_SECONDS
        while events:
            for event in events:
                rebuilt.take(event)
                if time.perf_counter() > pause:
                    await asyncio.sleep(0)
                    pause = time.perf_counter() + SLICE_SECONDS
            more = len(events) == PAGE
            events = await self.storage.events_after(table, rebuilt.version, rebuilt.format) if more else []
        return row, rebuilt

    def forget_idle(self) -> None:
        """Drop tables from memory that have been idle for a while."""
        before = now() - self.settings.keep_ms
        for table, session in list(self.tables.items()):
            if not session.clients and session.used_at < before and not session.lock.locked():
                del self.tables[table]

    def drop(self, table: str) -> None:
        """Drop a table that another node has removed."""
        if (session := self.tables.pop(table, None)) is not None:
            session.cut_off_all()

    # Making

    async def make(
        self, request: protocol.NewTable, guest: str, name: str, portrait: str = "", origin: str | None = None
    ) -> TableSession:
        at = now()
        if await self.storage.made_since(guest, at - 3600_000) >= self.settings.tables_an_hour:
            raise TableRefused("too_many_tables")
        secret = secrets.token_bytes(32)
        try:
            setup = request.setup(self.settings.deputy)
            event = make(setup, self._seats(request, guest, name, portrait), secret, at, guest)
        except SetupError as error:
            raise TableRefused("bad_setup", detail=error) from None
        session = TableSession(secrets.token_urlsafe(9), Table([event]), secret, request.public, guest)
        row = {
            "id": session.id,
            "secret": secret,
            "maker": guest,
            "public": request.public,
            "game": request.game,
            "players": request.players,
            "made_at": at,
            "origin": origin,
            **summary(session.table, at, None),
        }
        await self.storage.make(row, [write(event)])
        self.tables[session.id] = session
        self.metrics.tables_made.labels(request.game).inc()
        return session

    def _seats(self, request: protocol.NewTable, guest: str, name: str, portrait: str) -> list[Seat]:
        new_seats = request.seats or [protocol.NewSeat("me"), *(protocol.NewSeat() for _ in range(request.players - 1))]
        seats: list[Seat] = []
        for seat in new_seats:
            if seat.kind == "bot":
                level = seat.level or self.settings.deputy
                check_level(level)
                seats.append(bot(level, secrets.token_hex(4), seats))
            elif seat.kind == "me":
                seat_portrait = check_portrait(seat.portrait or (portrait if seat.name is None else ""))
                seats.append(person(seat.name or name, guest, seat_portrait, seats))
            else:
                seats.append(Seat())
        return seats

    # Acting

    async def act(self, table: str, actor: Actor, action: protocol.Action, invited: bool = False) -> int:
        """Carry out an action to the end, even if the caller is cancelled."""
        return await asyncio.shield(asyncio.create_task(self.do(table, actor, action, invited)))

    async def do(self, table: str, actor: Actor, action: protocol.Action, invited: bool = False) -> int:
        """Carry out an action and broadcast it; returns the version that it became."""
        if action.do == "bot":
            check_level(action.level or "")

        def decide_steps(session: TableSession, at: int) -> list[Step]:
            self._check_current(session.table, actor, action)
            if (
                action.do == "sit"
                and not invited
                and session.maker != actor.guest
                and session.table.held_by(actor.guest)
            ):
                raise TableRefused("one_seat")
            return decide(session.table, actor, msgspec.to_builtins(action), at, session.secret)

        return await self._commit(table, decide_steps)

    async def transfer(self, table: str, seat: int, holder: str, guest: str) -> int:
        task = self._commit(table, lambda session, at: transfer(session.table, seat, holder, guest, at))
        return await asyncio.shield(asyncio.create_task(task))

    def _check_current(self, table: Table, actor: Actor, action: protocol.Action) -> None:
        """Refuse an action that was carried out already, is based on an old version, or exceeds the table's limit."""
        done_version = table.done.get((actor.guest, action.id)) if action.id and actor.guest else None
        if done_version is not None:
            raise TableRefused("already_done", version=done_version)
        if action.version is not None and not table.changed <= action.version <= table.version:
            raise TableRefused("stale", version=table.version)
        rematch = action.do == "ready" and table.stage == "over"
        if table.version >= self.settings.most_events and (rematch or action.do not in ALWAYS):
            raise TableRefused("table_full")

    async def _commit(self, table: str, decide_steps: Callable[[TableSession, int], list[Step]]) -> int:
        """Decide, store and broadcast events; if another node stored first, catch up and decide again."""
        self.acted_at = time.monotonic()
        for _ in range(8):
            session = await self.get(table)
            async with session.lock:
                if not self._is_current(session):
                    continue
                await self._apply_due(session)
                try:
                    started = time.perf_counter()
                    steps = decide_steps(session, now())
                    self.metrics.deciding.observe(time.perf_counter() - started)
                except (TableRefused, MoveRefused):
                    # Events from another node may have made it legal meanwhile.
                    if not await self._catch_up(session):
                        raise
                    continue
                version = session.table.version + 1
                if await self._append(session, steps):
                    return version
        raise TableRefused("busy")

    async def _apply_due(self, session: TableSession) -> None:
        """Apply what is due by now, after crediting players for outages."""
        if due(session.table) is None:
            return
        await self.heartbeat.beat_if_late()
        if self.heartbeat.outages and (steps := credit(session.table, self.heartbeat.outages, now())):
            await self._append(session, steps)
        while steps := tick(session.table, now(), session.secret):
            await self._append(session, steps)

    async def _append(self, session: TableSession, steps: list[Step]) -> bool:
        """Optimistic concurrency: store events under the next versions, then apply and broadcast them. Returns False if
        another node was first."""
        before, at = session.table, steps[0].event.at
        tables: list[Table] = []
        for step in steps:
            tables.append((tables[-1] if tables else before).after(step.event, step.game))
        body, *more = (write(step.event) for step in steps)
        after = summary(tables[-1], at, self._wake_at(tables[-1], at))
        started = time.perf_counter()
        stored = await self.storage.append(Write(session.id, before.version + 1, body, after, tuple(more)))
        ended = time.perf_counter()
        self.metrics.storing.observe(ended - started)
        if not stored:
            self.metrics.conflicts.inc()
            await self._catch_up(session)
            return False
        self._advance(session, tables)
        self.metrics.telling.observe(time.perf_counter() - ended)
        self.publish_version(session.id, session.table.version)
        if session.table.bot_to_move():
            self.bot_due(session)
        return True

    def _wake_at(self, table: Table, at: int) -> int | None:
        if table.bot_to_move():
            # The node that stores this event runs the bot; if it fails, another node may after the lease.
            return at + (self.settings.lease_ms if self.settings.bots else 0)
        return due(table)

    async def catch_up(self, table: str, version: int) -> None:
        """Load new events of a table in memory that another node has advanced."""
        session = self.tables.get(table)
        if session is None or session.table.version >= version:
            return
        async with session.lock:
            await self._catch_up(session)

    async def _catch_up(self, session: TableSession) -> int:
        """Apply the events that other nodes have stored; returns how many there were."""
        before = session.table.version
        while events := await self.storage.events_after(session.id, session.table.version, session.table.format):
            for event in events:
                session.table.take(event)
                self._advance(session, [session.table])
            if len(events) < PAGE:
                break
        return session.table.version - before

    async def fresh(self, table: str) -> TableSession:
        """A table with all events stored by any node."""
        session = await self.get(table)
        async with session.lock:
            await self._catch_up(session)
        return session

    async def wake(self, table: str) -> int | None:
        """Handle what is due at a table, a clock or an unclaimed bot's turn; returns when something is due next."""
        try:
            session = await self.get(table)
        except TableRefused as refused:
            if refused.refusal.key not in UNREADABLE:
                raise
            return None
        async with session.lock:
            if not self._is_current(session):
                raise TableRefused("busy")
            await self._catch_up(session)
            await self._apply_due(session)
            if session.table.bot_to_move():
                self.bot_due(session)
            return self._wake_at(session.table, now())

    # Broadcasting

    def _advance(self, session: TableSession, tables: Sequence[Table]) -> None:
        session.advance(tables)
        if session.announced_seats is not session.table.seats:
            session.announced_seats = session.table.seats
            self._schedule_presence(session)

    def _schedule_presence(self, session: TableSession) -> None:
        """Broadcast the presence after a short delay, if it still differs then."""
        present = session.present()
        if session.presence_timer is None and any(client.presence != present for client in session.clients):
            loop = asyncio.get_running_loop()
            session.presence_timer = loop.call_later(PRESENCE_SECONDS, session.send_presence)

    def _announce_guests(self, session: TableSession) -> None:
        self.publish_guests(session.id, sorted(session.guests()))
        self._schedule_presence(session)

    def hear_presence(self, table: str, node: str, guests: list[str]) -> None:
        """Take note of another node's guests; a node not known so far is sent ours in return."""
        session = self.tables.get(table)
        if session is None:
            return
        is_new = node not in session.remote_guests
        session.remote_guests[node] = time.monotonic() + BELIEVE_SECONDS, frozenset(guests)
        if is_new and session.clients:
            self.publish_guests(session.id, sorted(session.guests()))
        self._schedule_presence(session)

    async def announce_forever(self) -> None:
        """Announce our guests periodically, because a node that dies cannot say goodbye."""
        while True:
            await asyncio.sleep(ANNOUNCE_SECONDS)
            for session in list(self.tables.values()):
                if session.clients:
                    self._announce_guests(session)

    async def connect(self, table: str, client: Client, since: int | None) -> TableSession:
        """Send a snapshot to a new client and subscribe it to the table."""
        self._check_socket_limits(client)
        for _ in range(8):
            session = await self.get(table)
            async with session.lock:
                if not self._is_current(session):
                    continue
                await self._catch_up(session)
                if not session.may_look(client.guest):
                    raise TableRefused("private_table")
                # Other clients may have connected while this one waited.
                self._check_socket_limits(client)
                client.send(session.snapshot_for(client, since))
                session.clients.add(client)
                client.presence = session.present()
                client.send(protocol.encode(protocol.Presence(client.presence)))
                self._announce_guests(session)
                self._count(client, 1)
                return session
        raise TableRefused("busy")

    def _check_socket_limits(self, client: Client) -> None:
        """Limit sockets in all, by guest, and by address, which also covers clients without a guest."""
        of_guest = self.sockets_of.get(client.guest, 0) if client.guest else 0
        of_one = self.settings.connections_of_one
        crowd = of_one is not None and self.sockets_at.get(client.address, 0) >= of_one
        if self.sockets >= self.settings.sockets or of_guest >= self.settings.sockets_a_guest or crowd:
            raise TableRefused("too_many_sockets")

    def _count(self, client: Client, more: int) -> None:
        self.sockets += more
        self.metrics.sockets.set(self.sockets)
        for counts, key in ((self.sockets_of, client.guest), (self.sockets_at, client.address)):
            counts[key] = counts.get(key, 0) + more
            if not counts[key]:
                del counts[key]

    def _is_current(self, session: TableSession) -> bool:
        """Is this still the session in use? One that was dropped from memory gets no more events."""
        return self.tables.get(session.id) is session

    def disconnect(self, session: TableSession, client: Client) -> None:
        if client in session.clients:
            session.clients.discard(client)
            self._announce_guests(session)
            self._count(client, -1)

    def cut_off_guests(self, guests: set[str]) -> None:
        """Disconnect guests whose cookie or token was revoked."""
        for client in [
            client for session in self.tables.values() for client in session.clients if client.guest in guests
        ]:
            client.cut_off.set()

    def close_all(self) -> None:
        for session in self.tables.values():
            session.cut_off_all()


def _check_levels(table: Table) -> None:
    """Refuse a table with a bot that is not installed, which would never move."""
    for level in {table.setup.deputy, *(seat.level for seat in table.seats if seat.kind == "bot")}:
        try:
            check_level(level)
        except TableRefused as refused:
            raise TableRefused("table_damaged", version=1) from refused


def problem(error: Exception, language: str) -> protocol.Problem:
    """A refusal as it is sent: a sentence, its clause, and a key with words for translation."""
    if isinstance(error, StorageDown):
        error = TableRefused("busy")
    if isinstance(error, msgspec.MsgspecError | UnicodeDecodeError):
        error = TableRefused("bad_message", detail=str(error)[:200])
    assert isinstance(error, TableRefused | MoveRefused)
    return protocol.Problem(error.refusal.key, error.reason(language), error.refusal.clause, dict(error.refusal.words))


REFUSALS: tuple[type[Exception], ...] = (
    TableRefused,
    MoveRefused,
    StorageDown,
    msgspec.MsgspecError,
    UnicodeDecodeError,
)

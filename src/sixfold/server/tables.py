"""The tables of a node: found in memory or rebuilt from their events, acted on, stored, and told to everybody."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from typing import Any

import msgspec

from sixfold.engine.notation import Refused as MoveRefused
from sixfold.errors import SetupError
from sixfold.server import messages
from sixfold.server.event_writer import Write
from sixfold.server.heartbeat import Heartbeat
from sixfold.server.limits import Limits
from sixfold.server.metrics import Metrics
from sixfold.server.settings import Settings, check_level
from sixfold.server.storage import PAGE, Storage, StorageDown, summary
from sixfold.server.table_in_memory import Client, Live
from sixfold.table import ALWAYS, Actor, Seat, Step, Table, TableRefused, carry, credit, decide, due, make, tick
from sixfold.table.events import write
from sixfold.table.setup import bot, check_portrait, person

# A long table is opened in slices, so that nobody at another one waits for it.
SLICE_SECONDS = 0.005
log = logging.getLogger("sixfold")
# A table that cannot be opened here, whatever is tried.
UNREADABLE = ("table_damaged", "table_newer")
# Who reloads a page is not away; who is away for longer is.
PRESENCE_SECONDS = 0.5
# How often a node says who is here, and how long the others believe it.
ANNOUNCE_SECONDS, BELIEVE_SECONDS = 20.0, 60.0


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Hub:
    """Any node serves any table; what is in memory can be thrown away at any time."""

    def __init__(self, storage: Storage, settings: Settings, metrics: Metrics) -> None:
        self.storage = storage
        self.settings = settings
        self.metrics = metrics
        self.tables: dict[str, Live] = {}
        self.limits = Limits(settings.requests_a_minute, settings.messages_a_second, settings.tables_an_hour)
        self.sockets_of: dict[str, int] = {}  # by guest
        self.sockets_at: dict[str, int] = {}  # by address
        self.sockets = 0
        self.acted_at = time.monotonic()
        self.bots_warming = False
        self.published: Callable[[str, int], None] = lambda table, version: None
        self.announced: Callable[[str, list[str]], None] = lambda table, guests: None
        self.bot_due: Callable[[Live], None] = lambda live: None
        self.heartbeat = Heartbeat(storage, now)
        self.down: Callable[[], list[str]] = list  # the lasting tasks of this node that do not run
        self._loading: dict[str, asyncio.Task[Live | None]] = {}

    # Finding

    async def get(self, table: str) -> Live:
        """A table, from memory or from its events."""
        live = self.tables.get(table)
        if live is None:
            # Everybody who asks for the same table meanwhile waits for the same rebuilding.
            task = self._loading.get(table)
            if task is None:
                task = self._loading[table] = asyncio.create_task(self._load(table))
                task.add_done_callback(lambda _: self._loading.pop(table, None))
            live = await asyncio.shield(task)
        if live is None:
            raise TableRefused("no_table")
        live.used_at = now()
        return live

    async def _load(self, table: str) -> Live | None:
        try:
            return await self._opened(table)
        except TableRefused as refused:
            why = refused.__cause__ or refused
            log.warning("a table cannot be opened", extra={"table": table, "error": f"{type(why).__name__}: {why}"})
            raise

    async def _opened(self, table: str) -> Live | None:
        started = time.perf_counter()
        found = await self._built(table)
        if found is None:
            return None
        row, built = found
        _check_levels(built)
        live = Live(table, built, row["secret"], row["public"], row["maker"])
        self.tables[table] = live
        self.metrics.opening.observe(time.perf_counter() - started)
        return live

    async def _built(self, table: str) -> tuple[dict[str, Any], Table] | None:
        """A table from its events, a slice at a time."""
        found = await self.storage.load(table)
        if found is None:
            return None
        row, events = found
        built = Table()
        pause = time.perf_counter() + SLICE_SECONDS
        while events:
            for event in events:
                built.take(event)
                if time.perf_counter() > pause:
                    await asyncio.sleep(0)
                    pause = time.perf_counter() + SLICE_SECONDS
            more = len(events) == PAGE
            events = await self.storage.events_after(table, built.version, built.format) if more else []
        return row, built

    def forget_idle(self) -> None:
        """Tables that nobody has looked at for a while go out of memory."""
        before = now() - self.settings.keep_ms
        for table, live in list(self.tables.items()):
            if not live.clients and live.used_at < before and not live.lock.locked():
                del self.tables[table]

    def drop(self, table: str) -> None:
        """A table whose time was over, on another node."""
        if (live := self.tables.pop(table, None)) is not None:
            live.cut_off_all()

    # Making

    async def make(
        self, asked: messages.NewTable, guest: str, name: str, portrait: str = "", origin: str | None = None
    ) -> Live:
        at = now()
        if await self.storage.made_since(guest, at - 3600_000) >= self.settings.tables_an_hour:
            raise TableRefused("too_many_tables")
        secret = secrets.token_bytes(32)
        try:
            setup = asked.setup(self.settings.deputy)
            event = make(setup, self._seats(asked, guest, name, portrait), secret, at, guest)
        except SetupError as error:
            raise TableRefused("bad_setup", detail=error) from None
        live = Live(secrets.token_urlsafe(9), Table([event]), secret, asked.public, guest)
        row = {
            "id": live.id,
            "secret": secret,
            "maker": guest,
            "public": asked.public,
            "game": asked.game,
            "players": asked.players,
            "made_at": at,
            "origin": origin,
            **summary(live.table, at, None),
        }
        await self.storage.make(row, [write(event)])
        self.tables[live.id] = live
        self.metrics.tables_made.labels(asked.game).inc()
        return live

    def _seats(self, asked: messages.NewTable, guest: str, name: str, portrait: str) -> list[Seat]:
        wanted = asked.seats or [messages.NewSeat("me"), *(messages.NewSeat() for _ in range(asked.players - 1))]
        seats: list[Seat] = []
        for seat in wanted:
            if seat.kind == "bot":
                level = seat.level or self.settings.deputy
                check_level(level)
                seats.append(bot(level, secrets.token_hex(4), seats))
            elif seat.kind == "me":
                face = check_portrait(seat.portrait or (portrait if seat.name is None else ""))
                seats.append(person(seat.name or name, guest, face, seats))
            else:
                seats.append(Seat())
        return seats

    # Acting

    async def act(self, table: str, actor: Actor, action: messages.Action, invited: bool = False) -> int:
        """Do an action. An event that is being stored is stored, also when who asked for it is gone."""
        return await asyncio.shield(asyncio.create_task(self.do(table, actor, action, invited)))

    async def do(self, table: str, actor: Actor, action: messages.Action, invited: bool = False) -> int:
        """Do an action, told to everybody at the table; returns the version that it became."""
        value = action.value()
        if action.do == "bot":
            check_level(action.level or "")

        def decided(live: Live, at: int) -> list[Step]:
            self._fits(live.table, actor, action)
            if action.do == "sit" and not invited and live.maker != actor.guest and live.table.held_by(actor.guest):
                raise TableRefused("one_seat")
            return decide(live.table, actor, value, at, live.secret)

        return await self._happen(table, decided)

    async def carry(self, table: str, seat: int, holder: str, guest: str) -> int:
        happen = self._happen(table, lambda live, at: carry(live.table, seat, holder, guest, at))
        return await asyncio.shield(asyncio.create_task(happen))

    def _fits(self, table: Table, actor: Actor, action: messages.Action) -> None:
        """Has this action not happened yet, and was it decided on what the table shows now?"""
        happened = table.done.get((actor.guest, action.id)) if action.id and actor.guest else None
        if happened is not None:
            raise TableRefused("already_done", version=happened)
        if action.version is not None and not table.changed <= action.version <= table.version:
            raise TableRefused("stale", version=table.version)
        rematch = action.do == "ready" and table.stage == "over"
        if table.version >= self.settings.most_events and (rematch or action.do not in ALWAYS):
            raise TableRefused("table_full")

    async def _happen(self, table: str, decided: Callable[[Live, int], list[Step]]) -> int:
        """Decide on an event, store it, and tell everybody; when another node was first, look again and decide anew."""
        self.acted_at = time.monotonic()
        for _ in range(8):
            live = await self.get(table)
            async with live.lock:
                if not self._current(live):
                    continue
                await self._let_time_pass(live)
                try:
                    started = time.perf_counter()
                    steps = decided(live, now())
                    self.metrics.deciding.observe(time.perf_counter() - started)
                except (TableRefused, MoveRefused):
                    # It may be allowed by what happened on another node meanwhile.
                    if not await self._take_news(live):
                        raise
                    continue
                version = live.table.version + 1
                if await self._append(live, steps):
                    return version
        raise TableRefused("busy")

    async def _let_time_pass(self, live: Live) -> None:
        """What is due by now; but first players get back the time during which there was no server."""
        if due(live.table) is None:
            return
        await self.heartbeat.beat_if_late()
        if self.heartbeat.outages and (steps := credit(live.table, self.heartbeat.outages, now())):
            await self._append(live, steps)
        while steps := tick(live.table, now(), live.secret):
            await self._append(live, steps)

    async def _append(self, live: Live, steps: list[Step]) -> bool:
        """Optimistic concurrency: let events happen here, store them under the next versions, then tell. If they cannot
        be stored, because another node was first or the database does not answer, they have not happened."""
        table, at = live.table, steps[0].event.at
        before = table.savepoint()
        told: list[tuple[Client, bytes]] = []
        for number, step in enumerate(steps):
            if number:
                told += live.on_the_way()
            table.apply(step.event, step.game)
            live.forget_views()
        body, *more = (write(step.event) for step in steps)
        after = summary(table, at, self._wake_at(table, at))
        started = time.perf_counter()
        stored = False
        try:
            stored = await self.storage.append(Write(live.id, before.version + 1, body, after, tuple(more)))
        finally:
            if not stored:
                table.rollback_to(before)
                live.forget_last()
        ended = time.perf_counter()
        self.metrics.storing.observe(ended - started)
        if not stored:
            self.metrics.conflicts.inc()
            await self._take_news(live)
            return False
        for client, message in told:
            client.send(message)
        self._tell(live, table.version)
        self.metrics.telling.observe(time.perf_counter() - ended)
        self.published(live.id, table.version)
        if table.bot_to_move():
            self.bot_due(live)
        return True

    def _wake_at(self, table: Table, at: int) -> int | None:
        if table.bot_to_move():
            # Who stores this event lets the bot think; if that comes to nothing, another node may after a while.
            return at + (self.settings.lease_ms if self.settings.bots else 0)
        return due(table)

    async def catch_up(self, table: str, version: int) -> None:
        """News from another node: a table that somebody here looks at may have gone on."""
        live = self.tables.get(table)
        if live is None or live.table.version >= version:
            return
        async with live.lock:
            await self._take_news(live)

    async def _take_news(self, live: Live) -> int:
        """What other nodes have stored; returns how many events it was."""
        before = live.table.version
        while events := await self.storage.events_after(live.id, live.table.version, live.table.format):
            for event in events:
                live.table.take(event)
                self._tell(live, live.table.version)
            if len(events) < PAGE:
                break
        return live.table.version - before

    async def fresh(self, table: str) -> Live:
        """A table as it is now, whichever node it was changed on."""
        live = await self.get(table)
        async with live.lock:
            await self._take_news(live)
        return live

    async def wake(self, table: str) -> int | None:
        """Something may be due at a table: a clock, or a bot's turn that nobody has taken. Returns what is due next."""
        try:
            live = await self.get(table)
        except TableRefused as refused:
            if refused.refusal.key not in UNREADABLE:
                raise
            return None
        async with live.lock:
            if not self._current(live):
                raise TableRefused("busy")
            await self._take_news(live)
            await self._let_time_pass(live)
            if live.table.bot_to_move():
                self.bot_due(live)
            return self._wake_at(live.table, now())

    # Telling

    def _tell(self, live: Live, version: int) -> None:
        live.forget_views()
        live.told = version
        for client in list(live.clients):
            client.send(live.event_for(client, version))
            if not live.may_look(client.guest):
                # Whose seat went to another device, or who left a table for the invited, looks no longer.
                client.cut_off.set()
        if live.seats_told is not live.table.seats:
            live.seats_told = live.table.seats
            self._presence_may_change(live)

    def _presence_may_change(self, live: Live) -> None:
        """Tell who is here, a moment later, if that is still true then."""
        present = live.present()
        if live.telling_presence is None and any(client.presence != present for client in live.clients):
            loop = asyncio.get_running_loop()
            live.telling_presence = loop.call_later(PRESENCE_SECONDS, live.tell_presence)

    def _came_or_went(self, live: Live) -> None:
        self.announced(live.id, sorted(live.guests()))
        self._presence_may_change(live)

    def hear_presence(self, table: str, node: str, guests: list[str]) -> None:
        """Another node says who looks at a table there; one that we had not heard of is told who is here."""
        live = self.tables.get(table)
        if live is None:
            return
        news = node not in live.elsewhere
        live.elsewhere[node] = time.monotonic() + BELIEVE_SECONDS, frozenset(guests)
        if news and live.clients:
            self.announced(live.id, sorted(live.guests()))
        self._presence_may_change(live)

    async def announce_forever(self) -> None:
        """A node that dies says nothing, so everybody says again and again who is here."""
        while True:
            await asyncio.sleep(ANNOUNCE_SECONDS)
            for live in list(self.tables.values()):
                if live.clients:
                    self._came_or_went(live)

    async def welcome(self, table: str, client: Client, since: int | None) -> Live:
        """The first message to a socket, and from then on all news."""
        self._has_room(client)
        for _ in range(8):
            live = await self.get(table)
            async with live.lock:
                if not self._current(live):
                    continue
                await self._take_news(live)
                if not live.may_look(client.guest):
                    raise TableRefused("private_table")
                # Others may have come in while this one waited.
                self._has_room(client)
                client.send(live.snapshot_for(client, since))
                live.clients.add(client)
                client.presence = live.present()
                client.send(messages.encode(messages.Presence(client.presence)))
                self._came_or_went(live)
                self._count(client, 1)
                return live
        raise TableRefused("busy")

    def _has_room(self, client: Client) -> None:
        """Sockets are limited in all, by guest, and by address, which is all that is known of those without a name."""
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

    def _current(self, live: Live) -> bool:
        """Is this the table that everybody here acts on? One that was forgotten meanwhile would hear of nothing."""
        return self.tables.get(live.id) is live

    def farewell(self, live: Live, client: Client) -> None:
        if client in live.clients:
            live.clients.discard(client)
            self._came_or_went(live)
            self._count(client, -1)

    def cut_off_guests(self, guests: set[str]) -> None:
        """Whose cookie or token is void hears nothing more."""
        for client in [client for live in self.tables.values() for client in live.clients if client.guest in guests]:
            client.cut_off.set()

    def close_all(self) -> None:
        for live in self.tables.values():
            live.cut_off_all()


def _check_levels(table: Table) -> None:
    """A level that was renamed since, or a bot that is no longer there, would never move."""
    for level in {table.setup.deputy, *(seat.level for seat in table.seats if seat.kind == "bot")}:
        try:
            check_level(level)
        except TableRefused as refused:
            raise TableRefused("table_damaged", version=1) from refused


def problem(error: Exception, language: str) -> messages.Problem:
    """A refusal as it is told: a sentence, the clause, and what is needed to say it in another language."""
    if isinstance(error, StorageDown):
        error = TableRefused("busy")
    if isinstance(error, msgspec.MsgspecError | UnicodeDecodeError):
        error = TableRefused("bad_message", detail=str(error)[:200])
    assert isinstance(error, TableRefused | MoveRefused)
    return messages.Problem(error.refusal.key, error.reason(language), error.refusal.clause, dict(error.refusal.words))


REFUSALS: tuple[type[Exception], ...] = (
    TableRefused,
    MoveRefused,
    StorageDown,
    msgspec.MsgspecError,
    UnicodeDecodeError,
)

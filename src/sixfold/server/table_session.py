"""A table in a node's memory, and the sockets connected to it."""

import asyncio
import time
from collections.abc import Sequence
from typing import Protocol

from msgspec import Raw

from sixfold.server import protocol
from sixfold.server.fair_pool import ClientQuota
from sixfold.table import Seat, Table, event_view, is_same_for_all_seats, moment_view, round_view, seat_view

MOST_WAITING = 64
# Events sent in one response; a client asks for earlier ones separately.
MOST_EVENTS = 200
MOST_ENCODED = 16
ALL = -1  # in place of a seat


class Wire(Protocol):
    """A connection that accepts messages without waiting."""

    def send_soon(self, message: bytes, /) -> int:
        """Queue a message; returns how many wait."""


class Client:
    """The outgoing side of a socket. A client that reads too slowly is cut off."""

    def __init__(self, guest: str, language: str, address: str = "", light: bool = False) -> None:
        self.guest = guest
        self.language = language
        self.address = address
        self.light = light  # it computes by itself what the rules say
        self.queue: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
        self.wire: Wire | None = None  # in place of the queue
        self.cut_off = asyncio.Event()
        self.too_slow = self.too_fast = False
        self.presence: list[bool] = []  # as it was last sent

    def send(self, message: bytes) -> None:
        full = self.queue.full() if self.wire is None else self.wire.send_soon(message) > MOST_WAITING
        if full:
            self.too_slow = True
            self.cut_off.set()
        elif self.wire is None:
            self.queue.put_nowait(message)

    def attach(self, wire: Wire) -> None:
        """Send through a wire from now on, beginning with the queued messages."""
        self.wire = wire
        while not self.queue.empty():
            wire.send_soon(self.queue.get_nowait())


class TableSession:
    """A table with everything that a node needs to serve it."""

    def __init__(self, table_id: str, table: Table, secret: bytes, public: bool, maker: str = "") -> None:
        self.id = table_id
        self.table = table
        self.secret = secret
        self.public = public
        self.maker = maker
        self.quota: ClientQuota | None = None  # whose share of the thread pool its bots use
        self.lock = asyncio.Lock()
        self.clients: set[Client] = set()
        self.used_at = time.time_ns() // 1_000_000
        self.announced_seats: list[Seat] = []  # the seats when presence was last checked
        self._views: dict[tuple[int | None, bool], Raw] = {}
        self._encoded_events: dict[tuple[int, int | None], Raw] = {}
        self._common = b""  # the beginning of every view of this version
        # The part of it that seldom changes, and what that depends on.
        self._stable_prefix: tuple[tuple[object, ...], bytes] = (), b""
        self.presence_timer: asyncio.TimerHandle | None = None
        # By node: until when its last announcement is valid, and its guests.
        self.remote_guests: dict[str, tuple[float, frozenset[str]]] = {}

    def __repr__(self) -> str:
        return f"<TableSession {self.id}>"

    def may_look(self, guest: str) -> bool:
        return self.public or bool(self.table.held_by(guest))

    def advance(self, tables: Sequence[Table]) -> None:
        """Go on to the tables after events that have been stored, and send each event to every client."""
        for number, table in enumerate(tables, start=1):
            self.table = table
            self.forget_views()
            # T16, C13: the other seats must see the end of a turn in the same way whether there was a choice or not;
            # the seat in turn gets only the final view.
            last = number == len(tables)
            for client in list(self.clients):
                views = last or table.turn not in table.held_by(client.guest)
                client.send(self.event_for(client, table.version, views))
                if last and not self.may_look(client.guest):
                    # Their seat was transferred to another device, or they left a private table.
                    client.cut_off.set()

    def forget_views(self) -> None:
        """Drop the encoded views, because the table has a new version."""
        self._views = {}
        self._common = b""
        if len(self._encoded_events) > MOST_ENCODED:
            self._encoded_events = {}

    def views_for(self, guest: str, light: bool = False) -> list[Raw]:
        """One view for each seat of a guest, or a spectator's; each is encoded once per version."""
        return [self._view(seat, light) for seat in self.table.seen_by(guest)]

    def _view(self, seat: int | None, light: bool) -> Raw:
        view = self._views.get((seat, light))
        if view is None:
            if not self._common:
                self._common = self._common_prefix()
            own = protocol.encode(seat_view(self.table, seat, light, self._encode_event))
            view = self._views[seat, light] = Raw(self._common + own[1:])
        return view

    def _common_prefix(self) -> bytes:
        """The JSON that every view of this version begins with."""
        table = self.table
        depends_on = (table.public_seats, table.rounds_begun, table.stage)
        if self._stable_prefix[0] != depends_on:
            self._stable_prefix = depends_on, protocol.encode(round_view(table))[:-1] + b","
        return self._stable_prefix[1] + protocol.encode(moment_view(table))[1:-1] + b","

    def _encode_event(self, version: int, seat: int | None) -> Raw:
        """An event encoded for a seat, cached and shared by all seats that are told the same."""
        encoded = self._encoded_events.get((version, ALL), self._encoded_events.get((version, seat)))
        if encoded is None:
            encoded = Raw(protocol.encode(event_view(self.table, version, seat)))
            self._encoded_events[version, ALL if is_same_for_all_seats(self.table, version) else seat] = encoded
        return encoded

    def event_for(self, client: Client, version: int, views: bool = True) -> bytes:
        """An event as a socket is told of it."""
        encoded_views = self.views_for(client.guest, client.light) if views and version == self.table.version else []
        event = self._encode_event(version, self._seat(client.guest))
        return protocol.encode(protocol.EventMessage(version, event, encoded_views))

    # Who is here

    def present(self) -> list[bool]:
        """Whether each seat's player is connected; bots always are."""
        at = time.monotonic()
        here = self.guests().union(*(guests for until, guests in self.remote_guests.values() if until > at))
        return [seat.kind == "bot" or (seat.person and seat.guest in here) for seat in self.table.seats]

    def guests(self) -> set[str]:
        """The guests connected to the table through this node."""
        return {client.guest for client in self.clients}

    def send_presence(self) -> None:
        """Send the presence to every client that does not have it yet."""
        self.presence_timer = None
        present = self.present()
        message = protocol.encode(protocol.Presence(present))
        for client in self.clients:
            if client.presence != present:
                client.presence = present
                client.send(message)

    def snapshot_for(self, client: Client, since: int | None) -> bytes:
        """The current table, with the events since a version or of the current round, limited to the latest."""
        table = self.table
        first = table.round_from if since is None else min(since, table.version) + 1
        first = max(first, table.version + 1 - MOST_EVENTS)
        events = [Raw(protocol.encode(event)) for event in self.events_for(client.guest, first)]
        return protocol.encode(protocol.Snapshot(table.version, self.views_for(client.guest, client.light), events))

    def events_for(self, guest: str, first: int) -> list[dict[str, object]]:
        """One page of events, starting at a version."""
        seat, first = self._seat(guest), max(1, first)
        last = min(self.table.version, first + MOST_EVENTS - 1)
        return [event_view(self.table, version, seat, guest) for version in range(first, last + 1)]

    def _seat(self, guest: str) -> int | None:
        held = self.table.held_by(guest)
        return held[0] if held else None

    def cut_off_all(self) -> None:
        for client in self.clients:
            client.cut_off.set()

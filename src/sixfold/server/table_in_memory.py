"""A table in a node's memory, and the sockets that look at it."""

import asyncio
import time
from typing import Protocol

from msgspec import Raw

from sixfold.server import messages
from sixfold.server.thinking import Whose
from sixfold.table import Seat, Table, heard, heard_alike, of_moment, of_round, of_seat

MOST_WAITING = 64
# At most so many events are told in one answer; who wants earlier ones asks for them.
MOST_EVENTS = 200
MOST_HEARD = 16
ALL = -1  # in place of a seat


class Wire(Protocol):
    """Where messages go without waiting."""

    def send_soon(self, message: bytes, /) -> int:
        """Returns how many wait."""


class Client:
    """One socket's outgoing side. Whoever reads too slowly is cut off, not waited for."""

    def __init__(self, guest: str, language: str, address: str = "", light: bool = False) -> None:
        self.guest = guest
        self.language = language
        self.address = address
        self.light = light  # it works out by itself what the rules say
        self.queue: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
        self.wire: Wire | None = None  # in place of the queue
        self.cut_off = asyncio.Event()
        self.too_slow = self.too_fast = False
        self.presence: list[bool] = []  # what it was told last

    def send(self, message: bytes) -> None:
        full = self.queue.full() if self.wire is None else self.wire.send_soon(message) > MOST_WAITING
        if full:
            self.too_slow = True
            self.cut_off.set()
        elif self.wire is None:
            self.queue.put_nowait(message)

    def goes_by(self, wire: Wire) -> None:
        """From now on, and with what waits."""
        self.wire = wire
        while not self.queue.empty():
            wire.send_soon(self.queue.get_nowait())


class Live:
    """A table with everything a node needs to serve it."""

    def __init__(self, table_id: str, table: Table, secret: bytes, public: bool, maker: str = "") -> None:
        self.id = table_id
        self.table = table
        self.secret = secret
        self.public = public
        self.maker = maker
        self.asked_by: Whose | None = None  # for whom bots think here
        self.lock = asyncio.Lock()
        self.clients: set[Client] = set()
        self.used_at = time.time_ns() // 1_000_000
        self.told = table.version  # what is beyond it is not stored yet
        self.seats_told: list[Seat] = []  # who sat there when it was last looked who is present
        self._views: dict[tuple[int | None, bool], Raw] = {}
        self._heard: dict[tuple[int, int | None], Raw] = {}
        self._common = b""  # what all views of this version begin with
        self._standing: tuple[tuple[object, ...], bytes] = (), b""  # what seldom changes of it, and when it does
        self.telling_presence: asyncio.TimerHandle | None = None
        self.elsewhere: dict[str, tuple[float, frozenset[str]]] = {}  # until when which guests are at another node

    def __repr__(self) -> str:
        return f"<Live {self.id}>"

    def may_look(self, guest: str) -> bool:
        return self.public or bool(self.table.held_by(guest))

    def forget_views(self) -> None:
        """The table has gone on."""
        self._views = {}
        self._common = b""
        if len(self._heard) > MOST_HEARD:
            self._heard = {}

    def forget_last(self) -> None:
        """What was to happen has not happened."""
        self._heard = {}
        self._standing = (), b""
        self.forget_views()

    def views_for(self, guest: str, light: bool = False) -> list[Raw]:
        """One view for each seat of a guest, or a spectator's; each is made once a version."""
        return [self._view(seat, light) for seat in self.table.seen_by(guest)]

    def _view(self, seat: int | None, light: bool) -> Raw:
        view = self._views.get((seat, light))
        if view is None:
            if not self._common:
                self._common = self._beginning()
            own = messages.encode(of_seat(self.table, seat, light, self._hear))
            view = self._views[seat, light] = Raw(self._common + own[1:])
        return view

    def _beginning(self) -> bytes:
        """Of everybody's view."""
        table = self.table
        goes_with = (table.public_seats, table.rounds_begun, table.stage)
        if self._standing[0] != goes_with:
            self._standing = goes_with, messages.encode(of_round(table))[:-1] + b","
        return self._standing[1] + messages.encode(of_moment(table))[1:-1] + b","

    def _hear(self, version: int, seat: int | None) -> Raw:
        """Each event is written once for everybody who hears the same, and for views, which have the last move."""
        told = self._heard.get((version, ALL), self._heard.get((version, seat)))
        if told is None:
            told = Raw(messages.encode(heard(self.table, version, seat)))
            self._heard[version, ALL if heard_alike(self.table, version) else seat] = told
        return told

    def event_for(self, client: Client, version: int, views: bool = True) -> bytes:
        """An event as a socket is told of it."""
        shown = self.views_for(client.guest, client.light) if views and version == self.table.version else []
        return messages.encode(messages.EventTold(version, self._hear(version, self._seat(client.guest)), shown))

    def on_the_way(self) -> list[tuple["Client", bytes]]:
        """What is told of an event that another follows at once. T16, C13: everybody else is shown the end of a turn
        in the same way, whether there was a choice or not; who is in turn sees what comes of it."""
        turn, version = self.table.turn, self.table.version
        return [
            (client, self.event_for(client, version, views=turn not in self.table.held_by(client.guest)))
            for client in self.clients
        ]

    # Who is here

    def present(self) -> list[bool]:
        """For each seat: is somebody there? Bots always are."""
        at = time.monotonic()
        here = self.guests().union(*(guests for until, guests in self.elsewhere.values() if until > at))
        return [seat.kind == "bot" or (seat.person and seat.guest in here) for seat in self.table.seats]

    def guests(self) -> set[str]:
        """Who looks at the table by way of this node."""
        return {client.guest for client in self.clients}

    def tell_presence(self) -> None:
        """Everybody who does not know it yet."""
        self.telling_presence = None
        present = self.present()
        message = messages.encode(messages.Presence(present))
        for client in self.clients:
            if client.presence != present:
                client.presence = present
                client.send(message)

    def snapshot_for(self, client: Client, since: int | None) -> bytes:
        """The table now, with the events since a version, or those of the present round; the latest, if there are
        many."""
        table = self.table
        first = table.round_from if since is None else min(since, table.version) + 1
        first = max(first, table.version + 1 - MOST_EVENTS)
        events = [Raw(messages.encode(event)) for event in self.events_for(client.guest, first)]
        return messages.encode(messages.Snapshot(table.version, self.views_for(client.guest, client.light), events))

    def events_for(self, guest: str, first: int) -> list[dict[str, object]]:
        """The events from a version on, a page of them."""
        seat, first = self._seat(guest), max(1, first)
        last = min(self.table.version, first + MOST_EVENTS - 1)
        return [heard(self.table, version, seat, guest) for version in range(first, last + 1)]

    def _seat(self, guest: str) -> int | None:
        held = self.table.held_by(guest)
        return held[0] if held else None

    def cut_off_all(self) -> None:
        for client in self.clients:
            client.cut_off.set()

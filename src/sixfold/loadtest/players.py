"""Scripted players: guests on sockets that play random moves, note every answer, and come back when cut off."""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from sixfold.engine.chance import Seeded
from sixfold.engine.game import start
from sixfold.engine.notation import spellings
from sixfold.table.positions import value, view_of

SEATS = 2


class ViewTold(msgspec.Struct):
    stage: str
    seat: int | None
    turn: int | None
    seats: list[dict[str, Any]]
    position: msgspec.Raw = msgspec.Raw(b"null")


class Told(msgspec.Struct):
    """What a player reads of a message; the rest is skipped."""

    type: str
    version: int = 0
    id: str = ""
    key: str = ""
    words: dict[str, str] = {}
    views: list[ViewTold] = []


_read = msgspec.json.Decoder(Told).decode


def _any_move(view: ViewTold) -> str:
    """A random legal move, found by the rules from what is shown, as a browser does."""
    shown = view_of(msgspec.json.decode(view.position))
    numbers = shown.legal().numbers
    return str(spellings(shown.rules)[random.choice(numbers)])


def warm_up(game: str) -> None:
    """Load what finding a move needs, before anything is measured."""
    begun = start(game, SEATS, chance=Seeded(1))
    position = msgspec.json.encode(value(begun.view(begun.turn)))
    _any_move(ViewTold("playing", 0, 0, [], msgspec.Raw(position)))


@dataclass
class Tally:
    """What all players together have seen."""

    sent: int = 0
    latencies: list[float] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    reconnects: int = 0
    gaps: int = 0  # versions that a socket neither heard of nor was given when it came back


@dataclass
class Pending:
    message: bytes
    id: str
    at: float


class Player:
    """One guest's socket at one table."""

    def __init__(self, script: "Script", seat: int, cookie: str) -> None:
        self.script, self.seat, self.cookie = script, seat, cookie
        self.version = 0
        self.view: ViewTold | None = None
        self.pending: Pending | None = None
        self.acknowledged: dict[str, int] = {}
        self.socket: ClientConnection | None = None
        self.node = seat
        self._number = 0

    async def run(self) -> None:
        """Stay at the table: read, and connect again, to another node if there is one, whenever it ends."""
        tally = self.script.tally
        while not self.script.stopping:
            base = self.script.urls[self.node % len(self.script.urls)].replace("http", "ws", 1)
            address = f"{base}/api/tables/{self.script.table}/socket?view=light&since={self.version}"
            try:
                # No pings from here: a browser sends none, and the server's are answered.
                async with connect(
                    address,
                    additional_headers={"Cookie": self.cookie},
                    compression=None,
                    max_size=2**22,
                    ping_interval=None,
                ) as socket:
                    # Before the snapshot nothing is known, so nothing is decided.
                    self.hear(_read(await socket.recv()))
                    self.socket = socket
                    await self.send_pending()
                    async for message in socket:
                        self.hear(_read(message))
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(0.2 + random.random() * 0.3)
            self.socket = None
            self.node += 1
            tally.reconnects += not self.script.stopping

    def hear(self, told: Told) -> None:
        if told.type == "ack":
            self.settle(told.id, told.version)
        elif told.type == "refused":
            if told.key == "already_done":
                self.settle(told.id, int(told.words["version"]))
            else:
                self.script.tally.refused[told.key] = self.script.tally.refused.get(told.key, 0) + 1
                if self.pending is not None and told.id == self.pending.id:
                    self.pending = None
        elif told.type in ("snapshot", "event"):
            if told.type == "event" and told.version != self.version + 1:
                self.script.tally.gaps += 1
            self.version = told.version
            if told.views:
                self.view = told.views[0]

    def settle(self, action_id: str, version: int) -> None:
        self.acknowledged[action_id] = version
        if self.pending is not None and self.pending.id == action_id:
            self.script.tally.latencies.append(time.perf_counter() - self.pending.at)
            self.pending = None

    def wants(self) -> dict[str, Any] | None:
        """What this player would do now, if anything."""
        view = self.view
        if view is None or self.socket is None or self.pending is not None:
            return None
        if view.stage == "playing" and view.turn == self.seat:
            return {"do": "move", "move": _any_move(view)}
        if view.stage in ("between", "over") and not view.seats[self.seat]["ready"]:
            return {"do": "ready"}
        return None

    async def act(self, action: dict[str, Any]) -> None:
        self._number += 1
        action_id = f"{self.seat}-{self._number}"
        message = msgspec.json.encode({**action, "id": action_id, "version": self.version})
        self.pending = Pending(message, action_id, time.perf_counter())
        self.script.tally.sent += 1
        await self.send_pending()

    async def send_pending(self) -> None:
        """Send what has no answer yet; whether it arrived before a connection was lost is for the server to say."""
        if self.socket is None or self.pending is None:
            return
        try:
            await self.socket.send(self.pending.message.decode())
        except (OSError, WebSocketException):
            # It is sent again with the next connection.
            return


class Script:
    """A table with its players."""

    def __init__(self, urls: Sequence[str], tally: Tally) -> None:
        self.urls, self.tally = list(urls), tally
        self.table = ""
        self.players: list[Player] = []
        self.stopping = False
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def set_up(self, client: httpx.AsyncClient, game: str, cookies: Sequence[str]) -> None:
        """Make a table, sit down, start."""
        headers = [{"Cookie": cookie} for cookie in cookies]
        # No bot takes over while a server is down: every action here is a scripted player's.
        wanted = {"game": game, "public": True, "takeover": None}
        made = await client.post("/api/tables", json=wanted, headers=headers[0])
        made.raise_for_status()
        self.table = made.json()["id"]
        address = f"/api/tables/{self.table}/actions"
        for seat in range(1, SEATS):
            (await client.post(address, json={"do": "sit", "seat": seat}, headers=headers[seat])).raise_for_status()
        (await client.post(address, json={"do": "start"}, headers=headers[0])).raise_for_status()
        self.players = [Player(self, seat, cookie) for seat, cookie in enumerate(cookies)]
        for player in self.players:
            self.spawn(player.run())

    async def one_action(self) -> bool:
        """Let whoever can do something do it."""
        for player in self.players:
            action = player.wants()
            if action is not None:
                await player.act(action)
                return True
        return False

    @property
    def waiting(self) -> bool:
        return any(player.pending is not None for player in self.players)

    async def stop(self) -> None:
        self.stopping = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def cookie_of(answer: httpx.Response) -> str:
    """The cookie that an answer sets, as a request carries it."""
    return str(answer.headers["set-cookie"].partition(";")[0])


async def guests(client: httpx.AsyncClient, number: int) -> list[str]:
    """Cookies of new guests."""
    cookies = []
    for guest in range(number):
        answer = await client.post("/api/guest", json={"name": f"guest {guest}"})
        answer.raise_for_status()
        cookies.append(cookie_of(answer))
        client.cookies.clear()
    return cookies

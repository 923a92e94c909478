"""Scripted players: guests on sockets that play random moves, record every answer, and reconnect."""

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
from sixfold.engine.game import View, rules_of, start
from sixfold.engine.notation import move_texts
from sixfold.table.positions import decode_state, encode_state

SEATS = 2


class ViewMessage(msgspec.Struct):
    """The part of a view that a player reads."""

    stage: str
    seat: int | None
    turn: int | None
    seats: list[dict[str, Any]]
    setup: dict[str, Any]
    state: str | None = None


class ServerMessage(msgspec.Struct):
    """The part of a message that a player reads; the rest is skipped."""

    type: str
    version: int = 0
    id: str = ""
    key: str = ""
    words: dict[str, str] = {}
    views: list[ViewMessage] = []


_read = msgspec.json.Decoder(ServerMessage).decode


def _random_move(view: ViewMessage) -> str:
    """A random legal move, computed by the rules from the state, as a browser does."""
    assert view.state is not None
    rules = rules_of(view.setup["game"])
    numbers = View(rules, decode_state(rules, view.state), None).legal().numbers
    return str(move_texts(rules)[random.choice(numbers)])


def warm_up(game: str) -> None:
    """Load and compile everything that choosing a move needs, before anything is measured."""
    game_state = start(game, SEATS, chance=Seeded(1))
    state = encode_state(game_state.rules, game_state.seen_by(game_state.turn))
    _random_move(ViewMessage("playing", 0, 0, [], {"game": game}, state))


@dataclass
class Tally:
    """What all players together have observed."""

    sent: int = 0
    latencies: list[float] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    reconnects: int = 0
    gaps: int = 0  # versions that a socket received neither live nor after a reconnect


@dataclass
class Pending:
    """An action without an answer yet."""

    message: bytes
    id: str
    at: float


class Player:
    """One guest's socket at one table."""

    def __init__(self, script: "Script", seat: int, cookie: str) -> None:
        self.script, self.seat, self.cookie = script, seat, cookie
        self.version = 0
        self.view: ViewMessage | None = None
        self.pending: Pending | None = None
        self.acknowledged: dict[str, int] = {}
        self.socket: ClientConnection | None = None
        self.node = seat
        self._number = 0

    async def run(self) -> None:
        """Stay connected: read messages, and whenever the connection ends, reconnect to the next node."""
        tally = self.script.tally
        while not self.script.stopping:
            base = self.script.urls[self.node % len(self.script.urls)].replace("http", "ws", 1)
            address = f"{base}/api/tables/{self.script.table}/socket?view=state&since={self.version}"
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
                    self.receive(_read(await socket.recv()))
                    self.socket = socket
                    await self.send_pending()
                    async for message in socket:
                        self.receive(_read(message))
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(0.2 + random.random() * 0.3)
            self.socket = None
            self.node += 1
            tally.reconnects += not self.script.stopping

    def receive(self, message: ServerMessage) -> None:
        if message.type == "ack":
            self.acknowledge(message.id, message.version)
        elif message.type == "refused":
            if message.key == "already_done":
                self.acknowledge(message.id, int(message.words["version"]))
            else:
                self.script.tally.refused[message.key] = self.script.tally.refused.get(message.key, 0) + 1
                if self.pending is not None and message.id == self.pending.id:
                    self.pending = None
        elif message.type in ("snapshot", "event"):
            if message.type == "event" and message.version != self.version + 1:
                self.script.tally.gaps += 1
            self.version = message.version
            if message.views:
                self.view = message.views[0]

    def acknowledge(self, action_id: str, version: int) -> None:
        self.acknowledged[action_id] = version
        if self.pending is not None and self.pending.id == action_id:
            self.script.tally.latencies.append(time.perf_counter() - self.pending.at)
            self.pending = None

    def next_action(self) -> dict[str, Any] | None:
        """The action this player could take now, if any."""
        view = self.view
        if view is None or self.socket is None or self.pending is not None:
            return None
        if view.stage == "playing" and view.turn == self.seat:
            return {"do": "move", "move": _random_move(view)}
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
        """Send the pending action; after a lost connection, the server recognises one that had arrived."""
        if self.socket is None or self.pending is None:
            return
        try:
            await self.socket.send(self.pending.message.decode())
        except (OSError, WebSocketException):
            # It is sent again with the next connection.
            return


class Script:
    """A table with its scripted players."""

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
        """Create a table, take the seats, and start."""
        headers = [{"Cookie": cookie} for cookie in cookies]
        # No bot takes over while a server is down: every action here is a scripted player's.
        body = {"game": game, "public": True, "takeover": None}
        response = await client.post("/api/tables", json=body, headers=headers[0])
        response.raise_for_status()
        self.table = response.json()["id"]
        address = f"/api/tables/{self.table}/actions"
        for seat in range(1, SEATS):
            (await client.post(address, json={"do": "sit", "seat": seat}, headers=headers[seat])).raise_for_status()
        (await client.post(address, json={"do": "start"}, headers=headers[0])).raise_for_status()
        self.players = [Player(self, seat, cookie) for seat, cookie in enumerate(cookies)]
        for player in self.players:
            self.spawn(player.run())

    async def one_action(self) -> bool:
        """Let the first player who can act do so; False if none can."""
        for player in self.players:
            action = player.next_action()
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
    """The cookie set by a response, in the form a request sends it."""
    return str(answer.headers["set-cookie"].partition(";")[0])


async def guests(client: httpx.AsyncClient, number: int) -> list[str]:
    """Create guests; returns their cookies."""
    cookies = []
    for guest in range(number):
        answer = await client.post("/api/guest", json={"name": f"guest {guest}"})
        answer.raise_for_status()
        cookies.append(cookie_of(answer))
        client.cookies.clear()
    return cookies

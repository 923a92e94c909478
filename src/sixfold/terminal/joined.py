"""A seat at a server's table (docs/protocol.md): the invitation is taken over HTTP, all else goes over one socket."""

import asyncio
import json
import re
import ssl
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import platformdirs
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from sixfold.errors import SetupError
from sixfold.language import say
from sixfold.system import whole_file
from sixfold.terminal.rooms import Advice, Event, RoomRefused, View

GUEST = "sixfold_guest"
PATIENCE = 15.0
AGAIN = 1.0
WAYS = {"join": "/api/join", "carry": "/api/carry"}


def memory() -> Path:
    """Where this computer keeps who it is at each server, so that a seat is not lost with the window."""
    return platformdirs.user_state_path("sixfold") / "guests.json"


def parts(link: str) -> tuple[str, str, str]:
    """A link's server, what it is for (``join``, ``carry`` or ``table``) and its token or table."""
    address = urlsplit(link)
    base = f"{address.scheme}://{address.netloc}"
    token = re.fullmatch(r"(join|carry)=(.+)", address.fragment)
    table = re.fullmatch(r"/tables?/([\w-]+)/?", address.path)
    if address.scheme not in ("http", "https") or not address.netloc or not (token or table):
        raise SetupError(f"{link!r} is no link to a table; one looks like https://HOST/#join=…")
    return (base, token[1], token[2]) if token else (base, "table", table[1] if table else "")


class JoinedRoom:
    """A guest's table on a server."""

    def __init__(self, base: str, table: str, cookie: str, language: str) -> None:
        self.language = language
        self.changed: Callable[[], None] = lambda: None
        self.trouble = say("join_waiting", language)
        self.table = table
        self._base = base
        self._cookie = cookie
        self._views: list[View] = []
        self._events: list[Event] = []
        self._version = 0
        self._socket: ClientConnection | None = None
        self._numbers = count(1)
        self._answers: dict[str, asyncio.Future[Mapping[str, Any]]] = {}

    @property
    def views(self) -> list[View]:
        return self._views

    def heard(self, seat: int | None) -> list[Event]:
        return self._events

    @property
    def share_a_screen(self) -> bool:
        return len(self._views) > 1

    async def run(self) -> None:
        """Stay at the table; after a lost connection come back with the last version heard of."""
        while True:
            address = f"{self._base.replace('http', 'ws', 1)}/api/tables/{quote(self.table)}/socket"
            query = f"?since={self._version}&language={self.language}"
            secure = ssl.create_default_context() if address.startswith("wss") else None
            try:
                headers = {"Cookie": self._cookie} if self._cookie else {}
                async with connect(address + query, additional_headers=headers, max_size=2**22, ssl=secure) as socket:
                    self._socket = socket
                    async for text in socket:
                        self.hear(json.loads(text))
            except (OSError, WebSocketException, TimeoutError):
                pass
            self._socket = None
            self.trouble = self.trouble or say("join_lost", self.language)
            self.changed()
            await asyncio.sleep(AGAIN)

    def hear(self, told: dict[str, Any]) -> None:
        """A message of the server."""
        kind = told["type"]
        if kind in ("ack", "refused") and told["id"] in self._answers:
            self._answers.pop(told["id"]).set_result(told)
        elif kind == "refused":
            self.trouble = told["reason"]
        elif kind == "snapshot":
            self.trouble = ""
            self._remember_events(told["events"])
            self._views = told["views"]
        elif kind == "event":
            self._remember_events([told["event"]])
            self._views = told["views"] or self._views
        self._version = max(self._version, told.get("version", 0))
        self.changed()

    def _remember_events(self, events: list[Event]) -> None:
        """Each once, from the deal of the present round on."""
        known = {event["version"] for event in self._events}
        for event in events:
            if event.get("deal"):
                self._events.clear()
            if event["version"] not in known:
                self._events.append(event)

    async def act(self, do: str, **words: Any) -> None:
        """Send an action and wait for its answer."""
        if self._socket is None:
            raise RoomRefused(say("join_lost", self.language))
        name = f"t{next(self._numbers)}-{self._version}"
        answer: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[name] = answer
        try:
            await self._socket.send(json.dumps({"do": do, "id": name, "version": self._version, **words}))
            told = await asyncio.wait_for(answer, PATIENCE)
        except (OSError, WebSocketException, TimeoutError):
            raise RoomRefused(say("join_lost", self.language)) from None
        finally:
            self._answers.pop(name, None)
        if told["type"] == "refused" and told["key"] != "already_done":
            raise RoomRefused(told["reason"], told["clause"])

    async def hint(self, seat: int) -> Advice:
        path = f"/api/tables/{quote(self.table)}/seats/{seat}/hint?language={self.language}"
        async with httpx.AsyncClient(base_url=self._base, timeout=PATIENCE) as client:
            try:
                found = await client.get(path, headers={"Cookie": self._cookie})
            except httpx.HTTPError:
                raise RoomRefused(say("join_lost", self.language)) from None
        told = found.json()
        if found.status_code != 200:
            raise RoomRefused(told["reason"])
        return Advice(told["move"], told["reason"])


def join(link: str, name: str, language: str) -> JoinedRoom:
    """Follow a link to a table: take the seat that it offers, or the one that is ours already."""
    base, way, token = parts(link)
    cookie = _remembered().get(base, "")
    if way == "table":
        return JoinedRoom(base, token, cookie, language)
    body = {"token": token} if way == "carry" else {"token": token, "name": name}
    address = f"{base}{WAYS[way]}?language={language}"
    try:
        answer = httpx.post(address, json=body, headers={"Cookie": cookie} if cookie else {}, timeout=PATIENCE)
        told = answer.json()
    except (httpx.HTTPError, ValueError) as error:
        raise SetupError(f"{base} does not answer like a table server: {error}") from None
    if answer.status_code != 200:
        raise SetupError(told.get("reason", answer.reason_phrase))
    cookie = f"{GUEST}={answer.cookies[GUEST]}" if GUEST in answer.cookies else cookie
    _remember(base, cookie)
    return JoinedRoom(base, told["id"], cookie, language)


def _remembered() -> dict[str, str]:
    try:
        found = json.loads(memory().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _remember(base: str, cookie: str) -> None:
    path = memory()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with whole_file(path) as file:
        json.dump({**_remembered(), base: cookie}, file)
    path.chmod(0o600)

"""A server's table (docs/protocol.md): the invitation is accepted over HTTP, everything else goes over a WebSocket."""

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
from sixfold.system import atomic_file
from sixfold.terminal.table_client import Advice, ClientRefused, Event, View

GUEST_COOKIE = "sixfold_guest"
TIMEOUT_SECONDS = 15.0
RECONNECT_SECONDS = 1.0
ENDPOINTS = {"join": "/api/join", "carry": "/api/carry"}


def guest_file() -> Path:
    """The file with the guest cookie of each server, so that a seat survives closing the window."""
    return platformdirs.user_state_path("sixfold") / "guests.json"


def parse_link(link: str) -> tuple[str, str, str]:
    """Split a link into the server, its purpose (``join``, ``carry`` or ``table``) and the token or table ID."""
    address = urlsplit(link)
    base = f"{address.scheme}://{address.netloc}"
    token = re.fullmatch(r"(join|carry)=(.+)", address.fragment)
    table = re.fullmatch(r"/tables?/([\w-]+)/?", address.path)
    if address.scheme not in ("http", "https") or not address.netloc or not (token or table):
        raise SetupError(f"{link!r} is no link to a table; one looks like https://HOST/#join=…")
    return (base, token[1], token[2]) if token else (base, "table", table[1] if table else "")


class RemoteTable:
    """A server's table, seen by a guest."""

    def __init__(self, base: str, table: str, cookie: str, language: str) -> None:
        self.language = language
        self.on_change: Callable[[], None] = lambda: None
        self.status_message = say("join_waiting", language)
        self.table = table
        self._base = base
        self._cookie = cookie
        self._views: list[View] = []
        self._events: list[Event] = []
        self._version = 0
        self._socket: ClientConnection | None = None
        self._action_numbers = count(1)
        self._pending: dict[str, asyncio.Future[Mapping[str, Any]]] = {}

    @property
    def views(self) -> list[View]:
        return self._views

    def events_for(self, seat: int | None) -> list[Event]:
        return self._events

    @property
    def is_shared_screen(self) -> bool:
        return len(self._views) > 1

    async def run(self) -> None:
        """Stay connected; after a lost connection, reconnect from the last version received."""
        while True:
            address = f"{self._base.replace('http', 'ws', 1)}/api/tables/{quote(self.table)}/socket"
            query = f"?since={self._version}&language={self.language}"
            secure = ssl.create_default_context() if address.startswith("wss") else None
            try:
                headers = {"Cookie": self._cookie} if self._cookie else {}
                async with connect(address + query, additional_headers=headers, max_size=2**22, ssl=secure) as socket:
                    self._socket = socket
                    async for text in socket:
                        self.receive(json.loads(text))
            except (OSError, WebSocketException, TimeoutError):
                pass
            self._socket = None
            self.status_message = self.status_message or say("join_lost", self.language)
            self.on_change()
            await asyncio.sleep(RECONNECT_SECONDS)

    def receive(self, message: dict[str, Any]) -> None:
        """Handle a message from the server."""
        kind = message["type"]
        if kind in ("ack", "refused") and message["id"] in self._pending:
            self._pending.pop(message["id"]).set_result(message)
        elif kind == "refused":
            self.status_message = message["reason"]
        elif kind == "snapshot":
            self.status_message = ""
            self._append_events(message["events"])
            self._views = message["views"]
        elif kind == "event":
            self._append_events([message["event"]])
            self._views = message["views"] or self._views
        self._version = max(self._version, message.get("version", 0))
        self.on_change()

    def _append_events(self, events: list[Event]) -> None:
        """Append each event once; a deal starts the log of a new round."""
        known = {event["version"] for event in self._events}
        for event in events:
            if event.get("deal"):
                self._events.clear()
            if event["version"] not in known:
                self._events.append(event)

    async def act(self, do: str, **words: Any) -> None:
        """Send an action and wait for its answer."""
        if self._socket is None:
            raise ClientRefused(say("join_lost", self.language))
        action_id = f"t{next(self._action_numbers)}-{self._version}"
        answer: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        self._pending[action_id] = answer
        try:
            await self._socket.send(json.dumps({"do": do, "id": action_id, "version": self._version, **words}))
            reply = await asyncio.wait_for(answer, TIMEOUT_SECONDS)
        except (OSError, WebSocketException, TimeoutError):
            raise ClientRefused(say("join_lost", self.language)) from None
        finally:
            self._pending.pop(action_id, None)
        if reply["type"] == "refused" and reply["key"] != "already_done":
            raise ClientRefused(reply["reason"], reply["clause"])

    async def hint(self, seat: int) -> Advice:
        path = f"/api/tables/{quote(self.table)}/seats/{seat}/hint?language={self.language}"
        async with httpx.AsyncClient(base_url=self._base, timeout=TIMEOUT_SECONDS) as client:
            try:
                response = await client.get(path, headers={"Cookie": self._cookie})
            except httpx.HTTPError:
                raise ClientRefused(say("join_lost", self.language)) from None
        body = response.json()
        if response.status_code != 200:
            raise ClientRefused(body["reason"])
        return Advice(body["move"], body["reason"])


def join(link: str, name: str, language: str) -> RemoteTable:
    """Follow a link to a table: take the seat it offers, or return to this guest's own seat."""
    base, purpose, token = parse_link(link)
    cookie = _load_cookies().get(base, "")
    if purpose == "table":
        return RemoteTable(base, token, cookie, language)
    body = {"token": token} if purpose == "carry" else {"token": token, "name": name}
    address = f"{base}{ENDPOINTS[purpose]}?language={language}"
    try:
        response = httpx.post(address, json=body, headers={"Cookie": cookie} if cookie else {}, timeout=TIMEOUT_SECONDS)
        reply = response.json()
    except (httpx.HTTPError, ValueError) as error:
        raise SetupError(f"{base} does not answer like a table server: {error}") from None
    if response.status_code != 200:
        raise SetupError(reply.get("reason", response.reason_phrase))
    cookie = f"{GUEST_COOKIE}={response.cookies[GUEST_COOKIE]}" if GUEST_COOKIE in response.cookies else cookie
    _save_cookie(base, cookie)
    return RemoteTable(base, reply["id"], cookie, language)


def _load_cookies() -> dict[str, str]:
    try:
        cookies = json.loads(guest_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return cookies if isinstance(cookies, dict) else {}


def _save_cookie(base: str, cookie: str) -> None:
    path = guest_file()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with atomic_file(path) as file:
        json.dump({**_load_cookies(), base: cookie}, file)
    path.chmod(0o600)

"""A server inside the test process: guests with their own cookies, tables, and sockets that record messages."""

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient, WebSocketTestSession

from sixfold.server import database
from sixfold.server.app import make_app
from sixfold.server.settings import Settings

WAIT = 60


class ServerHarness:
    """A server node on a SQLite file, with helpers for its clients."""

    def __init__(self, client: TestClient[Any], database: Path) -> None:
        self.client = client
        self.database = database

    def guest(self, name: str = "Anne") -> dict[str, str]:
        """Create a guest; returns its request headers."""
        answer = self.client.post("/api/guest", json={"name": name})
        assert answer.status_code == 201, answer.text
        self.client.cookies.clear()
        return {"Cookie": answer.headers["set-cookie"].partition(";")[0]}

    def post(self, path: str, body: object = None, who: dict[str, str] | None = None) -> Any:
        answer = self.client.post(path, json=body, headers=who)
        self.client.cookies.clear()
        return answer

    def get(self, path: str, who: dict[str, str] | None = None) -> Any:
        return self.client.get(path, headers=who)

    def act(self, table: str, who: dict[str, str], do: str, **more: Any) -> Any:
        return self.post(f"/api/tables/{table}/actions", {"do": do, **more}, who)

    def table(self, game: str, people: list[dict[str, str]], **more: Any) -> str:
        """Create and start a public table with these people; returns its ID."""
        answer = self.post("/api/tables", {"game": game, "players": len(people), "public": True, **more}, people[0])
        assert answer.status_code == 201, answer.text
        table: str = answer.json()["id"]
        for person in people[1:]:
            assert self.act(table, person, "sit").status_code == 200
        assert self.act(table, people[0], "start").status_code == 200
        return table

    def view(self, table: str, who: dict[str, str] | None = None) -> dict[str, Any]:
        answer = self.get(f"/api/tables/{table}", who)
        assert answer.status_code == 200, answer.text
        view: dict[str, Any] = answer.json()["views"][0]
        return view

    def stored(self, table: str) -> list[str]:
        """The stored events of a table."""
        with sqlite3.connect(self.database) as database:
            rows = database.execute("select body from events where table_id = ? order by version", [table])
            return [body for (body,) in rows]

    @contextmanager
    def socket(self, table: str, who: dict[str, str] | None = None, query: str = "") -> Iterator["Socket"]:
        with self.client.websocket_connect(f"/api/tables/{table}/socket{query}", headers=who or {}) as session:
            yield Socket(session)


class Socket:
    """A socket that records every message it received."""

    def __init__(self, session: WebSocketTestSession) -> None:
        self.session = session
        self.kept: list[str] = []
        self.present: list[bool] = []

    def read(self) -> dict[str, Any]:
        """The next message; presence messages in between are skipped and their content is stored."""
        while True:
            text = self.session.receive_text(timeout=WAIT)
            message: dict[str, Any] = json.loads(text)
            if message["type"] != "presence":
                self.kept.append(text)
                return message
            self.present = message["present"]

    def read_until(self, *types: str) -> dict[str, Any]:
        while True:
            message = self.read()
            if message["type"] in types:
                return message

    def say(self, **request: Any) -> dict[str, Any]:
        """Send a message and wait for its answer."""
        self.session.send_json(request)
        return self.read_until("ack", "refused", "pong")


@contextmanager
def running_server(folder: Path, **settings: Any) -> Iterator[ServerHarness]:
    """Start a node; two of them may share a folder. Nothing simulates a power failure, so disk syncs are off."""
    path = folder / "server.db"
    options = {
        "deputy": "random",
        "requests_a_minute": 0,
        "messages_a_second": 0,
        "wake_ms": 20,
        "lease_ms": 2000,
        **settings,
    }
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(database, "SYNCHRONOUS", "OFF")
        with TestClient(make_app(Settings(f"sqlite:///{path}", **options))) as client:
            yield ServerHarness(client, path)


def play_over_http(server: ServerHarness, table: str, people: list[dict[str, str]], dice: random.Random) -> None:
    """Play random moves until the round is over."""
    while True:
        view = server.view(table)
        if view["stage"] != "playing":
            return
        who = people[view["turn"]]
        legal = server.view(table, who)["legal"]
        assert server.act(table, who, "move", move=dice.choice(legal)).status_code == 200

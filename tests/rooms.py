"""A server inside the test: guests with cookies of their own, tables, and sockets whose bytes are kept."""

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


class Room:
    """One node on a SQLite file."""

    def __init__(self, client: TestClient[Any], database: Path) -> None:
        self.client = client
        self.database = database

    def guest(self, name: str = "Anne") -> dict[str, str]:
        """The headers of a new guest."""
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
        """A public table where all these people sit, started."""
        made = self.post("/api/tables", {"game": game, "players": len(people), "public": True, **more}, people[0])
        assert made.status_code == 201, made.text
        table: str = made.json()["id"]
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
        """The events of a table as the database has them."""
        with sqlite3.connect(self.database) as database:
            rows = database.execute("select body from events where table_id = ? order by version", [table])
            return [body for (body,) in rows]

    @contextmanager
    def socket(self, table: str, who: dict[str, str] | None = None, query: str = "") -> Iterator["Socket"]:
        with self.client.websocket_connect(f"/api/tables/{table}/socket{query}", headers=who or {}) as session:
            yield Socket(session)


class Socket:
    """A socket that keeps every byte it got."""

    def __init__(self, session: WebSocketTestSession) -> None:
        self.session = session
        self.kept: list[str] = []
        self.present: list[bool] = []

    def read(self) -> dict[str, Any]:
        """The next message; who is present is told in between and kept by itself."""
        while True:
            text = self.session.receive_text(timeout=WAIT)
            told: dict[str, Any] = json.loads(text)
            if told["type"] != "presence":
                self.kept.append(text)
                return told
            self.present = told["present"]

    def read_until(self, *types: str) -> dict[str, Any]:
        while True:
            told = self.read()
            if told["type"] in types:
                return told

    def say(self, **message: Any) -> dict[str, Any]:
        """Send something and wait for its answer."""
        self.session.send_json(message)
        return self.read_until("ack", "refused", "pong")


@contextmanager
def room(place: Path, **settings: Any) -> Iterator[Room]:
    """A node; two of them may share a place. Nobody cuts its power, so the disk need not be waited for."""
    path = place / "room.db"
    wanted = {
        "deputy": "random",
        "requests_a_minute": 0,
        "messages_a_second": 0,
        "wake_ms": 20,
        "lease_ms": 2000,
        **settings,
    }
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(database, "SYNCHRONOUS", "OFF")
        with TestClient(make_app(Settings(f"sqlite:///{path}", **wanted))) as client:
            yield Room(client, path)


def play_over_http(room: Room, table: str, people: list[dict[str, str]], dice: random.Random) -> None:
    """Random moves until the round is over."""
    while True:
        view = room.view(table)
        if view["stage"] != "playing":
            return
        who = people[view["turn"]]
        legal = room.view(table, who)["legal"]
        assert room.act(table, who, "move", move=dice.choice(legal)).status_code == 200

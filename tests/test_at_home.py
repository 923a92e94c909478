"""Sixfold on one's own computer: the command alone opens a browser, and a terminal can sit at a table there."""

import asyncio
import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from lab.loadtest.nodes import free_port
from sixfold.commands import local_server
from sixfold.errors import SetupError
from sixfold.terminal import remote_table
from sixfold.terminal.app import Sixfold
from sixfold.terminal.launch import make_local_table
from sixfold.terminal.remote_table import RemoteTable
from sixfold.terminal.table_client import ClientRefused
from tests.test_terminal import Seen
from tests.waiting import wait_until

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`sixfold` alone, with a browser that only writes down what it was asked to open; gives the address."""
    place = tmp_path_factory.mktemp("home")
    opened, browser = place / "opened", place / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n', encoding="utf-8")
    browser.chmod(0o755)
    environment = {**os.environ, "BROWSER": str(browser), "XDG_DATA_HOME": str(place / "data"), "LANG": "C"}
    command = [sys.executable, "-m", "sixfold", "--port", str(free_port())]
    with (place / "log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        wait_until(lambda: opened.exists() or process.poll() is not None)
        assert opened.exists(), (place / "log").read_text()
        (database,) = (place / "data" / "sixfold").glob("*.db")
        assert stat.S_IMODE(database.stat().st_mode) == 0o600
        yield opened.read_text(encoding="utf-8").strip()
    finally:
        process.terminate()
        process.wait()


def invitation(client: httpx.Client) -> tuple[str, str]:
    """A guest's new table with a free seat, and the link to it."""
    assert client.post("/api/guest", json={"name": "Anne"}).status_code == 201
    wanted = {
        "game": "cards",
        "players": 2,
        "first": 1,
        "hints": True,
        "clock": "move",
        "seconds": 600,
        "takeover": 600,
    }
    made = client.post("/api/tables", json=wanted).json()
    table: str = made["id"]
    return table, client.post(f"/api/tables/{table}/invitation").json()["link"]


def test_the_browser_is_opened_at_the_games(at_home: str) -> None:
    games = httpx.get(f"{at_home}/api/games").json()
    assert {game["name"] for game in games} >= {"travel", "cards", "dice"}


def test_a_second_start_opens_what_runs_already(at_home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    local_server.serve_and_open(int(at_home.rpartition(":")[2]))
    assert opened == [at_home]


def test_a_terminal_sits_at_a_servers_table(at_home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_table, "guest_file", lambda: tmp_path / "state" / "guests.json")

    async def work() -> None:
        with httpx.Client(base_url=at_home) as anne:
            table, link = invitation(anne)
            remote = remote_table.join(link, "Ben", "en")
            app = Sixfold(lambda app: app.show_table(remote), "en", make_local_table)
            async with app.run_test(size=(80, 24)) as pilot:
                seen = Seen(app, pilot)
                await seen.until(lambda: bool(remote.views))
                assert "Player 2: Ben" in seen.board.text
                await seen.press("enter")
                await seen.until(lambda: bool(remote.views[0]["legal"]))
                assert _view(anne, table)["turn"] == 1
                assert re.search(r"· (9:5\d|10:00)$", seen.line("title"))
                await remote.act("leave")
                await seen.until(lambda: "A bot is filling in" in seen.line("prompt"))
                await seen.press("enter")
                await seen.until(lambda: bool(remote.views[0]["legal"]) and "Your turn" in seen.line("prompt"))
                # The other hand is not here at all.
                assert set(remote.views[0]["position"]["hands"][1]) == {"??"}
                await seen.press("h")
                await seen.until(lambda: "because" in seen.line("detail"))
                await seen.press("enter")
                await seen.until(
                    lambda: not remote.views[0]["legal"] or remote.views[0]["position"]["phase"] == "choose"
                )
                assert any(line.startswith("You play ") for line in seen.line("events").splitlines())
                with pytest.raises(ClientRefused, match=r"Anne.s turn|first decide"):
                    await remote.act("move", move="play RG")
                await seen.press("q", "y")
            assert _view(anne, table)["last"]["seat"] == 1

    asyncio.run(work())
    again = remote_table.join(_link(at_home), "Ben", "en")
    assert isinstance(again, RemoteTable)
    assert stat.S_IMODE((tmp_path / "state" / "guests.json").stat().st_mode) == 0o600


def _link(at_home: str) -> str:
    with httpx.Client(base_url=at_home) as client:
        return invitation(client)[1]


def _view(client: httpx.Client, table: str) -> dict[str, Any]:
    view: dict[str, Any] = client.get(f"/api/tables/{table}").json()["views"][0]
    return view


def test_after_a_lost_connection_nothing_is_told_twice() -> None:
    remote = RemoteTable("http://nowhere", "table", "", "en")
    happened = [{"version": number, "type": "react"} for number in range(1, 6)]
    happened[3]["deal"] = ["deal 0 RG"]

    def told() -> list[object]:
        return [event["version"] for event in remote.events_for(None)]

    remote.receive({"type": "snapshot", "version": 2, "views": [{}], "events": happened[:2]})
    remote.receive({"type": "event", "version": 3, "views": [], "event": happened[2]})
    remote.receive({"type": "snapshot", "version": 3, "views": [{}], "events": happened[1:3]})
    assert told() == [1, 2, 3]
    # The deal of a new round came while nobody was connected.
    remote.receive({"type": "snapshot", "version": 5, "views": [{}], "events": happened[2:]})
    assert told() == [4, 5]
    assert remote.status_message == ""
    remote.receive({"type": "refused", "id": "", "version": 0, "key": "no_table", "reason": "there is no such table"})
    assert remote.status_message == "there is no such table"


@pytest.mark.parametrize("link", ["nonsense", "https://host/", "ftp://host/#join=x", "http:///#join=x"])
def test_what_is_no_link_is_refused(link: str) -> None:
    with pytest.raises(SetupError, match="is no link to a table"):
        remote_table.join(link, "Ben", "en")


def test_a_link_that_nobody_gave_is_refused(at_home: str) -> None:
    with pytest.raises(SetupError, match="this link is not valid or has expired"):
        remote_table.join(f"{at_home}/#join=forged", "Ben", "en")


def test_where_no_server_is_the_address_is_named() -> None:
    address = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(SetupError, match=f"{address} does not answer like a table server"):
        remote_table.join(f"{address}/#join=x", "Ben", "en")

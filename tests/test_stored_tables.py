"""What was stored before is opened, played on, replayed and checked, for ever; what cannot be read is refused.

``data/format1`` was made by a server of format 1: games of all three kinds, finished, given up, out of time, in the
middle of a choice and of a series, with an undo, a swap, a renewed hand, bots, a carried seat, and one not yet begun.
"""

import json
import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sixfold.engine import record, shuffle
from sixfold.server.identity import Guest, Signer
from sixfold.table import Table, TableRefused, event_view, table_view
from sixfold.table.events import FORMAT, Make, read, write
from sixfold.table.replay import steps
from tests.server_harness import ServerHarness, running_server
from tests.test_table_random import act, started
from tests.waiting import wait_until

DATA = Path(__file__).parent / "data" / "format1"
TABLES: dict[str, str] = json.loads((DATA / "tables.json").read_text(encoding="utf-8"))
every_table = pytest.mark.parametrize("name", TABLES)


def bodies(name: str) -> list[str]:
    with sqlite3.connect(f"file:{DATA / 'tables.sqlite'}?mode=ro&immutable=1", uri=True) as database:
        rows = database.execute("select body from events where table_id = ? order by version", [TABLES[name]])
        return [body for (body,) in rows]


@pytest.fixture
def here(tmp_path: Path) -> Iterator[ServerHarness]:
    shutil.copy(DATA / "tables.sqlite", tmp_path / "server.db")
    with running_server(tmp_path) as made:
        yield made


def people(here: ServerHarness, table: str) -> list[dict[str, str]]:
    """The cookies of those who sat there, by seat."""
    signer: Signer = here.client.app.state.signer
    seats = Table.of(read(here.stored(table))).seats
    return [{"Cookie": f"sixfold_guest={signer.cookie(Guest(seat.guest, seat.name))}"} for seat in seats]


@every_table
def test_a_table_of_format_1_is_what_it_was(name: str) -> None:
    table = Table.of(read(bodies(name)))
    assert table.format == 1
    for seat in [*range(len(table.seats)), None]:
        view = json.dumps(table_view(table, seat))
        assert all(json.dumps(event_view(table, version, seat)) for version in range(1, table.version + 1))
        assert '"version": ' in view
    assert len({seat.name for seat in table.seats if seat.kind != "open"}) == sum(
        seat.kind != "open" for seat in table.seats
    )
    assert all(seat.portrait for seat in table.seats if seat.kind != "open")
    # What the upcaster made of it is in the present format, and the same table.
    again = Table.of(read([write(entry.event) for entry in table.log]))
    assert [table_view(again, seat) for seat in range(len(table.seats))] == [
        table_view(table, seat) for seat in range(len(table.seats))
    ]


def test_the_records_of_format_1_hold_and_are_made_again() -> None:
    kept = [json.loads(line) for line in (DATA / "records.jsonl").read_text(encoding="utf-8").splitlines()]
    made = [made for name in TABLES for made in Table.of(read(bodies(name))).records]
    assert len(kept) == len(made) == 5
    for old, new in zip(kept, made, strict=True):
        record.replay(old)
        assert shuffle.verify(old)
        assert steps(old)
        for key in ("game", "players", "options", "events", "result", "seats", "bots", "shuffle"):
            assert new[key] == old[key]


def test_old_tables_are_opened_and_played_on(here: ServerHarness) -> None:
    dice = random.Random(1)
    for name in ("travel choosing", "cards series", "cards renewed"):
        table = TABLES[name]
        who = people(here, table)
        while (view := here.view(table, who[0]))["stage"] == "playing":
            mine = here.view(table, who[view["turn"]])
            done = here.act(table, who[view["turn"]], "move", move=dice.choice(mine["legal"]), version=mine["version"])
            assert done.status_code == 200, done.text
        for line in here.get(f"/api/tables/{table}/records", who[0]).text.splitlines():
            record.replay(json.loads(line))
            assert shuffle.verify(json.loads(line))
        stored = here.stored(table)
        assert len(stored) == view["version"]
        assert game_of(stored) == "travel" or any('"type":"draw"' in body for body in stored)
        assert Table.of(read(stored)).version == view["version"]


def game_of(stored: list[str]) -> str:
    return str(json.loads(stored[0])["setup"]["game"])


def test_an_old_choice_is_still_open_and_nobody_elses_business(here: ServerHarness) -> None:
    table = TABLES["travel choosing"]
    who = people(here, table)
    mover = here.view(table, who[0])["turn"]
    assert here.view(table, who[mover])["legal"] == ["keep", "swap"]
    assert here.view(table, who[1 - mover])["position"]["phase"] == "draw"
    told = here.get(f"/api/tables/{table}/events", who[1 - mover]).text
    assert "keep" not in told
    assert "swap" in told


def test_an_open_table_of_format_1_is_filled_and_started(here: ServerHarness) -> None:
    table = TABLES["cards open"]
    who = people(here, table)
    assert here.act(table, here.guest("Rosa"), "sit", portrait="moth").status_code == 200
    assert here.act(table, who[0], "start").status_code == 200
    names = [seat["name"] for seat in here.view(table, who[0])["seats"]]
    assert len(set(names)) == 4


def test_a_table_says_which_format_and_which_rules_it_was_made_with() -> None:
    table = started("dice", 2)
    first = json.loads(write(table.log[0].event))
    assert (first["type"], first["format"], first["rules"]) == ("make", FORMAT, 1)
    (made, *_) = read([write(entry.event) for entry in table.log])
    assert isinstance(made, Make)


OTTO = {"type": "bot", "at": 1, "seat": 1, "level": "level9", "name": "Otto", "portrait": "otto"}
# What is stored in place of which event: the whole of it, or, of the first, what is changed; and the refusal's key.
ODD: dict[str, tuple[int, dict[str, Any] | None, str]] = {
    "an unknown type": (2, {"type": "dance", "at": 1, "seat": 0}, "table_damaged"),
    "a missing field": (2, {"type": "sit", "at": 1, "guest": "g", "seat": 1, "portrait": "owl"}, "table_damaged"),
    "a field of another type": (2, {"type": "undo", "at": "now", "seat": 0}, "table_damaged"),
    "a field that nobody knows": (2, {"type": "undo", "at": 1, "seat": 0, "why": "because"}, "table_damaged"),
    "no JSON": (2, None, "table_damaged"),
    "a seat that is not there": (2, {"type": "open", "at": 1, "seat": 9}, "table_damaged"),
    "an impossible move": (4, {"type": "move", "at": 1, "seat": 0, "events": ["0 score R4>G"]}, "table_damaged"),
    "a draw before the start": (2, {"type": "draw", "at": 1, "seat": 0, "events": ["draw 0 RG"]}, "table_damaged"),
    "a newer format": (1, {"format": FORMAT + 1}, "table_newer"),
    "newer rules": (1, {"rules": 99}, "table_newer"),
    "a game that is gone": (1, {"setup": {"game": "chess"}}, "table_damaged"),
    "a level that was renamed": (2, OTTO, "table_damaged"),
}


@pytest.mark.parametrize("odd", ODD)
def test_a_table_that_cannot_be_read_is_refused_and_all_others_go_on(tmp_path: Path, odd: str) -> None:
    version, change, key = ODD[odd]
    with running_server(tmp_path) as here:
        people = [here.guest("Anne"), here.guest("Carl")]
        table, other = here.table("dice", people, first=0), here.table("dice", people, first=0)
    with sqlite3.connect(tmp_path / "server.db") as database:
        where = "where table_id = ? and version = ?"
        (body,) = database.execute(f"select body from events {where}", [table, min(version, 3)]).fetchone()
        changed: Any = "{" if change is None else json.dumps({**(json.loads(body) if version == 1 else {}), **change})
        if version > 3:
            database.execute("insert into events values (?, ?, ?)", [table, version, changed])
        else:
            database.execute(f"update events set body = ? {where}", [changed, table, version])
        database.execute("update tables set wake_at = 1 where id = ?", [table])
    with running_server(tmp_path) as here:
        for path in ("", "/events", "/records"):
            refused = here.get(f"/api/tables/{table}{path}", people[0])
            assert (refused.status_code, refused.json()["key"]) == (409, key)
        assert here.act(table, people[0], "move", move="score").json()["key"] == key
        with here.socket(table, people[0]) as socket:
            assert socket.read()["key"] == key
        assert here.act(other, people[0], "move", move="score").status_code == 200

        # It is not woken up again and again either.
        def sleeps() -> bool:
            here.get("/health")
            with sqlite3.connect(tmp_path / "server.db") as database:
                (wake_at,) = database.execute("select wake_at from tables where id = ?", [table]).fetchone()
            return wake_at is None

        wait_until(sleeps)


def test_the_refusal_names_the_event() -> None:
    stored = [write(entry.event) for entry in started("dice", 2).log]
    with pytest.raises(TableRefused, match="event 2"):
        list(read([stored[0], b'{"type":"sit"}']))
    table = Table.of(read(stored))
    act(table, table.turn or 0, "move", move="score")
    last = write(table.log[-1].event)
    with pytest.raises(TableRefused, match=f"event {len(stored) + 2}"):
        Table.of(read([*stored, last, last]))

"""Nobody takes what is there for everybody: thinking, places in the list of tables, and seats."""

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from litestar.exceptions import WebSocketDisconnect

from sixfold.server import fair_pool
from sixfold.server.expiry import expire
from sixfold.server.fair_pool import ClientQuota, FairPool
from sixfold.server.metrics import Metrics
from sixfold.server.protocol import NewTable
from sixfold.server.settings import Settings
from sixfold.server.sockets import RESTART
from sixfold.server.storage import Storage
from sixfold.server.tables import Hub, now
from sixfold.table import TableRefused
from tests.server_harness import ServerHarness, play_over_http, running_server

DAY = 24 * 3600_000


# Thinking


def order_of(asked: list[ClientQuota], threads: int = 1) -> list[tuple[ClientQuota, float]]:
    """In which order work is done that was asked for in this order, and which share of its time each had."""

    async def work() -> list[tuple[ClientQuota, float]]:
        thinkers, done = FairPool(Metrics(), threads), list[tuple[ClientQuota, float]]()
        gate = threading.Event()
        first = asyncio.create_task(thinkers.run(ClientQuota("", "first"), lambda _: gate.wait()))
        await asyncio.sleep(0)

        def note(whose: ClientQuota, share: float) -> None:
            done.append((whose, share))

        rest = [
            asyncio.create_task(thinkers.run(whose, lambda share, whose=whose: note(whose, share)))  # type: ignore[misc]
            for whose in asked
        ]
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(first, *rest)
        thinkers.close()
        return done

    return asyncio.run(work())


def test_turns_go_round_between_addresses_and_between_guests() -> None:
    greedy, other, carl = ClientQuota("1", "greedy"), ClientQuota("1", "other"), ClientQuota("2", "carl")
    order = [whose for whose, _ in order_of([*[greedy] * 50, *[other] * 2, carl, carl])]
    assert order[:4] == [greedy, carl, other, carl]
    assert order[4:7] == [greedy, other, greedy]
    assert len(order) == 54


def test_the_more_wait_the_shorter_everybody_thinks() -> None:
    shares = [share for _, share in order_of([ClientQuota("1", str(number)) for number in range(30)])]
    assert shares[0] == fair_pool.LEAST_SHARE
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_one_guest_cannot_ask_for_more_and_more() -> None:
    async def work() -> None:
        thinkers, gate = FairPool(Metrics(), 1), threading.Event()
        asked = [
            asyncio.create_task(thinkers.run(ClientQuota("1", "greedy"), lambda _: gate.wait()))
            for _ in range(fair_pool.MOST_OF_ONE + 5)
        ]
        await asyncio.sleep(0)
        refused = [task for task in asked if task.done() and isinstance(task.exception(), TableRefused)]
        assert len(refused) == 4
        gate.set()
        await asyncio.gather(*asked, return_exceptions=True)
        thinkers.close()

    asyncio.run(work())


def test_trouble_and_impatience_of_one_do_not_stop_the_others() -> None:
    async def work() -> None:
        thinkers, gate = FairPool(Metrics(), 1), threading.Event()
        first = asyncio.create_task(thinkers.run(ClientQuota("1", "a"), lambda _: gate.wait()))
        gone = asyncio.create_task(thinkers.run(ClientQuota("1", "b"), lambda _: pytest.fail("nobody waits for this")))
        failing = asyncio.create_task(thinkers.run(ClientQuota("1", "c"), lambda _: 1 / 0))
        good = asyncio.create_task(thinkers.run(ClientQuota("1", "d"), lambda _: 42))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.sleep(0)
        gate.set()
        with pytest.raises(ZeroDivisionError):
            await failing
        assert (await first, await good) == (True, 42)
        assert thinkers.waiting == 0
        thinkers.close()

    asyncio.run(work())


def test_a_bot_hint_and_replay_think_for_whoever_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[ClientQuota] = []
    usual = FairPool.run

    async def noted(self: FairPool, whose: ClientQuota, work: Any) -> Any:
        asked.append(whose)
        return await usual(self, whose, work)

    monkeypatch.setattr(FairPool, "run", noted)
    with running_server(tmp_path) as here:
        anne = here.guest("Anne")
        seats = [{"kind": "me"}, {"kind": "bot", "level": "random"}]
        table = here.post("/api/tables", {"game": "dice", "seats": seats, "first": 0}, anne).json()["id"]
        here.act(table, anne, "start")
        assert here.get(f"/api/tables/{table}/seats/0/hint", anne).status_code == 200
        with here.socket(table, anne) as socket:
            while socket.read_until("snapshot", "event")["views"][0]["stage"] == "playing":
                view = here.view(table, anne)
                if view["turn"] == 0:
                    here.act(table, anne, "move", move=view["legal"][-1])
        assert here.get(f"/api/tables/{table}/rounds/1/replay", anne).status_code == 200
    assert len(asked) > 3
    assert {whose.address for whose in asked} == {"testclient"}
    assert len({whose.guest for whose in asked}) == 1


# The list of tables


def test_tables_of_one_address_are_limited_whatever_guests_it_makes(tmp_path: Path) -> None:
    with running_server(tmp_path, requests_a_minute=1000, tables_an_hour=30) as here:
        answers = [here.post("/api/tables", {"game": "dice"}, here.guest(f"G{n}")) for n in range(15)]
        assert [answer.status_code for answer in answers] == [201] * 10 + [429] * 5
        assert answers[-1].json()["key"] == "too_many_tables"


def test_the_list_of_tables_is_fair(tmp_path: Path) -> None:
    async def work() -> None:
        kept = Storage(f"sqlite:///{tmp_path}/lobby.db")
        await kept.open()
        hub = Hub(kept, Settings("", tables_an_hour=1000), Metrics())
        quiet = [
            await hub.make(NewTable("dice", public=True), f"quiet{n}", "Quiet", origin=f"here{n}") for n in range(3)
        ]
        for number in range(60):
            await hub.make(NewTable("dice", public=True), f"loud{number}", "Loud", origin="there")
        found = await kept.find(None, None, 0, 20)
        assert len(found) == 20
        assert {live.id for live in quiet} <= {row["id"] for row in found}
        assert [row["changed_at"] for row in found] == sorted((row["changed_at"] for row in found), reverse=True)
        assert "rank" not in found[0]
        assert "origin" not in found[0]
        await kept.close()

    asyncio.run(work())


# Seats


def test_one_guest_takes_one_seat_of_a_strangers_table(tmp_path: Path) -> None:
    with running_server(tmp_path) as here:
        anne, carl = here.guest("Anne"), here.guest("Carl")
        table = here.post("/api/tables", {"game": "dice", "players": 4, "public": True}, anne).json()["id"]
        assert here.act(table, carl, "sit").status_code == 200
        refused = here.act(table, carl, "sit", name="Carl's other hand")
        assert (refused.status_code, refused.json()["key"]) == (409, "one_seat")
        with here.socket(table, carl) as socket:
            socket.read()
            assert socket.say(do="sit", name="Carl again")["key"] == "one_seat"
        # With an invitation several people may share a device, and who made the table seats whom they like.
        token = here.post(f"/api/tables/{table}/invitation", None, anne).json()["token"]
        joined = here.post("/api/join", {"token": token, "seat": 2, "name": "Carla"}, carl)
        assert joined.json()["seats"] == [1, 2]
        assert here.post("/api/join", {"token": token}, carl).json()["seats"] == [1, 2]
        assert here.act(table, anne, "sit", name="Anne's friend").status_code == 200


# How long tables stay


def stay(here: ServerHarness, days: dict[str, int], **settings: Any) -> list[str]:
    """Let so many days pass for each table, then the server looks after its tables."""

    async def work() -> None:
        kept = Storage(f"sqlite:///{here.database}")
        await kept.open()
        async with kept.engine.begin() as connection:
            for table, passed in days.items():
                then = now() - passed * DAY
                await connection.exec_driver_sql("update tables set changed_at = ? where id = ?", (then, table))
        await expire(Hub(kept, Settings("", **settings), Metrics()))
        async with kept.engine.connect() as connection:
            orphans = "select count(*) from events where table_id not in (select id from tables)"
            assert (await connection.exec_driver_sql(orphans)).scalar_one() == 0
        await kept.close()

    asyncio.run(work())
    return [table for table in days if here.get(f"/api/tables/{table}/records").status_code == 200]


def test_tables_that_nobody_plays_at_go_after_a_while(tmp_path: Path) -> None:
    with running_server(tmp_path, keep_ms=-1, poll_ms=10) as here:
        people = [here.guest("Anne"), here.guest("Carl")]
        new, lying = (
            here.post("/api/tables", {"game": "dice", "public": True}, people[0]).json()["id"] for _ in range(2)
        )
        playing, played, finished = (here.table("dice", people) for _ in range(3))
        for table in (played, finished):
            for seat in range(2):
                here.act(table, people[seat], "resign")
        days = {new: 6, lying: 8, playing: 300, played: 364, finished: 366}
        folder = tmp_path / "records"
        assert stay(here, days, unplayed_days=0, finished_days=0) == [new, lying, playing, played, finished]
        assert stay(here, days, records=folder) == [new, playing, played]
        (kept,) = folder.iterdir()
        assert kept.name == f"{finished}.sixfold.jsonl"
        assert json.loads(kept.read_text())["game"] == "dice"
        assert kept.stat().st_mode & 0o777 == 0o600


def test_a_table_that_cannot_be_read_stays_where_its_record_is_wanted(tmp_path: Path) -> None:
    with running_server(tmp_path, keep_ms=-1, poll_ms=10) as here:
        table = here.post("/api/tables", {"game": "dice", "public": True}, here.guest("Anne")).json()["id"]

        async def damage() -> None:
            kept = Storage(f"sqlite:///{here.database}")
            await kept.open()
            async with kept.engine.begin() as connection:
                await connection.exec_driver_sql("update events set body = '{}'")
            await kept.close()

        asyncio.run(damage())
        stay(here, {table: 8}, records=tmp_path / "records")
        assert here.get(f"/api/tables/{table}").json()["key"] == "table_damaged"
        stay(here, {table: 8})
        assert here.get(f"/api/tables/{table}").json()["key"] == "no_table"


def test_who_looks_at_a_table_that_another_node_removes_is_let_go(tmp_path: Path) -> None:
    with running_server(tmp_path, poll_ms=10) as here:
        anne = here.guest("Anne")
        table = here.post("/api/tables", {"game": "dice", "public": True}, anne).json()["id"]
        with here.socket(table, anne) as socket:
            socket.read()
            stay(here, {table: 8})
            with pytest.raises(WebSocketDisconnect) as gone:
                socket.read()
            assert gone.value.code == RESTART
        assert here.get(f"/api/tables/{table}").json()["key"] == "no_table"


def test_a_table_that_somebody_looks_at_stays(tmp_path: Path) -> None:
    async def work() -> None:
        from sixfold.server.table_session import Client

        kept = Storage(f"sqlite:///{tmp_path}/looked.db")
        await kept.open()
        hub = Hub(kept, Settings("", unplayed_days=1), Metrics())
        live = await hub.make(NewTable("dice", public=True), "anne", "Anne")
        async with kept.engine.begin() as connection:
            await connection.exec_driver_sql("update tables set changed_at = 1")
        client = Client("", "en")
        await hub.connect(live.id, client, None)
        assert await expire(hub) == 0
        hub.disconnect(live, client)
        assert await expire(hub) == 1
        with pytest.raises(TableRefused):
            await hub.get(live.id)
        await kept.close()

    asyncio.run(work())


def test_a_finished_round_is_shown_by_one_rule(tmp_path: Path) -> None:
    """Replays and records are for whoever may look at the table, and for nobody else."""
    import random

    with running_server(tmp_path) as here:
        anne, carl, eve = (here.guest(name) for name in ("Anne", "Carl", "Eve"))
        table = here.post("/api/tables", {"game": "dice"}, anne).json()["id"]
        token = here.post(f"/api/tables/{table}/invitation", None, anne).json()["token"]
        here.post("/api/join", {"token": token}, carl)
        here.act(table, anne, "start")
        people = [anne, carl]
        dice = random.Random(1)
        while (view := here.view(table, anne))["stage"] == "playing":
            who = people[view["turn"]]
            here.act(table, who, "move", move=dice.choice(here.view(table, who)["legal"]))
        paths = [f"/api/tables/{table}/{what}" for what in ("records", "rounds/1/replay", "events")]
        for path in paths:
            assert here.get(path, anne).status_code == here.get(path, carl).status_code == 200
            assert here.get(path, eve).status_code == here.get(path).status_code == 403
        # A stranger learns nothing by acting either.
        told = here.act(table, eve, "resign", version=1)
        assert (told.status_code, told.json()["key"], told.json()["words"]) == (403, "private_table", {})
        open_table = here.table("dice", people)
        play_over_http(here, open_table, people, dice)
        assert here.get(f"/api/tables/{open_table}/rounds/1/replay").status_code == 200

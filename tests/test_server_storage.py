"""When the database is in trouble: nobody waits for ever, everybody is told, and it goes on by itself."""

import asyncio
import json
import logging
import sqlite3
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import pytest
import sqlalchemy as sa
from litestar.testing import TestClient
from typer.testing import CliRunner

from sixfold.cli import app
from sixfold.errors import SetupError
from sixfold.server import database, event_writer, node, storage, supervision
from sixfold.server.app import make_app
from sixfold.server.event_writer import Stored, Write
from sixfold.server.metrics import Metrics
from sixfold.server.protocol import Action, NewTable
from sixfold.server.settings import Settings
from sixfold.server.storage import Storage, StorageDown
from sixfold.server.supervision import Supervisor
from sixfold.server.tables import Hub
from sixfold.table import Actor, Table
from sixfold.table.events import FORMAT
from tests import services
from tests.server_harness import ServerHarness, running_server
from tests.waiting import until

SAID = {"version": 1, "stage": "open", "open_seats": 0, "changed_at": 0, "wake_at": None, "bot": None}
ROW = {"secret": b"", "maker": "", "public": True, "game": "dice", "players": 2, "made_at": 0, **SAID}


def write(table: str, version: int) -> Write:
    return Write(table, version, b"{}", {**SAID, "version": version})


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with services.postgres() as url:
        made = CliRunner().invoke(app, ["migrate", "--database", url])
        assert made.exit_code == 0, made.output
        yield url


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same limits, only shorter."""
    for name in ("CONNECTION_SECONDS", "LOCK_SECONDS", "ANSWER_SECONDS"):
        monkeypatch.setattr(database, name, 1)
    monkeypatch.setattr(storage, "CHECK_AGAIN_SECONDS", 0.05)


# The writer


class Moody:
    """A writer that fails in whatever way it is told to."""

    def __init__(self, *errors: BaseException | None) -> None:
        self.errors = list(errors)
        self.batches = 0

    async def store(self, writes: Sequence[Write]) -> Stored:
        self.batches += 1
        error = self.errors.pop(0) if self.errors else None
        if error is not None:
            raise error
        return {(one.table, one.version) for one in writes}

    async def close(self) -> None: ...


@pytest.mark.parametrize(
    "error",
    [sa.exc.TimeoutError("QueuePool limit"), MemoryError(), KeyError("x"), AssertionError(), asyncio.CancelledError()],
    ids=repr,
)
def test_the_writer_survives_any_error_of_a_batch(tmp_path: Path, error: BaseException) -> None:
    async def work() -> None:
        kept = Storage(f"sqlite:///{tmp_path}/moody.db")
        await kept.open()
        kept._writer = Moody(error)
        with pytest.raises(StorageDown):
            await asyncio.wait_for(kept.append(write("t", 1)), 10)
        assert await asyncio.wait_for(kept.append(write("t", 1)), 10)
        assert kept.supervisor.down == []
        await kept.close()

    asyncio.run(work())


def test_what_was_stored_soon_lies_in_the_file_itself(tmp_path: Path) -> None:
    """No event waits for the disk; a moment later what was stored is on it, also if the log were lost."""
    file, alone = tmp_path / "kept.db", tmp_path / "alone.db"

    def on_disk() -> int:
        # Not by this process: whoever closes a file gives up all its locks on it.
        subprocess.run(["cp", file, alone], check=True)
        with closing(sqlite3.connect(alone)) as copy, suppress(sqlite3.DatabaseError):
            return int(copy.execute("SELECT count(*) FROM events").fetchone()[0])
        return 0

    async def work() -> None:
        kept = Storage(f"sqlite:///{file}")
        await kept.open()
        await kept.make({"id": "t", **ROW}, [b"{}"])
        for version in range(2, 12):
            assert await kept.append(write("t", version))
        await until(lambda: on_disk() == 11)
        await kept.close()

    asyncio.run(asyncio.wait_for(work(), 60))


def test_whoever_waits_when_storage_closes_is_told(tmp_path: Path) -> None:
    async def work() -> None:
        kept = Storage(f"sqlite:///{tmp_path}/closing.db")
        waiting = asyncio.create_task(kept.append(write("t", 1)))
        await asyncio.sleep(0)
        await kept.close()
        with pytest.raises(StorageDown):
            await waiting

    asyncio.run(asyncio.wait_for(work(), 60))


def test_whoever_waits_for_others_to_be_stored_with_is_told_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        kept = Storage(f"sqlite:///{tmp_path}/closing.db")
        await kept.open()
        kept._writer = moody = Moody()
        assert all(await asyncio.gather(*(kept.append(write("t", version)) for version in (1, 2))))
        waiting = asyncio.create_task(kept.append(write("t", 3)))
        await asyncio.sleep(0)
        await until(kept._queue.empty)
        await kept.close()
        with pytest.raises(StorageDown):
            await waiting
        assert moody.batches == 1

    monkeypatch.setattr(storage, "GATHER_EACH_SECONDS", 60)
    monkeypatch.setattr(storage, "GATHER_SECONDS", 60)
    asyncio.run(asyncio.wait_for(work(), 30))


def test_a_failed_task_is_said_counted_and_started_again(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        metrics, runs = Metrics(), list[int]()
        supervisor = Supervisor(metrics)

        async def fails_twice() -> None:
            runs.append(1)
            if len(runs) < 3:
                raise ValueError("no luck")
            await asyncio.Event().wait()

        supervisor.watch("lucky", fails_twice)
        while not supervisor.down:
            await asyncio.sleep(0)
        assert supervisor.down == ["lucky"]
        assert 'sixfold_task_up{task="lucky"} 0.0' in metrics.text().decode()
        await until(lambda: len(runs) == 3)
        assert supervisor.down == []
        assert 'sixfold_task_failures_total{task="lucky"} 2.0' in metrics.text().decode()
        assert 'sixfold_task_up{task="lucky"} 1.0' in metrics.text().decode()
        await supervisor.close()

    asyncio.run(asyncio.wait_for(work(), 60))
    assert [record.getMessage() for record in caplog.records].count("a task failed; it starts again") == 2


def test_a_node_with_a_task_that_does_not_run_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "FIRST_PAUSE", 60)

    async def broken(hub: Hub) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("sixfold.server.node.expire_forever", broken)
    with running_server(tmp_path) as here:
        answer = next(answer for answer in iter(lambda: here.get("/ready"), None) if answer.status_code != 200)
        assert (answer.status_code, answer.json()["key"]) == (503, "not_ready")
        assert "expiry" in answer.json()["reason"]
        assert 'sixfold_task_up{task="expiry"} 0.0' in here.get("/metrics").text


# PostgreSQL


@contextmanager
def postgres_server(url: str) -> Iterator[ServerHarness]:
    settings = Settings(url, requests_a_minute=0, messages_a_second=0, deputy="random")
    with TestClient(make_app(settings)) as client:
        yield ServerHarness(client, Path("unused"))


def test_a_locked_table_and_readers_in_all_connections_do_not_stop_the_writer(postgres: str, impatient: None) -> None:
    """The worst that was found: `events` locked, some twenty readers in the pool, and one player who acts."""
    with postgres_server(postgres) as here:
        anne, carl = here.guest("Anne"), here.guest("Carl")
        table = here.table("dice", [anne, carl], first=0)
        with here.socket(table, anne) as socket, locked(postgres) as free:
            socket.read()
            readers = [threading.Thread(target=here.get, args=(f"/api/tables/{table}/events", anne)) for _ in range(20)]
            for reader in readers:
                reader.start()
            refused = socket.say(do="move", move="score", id="one")
            assert (refused["type"], refused["key"]) == ("refused", "busy")
            assert here.get("/ready").status_code == 503
            assert "sixfold_storage_up 0.0" in here.get("/metrics").text
            assert here.act(table, anne, "move", move="score", id="two").status_code == 503
            for reader in readers:
                reader.join()
            free.set()
            assert any(here.get("/ready").status_code == 200 for _ in range(1000))
            # The socket was not cut off, and what was refused has not happened.
            # The time without a database may be given back first, in an event of its own.
            done = socket.say(do="move", move="score", id="one")
            assert (done["type"], done["id"]) == ("ack", "one")
            assert done["version"] in (4, 5)
        assert "sixfold_storage_up 1.0" in here.get("/metrics").text


@contextmanager
def locked(url: str) -> Iterator[threading.Event]:
    """`events` locked by somebody else, until they are told to let go."""
    free, held = threading.Event(), threading.Event()

    async def work() -> None:
        engine = database.engine_for(url)
        async with engine.begin() as connection:
            await connection.exec_driver_sql("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
            held.set()
            await asyncio.to_thread(free.wait)
        await engine.dispose()

    holder = threading.Thread(target=asyncio.run, args=(work(),))
    holder.start()
    held.wait()
    try:
        yield free
    finally:
        free.set()
        holder.join()


def test_readers_cannot_use_up_the_writers_connection(postgres: str, impatient: None) -> None:
    async def work() -> None:
        kept = Storage(postgres)
        await kept.open()
        await kept.make({"id": "crowded", **ROW}, [b"{}"])
        readers = [await kept.engine.connect() for _ in range(database.READERS)]
        with pytest.raises(StorageDown):
            await kept.versions(["crowded"])
        assert await kept.append(write("crowded", 2))
        for reader in readers:
            await reader.close()
        assert await kept.versions(["crowded"]) == {"crowded": 2}
        await kept.close()

    asyncio.run(work())


@pytest.mark.parametrize("at_once", [True, False])
def test_a_batch_is_stored_but_for_what_another_writer_had_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    """All at once where nothing is in the way, else one by one: the same is stored, and the summaries fit."""
    monkeypatch.setattr(event_writer, "HAS_JSON", at_once)

    async def work() -> None:
        kept = Storage(f"sqlite:///{tmp_path}/batch.db")
        await kept.open()
        for name in ("a", "b", "c"):
            await kept.make({"id": name, **ROW}, [b"{}"])
        writer = kept._writer
        two = Write("a", 2, b"{}", {**SAID, "version": 3}, ('{"x": "Zoë \\u0000 \'"}'.encode(),))
        assert await writer.store([two, write("b", 2), write("c", 2)]) == {("a", 2), ("b", 2), ("c", 2)}
        assert await writer.store([write("a", 4), write("b", 2), write("gone", 2)]) == {("a", 4)}
        assert await writer.store([]) == set()
        assert await kept.versions(["a", "b", "c"]) == {"a": 4, "b": 2, "c": 2}
        async with kept.engine.connect() as connection:
            rows = await connection.exec_driver_sql("select table_id, version, body from events where version > 1")
            stored = {(row.table_id, row.version): row.body for row in rows}
        assert set(stored) == {("a", 2), ("a", 3), ("a", 4), ("b", 2), ("c", 2)}
        assert stored["a", 3] == two.more[0].decode()
        await kept.close()

    asyncio.run(work())


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_both_databases_find_spend_and_remove_alike(tmp_path: Path, postgres: str, kind: str) -> None:
    url = f"sqlite:///{tmp_path}/both.db" if kind == "sqlite" else postgres

    async def work() -> None:
        kept = Storage(url)
        await kept.open()
        made = [("a1", "a", 5), ("a2", "a", 6), ("a3", "a", 7), ("b1", "b", 1), ("c1", None, 2)]
        for name, origin, changed in made:
            row = {
                "id": name,
                **ROW,
                "origin": origin,
                "maker": f"maker of {name}",
                "changed_at": changed,
                "game": "cards",
            }
            await kept.make(row, [b"{}"])
        assert [row["id"] for row in await kept.find("cards", "open", 0, 3)] == ["a3", "c1", "b1"]
        assert [row["id"] for row in await kept.find("cards", None, 0, 10)] == ["a3", "a2", "a1", "c1", "b1"]
        assert await kept.revoke("link", 100)
        assert not await kept.revoke("link", 100)
        assert (await kept.revoked(99), await kept.revoked(100)) == ({"link"}, set())
        await kept.unrevoke("link")
        assert await kept.revoke("link", 100)
        await kept.forget_revoked(100)
        assert await kept.revoked(0) == set()
        assert ("b1", 1) in await kept.expired(2, 0, 10)
        for table in ("a1", "b1"):
            for body in (b"early", b"late"):
                await kept.keep_review(table, 1, body)
            assert (await kept.review(table, 1), await kept.review(table, 2)) == (b"late", None)
        assert not await kept.remove("b1", 7)
        assert await kept.remove("b1", 1)
        # A review goes with its table, and none is kept of a table that is gone.
        await kept.keep_review("b1", 2, b"too late")
        assert [await kept.review("b1", number) for number in (1, 2)] == [None, None]
        assert await kept.review("a1", 1) == b"late"
        assert await kept.load("b1") is None
        # Another node that does not know yet stores nothing more at a table that is gone.
        assert await kept.append(write("a1", 2))
        assert not await kept.append(write("b1", 2))
        assert await kept.events_after("b1", 0, FORMAT) == []
        await kept.check()
        await kept.close()

    asyncio.run(work())


def test_a_node_waits_for_a_database_that_does_not_answer_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    opened, tries = Storage.open, list[int]()

    async def slow(self: Storage) -> None:
        tries.append(1)
        if len(tries) < 3:
            raise TimeoutError
        await opened(self)

    monkeypatch.setattr(Storage, "open", slow)
    monkeypatch.setattr(node, "OPEN_AGAIN_SECONDS", 0)
    with caplog.at_level(logging.WARNING), running_server(tmp_path) as here:
        assert here.get("/ready").status_code == 200
    assert [record.getMessage() for record in caplog.records].count("the database does not answer yet") == 2


# SQLite


@contextmanager
def busy(path: Path) -> Iterator[None]:
    """A SQLite file that somebody else writes to, and does not finish."""
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        holder.execute("ROLLBACK")
        holder.close()


def test_a_locked_database_is_said_and_players_are_told_busy(
    tmp_path: Path, impatient: None, caplog: pytest.LogCaptureFixture
) -> None:
    with running_server(tmp_path) as here:
        anne, carl = here.guest("Anne"), here.guest("Carl")
        table = here.table("dice", [anne, carl], first=0, takeover=None)
        with here.socket(table, anne) as socket, here.socket(table, carl) as other:
            socket.read()
            other.read()
            with busy(here.database):
                refused = socket.say(do="move", move="score", id="one")
                assert (refused["type"], refused["key"], refused["version"]) == ("refused", "busy", 3)
                assert here.get("/ready").status_code == 503
                assert here.post("/api/tables", {"game": "dice"}, anne).status_code == 503
            # Nobody was cut off, and the same action can be sent again.
            # The time without a database may be given back first, in an event of its own.
            done = socket.say(do="move", move="score", id="one")
            assert (done["type"], done["id"]) == ("ack", "one")
            assert done["version"] in (4, 5)
            assert other.read()["version"] == 4
        assert any(here.get("/ready").status_code == 200 for _ in range(1000))
    said = [record for record in caplog.records if record.getMessage() == "the database is in trouble"]
    assert said
    assert cast(Any, said[0]).reason == "database is locked"
    assert "events are stored again" in [record.getMessage() for record in caplog.records]


def test_a_full_disk_is_said_and_nothing_half_happens(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        kept = Storage(f"sqlite:///{tmp_path}/full.db")
        await kept.open()
        hub = Hub(kept, Settings(""), Metrics())
        live = await hub.make(NewTable("dice"), "anne", "Anne")
        full = cast(Any, kept._writer)._engine
        sa.event.listen(full, "connect", lambda connection, _: connection.execute("PRAGMA max_page_count = 1"))
        cast(Any, kept._writer)._give_up_connection()
        full.dispose()
        refused = 0
        for _ in range(200):
            now = await hub.fresh(live.id)
            try:
                do = "bot" if now.table.seats[1].kind == "open" else "open"
                await hub.act(live.id, Actor("anne"), Action(do, level="random"))
            except StorageDown:
                refused += 1
        assert refused
        fresh = await hub.fresh(live.id)
        assert fresh.table.version == (await kept.versions([live.id]))[live.id]
        await kept.close()

    asyncio.run(work())
    reasons = [cast(Any, record).reason for record in caplog.records if record.levelno == logging.ERROR]
    assert "database or disk is full" in reasons


def test_what_is_wrong_is_not_said_again_and_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        kept = Storage(f"sqlite:///{tmp_path}/talk.db")
        await kept.open()
        kept._writer = Moody(*[OSError("no disk")] * 50)
        for _ in range(50):
            with suppress(StorageDown):
                await kept.append(write("t", 1))
        text = kept.metrics.text().decode()
        await kept.close()
        assert 'sixfold_storage_failures_total{what="writing"} 50.0' in text

    asyncio.run(work())
    assert len([record for record in caplog.records if record.levelno == logging.ERROR]) == 1


def test_however_many_ask_the_database_is_tried_once(tmp_path: Path) -> None:
    async def work() -> None:
        kept = Storage(f"sqlite:///{tmp_path}/asked.db")
        await kept.open()
        counting = Moody()
        kept._writer = counting
        await asyncio.gather(*(kept.check() for _ in range(200)))
        assert counting.batches == 1
        await kept.close()

    asyncio.run(work())


# Files and layouts


def test_a_database_is_for_its_owner_only(tmp_path: Path) -> None:
    with running_server(tmp_path) as here:
        here.guest()
        for path in tmp_path.glob("server.db*"):
            assert path.stat().st_mode & 0o777 == 0o600, path
    here.database.chmod(0o644)
    with running_server(tmp_path):
        assert here.database.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_newer_layout_is_refused_in_one_line(tmp_path: Path, postgres: str, kind: str) -> None:
    url = f"sqlite:///{tmp_path}/newer.db" if kind == "sqlite" else postgres

    async def say(found: str) -> str:
        engine = database.engine_for(url)
        if kind == "sqlite":
            await database.migrate(engine)
        async with engine.begin() as connection:
            before = (await connection.exec_driver_sql("select version_num from alembic_version")).scalar_one()
            await connection.exec_driver_sql(f"update alembic_version set version_num = '{found}'")
        await engine.dispose()
        return str(before)

    before = asyncio.run(say("9999"))
    try:
        for command in ("serve", "migrate"):
            refused = CliRunner().invoke(app, [command, "--database", url])
            assert isinstance(refused.exception, SetupError), refused.exception
            assert "9999, which this program does not know" in str(refused.exception)
    finally:
        if kind == "postgresql":
            asyncio.run(say(before))


def test_long_tables_are_read_and_opened_in_slices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a long table opens, others have a turn between two events; what comes of it is the same."""
    monkeypatch.setattr(storage, "PAGE", 50)
    monkeypatch.setattr("sixfold.server.tables.PAGE", 50)
    monkeypatch.setattr("sixfold.server.tables.SLICE_SECONDS", 0.0)
    monkeypatch.setattr("sixfold.table.actions.MOST_ASIDE", 1000)

    async def work() -> None:
        kept = Storage(f"sqlite:///{tmp_path}/long.db")
        await kept.open()
        hub = Hub(kept, Settings(""), Metrics())
        live = await hub.make(NewTable("dice"), "anne", "Anne")
        for number in range(320):
            await hub.act(live.id, Actor("anne"), Action("bot" if number % 2 == 0 else "open", level="random"))
        hub.tables.clear()
        turns, taken_in, taken = 0, set[int](), Table.take

        def take(table: Table, event: Any) -> Any:
            taken_in.add(turns)
            return taken(table, event)

        with monkeypatch.context() as watched:
            watched.setattr(Table, "take", take)
            opening = asyncio.create_task(hub.get(live.id))
            while not opening.done():
                await asyncio.sleep(0)
                turns += 1
        assert len(taken_in) > 300
        assert opening.result().table.log == live.table.log
        # News of another node are taken page by page too.
        other = Hub(kept, Settings(""), Metrics())
        late = await other.get(live.id)
        for number in range(120):
            await hub.act(live.id, Actor("anne"), Action("bot" if number % 2 == 0 else "open", level="random"))
        await other.fresh(live.id)
        assert late.table.version == 441
        await kept.close()

    asyncio.run(work())


def test_what_happened_is_told_in_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sixfold.table.actions.MOST_ASIDE", 1000)
    with running_server(tmp_path) as here:
        anne = here.guest("Anne")
        table = here.post("/api/tables", {"game": "dice", "public": True}, anne).json()["id"]
        for number in range(450):
            assert here.act(table, anne, "bot" if number % 2 == 0 else "open", level="random").status_code == 200
        heard: list[int] = []
        while True:
            since = heard[-1] if heard else 0
            page = here.get(f"/api/tables/{table}/events?since={since}", anne).json()
            if not page["events"]:
                break
            assert len(page["events"]) <= 200
            assert page["version"] == 451
            heard += [event["version"] for event in page["events"]]
        assert heard == list(range(1, 452))
        with here.socket(table, anne, "?since=0") as socket:
            told = socket.read()
            assert [event["version"] for event in told["events"]] == list(range(252, 452))
            assert len(json.dumps(told)) < 100_000

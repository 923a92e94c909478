"""Backups of a database that is written to all the time: finished, of one moment, private, and verified."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sixfold.cli import app
from sixfold.errors import SetupError
from sixfold.server import backup
from sixfold.server.backup import back_up
from tests.server_harness import ServerHarness, running_server

TEXT = '{"filler": "' + "x" * 500 + '"}'


@pytest.fixture
def here(tmp_path: Path) -> Iterator[ServerHarness]:
    """A database of some megabytes with a sound table in it."""
    with running_server(tmp_path) as made:
        made.table("dice", [made.guest("Anne"), made.guest("Carl")])
        with sqlite3.connect(made.database) as database:
            database.execute(
                "insert into tables select 'long', secret, maker, public, game, players, made_at, changed_at, "
                "5000, stage, open_seats, wake_at, bot, origin from tables"
            )
            rows = [("long", version, TEXT) for version in range(1, 5001)]
            database.executemany("insert into events values (?, ?, ?)", rows)
        yield made


@contextmanager
def busy(path: Path) -> Iterator[list[int]]:
    """Somebody who stores an event again and again, until the copy is done."""
    stop, versions = threading.Event(), [5000]

    def work() -> None:
        with sqlite3.connect(path, timeout=30) as database:
            while not stop.is_set():
                version = versions[-1] + 1
                database.execute("insert into events values ('long', ?, ?)", (version, TEXT))
                database.execute("update tables set version = ? where id = 'long'", (version,))
                database.commit()
                versions.append(version)

    writer = threading.Thread(target=work)
    writer.start()
    try:
        yield versions
    finally:
        stop.set()
        writer.join()


def test_a_backup_finishes_while_everybody_plays(
    here: ServerHarness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a page at a time and a write between any two, a copy that starts again would never end."""
    monkeypatch.setattr(backup, "PAGES", 5)
    stored, steps, begun = list[int](), list[float](), list[int]()
    with busy(here.database) as versions:

        def progress(share: float) -> None:
            seen = len(versions)
            begun.append(versions[-1] if versions else 0)
            steps.append(share)
            if len(steps) < 100:
                while len(versions) == seen:
                    pass
            assert len(steps) < 5000, "the copy started again"

        copied = back_up(here.database, tmp_path / "copy.db", progress)
        stored.append(versions[-1])
    assert steps == sorted(steps)
    assert copied.tables == 2
    with sqlite3.connect(tmp_path / "copy.db") as copy:
        (last,) = copy.execute("select max(version) from events where table_id = 'long'").fetchone()
        assert copy.execute("select version from tables where id = 'long'").fetchone() == (last,)
    # It is of the moment when it began, not of any later one.
    assert last <= max(begun[0] + 1, 5002) < stored[0]
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.glob("*copy*")) == ["copy.db"]


def test_the_copy_can_be_served(here: ServerHarness, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["backup", str(tmp_path / "copy.db"), "--database", f"sqlite:///{here.database}"])
    assert done.exit_code == 0, done.exception
    assert done.output.endswith(": 2 tables, 5,003 events, verified\n")
    (tmp_path / "there").mkdir()
    (tmp_path / "copy.db").rename(tmp_path / "there" / "server.db")
    with running_server(tmp_path / "there") as there:
        found = there.get("/api/tables").json()
        assert len(found) == 2
        table = next(row["id"] for row in found if row["id"] != "long")
        assert there.view(table) == here.view(table)


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        ("delete from events where table_id = 'long' and version = 77", "gap before version 78"),
        ("delete from events where table_id = 'long' and version = 5000", "should end with version 5000"),
        ("update events set body = '{' where table_id = 'long' and version = 3", "version 3 of table long"),
    ],
)
def test_a_copy_that_is_not_whole_gets_no_name(here: ServerHarness, tmp_path: Path, harm: str, said: str) -> None:
    with sqlite3.connect(here.database) as database:
        database.execute(harm)
    (tmp_path / "copy.db").write_text("the copy of yesterday")
    refused = CliRunner().invoke(app, ["backup", str(tmp_path / "copy.db"), "--database", f"sqlite:///{here.database}"])
    assert isinstance(refused.exception, SetupError)
    assert said in str(refused.exception)
    assert (tmp_path / "copy.db").read_text() == "the copy of yesterday"
    assert sorted(path.name for path in tmp_path.glob("*copy*")) == ["copy.db"]


@pytest.mark.parametrize(
    ("database", "said"),
    [
        ("sqlite:///{place}/nothing.db", "there is no database"),
        ("sqlite:///{place}/text.db", "could not be copied"),
        ("postgresql://nobody@127.0.0.1/x", "pg_dump"),
        ("mysql://x", "not mysql"),
    ],
)
def test_what_cannot_be_copied_is_said_in_one_line(tmp_path: Path, database: str, said: str) -> None:
    (tmp_path / "text.db").write_text("this is a text and no database" * 100)
    where = database.format(place=tmp_path)
    refused = CliRunner().invoke(app, ["backup", str(tmp_path / "copy.db"), "--database", where])
    assert isinstance(refused.exception, SetupError)
    assert said in str(refused.exception)

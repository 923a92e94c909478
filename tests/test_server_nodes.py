"""Real processes, a real PostgreSQL and Redis: two nodes, deaths, backups, bots elsewhere, and nonsense."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from lab.loadtest.fuzz import fuzz
from lab.loadtest.load_run import Report, run
from lab.loadtest.players import guests
from sixfold.cli import app
from sixfold.server.database import engine_for
from sixfold.server.event_writer import Write
from sixfold.server.storage import Storage
from tests import fork_server, services
from tests.fork_server import ForkedNode as Node

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with services.postgres() as url:
        made = CliRunner().invoke(app, ["migrate", "--database", url])
        assert made.exit_code == 0, made.output
        yield url


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Node, Path]]:
    """A server, and the folder that its database live.db and its log are in."""
    folder = tmp_path_factory.mktemp("serving")
    node = Node(f"sqlite:///{folder}/live.db", None, folder / "log")
    node.start()
    try:
        asyncio.run(node.wait_until_ready())
        yield node, folder
    finally:
        node.stop()


def play(nodes: list[Node], redis: Any = None, **more: Any) -> Report:
    """People play while nodes are killed; a node is there again sooner without bots, which nobody plays with here."""

    async def work() -> Report:
        for node in nodes:
            await node.wait_until_ready()
        return await run(nodes, redis, progress=lambda what, share: None, **more)

    for node in nodes:
        node.arguments = ["--no-bots"]
        node.start()
    try:
        return asyncio.run(work())
    finally:
        for node in nodes:
            node.stop()


def all_is_well(report: Report) -> None:
    assert report.acknowledged > 20
    assert (report.lost, report.doubled, report.unanswered, report.stuck, report.gaps) == (0, 0, 0, 0, 0)


def test_killed_under_load_nothing_is_lost(tmp_path: Path) -> None:
    node = Node(f"sqlite:///{tmp_path}/load.db", None, tmp_path / "log")
    report = play([node], tables=6, rate=20, seconds=3, kills=2)
    assert report.deaths == 2
    all_is_well(report)
    # What a server writes into its log is JSON, and has no key, cookie or token in it.
    for line in (tmp_path / "log").read_text().splitlines():
        json.loads(line)
    with sqlite3.connect(tmp_path / "load.db") as database:
        secrets = [row[0].hex() for row in database.execute("select secret from tables")]
        (shared,) = database.execute("select value from settings").fetchone()
    assert not any(secret in (tmp_path / "log").read_text() for secret in [*secrets, shared])


@pytest.mark.parametrize("with_redis", [True, False])
def test_two_nodes_on_postgres_lose_nothing_when_killed(postgres: str, tmp_path: Path, with_redis: bool) -> None:
    redis = services.redis() if with_redis else None
    nodes = [Node(postgres, redis.url if redis else None, tmp_path / f"log{at}") for at in range(2)]
    if redis:
        redis.start()
    try:
        report = play(nodes, redis, tables=6, rate=20, seconds=4, kills=3)
    finally:
        if redis:
            redis.stop()
    assert report.deaths == 3
    all_is_well(report)


def test_two_writers_of_one_version_cannot_both_win(postgres: str, tmp_path: Path) -> None:
    for url in (postgres, f"sqlite:///{tmp_path}/two.db"):
        assert asyncio.run(_race(url)) == [1] * 20


async def _race(url: str) -> list[int]:
    one, two = Storage(url), Storage(url)
    for storage in (one, two):
        await storage.open()
    row = {"id": "race", "secret": b"", "maker": "", "public": True, "game": "dice", "players": 2, "made_at": 0}
    said = {"version": 1, "stage": "open", "open_seats": 0, "changed_at": 0, "wake_at": None, "bot": None}
    await one.make({**row, **said}, [b"{}"])
    wins = []
    for version in range(2, 22):
        write = Write("race", version, b"{}", {**said, "version": version})
        wins.append(sum(await asyncio.gather(one.append(write), two.append(write))))
    for storage in (one, two):
        await storage.close()
    return wins


def test_postgres_is_not_migrated_behind_the_operators_back(postgres: str) -> None:
    async def layout(found: str) -> str:
        """Let the database say another layout; returns what it said."""
        engine = engine_for(postgres)
        async with engine.begin() as connection:
            before = (await connection.exec_driver_sql("select version_num from alembic_version")).scalar_one()
            await connection.exec_driver_sql(f"update alembic_version set version_num = '{found}'")
        await engine.dispose()
        return str(before)

    before = asyncio.run(layout("0001"))
    refused = fork_server.run("serve", "--database", postgres)
    asyncio.run(layout(before))
    assert refused.returncode == 2
    assert refused.stderr.strip().endswith("run: sixfold migrate --database URL")
    assert len(refused.stderr.splitlines()) == 1


def test_a_dead_nodes_bot_turn_is_taken_up_elsewhere(tmp_path: Path) -> None:
    """A node without bots dies with a bot in turn; the one that comes after it plays on by itself."""
    database = f"sqlite:///{tmp_path}/bots.db"
    idle, busy = Node(database, None, tmp_path / "log0"), Node(database, None, tmp_path / "log1")
    idle.arguments = ["--no-bots"]
    idle.start()
    try:
        table, cookie = asyncio.run(_bots_table(idle))
        idle.kill()
        busy.start()
        view = asyncio.run(_until_turn(busy, table, cookie))
        assert view["turn"] == 0
    finally:
        idle.stop()
        busy.stop()


async def _bots_table(node: Node) -> tuple[str, str]:
    await node.wait_until_ready()
    async with httpx.AsyncClient(base_url=node.url) as client:
        (cookie,) = await guests(client, 1)
        seats = [{"kind": "me"}, {"kind": "bot", "level": "random"}]
        who = {"Cookie": cookie}
        made = await client.post("/api/tables", json={"game": "cards", "seats": seats, "first": 1}, headers=who)
        table: str = made.json()["id"]
        await client.post(f"/api/tables/{table}/actions", json={"do": "start"}, headers=who)
        return table, cookie


async def _until_turn(node: Node, table: str, cookie: str) -> dict[str, Any]:
    await node.wait_until_ready()
    async with httpx.AsyncClient(base_url=node.url) as client:
        for _ in range(2000):
            answer = await client.get(f"/api/tables/{table}", headers={"Cookie": cookie})
            view: dict[str, Any] = answer.json()["views"][0]
            if view["turn"] == 0:
                return view
    pytest.fail("no bot took up the turn")


def test_bots_in_a_process_of_their_own(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/own.db"
    node = Node(database, None, tmp_path / "log")
    node.arguments = ["--no-bots"]
    node.start()
    try:
        table, cookie = asyncio.run(_bots_table(node))
        token = CliRunner().invoke(app, ["bot-token", "--database", database]).output
        (tmp_path / "token").write_text(token)
        command: list[str | Path] = ["bots", "--server", node.url, "--turns", "1", "--token-file", tmp_path / "token"]
        done = fork_server.run(*command)
        assert done.stdout == "1 moves played\n", done.stderr
        assert asyncio.run(_until_turn(node, table, cookie))["version"] >= 3
        (tmp_path / "token").write_text("wrong")
        wrong = fork_server.run(*command)
        assert (wrong.returncode, wrong.stderr) == (2, "sixfold: the server does not accept this token\n")
    finally:
        node.stop()


def test_nonsense_is_refused_with_a_reason_and_changes_nothing(serving: tuple[Node, Path]) -> None:
    node, folder = serving
    found = asyncio.run(fuzz(node.url, 3000, 7, lambda: None))
    assert found.sent >= 3000
    assert sum(found.refused.values()) == found.sent
    assert (found.accepted, found.silent, found.internal, found.changed) == (0, 0, 0, 0)
    assert len(found.refused) > 8
    assert "trace" not in (folder / "log").read_text()


def test_a_backup_of_a_running_server_holds_everything(serving: tuple[Node, Path], tmp_path: Path) -> None:
    node, folder = serving
    table, _ = asyncio.run(_bots_table(node))
    done = CliRunner().invoke(app, ["backup", str(tmp_path / "copy.db"), "--database", f"sqlite:///{folder}/live.db"])
    assert done.exit_code == 0, done.output
    with sqlite3.connect(tmp_path / "copy.db") as copy:
        assert copy.execute("pragma integrity_check").fetchone() == ("ok",)
        assert copy.execute("select count(*) from events where table_id = ?", [table]).fetchone()[0] >= 2
    assert not list(tmp_path.glob(".*.part"))


def test_a_server_stops_gracefully(serving: tuple[Node, Path]) -> None:
    """The last one here: nobody is served any more."""
    node, folder = serving
    node.stop()
    assert json.loads((folder / "log").read_text().splitlines()[-1])["says"] == "stopped"

"""What a serving process does beside answering: warming up, tidying up, and measuring where its time goes."""

import asyncio
import gc
import threading
from collections.abc import Iterator
from importlib import util
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from lab.loadtest.nodes import Node
from lab.loadtest.server_metrics import ServerMetrics, Timing, fetch_metrics
from sixfold.bots import levels
from sixfold.cli import app
from sixfold.errors import SetupError
from sixfold.server import process_tuning as process
from sixfold.server.bot_runner import warm_bots
from sixfold.server.metrics import Metrics
from sixfold.server.settings import Settings
from sixfold.server.storage import Storage
from sixfold.server.tables import Hub
from tests.server_harness import running_server
from tests.waiting import until


@pytest.fixture
def hub(tmp_path: Path) -> Hub:
    return Hub(Storage(f"sqlite:///{tmp_path}/unused.db"), Settings(""), Metrics())


@pytest.fixture
def collector() -> Iterator[None]:
    """Python's collector is the same for all tests of this process."""
    usual = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*usual)


def test_bots_warm_up_while_the_node_serves(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = threading.Event()
    monkeypatch.setattr(levels, "warm_up", lambda: compiled.wait(20))

    async def work() -> None:
        warming = asyncio.create_task(warm_bots(hub))
        await asyncio.sleep(0)
        assert hub.bots_warming
        compiled.set()
        await warming
        assert not hub.bots_warming

    asyncio.run(work())


def test_bots_that_cannot_be_warmed_up_do_not_stop_the_node(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError("no compiler")

    monkeypatch.setattr(levels, "warm_up", fail)
    asyncio.run(warm_bots(hub))
    assert not hub.bots_warming


@pytest.mark.parametrize(("settings", "bots"), [({}, "ready"), ({"bots": False}, "none")])
def test_readiness_speaks_of_bots(tmp_path: Path, settings: dict[str, Any], bots: str) -> None:
    with running_server(tmp_path, **settings) as here:
        assert here.get("/ready").json() == {"status": "ready", "bots": bots}


class WatchedHub:
    """Says when somebody last acted, and counts how often it is asked."""

    bots_warming = False

    def __init__(self) -> None:
        self.looks, self.acting = 0, True

    @property
    def acted_at(self) -> float:
        self.looks += 1
        return inf if self.acting else -inf


def test_full_collections_wait_for_a_quiet_moment(collector: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "LOOK_SECONDS", 0)
    hub = WatchedHub()
    process.freeze_startup_objects()
    assert gc.get_freeze_count() > 0
    full: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop" and info["generation"] == 2:
            full.append(1)

    async def work() -> None:
        tidying = asyncio.create_task(process.collect_forever(cast(Hub, hub)))
        gc.collect(1)
        await until(lambda: hub.looks >= 10)
        assert not full
        hub.acting = False
        await until(lambda: bool(full))
        tidying.cancel()

    gc.callbacks.append(note)
    try:
        asyncio.run(work())
    finally:
        gc.callbacks.remove(note)


def test_timings_tell_what_nearly_all_and_what_all_kept() -> None:
    before = Timing(10, 1.0, {0.1: 9, 1.0: 10, float("inf"): 10})
    after = Timing(110, 3.0, {0.1: 108, 1.0: 109, float("inf"): 110})
    timing = after.since(before)
    assert timing.mean == pytest.approx(0.02)
    assert (timing.limit(0.99), timing.limit(1.0)) == (0.1, float("inf"))
    assert ServerMetrics(3, {"acting": after}).since(ServerMetrics(1, {})).processor == 2


@pytest.mark.xdist_group("processes")
def test_a_serving_process_measures_itself_and_warms_its_bots(tmp_path: Path) -> None:
    node = Node(f"sqlite:///{tmp_path}/node.db", None, tmp_path / "log")
    node.start()

    async def work() -> ServerMetrics:
        await node.wait_until_ready()
        await until(lambda: "the bots are warm" in (tmp_path / "log").read_text())
        return await fetch_metrics(node.url)

    try:
        found = asyncio.run(work())
    finally:
        node.stop()
    assert found.processor > 0
    assert found.timings["lag"].times > 0
    assert "could not" not in (tmp_path / "log").read_text()


def test_where_a_part_is_missing_one_line_says_how_to_repair_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(util, "find_spec", lambda name: None if name == "litestar" else SimpleNamespace())
    refused = CliRunner().invoke(app, ["serve"])
    assert isinstance(refused.exception, SetupError)
    assert str(refused.exception).endswith("pip install 'sixfold[server]' (missing: litestar)")

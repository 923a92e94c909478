"""Measures what stored tables cost: opening one, and an idle server with many of them."""

import asyncio
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

import httpx
from prometheus_client.parser import text_string_to_metric_families

from lab.loadtest.nodes import Node
from sixfold.engine.chance import Seeded
from sixfold.engine.game import GAMES
from sixfold.server.metrics import Metrics
from sixfold.server.settings import Settings
from sixfold.server.storage import Storage, summary
from sixfold.server.tables import Hub
from sixfold.table import Actor, Event, Seat, Setup, Table, decide, due, make, table_view
from sixfold.table.events import write

MOVES = 100


@dataclass
class Costs:
    """The time to open a table, and the processor share and memory of an idle server."""

    open_ms: dict[str, float]  # the median for each game
    tables: int
    idle_share: float  # of a core
    empty_share: float
    idle_mb: float
    empty_mb: float


def played_table(game: str, moves: int, secret: bytes) -> list[Event]:
    """The events of a table with this many moves; a shorter game is followed by rematches."""
    chance = Seeded(1)
    events = [make(Setup(game, 2), [Seat("person", "a", "a"), Seat("person", "b", "b")], secret, 0, "a")]
    table = Table(events)

    def act(guest: str, action: dict[str, str]) -> None:
        for step in decide(table, Actor(guest), action, 0, secret):
            table.apply(step.event, step.game)
            events.append(step.event)

    act("a", {"do": "start"})
    for _ in range(moves):
        if table.turn is None:
            act("a", {"do": "ready"})
            act("b", {"do": "ready"})
        assert table.turn is not None
        legal = table_view(table, table.turn)["legal"]
        act("ab"[table.turn], {"do": "move", "move": legal[chance.below(len(legal))]})
    return events


async def store(storage: Storage, game: str, events: list[Event], secret: bytes) -> str:
    """Store a table with all of its events; returns its ID."""
    table = Table(events)
    row = {
        "id": secrets.token_urlsafe(9),
        "secret": secret,
        "maker": "a",
        "public": False,
        "game": game,
        "players": 2,
        "made_at": 0,
        **summary(table, 0, due(table)),
    }
    # Without this, the server would first process a clock that expired long ago.
    await storage.make({**row, "wake_at": None}, [write(event) for event in events])
    return str(row["id"])


async def measure_opening(folder: Path, repeats: int) -> dict[str, float]:
    """The median time in milliseconds to open a table of 100 moves from the database, including its first view."""
    storage = Storage(f"sqlite:///{folder}/open.db")
    await storage.open()
    medians = {}
    for game in GAMES:
        secret = secrets.token_bytes(32)
        table = await store(storage, game, played_table(game, MOVES, secret), secret)
        times_ms = []
        for _ in range(repeats):
            hub = Hub(storage, Settings(""), Metrics())
            started = time.perf_counter()
            session = await hub.get(table)
            session.views_for("a")
            times_ms.append(1000 * (time.perf_counter() - started))
        medians[game] = sorted(times_ms)[repeats // 2]
    await storage.close()
    return medians


async def measure_idle(folder: Path, tables: int, seconds: float) -> tuple[float, float]:
    """The processor share and memory in MiB of an idle server with this many stored tables."""
    url = f"sqlite:///{folder}/idle{tables}.db"
    storage = Storage(url)
    await storage.open()
    secret = secrets.token_bytes(32)
    games = [(game, played_table(game, 30, secret)) for game in GAMES]
    for number in range(tables):
        game, events = games[number % len(games)]
        await store(storage, game, events, secret)
    await storage.close()
    node = Node(url, None, folder / "idle.log")
    node.start()
    try:
        await node.wait_until_ready()
        before = await _process_metrics(node)
        await asyncio.sleep(seconds)
        after = await _process_metrics(node)
    finally:
        node.stop()
    return (after[0] - before[0]) / seconds, after[1] / 2**20


async def _process_metrics(node: Node) -> tuple[float, float]:
    async with httpx.AsyncClient() as client:
        text = (await client.get(f"{node.url}/metrics")).text
    samples = {
        sample.name: sample.value for family in text_string_to_metric_families(text) for sample in family.samples
    }
    return samples["process_cpu_seconds_total"], samples["process_resident_memory_bytes"]


async def costs(folder: Path, tables: int, seconds: float, repeats: int) -> Costs:
    opened = await measure_opening(folder, repeats)
    empty = await measure_idle(folder, 0, seconds)
    full = await measure_idle(folder, tables, seconds)
    return Costs(opened, tables, full[0], empty[0], full[1], empty[1])

"""What stored tables cost: opening one, and having many of them while nothing happens."""

import asyncio
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

import httpx
from prometheus_client.parser import text_string_to_metric_families

from sixfold.engine.chance import Seeded
from sixfold.engine.game import GAMES
from sixfold.loadtest.nodes import Node
from sixfold.server import messages
from sixfold.server.metrics import Metrics
from sixfold.server.settings import Settings
from sixfold.server.storage import Storage, summary
from sixfold.server.tables import Hub
from sixfold.table import Actor, Event, Seat, Setup, Table, decide, due, make, seen

MOVES = 100


@dataclass
class Costs:
    open_ms: dict[str, float]  # the median for each game
    tables: int
    idle_share: float  # of a core
    empty_share: float
    idle_mb: float
    empty_mb: float


def played_table(game: str, moves: int, secret: bytes) -> list[Event]:
    """The events of a table with so many moves; where a game is shorter, rematches go on."""
    chance = Seeded(1)
    events = [make(Setup(game, 2), [Seat("person", "a", "a"), Seat("person", "b", "b")], secret, 0, "a")]
    table = Table(events)

    def act(guest: str, action: dict[str, str]) -> None:
        event = decide(table, Actor(guest), action, 0, secret)
        table.apply(event)
        events.append(event)

    act("a", {"do": "start"})
    for _ in range(moves):
        if table.turn is None:
            act("a", {"do": "ready"})
            act("b", {"do": "ready"})
        assert table.turn is not None
        legal = seen(table, table.turn)["legal"]
        act("ab"[table.turn], {"do": "move", "move": legal[chance.below(len(legal))]})
    return events


async def store(storage: Storage, game: str, events: list[Event], secret: bytes) -> str:
    """Put a table with all of its events into a database."""
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
    # A clock that struck long ago would be the first thing a server looks after.
    await storage.make({**row, "wake_at": None}, [messages.encode(event) for event in events])
    return str(row["id"])


async def opening(folder: Path, repeats: int) -> dict[str, float]:
    """Milliseconds to open a table of 100 moves from the database, its first view included."""
    storage = Storage(f"sqlite:///{folder}/open.db")
    await storage.open()
    medians = {}
    for game in GAMES:
        secret = secrets.token_bytes(32)
        table = await store(storage, game, played_table(game, MOVES, secret), secret)
        taken = []
        for _ in range(repeats):
            hub = Hub(storage, Settings(""), Metrics())
            begin = time.perf_counter()
            live = await hub.get(table)
            live.views_for("a")
            taken.append(1000 * (time.perf_counter() - begin))
        medians[game] = sorted(taken)[repeats // 2]
    await storage.close()
    return medians


async def idle(folder: Path, tables: int, seconds: float) -> tuple[float, float]:
    """The share of a core and the megabytes of an idle server with so many stored tables."""
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
        before = await _process(node)
        await asyncio.sleep(seconds)
        after = await _process(node)
    finally:
        node.stop()
    return (after[0] - before[0]) / seconds, after[1] / 2**20


async def _process(node: Node) -> tuple[float, float]:
    async with httpx.AsyncClient() as client:
        text = (await client.get(f"{node.url}/metrics")).text
    found = {sample.name: sample.value for family in text_string_to_metric_families(text) for sample in family.samples}
    return found["process_cpu_seconds_total"], found["process_resident_memory_bytes"]


async def costs(folder: Path, tables: int, seconds: float, repeats: int) -> Costs:
    opened = await opening(folder, repeats)
    empty = await idle(folder, 0, seconds)
    full = await idle(folder, tables, seconds)
    return Costs(opened, tables, full[0], empty[0], full[1], empty[1])

"""A load test: many tables at a steady rate, server crashes along the way, and an audit of every action."""

import asyncio
import gc
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from lab.loadtest.nodes import Node, OwnRedis
from lab.loadtest.players import SEATS, Script, Tally, guests, warm_up
from lab.loadtest.server_metrics import ServerMetrics, fetch_metrics, record_delays
from sixfold.games import packages

TABLES_A_GUEST = 10
SETTLE_SECONDS = 60


@dataclass
class Report:
    """The result of a load test."""

    seconds: float = 0
    sent: int = 0
    acknowledged: int = 0
    latencies: list[float] = field(default_factory=list)
    lost: int = 0
    doubled: int = 0
    unanswered: int = 0
    stuck: int = 0
    gaps: int = 0
    reconnects: int = 0
    deaths: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    server: ServerMetrics | None = None
    late: list[float] = field(default_factory=list)  # scheduling delays of the players themselves
    players_processor: float = 0


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


async def run(
    nodes: Sequence[Node],
    redis: OwnRedis | None,
    tables: int,
    rate: float,
    seconds: float,
    kills: int,
    progress: Callable[[str, float], None],
) -> Report:
    """Set up tables, play, kill servers on schedule, then compare acknowledged actions with stored events."""
    tally = Tally()
    urls = [node.url for node in nodes]
    for game in packages():
        warm_up(game)
    scripts = await _set_up_tables(urls, tally, tables, progress)
    tally.latencies.clear()
    before = await fetch_metrics(urls[0])
    killer = asyncio.create_task(_kill(nodes, redis, kills, seconds))
    report = Report()
    with _gc_frozen(report):
        await _play(scripts, rate, seconds, killer, progress)
        await killer
    report.deaths = sum(node.deaths for node in nodes)
    for node in nodes:
        await node.wait_until_ready()
    await _settle(scripts)
    if not kills:
        report.server = (await fetch_metrics(urls[0])).since(before)
    report.stuck = 0 if not kills else await _count_stuck(scripts)
    for script in scripts:
        await script.stop()
    await _audit(urls[-1], scripts, report, progress)
    report.sent, report.latencies = tally.sent, tally.latencies
    report.gaps, report.reconnects, report.refused = tally.gaps, tally.reconnects, tally.refused
    report.deaths += redis.deaths if redis else 0
    return report


@contextmanager
def _gc_frozen(report: Report) -> Iterator[None]:
    """Exclude existing objects from garbage collection: a full collection would stop all players for up to a second,
    which would be counted against the server."""
    gc.collect()
    gc.freeze()
    watch = asyncio.create_task(record_delays(report.late))
    started, used = time.perf_counter(), time.process_time()
    try:
        yield
    finally:
        report.seconds = time.perf_counter() - started
        report.players_processor = time.process_time() - used
        watch.cancel()
        gc.unfreeze()


async def _set_up_tables(
    urls: Sequence[str], tally: Tally, tables: int, progress: Callable[[str, float], None]
) -> list[Script]:
    limits = httpx.Limits(max_connections=20)
    games = list(packages())
    async with httpx.AsyncClient(base_url=urls[0], timeout=30, limits=limits) as client:
        groups = -(-tables // TABLES_A_GUEST)
        cookies = await guests(client, SEATS * groups)
        scripts = [Script(urls, tally) for _ in range(tables)]
        for start in range(0, tables, 10):
            batch = range(start, min(tables, start + 10))
            pairs = [cookies[SEATS * (at // TABLES_A_GUEST) : SEATS * (at // TABLES_A_GUEST + 1)] for at in batch]
            await asyncio.gather(
                *(
                    scripts[at].set_up(client, games[at % len(games)], pair)
                    for at, pair in zip(batch, pairs, strict=True)
                )
            )
            progress("setting tables", (start + 10) / tables)
    return scripts


async def _play(
    scripts: list[Script],
    rate: float,
    seconds: float,
    killer: asyncio.Task[None],
    progress: Callable[[str, float], None],
) -> None:
    """Act at a steady rate, at one table after another in random order, until time is up and all kills are done."""
    started = time.perf_counter()
    done = 0
    order: list[Script] = []
    while (passed := time.perf_counter() - started) < seconds or not killer.done():
        due = int(passed * rate)
        tried = 0
        while done < due and tried < len(scripts):
            if not order:
                order = random.sample(scripts, len(scripts))
            tried += 1
            done += await order.pop().one_action()
        # Actions that were not possible now are not made up for later in a burst.
        done = max(done, due - int(rate))
        progress("playing", passed / seconds)
        await asyncio.sleep(0.004)


async def _kill(nodes: Sequence[Node], redis: OwnRedis | None, kills: int, seconds: float) -> None:
    """Kill and restart at even intervals of serving; several nodes and a private Redis take turns."""
    victims: list[Any] = [*nodes, *([redis] if redis else [])]
    for number in range(kills):
        await asyncio.sleep(seconds / (kills + 1))
        victim = victims[number % len(victims)]
        victim.kill()
        await asyncio.sleep(0.5)
        victim.start()
        for node in nodes:
            await node.wait_until_ready()


async def _settle(scripts: list[Script]) -> None:
    """Wait until every action has been answered."""
    deadline = time.perf_counter() + SETTLE_SECONDS
    while time.perf_counter() < deadline and any(script.waiting for script in scripts):
        await asyncio.sleep(0.05)


async def _count_stuck(scripts: list[Script]) -> int:
    """After all kills, try one more action at every table; returns the number of tables that did not continue."""
    versions = [max(player.version for player in script.players) for script in scripts]
    deadline = time.perf_counter() + SETTLE_SECONDS
    left = set(range(len(scripts)))
    while left and time.perf_counter() < deadline:
        for at in list(left):
            if max(player.version for player in scripts[at].players) > versions[at]:
                left.discard(at)
            elif not scripts[at].waiting:
                await scripts[at].one_action()
        await asyncio.sleep(0.05)
    await _settle(scripts)
    return len(left)


async def _audit(url: str, scripts: list[Script], report: Report, progress: Callable[[str, float], None]) -> None:
    """Check that every acknowledged action was stored once, under the acknowledged version."""
    async with httpx.AsyncClient(base_url=url, timeout=30) as client:
        for number, script in enumerate(scripts):
            for player in script.players:
                happened: dict[str, list[int]] = {}
                for event in await all_events(client, script.table, player.cookie):
                    if "id" in event:
                        happened.setdefault(event["id"], []).append(event["version"])
                report.doubled += sum(len(versions) - 1 for versions in happened.values())
                report.lost += sum(happened.get(at) != [version] for at, version in player.acknowledged.items())
                report.acknowledged += len(player.acknowledged)
                report.unanswered += player.pending is not None
            progress("accounting", (number + 1) / len(scripts))


async def all_events(client: httpx.AsyncClient, table: str, cookie: str) -> list[dict[str, Any]]:
    """Fetch all events of a table, page by page."""
    events: list[dict[str, Any]] = []
    while True:
        where = f"/api/tables/{table}/events?since={events[-1]['version'] if events else 0}"
        answer = await client.get(where, headers={"Cookie": cookie})
        answer.raise_for_status()
        page = answer.json()
        events += page["events"]
        if not page["events"] or events[-1]["version"] >= page["version"]:
            return events

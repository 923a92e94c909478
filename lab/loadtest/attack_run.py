"""Runs attacks one after another while scripted players keep playing, and reports what held."""

import asyncio
import json
import secrets
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from lab.loadtest.attacks import ATTACKS, GAME, Finding, Target, act, guest, table_of
from lab.loadtest.costs import played_table, store
from lab.loadtest.load_run import percentile
from lab.loadtest.players import SEATS, Script, Tally, guests
from sixfold.games import packages
from sixfold.server.storage import Storage

TABLES, RATE = 10, 40.0
WITHIN_SECONDS, SHARE = 0.25, 0.99
LONG_TABLES, LONG_MOVES = 5, 1500
# An attack process may take this much longer than the attack itself.
EXTRA_SECONDS = 60.0


@dataclass
class Outcome:
    """The findings of an attack, and the latencies of other players meanwhile."""

    name: str
    findings: list[Finding]
    latencies: list[float] = field(default_factory=list)
    undisturbed: bool = True  # whether other players should not have noticed the attack

    @property
    def quick(self) -> bool:
        return not self.undisturbed or percentile(self.latencies, SHARE) <= WITHIN_SECONDS

    @property
    def held(self) -> bool:
        return self.quick and all(finding.held for finding in self.findings)


class Witnesses:
    """Scripted players at tables of their own, whose latencies are measured during attacks."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._tally = Tally()
        self._scripts: list[Script] = []

    @asynccontextmanager
    async def playing(self) -> AsyncIterator["Witnesses"]:
        async with httpx.AsyncClient(base_url=self._url, timeout=30) as client:
            cookies, games = await guests(client, SEATS), list(packages())
            for number in range(TABLES):
                script = Script([self._url], self._tally)
                await script.set_up(client, games[number % len(games)], cookies)
                self._scripts.append(script)
        playing_task = asyncio.create_task(self._play())
        try:
            yield self
        finally:
            playing_task.cancel()
            await asyncio.gather(playing_task, *(script.stop() for script in self._scripts), return_exceptions=True)

    async def _play(self) -> None:
        number = 0
        while True:
            await asyncio.sleep(1 / RATE)
            for _ in self._scripts:
                number += 1
                if await self._scripts[number % TABLES].one_action():
                    break

    def take_latencies(self) -> list[float]:
        """The latencies since the last call, including answers that are still overdue."""
        now = time.perf_counter()
        pending = [player.pending for script in self._scripts for player in script.players if player.pending]
        latencies = self._tally.latencies + [now - sent.at for sent in pending if now - sent.at > WITHIN_SECONDS]
        self._tally.latencies = []
        return latencies


Progress = Callable[[str], None]


async def attack_all(
    url: str, database: Path | None, names: Sequence[str], seconds: float, progress: Progress
) -> list[Outcome]:
    """Run attacks one after another; those on the database only if its path is known."""
    outcomes: list[Outcome] = []
    long_names = await _store_long_tables(database) if database is not None and "long-tables" in names else []
    async with Witnesses(url).playing() as witnesses:
        await asyncio.sleep(1)
        for name in names:
            progress(name)
            witnesses.take_latencies()
            started = time.monotonic()
            if name in ATTACKS:
                outcome = Outcome(name, await _run_in_process(url, seconds, name))
            elif database is None:
                continue
            else:
                target = Target(url, seconds, "127.0.100.2", "127.0.100.3")
                try:
                    await DATABASE_ATTACKS[name](target, database, long_names)
                except httpx.HTTPError as error:
                    target.note("the attack could be made", False, type(error).__name__)
                outcome = Outcome(name, target.findings, undisturbed=name != "locked-database")
                await asyncio.sleep(max(0.0, seconds - (time.monotonic() - started)))
            outcome.latencies = witnesses.take_latencies()
            outcomes.append(outcome)
    return outcomes


async def _run_in_process(url: str, seconds: float, name: str) -> list[Finding]:
    """Run an attack in a separate process, so that it does not distort the measured latencies."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "lab.loadtest.attacks", url, str(seconds), name),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, error = await asyncio.wait_for(process.communicate(), seconds + EXTRA_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
        return [Finding("the attack ended", False, f"not within {seconds + EXTRA_SECONDS:.0f} s")]
    if process.returncode:
        return [Finding("the attack could be made", False, (error.decode().splitlines() or [""])[-1][:200])]
    return [Finding(**finding) for finding in json.loads(out)]


# Attacks that need the database file


async def _store_long_tables(database: Path) -> list[str]:
    """Store tables with very many events, before the scripted players start."""
    secret = secrets.token_bytes(32)
    events = played_table(GAME, LONG_MOVES, secret)
    storage = Storage(f"sqlite:///{database}")
    await storage.open()
    names = [await store(storage, GAME, events, secret) for _ in range(LONG_TABLES)]
    async with storage.engine.begin() as connection:
        for name in names:
            await connection.exec_driver_sql("update tables set public = 1 where id = ?", (name,))
    await storage.close()
    return names


async def long_tables(target: Target, database: Path, names: list[str]) -> None:
    """Open tables with very many events and request their whole history."""
    async with target.client() as client:
        pages = [(await client.get(f"/api/tables/{name}/events?since=0")).json() for name in names]
    largest_page = max(len(page["events"]) for page in pages)
    target.note(
        "long tables are told in pages", largest_page <= 200, f"{largest_page} of {pages[0]['version']} events at once"
    )


async def backups(target: Target, database: Path, _: list[str]) -> None:
    """Take a backup during play."""
    copy = database.with_name("copy.db")
    command = [sys.executable, "-m", "sixfold", "backup", str(copy), "--database", f"sqlite:///{database}"]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    output, _error = await process.communicate()
    target.note("a backup finishes", process.returncode == 0, output.decode().partition(": ")[2].strip())
    private = copy.exists() and not (copy.stat().st_mode | database.stat().st_mode) & 0o077
    target.note("nobody else can read database and backup", private)
    copy.unlink(missing_ok=True)


async def locked_database(target: Target, database: Path, _: list[str]) -> None:
    """Hold a write lock on the database for eight seconds."""
    async with target.client(target.victim) as client:
        carl = await guest(client)
        table = await table_of(client, carl)
        holder = sqlite3.connect(database, isolation_level=None, timeout=10)
        holder.execute("BEGIN IMMEDIATE")
        try:
            started = time.monotonic()
            answer = await act(client, table, carl, "bot", level="level1")
            figure = f"{answer.status_code} after {time.monotonic() - started:.1f} s"
            target.note("who acts is told that it is busy", answer.json().get("key") == "busy", figure)
            ready = (await client.get("/ready")).status_code
            target.note("the server says that it is not ready", ready == 503, ready)
            await asyncio.sleep(max(0, 8 - (time.monotonic() - started)))
        finally:
            holder.execute("ROLLBACK")
            holder.close()
        retries = 0
        started = time.monotonic()
        while (ready := (await client.get("/ready")).status_code) != 200 and retries < 100:
            retries += 1
            await asyncio.sleep(0.1)
        answer = await act(client, table, carl, "bot", level="level1")
        figure = f"after {time.monotonic() - started:.1f} s"
        target.note("then it goes on by itself", (ready, answer.status_code) == (200, 200), figure)


DATABASE_ATTACKS = {"long-tables": long_tables, "backups": backups, "locked-database": locked_database}
ALL = (*ATTACKS, *DATABASE_ATTACKS)

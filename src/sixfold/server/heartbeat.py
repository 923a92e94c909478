"""Outages: nodes write a heartbeat every second, and the first node that notices a gap records it.

A stopped server, a suspended machine, an unreachable database and a clock set forward all leave the same kind of gap.
Players get that time back (``sixfold.table.credit``).
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from sixfold.server.sql_tables import settings
from sixfold.server.storage import Storage, StorageDown

BEAT_SECONDS = 1.0
# Shorter gaps are ignored.
GAP_MS = 3000
# A clock runs for seven days at most.
FORGET_MS = 8 * 24 * 3600_000
ALIVE, AWAY = "alive", "away "
log = logging.getLogger("sixfold")


class Heartbeat:
    """The heartbeat shared by all nodes of a database, and the outages known to this node."""

    def __init__(self, storage: Storage, now: Callable[[], int], steady: Callable[[], float] = time.monotonic) -> None:
        self._storage = storage
        self._now = now
        self.steady = steady
        self._last_beat: tuple[int, float] | None = None  # by wall clock, and by monotonic clock
        self.outages: list[tuple[int, int]] = []
        insert = sqlite.insert(settings) if storage.sqlite else postgresql.insert(settings)
        self._insert = insert.on_conflict_do_nothing()

    async def beat_forever(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            # The storage logs what is wrong; the next beat notices the gap.
            with suppress(StorageDown):
                await self.beat()

    async def beat_if_late(self) -> None:
        """Record a pause of this node itself before any player is charged for that time."""
        if self._last_beat is not None and self._now() - self._last_beat[0] > GAP_MS:
            await self.beat()

    async def beat(self) -> None:
        """Write the heartbeat, record a gap before it, and reload the known outages."""
        at, steady = self._now(), self.steady()
        async with self._storage.transaction() as connection:
            await connection.execute(self._insert, {"name": ALIVE, "value": str(at)})
            alive = sa.select(settings.c.value).where(settings.c.name == ALIVE)
            last = int((await connection.execute(alive)).scalar_one())
            # Only the node whose compare-and-set succeeds records the gap.
            advance = sa.update(settings).where((settings.c.name == ALIVE) & (settings.c.value == str(last)))
            first = at > last and (await connection.execute(advance.values(value=str(at)))).rowcount == 1
            starts = [last] if first and at - last > GAP_MS else []
            if self._last_beat is not None:
                # A clock set back and then forward again passes the same hours twice.
                expected = self._last_beat[0] + round(1000 * (steady - self._last_beat[1]))
                starts += [expected] if at - expected > GAP_MS else []
            for start in starts:
                log.warning("there was no server", extra={"since": start, "milliseconds": at - start})
                await connection.execute(self._insert, {"name": f"{AWAY}{start}", "value": str(at)})
            self.outages = await self._recorded_outages(connection, at)
        self._last_beat = at, steady

    async def _recorded_outages(self, connection: AsyncConnection, at: int) -> list[tuple[int, int]]:
        rows = await connection.execute(sa.select(settings).where(settings.c.name.startswith(AWAY)))
        outages = sorted((int(name.removeprefix(AWAY)), int(until)) for name, until in rows)
        old = [f"{AWAY}{start}" for start, until in outages if until < at - FORGET_MS]
        if old:
            await connection.execute(sa.delete(settings).where(settings.c.name.in_(old)))
        return [(start, until) for start, until in outages if until >= at - FORGET_MS]

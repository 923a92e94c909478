"""When there was no server: a node says every second that it is alive, and whoever notices a gap writes it down.

A stopped server, a machine that slept, a database that did not answer and a clock that was put forward all leave the
same gap, and players get it back (``sixfold.table.credit``).
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from sixfold.server.schema import settings
from sixfold.server.storage import Storage, StorageDown

BEAT_SECONDS = 1.0
# A server that was away for less is not worth a word.
GAP_MS = 3000
# A clock runs for seven days at most.
FORGET_MS = 8 * 24 * 3600_000
ALIVE, AWAY = "alive", "away "
log = logging.getLogger("sixfold")


class Heartbeat:
    """One heart for all nodes of a database, and what each of them knows about its pauses."""

    def __init__(self, storage: Storage, now: Callable[[], int], steady: Callable[[], float] = time.monotonic) -> None:
        self._storage = storage
        self._now = now
        self.steady = steady
        self._beaten: tuple[int, float] | None = None  # by the clock on the wall, and by one that only goes on
        self.outages: list[tuple[int, int]] = []
        insert = sqlite.insert(settings) if storage.sqlite else postgresql.insert(settings)
        self._insert = insert.on_conflict_do_nothing()

    async def beat_forever(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            # The storage says what is wrong; the gap is noticed with the next beat.
            with suppress(StorageDown):
                await self.beat()

    async def beat_if_late(self) -> None:
        """Before anybody is charged for time: was this node itself held up just now?"""
        if self._beaten is not None and self._now() - self._beaten[0] > GAP_MS:
            await self.beat()

    async def beat(self) -> None:
        """Say that there is a server, and learn when there was none."""
        at, steady = self._now(), self.steady()
        async with self._storage.changing() as connection:
            await connection.execute(self._insert, {"name": ALIVE, "value": str(at)})
            alive = sa.select(settings.c.value).where(settings.c.name == ALIVE)
            last = int((await connection.execute(alive)).scalar_one())
            # Whoever moves the hand on from where it stood is the only one who saw the gap.
            moved = sa.update(settings).where((settings.c.name == ALIVE) & (settings.c.value == str(last)))
            first = at > last and (await connection.execute(moved.values(value=str(at)))).rowcount == 1
            begins = [last] if first and at - last > GAP_MS else []
            if self._beaten is not None:
                # A clock that was put back and then forward again passes the same hours twice.
                expected = self._beaten[0] + round(1000 * (steady - self._beaten[1]))
                begins += [expected] if at - expected > GAP_MS else []
            for begin in begins:
                log.warning("there was no server", extra={"since": begin, "milliseconds": at - begin})
                await connection.execute(self._insert, {"name": f"{AWAY}{begin}", "value": str(at)})
            self.outages = await self._known(connection, at)
        self._beaten = at, steady

    async def _known(self, connection: AsyncConnection, at: int) -> list[tuple[int, int]]:
        rows = await connection.execute(sa.select(settings).where(settings.c.name.startswith(AWAY)))
        found = sorted((int(name.removeprefix(AWAY)), int(until)) for name, until in rows)
        old = [f"{AWAY}{begin}" for begin, until in found if until < at - FORGET_MS]
        if old:
            await connection.execute(sa.delete(settings).where(settings.c.name.in_(old)))
        return [(begin, until) for begin, until in found if until >= at - FORGET_MS]

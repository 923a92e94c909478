"""SQLite checkpoints in a thread of their own, so that storing an event never waits for the disk."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import sqlalchemy as sa

# A power cut loses about this many seconds of events, or those since the oldest open reader began; a crash of the
# server loses none.
EVERY_SECONDS = 0.5


class Checkpoints:
    """A connection in its own thread. A checkpoint writes nothing if nothing was stored."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, "checkpoints")

    async def make(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._make)

    def _make(self) -> None:
        with self._engine.connect() as connection:
            # The log restarts, and so stays small, only if nothing is stored during a checkpoint. So little arrives
            # during the first that the second usually finishes in time.
            for _ in range(2):
                connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        self._thread.shutdown()
        self._engine.dispose()

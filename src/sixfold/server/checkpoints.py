"""What SQLite has stored goes from its log into its file, and onto the disk, without an event ever waiting for it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import sqlalchemy as sa

# A power cut takes what was stored in about this time, or since a reader began that still reads; a server that dies
# takes nothing.
EVERY_SECONDS = 0.5


class Checkpoints:
    """A connection in a thread of its own. Where nothing was stored, a checkpoint writes nothing."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, "checkpoints")

    async def make(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._make)

    def _make(self) -> None:
        with self._engine.connect() as connection:
            # Only when nothing is stored meanwhile, the log begins anew and does not grow. What came during the first
            # is so little that the second mostly ends before anything more comes.
            for _ in range(2):
                connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        self._thread.shutdown()
        self._engine.dispose()

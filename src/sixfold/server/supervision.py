"""Supervision of a node's background tasks: each is restarted when it fails, and reported in the metrics."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from sixfold.server.metrics import Metrics

# A failed task restarts after a pause, which doubles until the task has run steadily for a while.
FIRST_PAUSE, LONGEST_PAUSE, STEADY_SECONDS = 0.1, 5.0, 30.0
log = logging.getLogger("sixfold")


class Supervisor:
    """Runs tasks by name and restarts those that fail."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._down: set[str] = set()

    @property
    def down(self) -> list[str]:
        """The tasks that have failed and are not running again yet."""
        return sorted(self._down)

    def watch(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Start a task and keep it running until it returns."""
        self._tasks[name] = asyncio.create_task(self._keep_up(name, work))

    async def _keep_up(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        pause = FIRST_PAUSE
        while True:
            started = time.monotonic()
            self._down.discard(name)
            self._metrics.task_up.labels(name).set(1)
            try:
                await work()
                return
            except (Exception, asyncio.CancelledError) as error:
                if isinstance(error, asyncio.CancelledError) and self._stopping():
                    raise
                log.error("a task failed; it starts again", exc_info=error, extra={"task": name})
            self._down.add(name)
            self._metrics.task_up.labels(name).set(0)
            self._metrics.task_failures.labels(name).inc()
            pause = FIRST_PAUSE if time.monotonic() - started > STEADY_SECONDS else pause
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _stopping(self) -> bool:
        """Was the task cancelled by us, rather than by something inside it?"""
        task = asyncio.current_task()
        return task is not None and task.cancelling() > 0

    async def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

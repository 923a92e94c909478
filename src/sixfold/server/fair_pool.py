"""A fair thread pool: jobs are taken round-robin by address, then by guest, however many one client submits."""

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from sixfold.server.metrics import Metrics
from sixfold.system import available_cores
from sixfold.table import TableRefused

T = TypeVar("T")
# The least share of its usual time that a bot gets under load.
LEAST_SHARE = 0.05
# Queued jobs of one guest; honest play never needs more.
MOST_OF_ONE = 100
NICENESS = 10


@dataclass(frozen=True)
class ClientQuota:
    """The client that a job counts against, for fair scheduling."""

    address: str
    guest: str


@dataclass
class Job:
    work: Callable[[float], Any]
    done: asyncio.Future[Any]


class FairPool:
    """Threads for bots, hints and replays, shared fairly between clients. Background jobs have their own threads and
    start only when no other job waits."""

    def __init__(self, metrics: Metrics, threads: int | None = None) -> None:
        self.metrics = metrics
        self._threads = threads or available_cores()
        self._background_threads = max(1, self._threads // 2)
        self._pool = ThreadPoolExecutor(self._threads, "thinking", _lower_priority)
        self._background_pool = ThreadPoolExecutor(self._background_threads, "reviewing", _lower_priority)
        self._busy = self._background_busy = 0
        self._background: deque[Job] = deque()
        self._queues: dict[str, dict[str, deque[Job]]] = {}
        self.waiting = 0

    async def run(self, quota: ClientQuota, work: Callable[[float], T]) -> T:
        """Run a job when its turn comes; ``work`` gets the share of its usual time that it should take."""
        queue = self._queues.setdefault(quota.address, {}).setdefault(quota.guest, deque())
        if len(queue) >= MOST_OF_ONE:
            raise TableRefused("busy")
        job = Job(work, asyncio.get_running_loop().create_future())
        queue.append(job)
        self._count(1)
        self._start_jobs()
        result: T = await job.done
        return result

    async def run_background(self, work: Callable[[], T]) -> T:
        """Run a background job when no other job waits, first come, first served."""
        job = Job(lambda _: work(), asyncio.get_running_loop().create_future())
        self._background.append(job)
        self._start_jobs()
        result: T = await job.done
        return result

    def _start_jobs(self) -> None:
        while self._busy < self._threads and (job := self._next()) is not None:
            if job.done.cancelled():
                continue
            self._busy += 1
            share = max(LEAST_SHARE, 1 / (1 + self.waiting / self._threads))
            task = asyncio.get_running_loop().run_in_executor(self._pool, job.work, share)
            task.add_done_callback(lambda future, job=job: self._finished(job, future))  # type: ignore[misc]
        self._start_background_jobs()

    def _start_background_jobs(self) -> None:
        while self._background and not self.waiting and self._background_busy < self._background_threads:
            job = self._background.popleft()
            if job.done.cancelled():
                continue
            self._background_busy += 1
            task = asyncio.get_running_loop().run_in_executor(self._background_pool, job.work, 1.0)
            task.add_done_callback(lambda future, job=job: self._finished_background(job, future))  # type: ignore[misc]

    def _next(self) -> Job | None:
        """The next job, round-robin over addresses and over the guests of each address."""
        for address in list(self._queues):
            guests = self._queues.pop(address)
            for guest in list(guests):
                queue = guests.pop(guest)
                job = queue.popleft()
                self._count(-1)
                if queue:
                    guests[guest] = queue
                if guests:
                    self._queues[address] = guests
                return job
        return None

    def _finished(self, job: Job, future: asyncio.Future[Any]) -> None:
        self._busy -= 1
        self._deliver(job, future)

    def _finished_background(self, job: Job, future: asyncio.Future[Any]) -> None:
        self._background_busy -= 1
        self._deliver(job, future)

    def _deliver(self, job: Job, future: asyncio.Future[Any]) -> None:
        if not job.done.done():
            if future.cancelled():
                job.done.cancel()
            elif (error := future.exception()) is not None:
                job.done.set_exception(error)
            else:
                job.done.set_result(future.result())
        with suppress(RuntimeError):
            # The executors may have been shut down meanwhile.
            self._start_jobs()

    def _count(self, change: int) -> None:
        self.waiting += change
        self.metrics.thinking_waiting.set(self.waiting)

    def close(self) -> None:
        self._queues.clear()
        self._background.clear()
        self._background_pool.shutdown(wait=False, cancel_futures=True)
        self._pool.shutdown(wait=False, cancel_futures=True)


def _lower_priority() -> None:
    """Give worker threads a lower priority than the event loop, if the system supports it."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)

"""Work that takes a while, by turns: between addresses, then between the guests of one, whoever asked for it first."""

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
from sixfold.system import all_cores
from sixfold.table import TableRefused

T = TypeVar("T")
# However many wait, a bot has this share of its time.
LEAST_SHARE = 0.05
# More than this of one guest in line is nobody's play.
MOST_OF_ONE = 100
NICENESS = 10


@dataclass(frozen=True)
class Whose:
    """For whom something is worked out."""

    address: str
    guest: str


@dataclass
class Job:
    work: Callable[[float], Any]
    done: asyncio.Future[Any]


class Thinkers:
    """Threads beside the event loop for bots, hints and replays: everybody's turn comes, however much one asks for.
    What nobody waits for in a game has threads of its own, and begins when nothing else waits."""

    def __init__(self, metrics: Metrics, threads: int | None = None) -> None:
        self.metrics = metrics
        self._threads = threads or all_cores()
        self._behind_threads = max(1, self._threads // 2)
        self._pool = ThreadPoolExecutor(self._threads, "thinking", _let_others_go_first)
        self._behind_pool = ThreadPoolExecutor(self._behind_threads, "reviewing", _let_others_go_first)
        self._busy = self._behind_busy = 0
        self._behind: deque[Job] = deque()
        self._lines: dict[str, dict[str, deque[Job]]] = {}
        self.waiting = 0

    async def run(self, whose: Whose, work: Callable[[float], T]) -> T:
        """Do something when its turn comes. ``work`` hears which share of its usual time it should take."""
        line = self._lines.setdefault(whose.address, {}).setdefault(whose.guest, deque())
        if len(line) >= MOST_OF_ONE:
            raise TableRefused("busy")
        job = Job(work, asyncio.get_running_loop().create_future())
        line.append(job)
        self._count(1)
        self._go_on()
        result: T = await job.done
        return result

    async def run_behind(self, work: Callable[[], T]) -> T:
        """Do a piece of something long when nothing else waits, first come, first served."""
        job = Job(lambda _: work(), asyncio.get_running_loop().create_future())
        self._behind.append(job)
        self._go_on()
        result: T = await job.done
        return result

    def _go_on(self) -> None:
        while self._busy < self._threads and (job := self._next()) is not None:
            if job.done.cancelled():
                continue
            self._busy += 1
            share = max(LEAST_SHARE, 1 / (1 + self.waiting / self._threads))
            task = asyncio.get_running_loop().run_in_executor(self._pool, job.work, share)
            task.add_done_callback(lambda ended, job=job: self._ended(job, ended))  # type: ignore[misc]
        self._go_on_behind()

    def _go_on_behind(self) -> None:
        while self._behind and not self.waiting and self._behind_busy < self._behind_threads:
            job = self._behind.popleft()
            if job.done.cancelled():
                continue
            self._behind_busy += 1
            task = asyncio.get_running_loop().run_in_executor(self._behind_pool, job.work, 1.0)
            task.add_done_callback(lambda ended, job=job: self._ended_behind(job, ended))  # type: ignore[misc]

    def _next(self) -> Job | None:
        """The first of the guest whose turn it is, of the address whose turn it is; both go to the end of the line."""
        for address in list(self._lines):
            guests = self._lines.pop(address)
            for guest in list(guests):
                line = guests.pop(guest)
                job = line.popleft()
                self._count(-1)
                if line:
                    guests[guest] = line
                if guests:
                    self._lines[address] = guests
                return job
        return None

    def _ended(self, job: Job, ended: asyncio.Future[Any]) -> None:
        self._busy -= 1
        self._tell(job, ended)

    def _ended_behind(self, job: Job, ended: asyncio.Future[Any]) -> None:
        self._behind_busy -= 1
        self._tell(job, ended)

    def _tell(self, job: Job, ended: asyncio.Future[Any]) -> None:
        if not job.done.done():
            if ended.cancelled():
                job.done.cancel()
            elif (error := ended.exception()) is not None:
                job.done.set_exception(error)
            else:
                job.done.set_result(ended.result())
        with suppress(RuntimeError):
            # The threads may have been sent home meanwhile.
            self._go_on()

    def _count(self, more: int) -> None:
        self.waiting += more
        self.metrics.thinking_waiting.set(self.waiting)

    def close(self) -> None:
        self._lines.clear()
        self._behind.clear()
        self._behind_pool.shutdown(wait=False, cancel_futures=True)
        self._pool.shutdown(wait=False, cancel_futures=True)


def _let_others_go_first() -> None:
    """Where the system has priorities for threads, thinking has a lower one than answering."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)

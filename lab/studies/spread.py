"""Runs long jobs in worker processes."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable
from functools import partial
from multiprocessing.connection import wait
from queue import SimpleQueue
from typing import Any, TypeVar

_SPAWN = multiprocessing.get_context("spawn")

Job = TypeVar("Job")
Result = TypeVar("Result")


def spread(
    work: Callable[[Job], Result], jobs: Iterable[Job], workers: int, warm: Callable[[], object]
) -> Generator[tuple[Job, Result], None, None]:
    """Run jobs in worker processes and yield each result as it is finished; a job is drawn only when a worker is free.

    ``warm`` runs first, in one process, so that the others find the compiled code in the cache.
    """
    pending = iter(jobs)
    done: SimpleQueue[tuple[Job, Result | None, BaseException | None]] = SimpleQueue()
    with _SPAWN.Pool(workers, _init_worker) as pool:
        pool.apply(warm)
        busy = 0
        while True:
            while busy < workers and (job := next(pending, None)) is not None:
                report = partial(_report, done, job)
                pool.apply_async(work, (job,), callback=report, error_callback=partial(_report, done, job, None))
                busy += 1
            if not busy:
                return
            job, result, error = done.get()
            busy -= 1
            if error is not None:
                raise error
            yield job, result  # type: ignore[misc]


def _report(done: SimpleQueue[Any], job: Any, result: Any, error: BaseException | None = None) -> None:
    done.put((job, result, error))


def _init_worker() -> None:
    """Ignore Ctrl-C, which the parent handles, and end when the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)

"""Long work in processes of its own, one for each core."""

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
Found = TypeVar("Found")


def spread(
    work: Callable[[Job], Found], jobs: Iterable[Job], workers: int, warm: Callable[[], object]
) -> Generator[tuple[Job, Found], None, None]:
    """Do jobs in some processes; what they find comes as it is finished. A job is asked for only when somebody is free
    to do it. ``warm`` comes first, in one process: what it compiles the others find in the cache."""
    todo = iter(jobs)
    done: SimpleQueue[tuple[Job, Found | None, BaseException | None]] = SimpleQueue()
    with _SPAWN.Pool(workers, _begin) as pool:
        pool.apply(warm)
        busy = 0
        while True:
            while busy < workers and (job := next(todo, None)) is not None:
                tell = partial(_tell, done, job)
                pool.apply_async(work, (job,), callback=tell, error_callback=partial(_tell, done, job, None))
                busy += 1
            if not busy:
                return
            job, found, error = done.get()
            busy -= 1
            if error is not None:
                raise error
            yield job, found  # type: ignore[misc]


def _tell(done: SimpleQueue[Any], job: Any, found: Any, error: BaseException | None = None) -> None:
    done.put((job, found, error))


def _begin() -> None:
    """A process leaves Ctrl-C to its parent, and ends with it, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)

"""Games on many machines through Ray. Only the driver writes the journal, so every game counts once."""

import logging
import signal
import socket
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from sixfold.arena.match import Outcome
from sixfold.arena.schedule import Fixture, Settings
from sixfold.arena.workers import FIRST_MOVE, Worker
from sixfold.errors import SetupError

# One worker per Ray process, kept between tasks because starting one takes seconds.
_workers: dict[str, Worker] = {}


def play_here(settings: Settings, fixture: Fixture, first_move: float) -> Outcome:
    """A Ray task: play one game in this process's worker, which stops a bot that stalls."""
    key = repr((settings, first_move))
    if key not in _workers:
        for worker in _workers.values():
            worker.stop()
        _workers.clear()
        _workers[key] = Worker(settings, first_move)
    return _workers[key].play(fixture)


def _check_reachable(address: str) -> None:
    """Refuse an unreachable address at once: Ray itself would retry for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon:
        return  # "auto" or the name of a cluster, which Ray looks up quickly
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except (OSError, ValueError, OverflowError) as error:
        raise SetupError(f"no Ray cluster answers at {address!r}: {error}") from None


@contextmanager
def connected(address: str) -> Iterator[None]:
    """Connect to a Ray cluster; refuses an address without one."""
    try:
        import ray
    except ImportError:
        raise SetupError("--ray needs Ray: pip install 'sixfold[arena]'") from None
    _check_reachable(address)
    sigterm_handler = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.WARNING)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise SetupError(f"no Ray cluster answers at {address!r}: {error}") from None
    # Ray installs its own handler; the arena handles SIGTERM itself.
    signal.signal(signal.SIGTERM, sigterm_handler)
    try:
        yield
    finally:
        ray.shutdown()


def outcomes(
    settings: Settings, fixtures: Iterable[Fixture], first_move: float = FIRST_MOVE
) -> Generator[Outcome, None, None]:
    """Play games on the cluster; yields outcomes as games finish."""
    import ray

    # When a machine goes away, Ray replays its games elsewhere, as often as needed.
    task = ray.remote(num_cpus=1, max_retries=-1)(play_here)
    pending = iter(fixtures)
    running: list[Any] = []
    try:
        while True:
            # Submit twice as many as can run, so that no machine waits for the driver; machines may join at any time.
            capacity = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
            while len(running) < capacity and (fixture := next(pending, None)) is not None:
                running.append(task.remote(settings, fixture, first_move))
            if not running:
                return
            done, running = ray.wait(running, timeout=1.0)
            for reference in done:
                yield ray.get(reference)
    finally:
        for reference in running:
            ray.cancel(reference, force=True)

"""The same games on many machines through Ray. The driver alone keeps the journal, so a game counts once."""

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

# One process for games in each of Ray's, kept from task to task: starting one takes seconds.
_hands: dict[str, Worker] = {}


def play_here(settings: Settings, fixture: Fixture, first_move: float) -> Outcome:
    """A Ray task: play one game in this machine's worker; a bot that stalls there is stopped there."""
    name = repr((settings, first_move))
    if name not in _hands:
        for hand in _hands.values():
            hand.stop()
        _hands.clear()
        _hands[name] = Worker(settings, first_move)
    return _hands[name].play(fixture)


def _knock(address: str) -> None:
    """Ray itself would try for minutes to reach an address where nobody answers."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon:
        return  # "auto" or the name of a cluster, which Ray looks up quickly
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except (OSError, ValueError, OverflowError) as error:
        raise SetupError(f"no Ray cluster answers at {address!r}: {error}") from None


@contextmanager
def connected(address: str) -> Iterator[None]:
    """A connection to a cluster; refuses an address where there is none."""
    try:
        import ray
    except ImportError:
        raise SetupError("--ray needs Ray: pip install 'sixfold[arena]'") from None
    _knock(address)
    ending = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.WARNING)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise SetupError(f"no Ray cluster answers at {address!r}: {error}") from None
    # Ray puts a handler of its own here; being asked to end is the arena's business.
    signal.signal(signal.SIGTERM, ending)
    try:
        yield
    finally:
        ray.shutdown()


def outcomes(
    settings: Settings, fixtures: Iterable[Fixture], first_move: float = FIRST_MOVE
) -> Generator[Outcome, None, None]:
    """Play games on the cluster; the outcomes come as they are finished."""
    import ray

    # A machine that goes away costs nothing but time: Ray plays its games again elsewhere, as often as it takes.
    task = ray.remote(num_cpus=1, max_retries=-1)(play_here)
    todo = iter(fixtures)
    running: list[Any] = []
    try:
        while True:
            # Twice as many as can run, so that no machine waits for the driver; machines may join at any time.
            room = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
            while len(running) < room and (fixture := next(todo, None)) is not None:
                running.append(task.remote(settings, fixture, first_move))
            if not running:
                return
            done, running = ray.wait(running, timeout=1.0)
            for reference in done:
                yield ray.get(reference)
    finally:
        for reference in running:
            ray.cancel(reference, force=True)

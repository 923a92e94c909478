"""Games in worker processes, so that a bot that stalls or crashes can be stopped."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Generator, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from sixfold import bots
from sixfold.arena.match import MAX_EVENTS, Outcome, forfeit, play
from sixfold.arena.schedule import Fixture, Settings
from sixfold.engine.chance import Seeded
from sixfold.engine.game import start

# Seconds for a bot's first move in a process, which is not timed: it may have to compile on a busy machine.
FIRST_MOVE = 300.0
# How often the clocks are checked.
POLL_SECONDS = 0.05
# A game whose process ends is retried once, since the cause may be external.
MAX_TRIES = 2

_TEXT = MAX_EVENTS * 64
_SPAWN = multiprocessing.get_context("spawn")


class SharedStatus:
    """The status of a game in another process, in shared memory: who is thinking since when, and the events so far."""

    def __init__(self) -> None:
        self.warm = _SPAWN.RawValue("b", 0)
        self.since = _SPAWN.RawValue("d", 0.0)
        self.seat = _SPAWN.RawValue("i", 0)
        self.length = _SPAWN.RawValue("i", 0)
        self.text = _SPAWN.RawArray("c", _TEXT)
        self._events_written = 0

    def clear(self) -> None:
        self.since.value = 0.0
        self.length.value = self._events_written = 0

    def thinking_started(self, seat: int, events: list[str]) -> None:
        new_text = "".join(f"{event}\n" for event in events[self._events_written :]).encode()
        end = self.length.value
        self.text[end : end + len(new_text)] = new_text
        self.length.value = end + len(new_text)
        self._events_written = len(events)
        self.seat.value = seat
        self.since.value = time.monotonic()

    def thinking_stopped(self) -> None:
        self.since.value = 0.0

    def events(self) -> list[str]:
        written: bytes = self.text[: self.length.value]
        return written.decode().splitlines()


def _serve(connection: Connection, status: SharedStatus, settings: Settings, warm_up_bots: list[str]) -> None:
    """Worker main loop: play the fixtures that arrive through the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    threading.Thread(target=_follow_parent, daemon=True).start()
    _warm_up(status, settings, warm_up_bots)
    while True:
        try:
            fixture = connection.recv()
        except EOFError:
            return
        status.clear()
        connection.send(play(settings, fixture, status))


def _follow_parent() -> None:
    """Exit when the parent exits, for whatever reason and whatever a bot is doing."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _warm_up(status: SharedStatus, settings: Settings, names: list[str]) -> None:
    """Let each bot choose once before the clocks run, so that compiling is not timed."""
    game = start(settings.game, settings.players, chance=Seeded(settings.seed), **settings.options)
    assert game.turn is not None
    for name in names:
        status.thinking_started(-1 - settings.bots.index(name), [])
        try:
            bots.make(name, settings.game, settings.players).choose(game.view(game.turn), settings.budget, Seeded(0))
        except BaseException:
            # It will fail again in its first game, where it is reported.
            continue
        finally:
            status.thinking_stopped()
    status.warm.value = 1


class WorkerError(RuntimeError):
    """Worker processes keep ending, and no bot is to blame."""


class Worker:
    """The parent's handle of a process that plays one game at a time."""

    def __init__(self, settings: Settings, first_move: float = FIRST_MOVE) -> None:
        self.settings = settings
        self.first_move = first_move
        self.fixture: Fixture | None = None
        self._warm = list(settings.bots)
        self._tries = 0
        self._start()

    def _start(self) -> None:
        self.status = SharedStatus()
        self.connection, child_connection = _SPAWN.Pipe()
        self._process: BaseProcess = _SPAWN.Process(
            target=_serve, args=(child_connection, self.status, self.settings, self._warm), daemon=True
        )
        self._process.start()
        child_connection.close()

    def assign(self, fixture: Fixture) -> None:
        self.fixture = fixture
        self._tries = 0
        self._send()

    def _send(self) -> None:
        self._tries += 1
        try:
            self.connection.send(self.fixture)
        except OSError:
            # The process has ended; poll_outcome() detects and handles that.
            return

    def poll_outcome(self) -> Outcome | None:
        """The outcome if the game is finished; a bot that stalls or crashes its process forfeits."""
        outcome = self._receive()
        if outcome is not None:
            return outcome
        since, seat = self.status.since.value, self.status.seat.value
        if not self._process.is_alive():
            return self._receive() or self._handle_exit(seat if since else None)
        limit = self.first_move if seat < 0 else self.settings.limit
        if not since or time.monotonic() - since <= limit:
            return None
        self.stop()
        outcome = self._receive()
        if seat < 0:
            # It will stall again in its first game, where it is reported.
            self._warm.remove(self.settings.bots[-1 - seat])
        elif outcome is None:
            outcome = self._forfeit(seat, f"it stalled: no move within {limit:g} seconds")
        self._restart()
        if outcome is None:
            self._send()
        return outcome

    def _receive(self) -> Outcome | None:
        try:
            if not self.connection.poll():
                return None
            outcome: Outcome = self.connection.recv()
        except (EOFError, OSError):
            return None
        self.fixture = None
        return outcome

    def _handle_exit(self, seat: int | None) -> Outcome | None:
        """Handle a process that ended by itself: retry, then blame the bot that was thinking."""
        self._process.join()
        code = self._process.exitcode
        outcome = None
        if seat is not None and seat < 0:
            self._warm.remove(self.settings.bots[-1 - seat])
        elif self._tries >= MAX_TRIES:
            if seat is None:
                raise WorkerError(f"the arena's processes keep ending before a game is over (exit code {code})")
            outcome = self._forfeit(seat, f"its process ended while it was thinking (exit code {code})")
        self._restart()
        if outcome is None:
            self._send()
        return outcome

    def _restart(self) -> None:
        """Replace a process that ended."""
        self.connection.close()
        self._start()

    def _forfeit(self, seat: int, reason: str) -> Outcome:
        assert self.fixture is not None
        game = start(self.settings.game, self.settings.players, chance=None, **self.settings.options)
        for event in self.status.events():
            game.apply(event)
        outcome = forfeit(self.fixture, game, seat, reason, [[] for _ in self.fixture.seats])
        self.fixture = None
        return outcome

    def play(self, fixture: Fixture) -> Outcome:
        """Play one game and wait for its outcome."""
        self.assign(fixture)
        while True:
            wait([self.connection], timeout=POLL_SECONDS)
            outcome = self.poll_outcome()
            if outcome is not None:
                return outcome

    def stop(self) -> None:
        self._process.kill()
        self._process.join()


def outcomes(
    settings: Settings, fixtures: Iterable[Fixture], workers: int, first_move: float = FIRST_MOVE
) -> Generator[Outcome, None, None]:
    """Play games in worker processes on this machine; yields outcomes as games finish."""
    pending = iter(fixtures)
    pool: list[Worker] = []
    try:
        while busy := _assign_games(pool, settings, pending, workers, first_move):
            wait([worker.connection for worker in busy], timeout=POLL_SECONDS)
            for worker in busy:
                outcome = worker.poll_outcome()
                if outcome is None:
                    continue
                yield outcome
    finally:
        for worker in pool:
            worker.stop()


def _assign_games(
    pool: list[Worker], settings: Settings, pending: Iterator[Fixture], workers: int, first_move: float
) -> list[Worker]:
    """Give every idle worker a game and start missing workers; returns the busy ones.

    The other workers start when the first one is warm, so that they find its compiled code in the cache.
    """
    for worker in pool:
        if worker.fixture is None and (fixture := next(pending, None)) is not None:
            worker.assign(fixture)
    while len(pool) < workers and (not pool or pool[0].status.warm.value):
        fixture = next(pending, None)
        if fixture is None:
            break
        pool.append(Worker(settings, first_move))
        pool[-1].assign(fixture)
    return [worker for worker in pool if worker.fixture is not None]

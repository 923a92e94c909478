"""Games in processes of their own, so that a bot that stalls, or takes its process down, can be stopped."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Generator, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from sixfold import bots
from sixfold.arena.match import MOST_EVENTS, Outcome, forfeit, play
from sixfold.arena.schedule import Fixture, Settings
from sixfold.engine.chance import Seeded
from sixfold.engine.game import start

# Seconds for a bot's first move in a process, which does not count: it may have to compile, on a busy machine.
FIRST_MOVE = 300.0
# How often the clocks are looked at, in seconds.
GLANCE = 0.05
# A game whose process ends is tried once more, for the fault may have come from outside.
TRIES = 2

_TEXT = MOST_EVENTS * 64
_SPAWN = multiprocessing.get_context("spawn")


class Board:
    """What the outside sees of a game in another process: who thinks since when, and the events so far."""

    def __init__(self) -> None:
        self.warm = _SPAWN.RawValue("b", 0)
        self.since = _SPAWN.RawValue("d", 0.0)
        self.seat = _SPAWN.RawValue("i", 0)
        self.length = _SPAWN.RawValue("i", 0)
        self.text = _SPAWN.RawArray("c", _TEXT)
        self._shown = 0

    def clear(self) -> None:
        self.since.value = 0.0
        self.length.value = self._shown = 0

    def thinks(self, seat: int, events: list[str]) -> None:
        more = "".join(f"{event}\n" for event in events[self._shown :]).encode()
        at = self.length.value
        self.text[at : at + len(more)] = more
        self.length.value = at + len(more)
        self._shown = len(events)
        self.seat.value = seat
        self.since.value = time.monotonic()

    def rests(self) -> None:
        self.since.value = 0.0

    def events(self) -> list[str]:
        written: bytes = self.text[: self.length.value]
        return written.decode().splitlines()


def _serve(connection: Connection, board: Board, settings: Settings, warm: list[str]) -> None:
    """A worker's life: play what comes through the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    threading.Thread(target=_follow_parent, daemon=True).start()
    _warm_up(board, settings, warm)
    while True:
        try:
            fixture = connection.recv()
        except EOFError:
            return
        board.clear()
        connection.send(play(settings, fixture, board))


def _follow_parent() -> None:
    """End when the parent ends, however it ended and whatever a bot is doing."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _warm_up(board: Board, settings: Settings, names: list[str]) -> None:
    """Let bots choose once before the clocks run, so that nobody's time is spent on compiling."""
    game = start(settings.game, settings.players, chance=Seeded(settings.seed), **settings.options)
    assert game.turn is not None
    for name in names:
        board.thinks(-1 - settings.bots.index(name), [])
        try:
            bots.make(name, settings.game, settings.players).choose(game.view(game.turn), settings.budget, Seeded(0))
        except BaseException:
            # It will do so again in its first game, and that is where it is reported.
            continue
        finally:
            board.rests()
    board.warm.value = 1


class WorkersFail(RuntimeError):
    """Processes end again and again, and no bot is to blame."""


class Worker:
    """A process that plays one game at a time, seen from outside."""

    def __init__(self, settings: Settings, first_move: float = FIRST_MOVE) -> None:
        self.settings = settings
        self.first_move = first_move
        self.fixture: Fixture | None = None
        self._warm = list(settings.bots)
        self._tries = 0
        self._begin()

    def _begin(self) -> None:
        self.board = Board()
        self.connection, theirs = _SPAWN.Pipe()
        self._process: BaseProcess = _SPAWN.Process(
            target=_serve, args=(theirs, self.board, self.settings, self._warm), daemon=True
        )
        self._process.start()
        theirs.close()

    def give(self, fixture: Fixture) -> None:
        self.fixture = fixture
        self._tries = 0
        self._send()

    def _send(self) -> None:
        self._tries += 1
        try:
            self.connection.send(self.fixture)
        except OSError:
            # The process is gone; look() finds that out and deals with it.
            return

    def look(self) -> Outcome | None:
        """The outcome, as soon as there is one; a bot that stalls or breaks its process has lost."""
        outcome = self._received()
        if outcome is not None:
            return outcome
        since, seat = self.board.since.value, self.board.seat.value
        if not self._process.is_alive():
            return self._received() or self._broken(seat if since else None)
        limit = self.first_move if seat < 0 else self.settings.limit
        if not since or time.monotonic() - since <= limit:
            return None
        self.stop()
        outcome = self._received()
        if seat < 0:
            # It will stall in its first game again, and that is where it is reported.
            self._warm.remove(self.settings.bots[-1 - seat])
        elif outcome is None:
            outcome = self._lost(seat, f"it stalled: no move within {limit:g} seconds")
        self._renew()
        if outcome is None:
            self._send()
        return outcome

    def _received(self) -> Outcome | None:
        try:
            if not self.connection.poll():
                return None
            outcome: Outcome = self.connection.recv()
        except (EOFError, OSError):
            return None
        self.fixture = None
        return outcome

    def _broken(self, seat: int | None) -> Outcome | None:
        """The process ended by itself: try again, then blame the bot that was thinking each time."""
        self._process.join()
        code = self._process.exitcode
        outcome = None
        if seat is not None and seat < 0:
            self._warm.remove(self.settings.bots[-1 - seat])
        elif self._tries >= TRIES:
            if seat is None:
                raise WorkersFail(f"the arena's processes keep ending before a game is over (exit code {code})")
            outcome = self._lost(seat, f"its process ended while it was thinking (exit code {code})")
        self._renew()
        if outcome is None:
            self._send()
        return outcome

    def _renew(self) -> None:
        """Another process in place of one that ended."""
        self.connection.close()
        self._begin()

    def _lost(self, seat: int, reason: str) -> Outcome:
        assert self.fixture is not None
        game = start(self.settings.game, self.settings.players, chance=None, **self.settings.options)
        for event in self.board.events():
            game.apply(event)
        outcome = forfeit(self.fixture, game, seat, reason, [[] for _ in self.fixture.seats])
        self.fixture = None
        return outcome

    def play(self, fixture: Fixture) -> Outcome:
        """Play one game and wait for it."""
        self.give(fixture)
        while True:
            wait([self.connection], timeout=GLANCE)
            outcome = self.look()
            if outcome is not None:
                return outcome

    def stop(self) -> None:
        self._process.kill()
        self._process.join()


def outcomes(
    settings: Settings, fixtures: Iterable[Fixture], workers: int, first_move: float = FIRST_MOVE
) -> Generator[Outcome, None, None]:
    """Play games on some processes of this machine; the outcomes come as they are finished."""
    todo = iter(fixtures)
    hands: list[Worker] = []
    try:
        while busy := _hired(hands, settings, todo, workers, first_move):
            wait([hand.connection for hand in busy], timeout=GLANCE)
            for hand in busy:
                outcome = hand.look()
                if outcome is None:
                    continue
                yield outcome
    finally:
        for hand in hands:
            hand.stop()


def _hired(
    hands: list[Worker], settings: Settings, todo: Iterator[Fixture], workers: int, first_move: float
) -> list[Worker]:
    """Give a game to everybody who has none; returns who is playing.

    The others are hired when the first is warm: what it compiled they find in the cache.
    """
    for hand in hands:
        if hand.fixture is None and (fixture := next(todo, None)) is not None:
            hand.give(fixture)
    while len(hands) < workers and (not hands or hands[0].board.warm.value):
        fixture = next(todo, None)
        if fixture is None:
            break
        hands.append(Worker(settings, first_move))
        hands[-1].give(fixture)
    return [hand for hand in hands if hand.fixture is not None]

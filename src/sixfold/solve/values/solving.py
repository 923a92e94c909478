"""Backward induction over a whole game, level by level from full sheets down; goes on where it was interrupted."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from typing import Protocol

import numpy as np

from sixfold.games.dice import rules as dice
from sixfold.solve.positions.book import Book, Numbering, all_pairs, write_book
from sixfold.solve.positions.sheets import Variant
from sixfold.solve.values.equation import Side, room, solve_pairs
from sixfold.solve.values.file import HEAD, ValueFileError, head, read_head, save
from sixfold.system import all_cores

MAGIC = b"sixfold solving "
SOME = 20_000
PAUSE = 30.0
# So many pairs at once are one core's business.
SHARE = 500

Tell = Callable[[str, int, int], None]


class Device(Protocol):
    """What solves pairs: the cores or a card."""

    def solve(self, mine: np.ndarray, theirs: np.ndarray) -> None:
        """Solve pairs of one level, given all levels above."""

    def fetch(self) -> None:
        """Bring the values home."""


def make_device(name: str, book: Book, values: np.ndarray) -> Device:
    """A device by its name; imported only when somebody asks for it."""
    if name == "cuda":
        from sixfold.solve.values.cuda import Cuda

        return Cuda(book, values)
    return Cpu(book, values)


class Cpu:
    """All cores, each with pairs of its own; pairs of one level do not need each other."""

    def __init__(self, book: Book, values: np.ndarray) -> None:
        self.book = book
        self.values = values
        self._rooms: SimpleQueue[tuple[Side, Side]] = SimpleQueue()
        for _ in range(all_cores()):
            self._rooms.put((self._room(), self._room()))
        self._pool = ThreadPoolExecutor(all_cores())

    def _room(self) -> Side:
        return room(self.book.turns, len(self.book.numbering.rolls))

    def solve(self, mine: np.ndarray, theirs: np.ndarray) -> None:
        """Solve pairs of one level."""

        def share(begin: int) -> None:
            one, two = self._rooms.get()
            some = slice(begin, begin + SHARE)
            solve_pairs(self.book.numbering, self.book.turns, self.values, mine[some], theirs[some], one, two)
            self._rooms.put((one, two))

        list(self._pool.map(share, range(0, len(mine), SHARE)))

    def fetch(self) -> None:
        """Bring the values home: they are."""


class Progress:
    """Values on their way, kept in a file beside the one that is to be: its head says which levels are done."""

    def __init__(self, path: Path, variant: Variant, numbering: Numbering) -> None:
        self.path = path
        self.text = {"game": dice.NAME, "rules": dice.VERSION, **asdict(variant), "values": int(numbering.base[-1])}
        self.level = 2 * 6 * dice.BOXES
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            self.level = self._read()
        else:
            with path.open("wb") as file:
                file.write(head(MAGIC, {**self.text, "level": self.level}))
                file.truncate(HEAD + 4 * self.text["values"])
        self._map = np.memmap(path, dtype=np.int32, mode="r+", offset=HEAD)
        self.values = np.asarray(self._map)

    def _read(self) -> int:
        with self.path.open("rb") as file:
            text = read_head(file, MAGIC, self.path)
        level = text.pop("level", None)
        if text != self.text or self.path.stat().st_size != HEAD + 4 * self.text["values"]:
            raise ValueFileError(f"{self.path} belongs to another solution; remove it to begin anew")
        return int(level)

    def note(self, level: int) -> None:
        """All levels from this one up are done: first the values reach the disk, then the head says so."""
        self._map.flush()
        with self.path.open("r+b") as file:
            file.write(head(MAGIC, {**self.text, "level": level}))
        self.level = level

    def remove(self) -> None:
        self.path.unlink()


def progress_path(out: Path) -> Path:
    """Where the values of an unfinished file are kept."""
    return out.with_name(out.name + ".part")


def solve(variant: Variant, out: Path, device: str, tell: Tell) -> Book:
    """Solve a game into a value file; ``tell`` hears the stage, how much is done and how much there is."""
    book = write_book(variant, lambda done, number: tell("turns", done, number))
    pairs = all_pairs(book.numbering)
    progress = Progress(progress_path(out), variant, book.numbering)
    solver = make_device(device, book, progress.values)
    done = len(pairs.first) - int(pairs.level_at[progress.level])
    noted = time.monotonic()
    for level in range(progress.level - 1, -1, -1):
        begin, end = int(pairs.level_at[level]), int(pairs.level_at[level + 1])
        for some in range(begin, end, SOME):
            part = slice(some, min(some + SOME, end))
            solver.solve(pairs.first[part], pairs.second[part])
            done += part.stop - part.start
            tell("pairs", done, len(pairs.first))
        if time.monotonic() > noted + PAUSE:
            solver.fetch()
            progress.note(level)
            noted = time.monotonic()
    solver.fetch()
    progress.note(0)
    save(out, book, progress.values, lambda done, number: tell("write", done, number))
    progress.remove()
    return book

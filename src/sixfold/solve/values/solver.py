"""Backward induction over the whole game, level by level from full sheets down; resumes after an interruption."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from typing import Protocol

import numpy as np

from sixfold.games.dice import rules as dice
from sixfold.solve.positions.sheets import Variant
from sixfold.solve.positions.state_space import Numbering, StateSpace, all_pairs, build_state_space
from sixfold.solve.values.equation import Side, make_side, solve_pairs
from sixfold.solve.values.file import HEAD, ValueFileError, head, read_head, save
from sixfold.system import available_cores

MAGIC = b"sixfold solving "
PAIRS_PER_BATCH = 20_000
CHECKPOINT_SECONDS = 30.0
# How many pairs a core solves at a time.
PAIRS_PER_TASK = 500

ProgressCallback = Callable[[str, int, int], None]


class Device(Protocol):
    """A device that solves pairs: the CPU or a GPU."""

    def solve(self, mine: np.ndarray, theirs: np.ndarray) -> None:
        """Solve pairs of one level, given all levels above."""

    def fetch(self) -> None:
        """Copy the values to host memory."""


def make_device(name: str, space: StateSpace, values: np.ndarray) -> Device:
    """Create a device by name; the CUDA device is imported on demand."""
    if name == "cuda":
        from sixfold.solve.values.cuda import Cuda

        return Cuda(space, values)
    return Cpu(space, values)


class Cpu:
    """Solves pairs on all cores; pairs of one level are independent."""

    def __init__(self, space: StateSpace, values: np.ndarray) -> None:
        self.space = space
        self.values = values
        self._sides: SimpleQueue[tuple[Side, Side]] = SimpleQueue()
        for _ in range(available_cores()):
            self._sides.put((self._make_side(), self._make_side()))
        self._pool = ThreadPoolExecutor(available_cores())

    def _make_side(self) -> Side:
        return make_side(self.space.turns, len(self.space.numbering.rolls))

    def solve(self, mine: np.ndarray, theirs: np.ndarray) -> None:
        """Solve pairs of one level."""

        def solve_share(start: int) -> None:
            side_a, side_b = self._sides.get()
            part = slice(start, start + PAIRS_PER_TASK)
            solve_pairs(self.space.numbering, self.space.turns, self.values, mine[part], theirs[part], side_a, side_b)
            self._sides.put((side_a, side_b))

        list(self._pool.map(solve_share, range(0, len(mine), PAIRS_PER_TASK)))

    def fetch(self) -> None:
        """Do nothing: the values are already in host memory."""


class Checkpoint:
    """A checkpoint file with unfinished values beside the value file; its head records the finished levels."""

    def __init__(self, path: Path, variant: Variant, numbering: Numbering) -> None:
        self.path = path
        self.metadata = {"game": dice.NAME, "rules": dice.VERSION, **asdict(variant), "values": int(numbering.base[-1])}
        self.level = 2 * 6 * dice.BOXES
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            self.level = self._read()
        else:
            with path.open("wb") as file:
                file.write(head(MAGIC, {**self.metadata, "level": self.level}))
                file.truncate(HEAD + 4 * self.metadata["values"])
        self._map = np.memmap(path, dtype=np.int32, mode="r+", offset=HEAD)
        self.values = np.asarray(self._map)

    def _read(self) -> int:
        with self.path.open("rb") as file:
            metadata = read_head(file, MAGIC, self.path)
        level = metadata.pop("level", None)
        if metadata != self.metadata or self.path.stat().st_size != HEAD + 4 * self.metadata["values"]:
            raise ValueFileError(f"{self.path} belongs to another solution; remove it to begin anew")
        return int(level)

    def note(self, level: int) -> None:
        """Record that all levels from this one up are done, after flushing the values to disk."""
        self._map.flush()
        with self.path.open("r+b") as file:
            file.write(head(MAGIC, {**self.metadata, "level": level}))
        self.level = level

    def remove(self) -> None:
        self.path.unlink()


def checkpoint_path(out: Path) -> Path:
    """The checkpoint file of a value file."""
    return out.with_name(out.name + ".part")


def solve(variant: Variant, out: Path, device: str, on_progress: ProgressCallback) -> StateSpace:
    """Solve a game into a value file; ``on_progress`` receives the stage, the amount done and the total."""
    space = build_state_space(variant, lambda done, number: on_progress("turns", done, number))
    pairs = all_pairs(space.numbering)
    checkpoint = Checkpoint(checkpoint_path(out), variant, space.numbering)
    solver = make_device(device, space, checkpoint.values)
    done = len(pairs.first) - int(pairs.level_at[checkpoint.level])
    last_checkpoint = time.monotonic()
    for level in range(checkpoint.level - 1, -1, -1):
        begin, end = int(pairs.level_at[level]), int(pairs.level_at[level + 1])
        for first in range(begin, end, PAIRS_PER_BATCH):
            part = slice(first, min(first + PAIRS_PER_BATCH, end))
            solver.solve(pairs.first[part], pairs.second[part])
            done += part.stop - part.start
            on_progress("pairs", done, len(pairs.first))
        if time.monotonic() > last_checkpoint + CHECKPOINT_SECONDS:
            solver.fetch()
            checkpoint.note(level)
            last_checkpoint = time.monotonic()
    solver.fetch()
    checkpoint.note(0)
    save(out, space, checkpoint.values, lambda done, number: on_progress("write", done, number))
    checkpoint.remove()
    return space

"""The value file: the chance of every position, checksummed and memory-mapped.

====================  =================================================================================================
bytes                 what
====================  =================================================================================================
0 to 4095             ``sixfold values 1``, the length of a JSON text (four bytes, little-endian), the text, its digest
``tables`` (JSON)     one after the other: each class's and ties' column of every dice in view (one byte each) and
                      number of columns (four); where each class begins, counted from ``blocks`` (eight); each class's
                      digest
``blocks`` (JSON)     the values, class by class; ``positions.state_space`` says how positions are numbered
====================  =================================================================================================

Digests are BLAKE2b with 16 bytes. Opening checks the head, the tables and the size; a class is checked when it is
first used.

A value takes twenty bits, between the lowest and the highest value of its pair of sheets. A pair of sheets takes four
bytes, ``low`` and ``span`` in parts of 65535, both little-endian, and then five bytes for every two columns: a column's
value is ``(low + span * number / (2**20 - 1)) / 65535``. So the error is at most ``span / 2**21``, a twentieth of a
millionth where the dice in view are worth a tenth of a win.
"""

import json
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, fields
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from sixfold.errors import SetupError
from sixfold.games.dice import rules as dice
from sixfold.games.shared.compiler import compiled
from sixfold.solve.positions.sheets import Variant, first_sheet
from sixfold.solve.positions.state_space import TIES, Numbering, StateSpace, empty_numbering, fill_places, locate, ties
from sixfold.solve.values.equation import UNIT
from sixfold.system import atomic_binary_file, available_cores

MAGIC = b"sixfold values 1"
HEAD = 4096
CLASSES_PER_BATCH = 32
DIGEST = 16
COARSE_STEPS = 65535
FINE_STEPS = (1 << 20) - 1


class ValueFileError(SetupError):
    """A value file is missing, damaged, unfinished or for another game; the message says what to do."""


def default_path(split_jokers: bool) -> Path:
    """The default path of a value file, in the user's data directory."""
    home = Path.home()
    if sys.platform == "darwin":
        folder = home / "Library" / "Application Support"
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local"))
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    return folder / "sixfold" / f"dice{'-split_jokers' if split_jokers else ''}.values"


def command(split_jokers: bool, path: Path | None = None) -> str:
    """The command that creates a value file."""
    option = " --option split_jokers=true" if split_jokers else ""
    return f"sixfold solve dice{option}" + (f" --out {path}" if path else "")


def digest(data: bytes | memoryview) -> bytes:
    return blake2b(data, digest_size=DIGEST).digest()


def head(magic: bytes, metadata: dict[str, Any]) -> bytes:
    """The first page of a file: its metadata and their digest."""
    encoded = json.dumps(metadata).encode()
    return (magic + len(encoded).to_bytes(4, "little") + encoded + digest(encoded)).ljust(HEAD, b"\0")


def read_head(file: BinaryIO, magic: bytes, path: Path) -> dict[str, Any]:
    """Read the metadata from a file's first page."""
    page = file.read(HEAD)
    if page[: len(magic)] != magic:
        raise ValueFileError(f"{path} is not a file of values that this version of sixfold reads")
    begin = len(magic) + 4
    end = begin + int.from_bytes(page[len(magic) : begin], "little")
    if len(page) != HEAD or page[end : end + DIGEST] != digest(page[begin:end]):
        raise ValueFileError(f"{path} is damaged: its first page does not match its digest")
    metadata: dict[str, Any] = json.loads(page[begin:end])
    return metadata


def save(
    path: Path,
    space: StateSpace,
    values: np.ndarray,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Write the value file of a solved game."""
    numbering = space.numbering
    sizes = packed_sizes(numbering.columns)
    class_count = len(numbering.classes)

    def packed(which: int) -> np.ndarray:
        begin, end = numbering.base[which : which + 2]
        block = np.zeros(packed_class_size(numbering, which, sizes), np.uint8)
        pack_class(numbering, which, sizes, values[begin:end], block)
        return block

    at = np.zeros(class_count + 1, dtype=np.int64)
    digests = b""
    numbering_bytes = numbering.column.tobytes() + numbering.columns.tobytes()
    blocks = -(-(HEAD + len(numbering_bytes) + at.nbytes + DIGEST * class_count) // HEAD) * HEAD
    with atomic_binary_file(path) as file, ThreadPoolExecutor(available_cores()) as pool:
        file.seek(blocks)
        for first in range(0, class_count, CLASSES_PER_BATCH):
            for which, block in enumerate(
                pool.map(packed, range(first, min(first + CLASSES_PER_BATCH, class_count))), start=first
            ):
                file.write(block.data)
                digests += digest(block.data)
                at[which + 1] = at[which] + len(block)
            on_progress(min(first + CLASSES_PER_BATCH, class_count), class_count)
        tables = numbering_bytes + at.tobytes() + digests
        file.seek(0)
        file.write(
            head(MAGIC, {**_description(space.variant), "tables": digest(tables).hex(), "blocks": blocks}) + tables
        )


def _description(variant: Variant) -> dict[str, Any]:
    return {"game": dice.NAME, "rules": dice.VERSION, **asdict(variant)}


class Values:
    """An open value file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                metadata = read_head(file, MAGIC, path)
        except OSError as error:
            raise ValueFileError(f"{path} cannot be read: {error.strerror}") from None
        # The digest of the tables covers the digests of all values.
        self.identity: str = metadata["tables"][:12]
        self.variant = Variant(*(metadata[field.name] for field in fields(Variant)))
        if metadata != {
            **_description(self.variant),
            "tables": metadata.get("tables"),
            "blocks": metadata.get("blocks"),
        }:
            raise ValueFileError(
                f"{path} was made for other rules; make it again: {command(self.variant.split_jokers)}"
            )
        # Copy-on-write, so that Numba sees the same types as while solving; it is never written.
        self._data = np.asarray(np.memmap(path, mode="c"))
        self._blocks = int(metadata["blocks"])
        numbering = empty_numbering(self.variant)
        sizes = [numbering.column.nbytes, numbering.columns.nbytes, numbering.base.nbytes]
        ends = np.cumsum([HEAD, *sizes, DIGEST * len(numbering.classes)])
        if digest(self._data[HEAD : ends[-1]].data) != bytes.fromhex(metadata["tables"]):
            raise ValueFileError(f"{path} is damaged: its tables do not match their digest")
        column, columns, base, self._digests = np.split(self._data[HEAD : ends[-1]], ends[1:-1] - HEAD)
        self.numbering = numbering._replace(
            column=column.reshape(numbering.column.shape),
            columns=np.frombuffer(columns, np.int32).copy(),
            base=np.frombuffer(base, np.int64).copy(),
        )
        self.sizes = packed_sizes(self.numbering.columns)
        if len(self._data) != self._blocks + self.numbering.base[-1]:
            raise ValueFileError(f"{path} is cut off or too long: it has {len(self._data)} bytes")
        self.block = self._data[self._blocks :]
        self._ready = np.zeros(len(numbering.classes), dtype=bool)

    def load_class(self, mine: int) -> None:
        """Verify the class of the player to roll and locate its pairs, on first use."""
        which = int(self.numbering.class_of[mine])
        if self._ready[which]:
            return
        begin, end = self.numbering.base[which : which + 2]
        if digest(self.block[begin:end].data) != self._digests[which * DIGEST : (which + 1) * DIGEST].tobytes():
            raise ValueFileError(f"{self.path} is damaged: the values of class {which} do not match their digest")
        fill_places(self.numbering, which, self.sizes)
        self._ready[which] = True

    def load_all(self, on_progress: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Verify and load all classes."""
        classes = self.numbering.classes
        with ThreadPoolExecutor(available_cores()) as pool:
            for done, _ in enumerate(pool.map(self.load_class, classes.tolist()), start=1):
                on_progress(done, len(classes))

    def chance(self, mine: int, theirs: int, shown: int) -> float:
        """The chance of the player about to roll, given both sheets and the opponent's dice as codes."""
        self.load_class(mine)
        return int(read_value(self.numbering, self.block, mine, theirs, int(self.numbering.roll_of[shown]))) / UNIT

    def unpack_class(self, which: int) -> np.ndarray:
        """All values of a class in units of 1 / UNIT, in the order of the numbering; it must be loaded."""
        begin, end = self.numbering.base[which : which + 2]
        values = np.empty(count_values(self.numbering, which), dtype=np.int32)
        unpack_class(self.numbering, which, self.block[begin:end], values)
        return values

    def first_turn(self) -> float:
        """The start player's chance, averaged over the opponent's opening dice (D3)."""
        first = first_sheet(self.variant)
        chances = [self.chance(first, first, roll) for roll in self.numbering.rolls.tolist()]
        return float(np.dot(self.numbering.chance, chances))

    def unpack(self) -> np.ndarray:
        """All values in units of 1 / UNIT, in the order of the numbering."""
        number = len(self.numbering.classes)
        ends = np.cumsum([0] + [count_values(self.numbering, which) for which in range(number)])
        values = np.empty(ends[-1], dtype=np.int32)

        def of_class(which: int) -> None:
            values[ends[which] : ends[which + 1]] = self.unpack_class(which)

        with ThreadPoolExecutor(available_cores()) as pool:
            list(pool.map(of_class, range(number)))
        return values


def open_values(split_jokers: bool, path: Path | None = None) -> Values:
    """Open the values of a game, from a given file or from the default path."""
    location = path or default_path(split_jokers)
    if not location.exists():
        raise ValueFileError(f"there are no values at {location}; make them with: {command(split_jokers, path)}")
    values = Values(location)
    if values.variant != Variant(split_jokers):
        raise ValueFileError(f"{location} holds the values of another game: {values.variant}")
    return values


# The packed format


def packed_sizes(columns: np.ndarray) -> np.ndarray:
    """The packed size of a pair of sheets in bytes, by its number of columns."""
    return np.where(columns > 0, 4 + (5 * columns + 1) // 2, 0).astype(np.int32)


@compiled
def unpack_value(block: np.ndarray, at: int, column: int) -> int:
    """Unpack one value of the pair at offset ``at``, in units of 1 / UNIT."""
    low = int(block[at]) | int(block[at + 1]) << 8
    span = int(block[at + 2]) | int(block[at + 3]) << 8
    byte = at + 4 + column * 5 // 2
    word = int(block[byte]) | int(block[byte + 1]) << 8 | int(block[byte + 2]) << 16
    fine = word & FINE_STEPS if column % 2 == 0 else word >> 4
    return int((low + span * (fine / FINE_STEPS)) / COARSE_STEPS * UNIT + 0.5)


@compiled
def pack_pair(values: np.ndarray, columns: int, block: np.ndarray, at: int) -> None:
    """Pack the values of one pair."""
    low = UNIT
    high = 0
    for column in range(columns):
        low = min(low, values[column])
        high = max(high, values[column])
    low = int(np.floor(low / UNIT * COARSE_STEPS))
    span = int(np.ceil(high / UNIT * COARSE_STEPS)) - low
    for byte in range(2):
        block[at + byte] = low >> 8 * byte & 255
        block[at + 2 + byte] = span >> 8 * byte & 255
    for column in range(columns):
        share = (values[column] / UNIT * COARSE_STEPS - low) / max(span, 1)
        fine = min(max(int(share * FINE_STEPS + 0.5), 0), FINE_STEPS)
        byte = at + 4 + column * 5 // 2
        if column % 2 == 0:
            block[byte] = fine & 255
            block[byte + 1] = fine >> 8 & 255
            block[byte + 2] = fine >> 16
        else:
            block[byte] |= (fine & 15) << 4
            block[byte + 1] = fine >> 4 & 255
            block[byte + 2] = fine >> 12


@compiled
def packed_class_size(numbering: Numbering, which: int, sizes: np.ndarray) -> int:
    """The packed size of a class in bytes."""
    size = 0
    for sheet in range(numbering.sheets.size):
        if numbering.place[which, sheet] >= 0:
            size += sizes[which * TIES + ties(numbering.classes[which], numbering.sheets[sheet])]
    return size


@compiled
def pack_class(numbering: Numbering, which: int, sizes: np.ndarray, values: np.ndarray, block: np.ndarray) -> None:
    """Pack all pairs of a class; ``values`` and ``block`` start at the class."""
    at = 0
    for sheet in range(numbering.sheets.size):
        place = numbering.place[which, sheet]
        if place >= 0:
            form = which * TIES + ties(numbering.classes[which], numbering.sheets[sheet])
            pack_pair(values[place:], numbering.columns[form], block, at)
            at += sizes[form]


@compiled
def count_values(numbering: Numbering, which: int) -> int:
    """The number of values of a class."""
    number = 0
    for sheet in range(numbering.sheets.size):
        if numbering.place[which, sheet] >= 0:
            number += numbering.columns[which * TIES + ties(numbering.classes[which], numbering.sheets[sheet])]
    return number


@compiled
def unpack_class(numbering: Numbering, which: int, block: np.ndarray, values: np.ndarray) -> None:
    """Unpack all pairs of a class, at the offsets of the file's numbering."""
    number = 0
    for sheet in range(numbering.sheets.size):
        at = numbering.place[which, sheet]
        if at >= 0:
            form = which * TIES + ties(numbering.classes[which], numbering.sheets[sheet])
            for column in range(numbering.columns[form]):
                values[number] = unpack_value(block, at, column)
                number += 1


@compiled
def read_value(numbering: Numbering, block: np.ndarray, mine: int, theirs: int, shown: int) -> int:
    """A position's value in units of 1 / UNIT; ``shown`` is the index of a roll, and the class must be loaded."""
    at, form, order = locate(numbering, mine, theirs)
    return unpack_value(block, at, numbering.column[form, numbering.renamed[order, shown]])

"""A copy of a SQLite database while it is being used: of one moment, finished whatever happens meanwhile, verified."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import msgspec

from sixfold.errors import SetupError

PAGES = 2000


@dataclass(frozen=True)
class Copied:
    """What a copy holds."""

    tables: int
    events: int


def back_up(source: Path, out: Path, progress: Callable[[float], None]) -> Copied:
    """Copy a database and look through the copy; only a good copy gets its name. It is for its owner only."""
    part = out.with_name(f".{out.name}.{os.getpid()}.part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        _copy(source, part, progress)
        copied = verified(part)
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.replace(out)
    finally:
        for name in (part, Path(f"{part}-journal"), Path(f"{part}-wal"), Path(f"{part}-shm")):
            name.unlink(missing_ok=True)
    return copied


def _copy(source: Path, part: Path, progress: Callable[[float], None]) -> None:
    """All pages as they are in one read transaction: without it SQLite starts again after every write of others."""
    # A file: URL would read a ? or % in the name as its own; and WAL needs its shared memory to be writable.
    with closing(sqlite3.connect(source, isolation_level=None)) as origin, closing(sqlite3.connect(part)) as target:
        origin.execute("PRAGMA query_only = ON")
        origin.execute("BEGIN")
        origin.execute("SELECT count(*) FROM sqlite_master").fetchone()

        def told(_: int, left: int, total: int) -> None:
            progress(1 - left / total if total else 1.0)

        origin.backup(target, pages=PAGES, progress=told)
        origin.execute("ROLLBACK")
        # The copy is one file, without the helpers of a database that is in use.
        target.execute("PRAGMA journal_mode = DELETE")


def verified(copy: Path) -> Copied:
    """Look through a copy: the file is sound, and every table has all of its events, which can be read."""
    with closing(sqlite3.connect(copy)) as database:
        (sound,) = database.execute("PRAGMA integrity_check(1)").fetchone()
        if sound != "ok":
            raise SetupError(f"the copy is damaged: {sound}")
        versions = dict(database.execute("SELECT id, version FROM tables"))
        events = 0
        found: dict[str, int] = {}
        for table, version, body in database.execute("SELECT table_id, version, body FROM events ORDER BY 1, 2"):
            if version != found.get(table, 0) + 1:
                raise SetupError(f"the copy is damaged: table {table} has a gap before version {version}")
            _readable(table, version, body)
            found[table] = version
            events += 1
        for table, version in versions.items():
            if found.get(table, 0) != version:
                raise SetupError(f"the copy is damaged: table {table} should end with version {version}")
    return Copied(len(versions), events)


def _readable(table: str, version: int, body: str) -> None:
    try:
        msgspec.json.decode(body, type=dict)
    except msgspec.MsgspecError:
        raise SetupError(f"the copy is damaged: version {version} of table {table} cannot be read") from None

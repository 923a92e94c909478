"""Online backup of a SQLite database: a verified, consistent copy made while the database is in use."""

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
class BackupSummary:
    """The number of tables and events in a copy."""

    tables: int
    events: int


def back_up(source: Path, out: Path, progress: Callable[[float], None]) -> BackupSummary:
    """Copy and verify a database; only a good copy gets its final name. Only its owner may read it."""
    part = out.with_name(f".{out.name}.{os.getpid()}.part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        _copy(source, part, progress)
        summary = verify(part)
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.replace(out)
    finally:
        for name in (part, Path(f"{part}-journal"), Path(f"{part}-wal"), Path(f"{part}-shm")):
            name.unlink(missing_ok=True)
    return summary


def _copy(source: Path, part: Path, progress: Callable[[float], None]) -> None:
    """Copy all pages in one read transaction; without it SQLite restarts after every write by another connection."""
    # A file: URL would read a ? or % in the name as its own; and WAL needs its shared memory to be writable.
    with closing(sqlite3.connect(source, isolation_level=None)) as origin, closing(sqlite3.connect(part)) as target:
        origin.execute("PRAGMA query_only = ON")
        origin.execute("BEGIN")
        origin.execute("SELECT count(*) FROM sqlite_master").fetchone()

        def report(_: int, left: int, total: int) -> None:
            progress(1 - left / total if total else 1.0)

        origin.backup(target, pages=PAGES, progress=report)
        origin.execute("ROLLBACK")
        # Leave the copy as a single file, without a WAL beside it.
        target.execute("PRAGMA journal_mode = DELETE")


def verify(copy: Path) -> BackupSummary:
    """Check that the file is sound and that every table has all of its events, each readable."""
    with closing(sqlite3.connect(copy)) as database:
        (sound,) = database.execute("PRAGMA integrity_check(1)").fetchone()
        if sound != "ok":
            raise SetupError(f"the copy is damaged: {sound}")
        versions = dict(database.execute("SELECT id, version FROM tables"))
        events = 0
        last_versions: dict[str, int] = {}
        for table, version, body in database.execute("SELECT table_id, version, body FROM events ORDER BY 1, 2"):
            if version != last_versions.get(table, 0) + 1:
                raise SetupError(f"the copy is damaged: table {table} has a gap before version {version}")
            _check_readable(table, version, body)
            last_versions[table] = version
            events += 1
        for table, version in versions.items():
            if last_versions.get(table, 0) != version:
                raise SetupError(f"the copy is damaged: table {table} should end with version {version}")
    return BackupSummary(len(versions), events)


def _check_readable(table: str, version: int, body: str) -> None:
    try:
        msgspec.json.decode(body, type=dict)
    except msgspec.MsgspecError:
        raise SetupError(f"the copy is damaged: version {version} of table {table} cannot be read") from None

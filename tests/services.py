"""A real PostgreSQL and Redis for the tests. In CI a missing one is a failure, elsewhere a message how to get it."""

import getpass
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sixfold.loadtest.nodes import OwnRedis, free_port

HOW = "not installed: make services installs it or says how to"


def missing(what: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(f"{what} is {HOW}")
    pytest.skip(f"{what} is {HOW}")


def _program(name: str) -> str | None:
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return str(places[0]) if places else shutil.which(name)


@contextmanager
def postgres() -> Iterator[str]:
    """The URL of an empty database of our own; PostgreSQL does not run as root, so then it gets a user."""
    initdb, server, createdb = (_program(name) for name in ("initdb", "postgres", "createdb"))
    if initdb is None or server is None or createdb is None:
        missing("PostgreSQL")
        return
    as_user: dict[str, Any] = {"user": "postgres", "group": "postgres"} if getpass.getuser() == "root" else {}
    place = Path(tempfile.mkdtemp(prefix="sixfold-postgres-"))
    try:
        if as_user:
            shutil.chown(place, "postgres", "postgres")
        quiet: dict[str, Any] = {"check": True, "stdout": subprocess.DEVNULL, "cwd": place, **as_user}
        subprocess.run([initdb, "-D", place / "data", "-A", "trust", "-U", "sixfold", "-N"], **quiet)
        port = free_port()
        command = [
            server,
            "-D",
            str(place / "data"),
            "-p",
            str(port),
            "-k",
            str(place),
            "-c",
            "listen_addresses=127.0.0.1",
        ]
        with (place / "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=place, **as_user)
        try:
            _wait(place, port)
            yield f"postgresql://sixfold@127.0.0.1:{port}/postgres"
        finally:
            # It does not wait for those who are still connected.
            process.send_signal(signal.SIGINT)
            process.wait()
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _wait(place: Path, port: int) -> None:
    """Ask until it answers."""
    ready = _program("pg_isready") or "pg_isready"
    until = time.monotonic() + 30
    while time.monotonic() < until:
        asked = subprocess.run([ready, "-h", "127.0.0.1", "-p", str(port), "-t", "1"], stdout=subprocess.DEVNULL)
        if asked.returncode == 0:
            return
    pytest.fail(f"PostgreSQL did not start: {(place / 'log').read_text()}")


def redis() -> OwnRedis:
    if shutil.which("redis-server") is None:
        missing("Redis")
    return OwnRedis()

"""A real PostgreSQL and Redis for the tests. A missing one is a failure in CI, and skips the test elsewhere."""

import getpass
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lab.loadtest.nodes import OwnRedis, free_port
from tests.waiting import wait_until

INSTALL_HINT = "not installed: make services installs it or says how to"


def missing(service: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(f"{service} is {INSTALL_HINT}")
    pytest.skip(f"{service} is {INSTALL_HINT}")


def _program(name: str) -> str | None:
    paths = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return str(paths[0]) if paths else shutil.which(name)


@contextmanager
def postgres() -> Iterator[str]:
    """Start PostgreSQL and yield the URL of an empty database; as root, run it as its own user."""
    initdb, server, createdb = (_program(name) for name in ("initdb", "postgres", "createdb"))
    if initdb is None or server is None or createdb is None:
        missing("PostgreSQL")
        return
    as_user: dict[str, Any] = {"user": "postgres", "group": "postgres"} if getpass.getuser() == "root" else {}
    folder = Path(tempfile.mkdtemp(prefix="sixfold-postgres-"))
    try:
        if as_user:
            shutil.chown(folder, "postgres", "postgres")
        quiet: dict[str, Any] = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder, **as_user}
        subprocess.run([initdb, "-D", folder / "data", "-A", "trust", "-U", "sixfold", "-N"], **quiet)
        port = free_port()
        command = [
            server,
            "-D",
            str(folder / "data"),
            "-p",
            str(port),
            "-k",
            str(folder),
            "-c",
            "listen_addresses=127.0.0.1",
        ]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, **as_user)
        try:
            _wait(folder, port)
            yield f"postgresql://sixfold@127.0.0.1:{port}/postgres"
        finally:
            # SIGINT is a fast shutdown, which does not wait for clients that are still connected.
            process.send_signal(signal.SIGINT)
            process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait(folder: Path, port: int) -> None:
    """Wait until it answers."""
    probe = [_program("pg_isready") or "pg_isready", "-h", "127.0.0.1", "-p", str(port), "-t", "1"]
    wait_until(
        lambda: subprocess.run(probe, stdout=subprocess.DEVNULL).returncode == 0,
        lambda: f"PostgreSQL did not start: {(folder / 'log').read_text()}",
    )


def redis() -> OwnRedis:
    if shutil.which("redis-server") is None:
        missing("Redis")
    return OwnRedis()

"""Server processes that a load test starts, kills and restarts."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import httpx

from sixfold.errors import SetupError

START_SECONDS = 120


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Node:
    """One process of `sixfold serve` on the loopback address."""

    def __init__(self, database: str, redis: str | None, log: Path, limited: bool = False) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "sixfold", "serve", "--port", str(self.port)]
        # All scripted players share one address, and some send more than people would.
        self._command += [] if limited else ["--rate", "0", "--pace", "0"]
        self._command += ["--database", database, *(["--redis", redis] if redis else [])]
        self.arguments: list[str] = []
        self._log = log
        self._file: IO[bytes] | None = None
        self.process: subprocess.Popen[bytes] | None = None
        self.deaths = 0

    def start(self) -> None:
        self._file = self._log.open("ab")
        self.process = subprocess.Popen([*self._command, *self.arguments], stdout=self._file, stderr=self._file)

    async def wait_until_ready(self, bots: bool = False) -> None:
        """Wait until it serves and, with ``bots``, until its bots are warmed up."""
        deadline = time.monotonic() + START_SECONDS
        async with httpx.AsyncClient() as client:
            while time.monotonic() < deadline:
                if self.process is not None and self.process.poll() is not None:
                    raise SetupError(f"the server did not start; its log is {self._log}")
                try:
                    answer = await client.get(f"{self.url}/ready")
                    if answer.status_code == 200 and (not bots or answer.json()["bots"] == "ready"):
                        return
                except httpx.TransportError:
                    pass
                await asyncio.sleep(0.1)
        raise SetupError(f"the server was not ready within {START_SECONDS} seconds; its log is {self._log}")

    def kill(self) -> None:
        """Kill the process without warning, as a power failure would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.deaths += 1

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self._file is not None:
            self._file.close()


class OwnRedis:
    """A private Redis process that can be killed."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        self.deaths = 0

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--save", "", "--appendonly", "no", "--bind", "127.0.0.1"]
        try:
            self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=os.sep)
        except FileNotFoundError:
            raise SetupError("redis-server is not installed (Debian: apt-get install redis-server)") from None

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        self.deaths += 1

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait()

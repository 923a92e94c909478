"""Runs ``sixfold`` in forks of a process that has already loaded it, so that each starts quickly.

``python -m tests.fork_server SOCKET`` is the parent process. It has no threads, so that forking it is safe.
"""

import atexit
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, NoReturn

from lab.loadtest.nodes import Node

ROOT = Path(__file__).parents[1]


class Forked:
    """A forked ``sixfold`` process with the interface of ``subprocess.Popen``."""

    def __init__(self, words: Sequence[str], out: IO[Any], error: IO[Any]) -> None:
        self.args = ["sixfold", *words]
        self.returncode: int | None = None
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(parent(os.environ.get("PYTHONPATH", "")))
        request = json.dumps({"words": words, "folder": os.getcwd(), "environment": dict(os.environ)}).encode()
        socket.send_fds(self._connection, [len(request).to_bytes(4)], [out.fileno(), error.fileno()])
        self._connection.sendall(request)
        self.pid = self._receive_number()

    def _receive_number(self) -> int:
        data = self._connection.recv(4)
        assert data, "the process that is forked has ended"
        return int.from_bytes(data)

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self._connection.settimeout(timeout)
            try:
                self.returncode = os.waitstatus_to_exitcode(self._receive_number())
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(self.args, timeout or 0) from None
            self._connection.close()
        return self.returncode

    def poll(self) -> int | None:
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class ForkedNode(Node):
    """A server node that starts quickly because it is forked."""

    def start(self) -> None:
        self._file = self._log.open("ab")
        words = [*self._command[self._command.index("serve") :], *self.arguments]
        self.process = Forked(words, self._file, self._file)  # type: ignore[assignment]


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run ``sixfold`` with these arguments; returns its exit code and output."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as error:
        process = Forked([str(word) for word in words], out, error)
        code = process.wait()
        out.seek(0)
        error.seek(0)
        return subprocess.CompletedProcess(process.args, code, out.read(), error.read())


@cache
def parent(path: str) -> str:
    """Start the parent process for a PYTHONPATH and return its socket path; it ends together with this one."""
    socket_path = str(Path(tempfile.mkdtemp(prefix="sixfold-forking-"), "socket"))
    command = [sys.executable, "-m", "tests.fork_server", socket_path]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    atexit.register(process.communicate)
    return socket_path


def _listen(socket_path: str) -> None:
    """Fork once per connection, until the process that started this one has ended."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(socket_path)
        listener.listen()
        print("ready", flush=True)
        children = 0
        while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            connection, _ = listener.accept()
            with connection:
                if os.fork() == 0:
                    listener.close()
                    _watch(connection)
            children += 1
            while children and os.waitpid(-1, os.WNOHANG)[0]:
                children -= 1
    shutil.rmtree(Path(socket_path).parent)


def _watch(connection: socket.socket) -> NoReturn:
    """Fork once more, and send the process ID and, when it has ended, its exit status."""
    size, files, _, _ = socket.recv_fds(connection, 4, 2)
    request = b""
    while len(request) < int.from_bytes(size):
        request += connection.recv(1 << 16)
    process = os.fork()
    if process == 0:
        connection.close()
        _work(**json.loads(request), files=files)
    connection.sendall(process.to_bytes(4))
    status = os.waitpid(process, 0)[1]
    try:
        connection.sendall(status.to_bytes(4))
    finally:
        os._exit(0)


def _work(words: list[str], folder: str, environment: dict[str, str], files: list[int]) -> NoReturn:
    from sixfold.cli import main

    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for at, file in enumerate([os.open(os.devnull, os.O_RDONLY), *files]):
        os.dup2(file, at)
        os.close(file)
    sys.argv = ["sixfold", *words]
    main()
    sys.exit()


if __name__ == "__main__":
    import sixfold.commands.bots
    import sixfold.server.app  # noqa: F401
    from sixfold.server import bot_runner

    bot_runner.warm_up()
    _listen(sys.argv[1])

"""``sixfold`` in processes of its own that need not load it: one process that has loaded it all is forked for each.

``python -m tests.forking SOCKET`` is the process that is forked. It has no threads, so that nothing is lost.
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

from sixfold.loadtest.nodes import Node

ROOT = Path(__file__).parents[1]


class Forked:
    """``sixfold`` with some words, as ``subprocess.Popen`` would run it."""

    def __init__(self, words: Sequence[str], out: IO[Any], error: IO[Any]) -> None:
        self.args = ["sixfold", *words]
        self.returncode: int | None = None
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(parent(os.environ.get("PYTHONPATH", "")))
        asked = json.dumps({"words": words, "folder": os.getcwd(), "environment": dict(os.environ)}).encode()
        socket.send_fds(self._line, [len(asked).to_bytes(4)], [out.fileno(), error.fileno()])
        self._line.sendall(asked)
        self.pid = self._told()

    def _told(self) -> int:
        told = self._line.recv(4)
        assert told, "the process that is forked has ended"
        return int.from_bytes(told)

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self._line.settimeout(timeout)
            try:
                self.returncode = os.waitstatus_to_exitcode(self._told())
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(self.args, timeout or 0) from None
            self._line.close()
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
    """A server that is there sooner."""

    def start(self) -> None:
        self._file = self._log.open("ab")
        words = [*self._command[self._command.index("serve") :], *self.arguments]
        self.process = Forked(words, self._file, self._file)  # type: ignore[assignment]


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """``sixfold`` with these words: how it ended, and what it said."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as error:
        done = Forked([str(word) for word in words], out, error)
        code = done.wait()
        out.seek(0)
        error.seek(0)
        return subprocess.CompletedProcess(done.args, code, out.read(), error.read())


@cache
def parent(path: str) -> str:
    """Where the process listens that is forked, one for each PYTHONPATH; it ends when this one does."""
    place = str(Path(tempfile.mkdtemp(prefix="sixfold-forking-"), "socket"))
    command = [sys.executable, "-m", "tests.forking", place]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    atexit.register(process.communicate)
    return place


def _listen(place: str) -> None:
    """Fork for whoever asks, until the process that started this one has ended."""
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(place)
        door.listen()
        print("ready", flush=True)
        children = 0
        while sys.stdin not in select.select([door, sys.stdin], [], [])[0]:
            line, _ = door.accept()
            with line:
                if os.fork() == 0:
                    door.close()
                    _watch(line)
            children += 1
            while children and os.waitpid(-1, os.WNOHANG)[0]:
                children -= 1
    shutil.rmtree(Path(place).parent)


def _watch(line: socket.socket) -> NoReturn:
    """Fork once more, tell which process that is, and when it has ended, how."""
    size, files, _, _ = socket.recv_fds(line, 4, 2)
    asked = b""
    while len(asked) < int.from_bytes(size):
        asked += line.recv(1 << 16)
    process = os.fork()
    if process == 0:
        line.close()
        _work(**json.loads(asked), files=files)
    line.sendall(process.to_bytes(4))
    status = os.waitpid(process, 0)[1]
    try:
        line.sendall(status.to_bytes(4))
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
    from sixfold.server import workers

    workers.warm_up()
    _listen(sys.argv[1])

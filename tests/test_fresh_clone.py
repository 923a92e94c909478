"""The README's commands, word for word, in fresh copies of the sources: with a page to play on at their end.

Each copy is set up from nothing, which takes a minute or more, so that only CI does it.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from lab.loadtest.nodes import free_port
from tests.containerfile import ROOT
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.xdist_group("fresh clone"),
    pytest.mark.skipif(not os.environ.get("CI"), reason="sets up everything from nothing: runs with CI=true"),
]


def readme_commands(section: str) -> list[str]:
    """The commands of the first block of a section."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(rf"^## {section}\n.*?^```sh\n(.*?)^```", text, re.M | re.S)
    assert block is not None
    return block[1].splitlines()


def clone(folder: Path) -> None:
    subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)


def extract_archive(folder: Path) -> None:
    """The sources as a release offers them, without git."""
    folder.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True)
    subprocess.run(["tar", "--extract"], cwd=folder, input=archive.stdout, check=True)


@contextmanager
def running(command: str, folder: Path, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command in a process group of its own; what it says is in ``folder/../log``."""
    own = ("PYTHONPATH", "VIRTUAL_ENV", "MAKEFLAGS")
    inherited = {name: os.environ[name] for name in os.environ if name not in own}
    with (folder.parent / "log").open("wb") as log:
        process = subprocess.Popen(
            command,
            shell=True,
            cwd=folder,
            env=inherited | environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def page_at(address: str) -> str:
    try:
        with urllib.request.urlopen(address) as answer:
            return str(answer.read().decode())
    except OSError:
        return ""


def assert_playable(address: str, log: Path) -> None:
    assert "Sixfold" in page_at(address), log.read_text()
    assert page_at(f"{address}/rules/dice.json"), log.read_text()


@pytest.mark.parametrize(("place", "copy"), [("sixfold", clone), ("with a space and an ü", extract_archive)])
def test_make_play_leads_to_a_page(tmp_path: Path, place: str, copy: Callable[[Path], None]) -> None:
    folder = tmp_path / place
    copy(folder)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    (command,) = readme_commands("Play")
    with running(command, folder, PORT=str(port)) as process:
        wait_until(lambda: bool(page_at(address)) or process.poll() is not None)
        assert_playable(address, tmp_path / "log")


def test_installing_leads_to_a_page(tmp_path: Path) -> None:
    folder, opened = tmp_path / "sixfold", tmp_path / "opened"
    clone(folder)
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n', encoding="utf-8")
    browser.chmod(0o755)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "environment"], check=True)
    path = f"{tmp_path / 'environment' / 'bin'}:{os.environ['PATH']}"
    commands = " && ".join(readme_commands("Install"))
    with running(commands, folder, PATH=path, BROWSER=str(browser), HOME=str(tmp_path), LANG="C") as process:
        wait_until(lambda: opened.exists() or process.poll() is not None)
        assert opened.exists(), (tmp_path / "log").read_text()
        assert_playable(opened.read_text(encoding="utf-8").strip().rstrip("/"), tmp_path / "log")


def test_a_missing_program_is_named(tmp_path: Path) -> None:
    """Without Node.js nothing is installed, and one sentence says what is needed."""
    clone(tmp_path / "sixfold")
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("make", "sh", "find", "python3", "touch", "env", "printf", "uname", "cat", "rm", "mkdir"):
        found = shutil.which(name)
        assert found is not None
        (programs / name).symlink_to(found)
    done = subprocess.run(
        "make play", shell=True, cwd=tmp_path / "sixfold", env={"PATH": str(programs)}, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "Node.js 20.19 or newer with npm; Debian 13, Ubuntu: apt-get install nodejs npm" in done.stdout
    assert not (tmp_path / "sixfold" / ".venv" / "bin" / "sixfold").exists()

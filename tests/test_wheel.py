"""The wheel works by itself: built once, installed by the container's steps into an empty environment, played with."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lab.loadtest.nodes import free_port
from sixfold.sources import PACKAGE
from tests.containerfile import ROOT, ContainerBuild

pytestmark = pytest.mark.xdist_group("wheel")
WAIT = 180


def run(*command: str | Path, cwd: Path, given: str = "") -> str:
    """Run a command outside our own environment and return what it says."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        command,
        cwd=cwd,
        env=environment,
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}"
    return done.stdout


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> ContainerBuild:
    """An environment with the wheel and nothing of this checkout, but for what was compiled from the same text."""
    place = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", place / "dist", cwd=ROOT)
    made = ContainerBuild(place, place / "dist")
    made.build(before_compiling=PACKAGE)
    return made


@pytest.fixture(scope="session")
def sixfold(built: ContainerBuild) -> Path:
    """The command `sixfold` there."""
    return built.home / "venv" / "bin" / "sixfold"


def test_help(sixfold: Path, tmp_path: Path) -> None:
    said = run(sixfold, "--help", cwd=tmp_path)
    assert "play" in said
    assert "simulate" in said


def test_a_game_can_be_left(sixfold: Path, tmp_path: Path) -> None:
    run(sixfold, "play", "dice", "--seed", "1", cwd=tmp_path, given="q\n")


def test_simulated_games_pass_the_check(sixfold: Path, tmp_path: Path) -> None:
    games = "x.sixfold.jsonl"
    simulate = ["simulate", "dice", "--players", "2", "--games", "20", "--seed", "1", "--out", games]
    run(sixfold, *simulate, cwd=tmp_path)
    assert len((tmp_path / games).read_text(encoding="utf-8").splitlines()) == 20
    assert "20" in run(sixfold, "check", games, cwd=tmp_path)


def test_what_the_container_runs_is_healthy_while_it_serves(built: ContainerBuild) -> None:
    port = free_port()
    with (built.folder / "log").open("wb") as log:
        server = subprocess.Popen(
            built.command(port), cwd=built.home, env=built.environment, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        until = time.monotonic() + WAIT
        while not built.healthy(port):
            assert server.poll() is None, (built.folder / "log").read_text()
            assert time.monotonic() < until, (built.folder / "log").read_text()
            time.sleep(0.2)
    finally:
        server.terminate()
        server.wait()
    assert not built.healthy(port)
    assert (built.folder / "data" / "sixfold.db").exists()

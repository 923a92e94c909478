"""The wheel works by itself: built once, installed into an empty environment, played with."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.xdist_group("wheel")


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
def sixfold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command `sixfold` of a fresh environment that holds the wheel and nothing of this checkout."""
    place = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", place, cwd=ROOT)
    (wheel,) = place.glob("*.whl")
    venv.create(place / "venv", with_pip=True)
    programs = place / "venv" / "bin"
    run(programs / "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel, cwd=place)
    return programs / "sixfold"


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

"""The wheel works by itself: built once, installed into empty environments and played with.

One environment has the seven packages that everybody gets; the other one, made by the container's steps, also has
``sixfold[server]``.
"""

import os
import re
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.loadtest.nodes import free_port
from sixfold.sources import PACKAGE
from tests.containerfile import ROOT, ContainerBuild, copy_compiled
from tests.waiting import wait_until

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
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, cwd=ROOT)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="session")
def built(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> ContainerBuild:
    """An environment with the wheel and nothing of this checkout, but for what was compiled from the same text."""
    made = ContainerBuild(tmp_path_factory.mktemp("wheel"), wheel.parent)
    made.build(before_compiling=PACKAGE)
    return made


@pytest.fixture(scope="session")
def light(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment with the wheel and no extra."""
    folder = tmp_path_factory.mktemp("light")
    run(sys.executable, "-m", "venv", "venv", cwd=folder)
    programs = folder / "venv" / "bin"
    install = ["-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
    run(programs / "python", *install, "-c", ROOT / "constraints.txt", wheel, cwd=folder)
    (package,) = folder.glob("venv/lib/python*/site-packages/sixfold")
    copy_compiled(PACKAGE, package)
    return programs


@pytest.fixture(scope="session", params=["light", "built"])
def sixfold(request: pytest.FixtureRequest) -> Path:
    """The command `sixfold`, without and with the server."""
    if request.param == "light":
        programs: Path = request.getfixturevalue("light")
        return programs / "sixfold"
    made: ContainerBuild = request.getfixturevalue("built")
    return made.home / "venv" / "bin" / "sixfold"


def test_the_wheel_holds_the_product_and_the_pages(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"sixfold"}
    assert not [name for name in names if re.search(r"/(lab|loadtest|tests)/", name)]
    assert {"sixfold/server/pages/index.html", "sixfold/server/pages/rules/dice.wasm"} <= set(names)


def test_help(sixfold: Path, tmp_path: Path) -> None:
    said = run(sixfold, "--help", cwd=tmp_path)
    assert "play" in said
    assert "simulate" in said


def test_a_game_can_be_left(sixfold: Path, tmp_path: Path) -> None:
    run(sixfold, "play", "dice", "--plain", "--seed", "1", cwd=tmp_path, given="q\n")


def test_simulated_games_pass_the_check(sixfold: Path, tmp_path: Path) -> None:
    games = "x.sixfold.jsonl"
    simulate = ["simulate", "dice", "--players", "2", "--games", "20", "--seed", "1", "--out", games]
    run(sixfold, *simulate, cwd=tmp_path)
    assert len((tmp_path / games).read_text(encoding="utf-8").splitlines()) == 20
    assert "20" in run(sixfold, "check", games, cwd=tmp_path)


def test_without_extras_seven_packages_come_in(light: Path, tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = (
        "import importlib.metadata as m; print(*[r for r in m.requires('sixfold') if 'extra ==' not in r], sep='\\n')"
    )
    required = run(light / "python", "-c", asked, cwd=tmp_path).splitlines()
    assert {re.split(r"[<>=]", name)[0] for name in required} == {
        *("msgspec", "numba", "numpy", "platformdirs", "rich", "textual", "typer")
    }
    listed = run(light / "python", "-m", "pip", "list", "--format", "freeze", cwd=tmp_path)
    installed = {line.partition("==")[0].lower().replace("_", "-") for line in listed.splitlines()}
    extras = {
        re.split(r"[\[<>=;]", name)[0].lower().replace("_", "-")
        for names in project["optional-dependencies"].values()
        for name in names
    }
    assert installed & (extras - {"sixfold"}) == set()


def test_without_extras_every_command_names_the_one_it_needs(light: Path, tmp_path: Path) -> None:
    needs = {
        "server": (["serve"], ["backup", "x"], ["bot-token"], ["bots", "--server", "http://x", "--token-file", "x"]),
        "train": (["train", "dice"], ["train", "export", "x", "y"]),
        "wasm": (["wasm", "out"],),
        "arena": (["arena", "dice", "random", "greedy", "--games", "2", "--ray", "auto"],),
    }
    for extra, commands in needs.items():
        for words in commands:
            done = subprocess.run([light / "sixfold", *words], cwd=tmp_path, capture_output=True, text=True)
            assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
            assert f"pip install 'sixfold[{extra}]'" in done.stderr


@pytest.fixture(scope="module")
def alone(light: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`sixfold` without a command or an extra, with a browser that writes down what it was asked to open."""
    place = tmp_path_factory.mktemp("alone")
    browser, opened = place / "browser", place / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n', encoding="utf-8")
    browser.chmod(0o755)
    environment = {"PATH": os.environ["PATH"], "HOME": str(place), "BROWSER": str(browser), "LANG": "C"}
    with (place / "log").open("wb") as log:
        command = [str(light / "sixfold"), "--port", str(free_port())]
        process = subprocess.Popen(command, cwd=place, env=environment, stdout=log, stderr=log)
    try:
        wait_until(lambda: opened.exists() or process.poll() is not None)
        assert opened.exists(), (place / "log").read_text()
        assert "sixfold[server]" in (place / "log").read_text()
        yield opened.read_text(encoding="utf-8").strip()
    finally:
        process.terminate()
        process.wait()


@pytest.mark.parametrize(
    ("path", "kind"), [("/", "text/html"), ("/rules/travel", "text/html"), ("/rules/dice.wasm", "application/wasm")]
)
def test_without_the_server_the_pages_are_static_files(alone: str, path: str, kind: str) -> None:
    with urllib.request.urlopen(alone + path) as answer:
        assert answer.headers["Content-Type"] == kind


@pytest.mark.parametrize("path", ["/api/games", "/assets/lost.js"])
def test_what_only_a_server_has_is_not_there(alone: str, path: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(alone + path)


def test_what_the_container_runs_is_healthy_while_it_serves(built: ContainerBuild) -> None:
    port = free_port()
    with (built.folder / "log").open("wb") as log:
        server = subprocess.Popen(
            built.command(port), cwd=built.home, env=built.environment, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        wait_until(lambda: built.healthy(port) or server.poll() is not None)
        assert server.poll() is None, (built.folder / "log").read_text()
    finally:
        server.terminate()
        server.wait()
    assert not built.healthy(port)
    assert (built.folder / "data" / "sixfold.db").exists()

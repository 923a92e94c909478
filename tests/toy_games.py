"""Toy games that the sources have never heard of, each in one package beside this file, go everywhere a game can go.

They are installed as any other game would be, by an entry point, in processes of their own: in this one they do not
exist.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from tests.fork_server import run

ROOT = Path(__file__).parents[1]


@pytest.fixture
def installed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the toy games that the test's module names in TOYS, for the processes that the test starts."""
    folders = [ROOT / "tests" / name / "installed" for name in request.module.TOYS]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, [*folders, ROOT / "src", ROOT])))


def python(*words: str, typed: str = "", **more: str) -> str:
    """What Python printed with these words and this input, if all went well."""
    environment = {**os.environ, **more}
    command = [sys.executable, *words]
    return said(subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, input=typed))


def said(finished: subprocess.CompletedProcess[str]) -> str:
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def sixfold(*words: str) -> str:
    """What ``sixfold`` printed with these words, if all went well."""
    return said(run(*words))


def files_that_name(game: str) -> list[str]:
    """The sources that mention a game; there should be none."""
    return [
        str(path.relative_to(ROOT))
        for folder in (ROOT / "src" / "sixfold", ROOT / "web" / "src")
        for path in folder.rglob("*")
        if path.suffix in (".py", ".json", ".ts", ".svelte", ".html") and game in path.read_text(encoding="utf-8")
    ]


def play_first_moves(url: str, table: str, client: httpx.Client) -> dict[str, Any]:
    """Play the first legal move in every turn; returns the last view."""
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    address = f"{url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    with connect(address, additional_headers={"Cookie": cookie}) as socket:
        socket.send(json.dumps({"do": "start"}))
        while True:
            told = json.loads(socket.recv(timeout=60))
            assert told["type"] != "refused", told
            for view in told.get("views", []):
                if view["stage"] == "over":
                    return dict(view)
                if view["stage"] == "playing" and view["turn"] == view["seat"]:
                    assert all(set(hand) <= {"??"} for hand in view["position"]["hands"][1:])
                    assert len(view["legal"]) == len(view["earned"]) == len(view["previews"])
                    socket.send(json.dumps({"do": "move", "move": view["legal"][0], "version": view["version"]}))

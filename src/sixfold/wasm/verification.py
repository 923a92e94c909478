"""Verifies modules against the native rules; the modules run in Node."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sixfold
from sixfold.errors import SetupError
from sixfold.wasm.expectations import RUN, Kind, expected, kinds

# The folder that `make pages` writes them to.
MODULES = Path(sixfold.__file__).parent / "server" / "pages" / "rules"


def _node() -> str:
    node = shutil.which("node")
    if node is None:
        raise SetupError("this needs Node.js 20.19 or newer, to run the modules")
    return node


def node_version() -> str:
    """The version of Node that runs the modules."""
    return f"Node {subprocess.run([_node(), '--version'], capture_output=True, text=True).stdout.strip()}"


def ask_node(folder: Path, questions: list[dict[str, Any]]) -> list[Any]:
    """Run queries against the modules in a folder."""
    node = _node()
    if not (folder / "rules.js").exists():
        raise SetupError(f"there are no modules in {folder}; in a checkout `make pages` builds them")
    script = Path(__file__).with_name("node.mjs")
    command = [node, str(script), str(folder.resolve())]
    done = subprocess.run(command, input=json.dumps(questions), capture_output=True, encoding="utf-8")
    if done.returncode:
        raise SetupError(f"the modules in {folder} do not run: {done.stderr.strip()[-2000:]}")
    answers: list[Any] = json.loads(done.stdout)
    return answers


def check(folder: Path, games: int, report: Callable[[Kind, int], None]) -> list[str]:
    """Compare modules with the native rules over this many games of every kind; ``report`` receives the progress.

    Returns the differences.
    """
    all_differences: list[str] = []
    for kind in kinds():
        for first in range(0, games, RUN):
            number = min(RUN, games - first)
            (differences,) = ask_node(folder, [expected(kind, first, number, positions=first == 0)])
            all_differences += differences
            report(kind, number)
    return all_differences

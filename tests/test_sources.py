"""The compile cache and the arena notice every file that something is made of, and no other."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sixfold import sources
from sixfold.sources import PACKAGE, Module, closure, data_files, direct, fingerprint, imported, in_package

SHOW = """
import json, sys
import numpy as np
from sixfold.games.dice import race
from sixfold.games.shared import bits
race.turns_of(0, 2)
bits.size(np.uint64(5))
print(json.dumps([f.stats.cache_misses != {} for f in (race.turns_of, bits.size)]))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package that may be changed."""
    place = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, place / "sixfold", ignore=shutil.ignore_patterns("__pycache__", "pages"))
    return place


def compiled_anew(copy: Path) -> list[bool]:
    """Whether a function over the dice game's table of turns was compiled, and one that knows no game."""
    done = subprocess.run(
        [sys.executable, "-c", SHOW],
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[bool] = json.loads(done.stdout)
    return found


def test_only_what_depends_on_a_changed_file_is_compiled_anew(copy: Path) -> None:
    games = copy / "sixfold" / "games"
    assert compiled_anew(copy) == [True, True]
    assert compiled_anew(copy) == [False, False]
    table = games / "dice" / "turns.json"
    table.write_text(table.read_text() + " ")
    assert compiled_anew(copy) == [True, False], "a data file that is compiled in"
    rules = games / "travel" / "rules.py"
    rules.write_text(rules.read_text() + "# another\n")
    assert compiled_anew(copy) == [False, False], "another game"
    symbols = games / "shared" / "symbols.py"
    symbols.write_text(symbols.read_text() + "# another\n")
    assert compiled_anew(copy) == [True, False], "a file that only one of them imports"


def test_a_function_made_for_a_module_depends_on_it() -> None:
    from sixfold.engine.game import rules_of
    from sixfold.engine.playouts import random_games
    from sixfold.games.shared.compiler import _modules

    for game in ("dice", "travel"):
        play = random_games(rules_of(game)).py_func  # type: ignore[attr-defined]
        names = [module.name for module in _modules(play)]
        assert names == ["sixfold.engine.playouts", "sixfold.engine.steps", f"sixfold.games.{game}.rules"]


def test_every_data_file_is_declared_by_a_module_that_reads_it() -> None:
    rooms = [PACKAGE / room for room in ("games", "engine", "bots", "solve")]
    found = {path for room in rooms for path in room.rglob("*") if path.is_file() and path.suffix != ".py"}
    found = {path for path in found if "__pycache__" not in path.parts and path.name != "py.typed"}
    declared = {path for module in in_package("sixfold") for _, path in data_files(module)}
    assert found <= declared, "no module names these in its DATA_FILES"
    assert all(path.is_file() for path in declared)


def write(folder: Path, **texts: str) -> dict[str, Module]:
    found = {}
    for name, text in texts.items():
        path = folder.joinpath(*name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        found[name] = Module(name.replace("__", "."), path)
    return found


def test_a_bot_of_ones_own_is_followed_to_the_files_beside_it(tmp_path: Path) -> None:
    found = write(
        tmp_path,
        mybot="import helper\nimport numpy\nfrom sixfold.games.dice import rules\n",
        helper="from package.inner import thing\nDATA_FILES = ('weights.bin',)\n",
        package__inner="from . import other\nthing = 1\n",
        package__other="",
    )
    (tmp_path / "weights.bin").write_bytes(b"1")
    names = [module.name for module in closure([found["mybot"]])]
    assert {"mybot", "helper", "package.inner", "package.other", "sixfold.games.dice.rules"} <= set(names)
    assert "numpy" not in names
    assert data_files(found["helper"]) == [("weights.bin", tmp_path / "weights.bin")]
    before = fingerprint([found["mybot"]])
    sources.content.cache_clear()
    (tmp_path / "weights.bin").write_bytes(b"2")
    assert fingerprint([found["mybot"]]) != before


def test_an_import_leads_to_the_module_or_to_the_package_it_names(tmp_path: Path) -> None:
    here = write(tmp_path, here="import sixfold.bots\nfrom sixfold.bots import greedy, make\nimport json\n")["here"]
    assert list(imported(here)) == [
        ("sixfold.bots", ""),
        ("sixfold.bots", "greedy"),
        ("sixfold.bots", "make"),
        ("json", ""),
    ]
    assert {module.name for module in direct(here)} == {"sixfold.bots", "sixfold.bots.greedy"}


def test_relative_imports_are_understood(tmp_path: Path) -> None:
    text = "from . import base\nfrom ..games import start\n"
    inner = write(tmp_path, house__bots__greedy=text)["house__bots__greedy"]
    assert list(imported(inner)) == [("house.bots", "base"), ("house.games", "start")]
    package = Module("house.bots", tmp_path / "house" / "bots" / "__init__.py")
    package.path.write_text(text)
    assert list(imported(package)) == [("house.bots", "base"), ("house.games", "start")]

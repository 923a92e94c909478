"""``pytest --changed`` runs what matters for a change, the nearest first, and says what it left out."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.selection import ALWAYS, ROOT, TESTS, choose, fitting

ALL = sorted(TESTS.rglob("test_*.py"))


def chosen(changed: str) -> list[str]:
    """The test files that a changed file matters for, the nearest first."""
    return [str(test.relative_to(TESTS)) for test in choose(ALL, [ROOT / changed])]


def test_a_change_leads_to_its_own_tests_first() -> None:
    found = chosen("src/sixfold/arena/journal.py")
    assert found[:2] == ["test_house.py", "arena/test_journal.py"]
    assert "rules/test_travel_start.py" not in found
    assert set(chosen("src/sixfold/games/dice/rules.py")[1:4]) == {
        f"rules/test_dice_{part}.py" for part in ("machine", "marking", "turn")
    }


@pytest.mark.parametrize(
    ("changed", "needed", "spared"),
    [
        ("src/sixfold/bots/random.py", "bots/test_bots.py", "test_referee_alone.py"),
        ("src/sixfold/solve/play/dice.guess.npz", "test_odds.py", "test_referee_alone.py"),
        ("src/sixfold/languages/de.json", "test_languages.py", "test_referee_alone.py"),
        ("tests/golden/dice.txt", "test_golden.py", "test_record.py"),
        ("tests/referee/dice.py", "test_referee_alone.py", "test_readme.py"),
        ("docs/rules/travel.md", "test_clauses.py", "test_record.py"),
        ("README.md", "test_readme.py", "test_record.py"),
    ],
)
def test_modules_found_by_name_and_data_files_count(changed: str, needed: str, spared: str) -> None:
    found = chosen(changed)
    assert needed in found
    assert spared not in found
    assert {str(test.relative_to(TESTS)) for test in ALWAYS} <= set(found)


def test_only_as_many_files_are_run_as_fit() -> None:
    first, second, third = (TESTS / f"test_{name}.py" for name in ("house", "record", "views"))
    times = {"tests/test_house.py::a": 3.0, "tests/test_record.py::a": 5.0, "tests/test_record.py::b": 50.0}
    assert fitting([first, second, third], times, 30.0) == [first, second]
    assert fitting([first, second, third], times, 8.0) == [first, third]
    assert fitting([second], times, 1.0) == [second]


# Plugins that take longer to load than these runs do.
SPARE = ("-p", "no:schemathesis", "-p", "no:faker")


def test_what_does_not_fit_is_left_out_and_said(tmp_path: Path) -> None:
    words = ["-m", "pytest", *SPARE, "--seconds", "0", "-o", f"cache_dir={tmp_path}", "tests/test_clauses.py"]
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert re.search(r"left for make test, all or in part: tests/test_clauses.py\n", done.stdout)
    assert "passed" not in done.stdout


GROUPED = """
import os, pytest
pytestmark = pytest.mark.xdist_group("pair")
def test_good(): pass
def test_tired(): assert "RESTED" in os.environ
"""


def test_what_failed_in_a_group_is_found_again_without_the_others(tmp_path: Path) -> None:
    (tmp_path / "test_pair.py").write_text(GROUPED)

    def said(*words: str, **more: str) -> str:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]), **more}
        command = [sys.executable, "-m", "pytest", *SPARE, "-p", "tests.selection", *words]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True).stdout

    assert "1 failed, 1 passed" in said("-n", "1", "--dist", "loadgroup")
    assert " 1 passed in " in said("--last-failed", RESTED="yes")

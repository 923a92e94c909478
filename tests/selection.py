"""``pytest --changed``: only the tests that the files changed since the last commit matter for, the nearest first.

A test file depends on what it imports, directly or not, and on data files that are named in those modules.
``--seconds`` bounds the time: what would not fit any more, by how long it took before, is left for ``make test``.
"""

import json
import os
import re
import subprocess
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from sixfold.sources import PACKAGE, Module, content, data_files, direct, in_package

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
# These find their modules by name, so whoever imports them depends on all of them.
FINDERS = ("sixfold.bots", "sixfold.games")
# What every change matters for.
ALWAYS = (TESTS / "test_house.py",)
TIMES = "sixfold/seconds"
# Seconds: a test that never ran, a file of such tests, and loading a file in each process.
UNKNOWN = 1.0
UNKNOWN_FILE = 10.0
LOADING = 1.0
UNTIL = "SIXFOLD_TESTS_UNTIL"
CHOSEN = "SIXFOLD_TESTS_CHOSEN"


def changed_files() -> list[Path]:
    """The files that differ from the last commit; of a clean checkout those that the last commit changed."""
    for command in ("diff --name-only HEAD", "ls-files --others --exclude-standard"), ("diff --name-only HEAD~1 HEAD",):
        found = [line for words in command for line in _git(*words.split())]
        if found:
            return [ROOT / name for name in found]
    return []


def _git(*words: str) -> list[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.splitlines()


def module_of(test: Path) -> Module:
    return Module(".".join(test.relative_to(ROOT).with_suffix("").parts), test)


def distances(test: Path) -> dict[Module, int]:
    """Every module that a test file depends on, and over how many imports."""
    found = {module_of(test): 0}
    todo = list(found)
    for module in todo:
        nearby = set(direct(module))
        if module.name in FINDERS:
            nearby |= set(in_package(module.name))
        for other in sorted(nearby - found.keys()):
            found[other] = found[module] + 1
            todo.append(other)
    return found


@cache
def declared() -> frozenset[Path]:
    """The data files that modules of the package say they read."""
    return frozenset(path for module in in_package(PACKAGE.name) for _, path in data_files(module))


def reads(module: Module, file: Path) -> bool:
    """Does a module read a file that is no module? It says so, or names it or its folder; only tests read docs."""
    if file in declared():
        return any(path == file for _, path in data_files(module))
    if not module.path.is_relative_to(PACKAGE if file.is_relative_to(PACKAGE) else TESTS):
        return False
    named = rf'["/]{re.escape(file.name)}"'
    if file.parent != ROOT:
        # The checkout itself may have any name, "sixfold" among them.
        named += rf'|["./]{re.escape(file.parent.name)}["/]'
    return re.search(named, content(module.path).decode()) is not None


def nearness(test: Path, changed: Iterable[Path]) -> tuple[int, int] | None:
    """How near a test file is to what changed, the nearest least; None if nothing that changed matters for it."""
    near = distances(test)
    by_path = {module.path: far for module, far in near.items()}
    found = []
    for file in changed:
        if file.suffix == ".py":
            far = [by_path[file]] if file in by_path else []
        else:
            far = [far for module, far in near.items() if reads(module, file)]
        found += [(-len(words(test) & words(file)), min(far))] if far else []
    return min(found, default=None)


def words(path: Path) -> set[str]:
    """The words in a file's name and folders."""
    return set(re.findall(r"[a-z]+", str(path.relative_to(ROOT).with_suffix("")))) - {"src", "sixfold", "tests", "test"}


def choose(tests: Iterable[Path], changed: list[Path]) -> list[Path]:
    """The test files that matter, the nearest first; what every change matters for comes before all."""
    found = {test: nearness(test, changed) for test in tests}
    near = {test: (test not in ALWAYS, *(by or (0, 0))) for test, by in found.items() if by or test in ALWAYS}
    return sorted(near, key=lambda test: (near[test], test))


def fitting(tests: list[Path], times: dict[str, float], seconds: float) -> list[Path]:
    """As many of the first test files as two cores can do in the time, going by how long they took before."""
    taken: dict[str, float] = {}
    for name, took in times.items():
        file = name.partition("::")[0]
        taken[file] = taken.get(file, 0.0) + took
    kept: list[Path] = []
    left = 2 * seconds
    for test in tests:
        needs = LOADING + taken.get(str(test.relative_to(ROOT)), UNKNOWN_FILE)
        if needs <= left or not kept:
            left -= needs
            kept.append(test)
    return kept


def plain(nodeid: str) -> str:
    """A test's name without the group that xdist adds to it: by itself it has none."""
    return re.sub(r"@\w+$", "", nodeid)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("sixfold")
    group.addoption("--changed", action="store_true", help="only tests that files changed since the last commit need")
    group.addoption("--seconds", type=float, metavar="N", help="leave out tests that would not end within N seconds")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Selection(config), "sixfold-selection")


class Selection:
    """Which test files are run, how long each test took when it last ran, and whether it still fits."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.before: dict[str, float] = config.cache.get(TIMES, {}) if config.cache else {}
        self.now: dict[str, float] = {}
        self.left: list[Path] = []
        if not hasattr(config, "workerinput"):
            self._decide()
        # The workers of xdist inherit what was decided.
        self.chosen = [Path(name) for name in json.loads(os.environ[CHOSEN])] if config.getoption("--changed") else None
        self.until = float(os.environ[UNTIL]) if config.getoption("--seconds") is not None else None

    def _decide(self) -> None:
        seconds: float | None = self.config.getoption("--seconds")
        if seconds is not None:
            os.environ[UNTIL] = str(time.time() + seconds)
        if self.config.getoption("--changed"):
            matter = choose(sorted(TESTS.rglob("test_*.py")), changed_files())
            chosen = matter if seconds is None else fitting(matter, self.before, seconds)
            self.left = [test for test in matter if test not in chosen]
            os.environ[CHOSEN] = json.dumps([str(test) for test in chosen])

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        if self.chosen is None or collection_path.is_dir():
            return None
        return collection_path not in self.chosen or None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.chosen is not None:
            items.sort(key=lambda item: self.chosen.index(item.path) if self.chosen else 0)

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if self.until and time.time() + self.before.get(plain(item.nodeid), UNKNOWN) > self.until:
            pytest.skip("no time left: make test runs it")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not hasattr(self.config, "workerinput"):
            # Or --last-failed would not find it, and run everything.
            report.nodeid = plain(report.nodeid)
        # The end of a test that was skipped is reported too, but says nothing.
        if not report.skipped and (report.when == "setup" or report.nodeid in self.now):
            self.now[report.nodeid] = self.now.get(report.nodeid, 0.0) + report.duration

    def pytest_sessionfinish(self) -> None:
        if self.config.cache and self.now and not hasattr(self.config, "workerinput"):
            self.config.cache.set(TIMES, {**self.before, **{name: round(took, 2) for name, took in self.now.items()}})

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        late = [report for report in terminalreporter.getreports("skipped") if "no time left" in str(report.longrepr)]
        files = {str(test.relative_to(ROOT)) for test in self.left} | {test.nodeid.partition("::")[0] for test in late}
        if files:
            terminalreporter.write_line(f"left for make test, all or in part: {' '.join(sorted(files))}")

"""``pytest --changed``: only the tests that the files changed since the last commit matter for, the nearest first.

A test file depends on what it imports, directly or not, and on data files that are named in those modules.
``--seconds`` bounds the time: what would not fit any more, by how long it took before, is left for ``make test``.
"""

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
# How long a test takes that never ran.
UNKNOWN = 1.0
UNTIL = "SIXFOLD_TESTS_UNTIL"


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
    folder, name = re.escape(file.parent.name), re.escape(file.name)
    return re.search(rf'["/]{name}"|["./]{folder}["/]', content(module.path).decode()) is not None


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


def choose(tests: Iterable[Path], changed: list[Path]) -> dict[Path, tuple[int, int]]:
    """The test files that matter, with their nearness."""
    found = {test: nearness(test, changed) for test in tests}
    return {test: near or (0, 0) for test, near in found.items() if near or test in ALWAYS}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("sixfold")
    group.addoption("--changed", action="store_true", help="only tests that files changed since the last commit need")
    group.addoption("--seconds", type=float, metavar="N", help="leave out tests that would not end within N seconds")


def pytest_configure(config: pytest.Config) -> None:
    seconds = config.getoption("--seconds")
    if seconds is not None and not hasattr(config, "workerinput"):
        # The workers of xdist inherit it.
        os.environ[UNTIL] = str(time.time() + seconds)
    config.pluginmanager.register(Times(config), "sixfold-times")


class Times:
    """How long each test took when it last ran, and whether it still fits."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.before: dict[str, float] = config.cache.get(TIMES, {}) if config.cache else {}
        self.now: dict[str, float] = {}
        self.until = float(os.environ[UNTIL]) if config.getoption("--seconds") is not None else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        if not config.getoption("--changed"):
            return
        near = choose(sorted({item.path for item in items}), changed_files())
        kept = [item for item in items if item.path in near]
        config.hook.pytest_deselected(items=[item for item in items if item.path not in near])
        kept.sort(key=lambda item: (near[item.path], str(item.path)))
        items[:] = kept

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if self.until and time.time() + self.before.get(item.nodeid, UNKNOWN) > self.until:
            pytest.skip("no time left: make test runs it")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.skipped:
            self.now[report.nodeid] = self.now.get(report.nodeid, 0.0) + report.duration

    def pytest_sessionfinish(self) -> None:
        if self.config.cache and self.now and not hasattr(self.config, "workerinput"):
            self.config.cache.set(TIMES, {**self.before, **{name: round(took, 2) for name, took in self.now.items()}})

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        left = [report for report in terminalreporter.getreports("skipped") if "no time left" in str(report.longrepr)]
        if left:
            files = sorted({report.nodeid.partition("::")[0] for report in left})
            terminalreporter.write_line(f"left for make test: {len(left)} tests in {' '.join(files)}")

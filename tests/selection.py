"""``pytest --changed``: runs only the tests affected by files changed since the last commit, the nearest first.

A test file depends on what it imports, directly or not, and on data files named in those modules.
``--seconds`` limits the time: tests that would not fit, by their last duration, are left for ``make test``.
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
# These packages find their modules by name, so importing one means depending on all of its modules.
FINDERS = ("sixfold.bots", "sixfold.games")
# Tests that every change affects.
ALWAYS = (TESTS / "test_house.py",)
TIMES = "sixfold/seconds"
# Estimates in seconds: a test that never ran, a file of such tests, and loading a file in each process.
UNKNOWN = 1.0
UNKNOWN_FILE = 10.0
LOADING = 1.0
UNTIL = "SIXFOLD_TESTS_UNTIL"
CHOSEN = "SIXFOLD_TESTS_CHOSEN"


def changed_files() -> list[Path]:
    """The files that differ from the last commit; in a clean checkout, those that the last commit changed."""
    for command in ("diff --name-only HEAD", "ls-files --others --exclude-standard"), ("diff --name-only HEAD~1 HEAD",):
        names = [line for words in command for line in _git(*words.split())]
        if names:
            return [ROOT / name for name in names]
    return []


def _git(*words: str) -> list[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.splitlines()


def module_of(test: Path) -> Module:
    return Module(".".join(test.relative_to(ROOT).with_suffix("").parts), test)


def distances(test: Path) -> dict[Module, int]:
    """Every module that a test file depends on, with its distance in imports."""
    depths = {module_of(test): 0}
    queue = list(depths)
    for module in queue:
        imports = set(direct(module))
        if module.name in FINDERS:
            imports |= set(in_package(module.name))
        for imported in sorted(imports - depths.keys()):
            depths[imported] = depths[module] + 1
            queue.append(imported)
    return depths


@cache
def declared() -> frozenset[Path]:
    """The data files that modules of the package declare."""
    return frozenset(path for module in in_package(PACKAGE.name) for _, path in data_files(module))


def reads(module: Module, file: Path) -> bool:
    """Whether a module reads a data file: it declares it, or names it or its folder; only tests read docs."""
    if file in declared():
        return any(path == file for _, path in data_files(module))
    if not module.path.is_relative_to(PACKAGE if file.is_relative_to(PACKAGE) else TESTS):
        return False
    pattern = rf'["/]{re.escape(file.name)}"'
    if file.parent != ROOT:
        # The checkout itself may have any name, "sixfold" among them.
        pattern += rf'|["./]{re.escape(file.parent.name)}["/]'
    return re.search(pattern, content(module.path).decode()) is not None


def nearness(test: Path, changed: Iterable[Path]) -> tuple[int, int] | None:
    """The distance of a test file from the changed files, smaller is nearer; None if no change affects it."""
    depths = distances(test)
    by_path = {module.path: depth for module, depth in depths.items()}
    scores = []
    for file in changed:
        if file.suffix == ".py":
            near_depths = [by_path[file]] if file in by_path else []
        else:
            near_depths = [depth for module, depth in depths.items() if reads(module, file)]
        scores += [(-len(words(test) & words(file)), min(near_depths))] if near_depths else []
    return min(scores, default=None)


def words(path: Path) -> set[str]:
    """The words in a file's name and folders."""
    return set(re.findall(r"[a-z]+", str(path.relative_to(ROOT).with_suffix("")))) - {"src", "sixfold", "tests", "test"}


def choose(tests: Iterable[Path], changed: list[Path]) -> list[Path]:
    """The affected test files, the nearest first, after those that every change affects."""
    nearnesses = {test: nearness(test, changed) for test in tests}
    ranks = {
        test: (test not in ALWAYS, *(near or (0, 0))) for test, near in nearnesses.items() if near or test in ALWAYS
    }
    return sorted(ranks, key=lambda test: (ranks[test], test))


def fitting(tests: list[Path], times: dict[str, float], seconds: float) -> list[Path]:
    """The first test files that two cores can run in the time, by their last durations."""
    durations: dict[str, float] = {}
    for name, duration in times.items():
        file = name.partition("::")[0]
        durations[file] = durations.get(file, 0.0) + duration
    selected: list[Path] = []
    left = 2 * seconds
    for test in tests:
        cost = LOADING + durations.get(str(test.relative_to(ROOT)), UNKNOWN_FILE)
        if cost <= left or not selected:
            left -= cost
            selected.append(test)
    return selected


def plain(nodeid: str) -> str:
    """A test's ID without the group suffix that xdist adds."""
    return re.sub(r"@\w+$", "", nodeid)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("sixfold")
    group.addoption("--changed", action="store_true", help="only tests that files changed since the last commit need")
    group.addoption("--seconds", type=float, metavar="N", help="leave out tests that would not end within N seconds")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Selection(config), "sixfold-selection")


class Selection:
    """Selects the test files to run, and records how long each test takes."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.before: dict[str, float] = config.cache.get(TIMES, {}) if config.cache else {}
        self.now: dict[str, float] = {}
        self.left: list[Path] = []
        if not hasattr(config, "workerinput"):
            self._decide()
        # The workers of xdist inherit the decision through the environment.
        self.chosen = [Path(name) for name in json.loads(os.environ[CHOSEN])] if config.getoption("--changed") else None
        self.until = float(os.environ[UNTIL]) if config.getoption("--seconds") is not None else None

    def _decide(self) -> None:
        seconds: float | None = self.config.getoption("--seconds")
        if seconds is not None:
            os.environ[UNTIL] = str(time.time() + seconds)
        if self.config.getoption("--changed"):
            affected = choose(sorted(TESTS.rglob("test_*.py")), changed_files())
            chosen = affected if seconds is None else fitting(affected, self.before, seconds)
            self.left = [test for test in affected if test not in chosen]
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
            # Otherwise --last-failed would not find it, and would run everything.
            report.nodeid = plain(report.nodeid)
        # The teardown of a skipped test is reported, too, but its duration is meaningless.
        if not report.skipped and (report.when == "setup" or report.nodeid in self.now):
            self.now[report.nodeid] = self.now.get(report.nodeid, 0.0) + report.duration

    def pytest_sessionfinish(self) -> None:
        if self.config.cache and self.now and not hasattr(self.config, "workerinput"):
            self.config.cache.set(
                TIMES, {**self.before, **{name: round(duration, 2) for name, duration in self.now.items()}}
            )

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        late = [report for report in terminalreporter.getreports("skipped") if "no time left" in str(report.longrepr)]
        files = {str(test.relative_to(ROOT)) for test in self.left} | {test.nodeid.partition("::")[0] for test in late}
        if files:
            terminalreporter.write_line(f"left for make test, all or in part: {' '.join(sorted(files))}")

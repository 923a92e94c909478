import re
from typing import Any

import pytest
from hypothesis import settings

# The first example pays for compiling the rules.
settings.register_profile("sixfold", deadline=None)
settings.load_profile("sixfold")


# Random games execute the same lines thousands of times; other tests cover them, and tracing would double the time.
UNTRACED = re.compile(r"random|conformance|fuzz|referee|machine|views|explaining|golden")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--clause", metavar="T9", help="run only the tests of this clause")
    parser.addoption("--golden", action="store_true", help="rewrite the golden playthroughs")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        grouped = getattr(config.option, "loadgroup", False) and item.get_closest_marker("xdist_group")
        if grouped and "@" not in item.nodeid:
            raise pytest.UsageError("pytest-xdist does not know this pytest: groups of tests would be torn apart")
        if UNTRACED.search(item.path.name):
            item.add_marker("no_cover")
    # Grouped tests take longest, so they start first.
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)
    clause = config.getoption("--clause")
    if clause is None:
        return
    selected = [item for item in items if any(clause in mark.args for mark in item.iter_markers("clause"))]
    config.hook.pytest_deselected(items=[item for item in items if item not in selected])
    items[:] = selected


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep the tests of a file on one worker, like a group, so that they share what they compile and load."""
    from xdist.scheduler import LoadGroupScheduling  # type: ignore[import-untyped]

    class ByFile(LoadGroupScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            group = super()._split_scope(nodeid)
            return nodeid.partition("::")[0] if group == nodeid else group

    return ByFile(config, log) if config.getoption("dist") == "loadgroup" else None

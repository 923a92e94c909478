import re
from typing import Any

import pytest
from hypothesis import settings

pytest_plugins = ["tests.selection"]

# The first example pays for compiling the rules.
settings.register_profile("sixfold", deadline=None)
settings.load_profile("sixfold")


# Random games walk the same lines thousands of times: other tests cover those, and tracing would double the time.
UNTRACED = re.compile(r"random|conformance|fuzz|judge|machine|views|explaining|golden")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--clause", metavar="T9", help="run only the tests of this clause")
    parser.addoption("--golden", action="store_true", help="write the golden playthroughs anew")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        grouped = getattr(config.option, "loadgroup", False) and item.get_closest_marker("xdist_group")
        if grouped and "@" not in item.nodeid:
            raise pytest.UsageError("pytest-xdist does not know this pytest: groups of tests would be torn apart")
        if UNTRACED.search(item.path.name):
            item.add_marker("no_cover")
    if not config.getoption("--changed"):
        # What is grouped takes longest, so it begins first.
        items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)
    wanted = config.getoption("--clause")
    if wanted is None:
        return
    chosen = [item for item in items if any(wanted in mark.args for mark in item.iter_markers("clause"))]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A file stays with one worker, as a group does: what its tests compile and load, they share."""
    from xdist.scheduler import LoadGroupScheduling  # type: ignore[import-untyped]

    class ByFile(LoadGroupScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            group = super()._split_scope(nodeid)
            return nodeid.partition("::")[0] if group == nodeid else group

    return ByFile(config, log) if config.getoption("dist") == "loadgroup" else None

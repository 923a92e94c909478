import pytest
from hypothesis import settings

pytest_plugins = ["tests.selection"]

# The first example pays for compiling the rules.
settings.register_profile("sixfold", deadline=None)
settings.load_profile("sixfold")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--clause", metavar="T9", help="run only the tests of this clause")
    parser.addoption("--golden", action="store_true", help="write the golden playthroughs anew")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = config.getoption("--clause")
    if wanted is None:
        return
    chosen = [item for item in items if any(wanted in mark.args for mark in item.iter_markers("clause"))]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen

from collections.abc import Callable

import pytest

from lab.cli import main


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Runs a command of the lab as from a shell; gives its exit code."""

    def run(*words: object) -> int:
        monkeypatch.setattr("sys.argv", ["lab", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        return int(end.value.code or 0)

    return run

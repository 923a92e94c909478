"""An interrupted run goes on where it stopped: no game is lost, none is played twice."""

import json
import os
import signal
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from sixfold import sources
from sixfold.arena.journal import Journal
from sixfold.arena.match import Outcome
from sixfold.arena.runner import Backend, run
from sixfold.arena.schedule import Fixture, Settings
from sixfold.bots import Budget
from sixfold.errors import SetupError

BOTS = ("tests.arena.bots:Counted", "random")
COMMAND = [sys.executable, "-m", "sixfold", "arena", "dice", *BOTS, "--budget", "1it", "--seed", "5", "--games", "20"]


def settings(games: int = 20, **changes: Any) -> Settings:
    return Settings("dice", BOTS, games=games, **{"budget": Budget(iterations=1), "seed": 5, **changes}).checked()


def outcome(deal: int, seats: tuple[str, ...] = BOTS) -> Outcome:
    return Outcome(Fixture(deal, seats), [1, 2], [[7] * 6, [1] * 6], [[0.5], [0.25]])


def without_times(results: dict[str, Any]) -> dict[str, Any]:
    bots = [{key: value for key, value in bot.items() if key != "time"} for bot in results["bots"]]
    return {**results, "bots": bots, "sessions": None}


@pytest.fixture
def traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "traces"
    folder.mkdir()
    monkeypatch.setenv("SIXFOLD_TEST_TRACES", str(folder))
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The results of the same run when nobody disturbs it."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("SIXFOLD_TEST_PAUSE", "0")
        monkeypatch.setenv("SIXFOLD_TEST_TRACES", str(tmp_path_factory.mktemp("traces")))
        return run(settings(), tmp_path_factory.mktemp("whole"), Backend(2), lambda progress: None)


@pytest.mark.xdist_group("journal")
@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_was_struck_down_goes_on_to_the_same_results(
    blow: signal.Signals, whole: dict[str, Any], traces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIXFOLD_TEST_PAUSE", "0.03")
    folder = tmp_path / "struck"
    path = os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, sys.path)])
    process = subprocess.Popen(
        [*COMMAND, "--workers", "1", "--out", str(folder)],
        env={**os.environ, "PYTHONPATH": path},
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background hands on that Ctrl-C is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    journal = folder / "games.jsonl"
    while not (journal.exists() and journal.read_bytes().count(b'"places"') >= 5):
        with suppress(subprocess.TimeoutExpired):
            pytest.fail(f"it ended by itself: {process.wait(0.05)}")
    process.send_signal(blow)
    _, said = process.communicate()
    assert process.returncode == (-9 if blow == signal.SIGKILL else 130), said
    assert ("the same command goes on" in said) == (blow != signal.SIGKILL)
    played = journal.read_bytes().count(b'"places"')
    assert 5 <= played < 20
    assert not (folder / "results.json").exists()
    begun = len(list(traces.iterdir()))

    monkeypatch.setenv("SIXFOLD_TEST_PAUSE", "0")
    resumed = run(settings(), folder, Backend(2), lambda progress: None)
    assert len(list(traces.iterdir())) - begun == 20 - played + 2  # two workers warm up
    assert resumed["games"] == 20
    assert without_times(resumed) == without_times(whole)
    assert json.loads((folder / "results.json").read_text()) == resumed
    assert (folder / "ratings.svg").read_text().startswith("<svg")


def test_a_line_cut_short_is_dropped_and_its_game_played_again(tmp_path: Path) -> None:
    with closing(Journal(tmp_path, settings())) as journal:
        assert journal.add(outcome(0))
        assert journal.add(outcome(1))
        assert not journal.add(outcome(1))
    whole = journal.path.read_bytes()
    assert whole.count(b"\n") == 3
    journal.path.write_bytes(whole[:-20])
    with closing(Journal(tmp_path, settings())) as journal:
        assert list(journal.outcomes) == [Fixture(0, BOTS)]
        assert journal.add(outcome(1))
    assert journal.path.read_bytes() == whole
    journal.path.write_bytes(whole[:30])
    with closing(Journal(tmp_path, settings())) as journal:
        assert not journal.outcomes


def test_more_games_may_be_added_to_a_run(tmp_path: Path) -> None:
    with closing(Journal(tmp_path, settings(games=4))) as journal:
        journal.add(outcome(0))
    with closing(Journal(tmp_path, settings(games=400))) as journal:
        assert len(journal.outcomes) == 1


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"seed": 6}, "seed 5, not 6"),
        ({"budget": Budget(iterations=2)}, 'budget "1it", not "2it"'),
        ({"move_limit": 3.0}, "move limit 60.0, not 3.0"),
        ({"options": {"hidden_start": True}}, 'options {"hidden_start": false}, not {"hidden_start": true};'),
    ],
)
def test_a_run_with_other_settings_refuses_the_journal(changes: dict[str, Any], named: str, tmp_path: Path) -> None:
    Journal(tmp_path, settings()).close()
    before = (tmp_path / "games.jsonl").read_bytes()
    with pytest.raises(SetupError) as refused:
        Journal(tmp_path, settings(**changes))
    assert named in str(refused.value)
    assert (tmp_path / "games.jsonl").read_bytes() == before


def test_a_run_with_other_data_files_refuses_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Journal(tmp_path, settings()).close()
    before = sources.content

    def another(path: Path) -> bytes:
        return before(path) + b"more" if path.name == "dice.guess.npz" else before(path)

    monkeypatch.setattr(sources, "content", another)
    with pytest.raises(SetupError, match=r'bots and rules \{"solve/\S*dice.guess.npz": "\w{12}"\}, not \{"solve/'):
        Journal(tmp_path, settings())


def test_two_runs_do_not_share_a_journal(tmp_path: Path) -> None:
    with (
        closing(Journal(tmp_path, settings())),
        pytest.raises(SetupError, match="is being written by another run"),
    ):
        Journal(tmp_path, settings())


@pytest.mark.parametrize("damage", [b"{}\n", b"[1]\n", b"not JSON\n", b'{"deal": 1}\n'])
def test_a_damaged_journal_is_refused(damage: bytes, tmp_path: Path) -> None:
    Journal(tmp_path, settings()).close()
    path = tmp_path / "games.jsonl"
    path.write_bytes(path.read_bytes() + damage)
    with pytest.raises(SetupError, match="line 2 is damaged"):
        Journal(tmp_path, settings())
    path.write_bytes(damage)
    with pytest.raises(SetupError, match=r"is no journal|is damaged"):
        Journal(tmp_path, settings())

"""A bot that raises, stalls, cheats or crashes loses that game, with a clear report, and the run goes on."""

import multiprocessing
from pathlib import Path
from typing import Any

import pytest

from sixfold.arena import workers
from sixfold.arena.match import Outcome, forfeit, play
from sixfold.arena.results import summary
from sixfold.arena.runner import Backend, run
from sixfold.arena.schedule import Fixture, Settings
from sixfold.arena.workers import WorkerError, outcomes
from sixfold.engine.chance import Seeded
from sixfold.engine.game import start
from sixfold.engine.record import replay
from tests.arena.bots import Nobody

SURE = "tests.arena.bots:First"


def results_of(bot: str, folder: Path, players: int = 2, game: str = "dice") -> dict[str, Any]:
    bots = (f"tests.arena.bots:{bot}", SURE)
    settings = Settings(game, bots, players, games=2, move_limit=2.0).checked()
    return run(settings, folder, Backend(2, first_move=6.0), lambda progress: None)


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    """The rules are compiled before anybody's clock runs."""
    for game in ("dice", "cards"):
        table = start(game, chance=Seeded(1))
        while table.turn is not None:
            table.play(table.view(table.turn).legal()[0])


@pytest.fixture(autouse=True)
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many processes end here before their time; the next ones need not load everything again."""
    multiprocessing.set_forkserver_preload([workers.__name__, Nobody.__module__])
    monkeypatch.setattr(workers, "_SPAWN", multiprocessing.get_context("forkserver"))


STALLED = "it stalled: no move within 2 seconds"
CRASHED = "its process ended while it was thinking (exit code 7)"


@pytest.mark.parametrize(
    ("bot", "reason"),
    [("Stalls", STALLED), ("StallsAtOnce", STALLED), ("Crashes", CRASHED), ("CrashesAtOnce", CRASHED)],
)
def test_a_bot_that_takes_its_process_with_it_loses(bot: str, reason: str, tmp_path: Path) -> None:
    check_report(results_of(bot, tmp_path), f"tests.arena.bots:{bot}", reason)


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("Raises", "it raised RuntimeError: no idea"),
        ("Leaves", "it raised SystemExit: 3"),
        ("Cheats", 'illegal move "score R4>G"'),
        ("Mumbles", "it returned None, which is no move"),
    ],
)
def test_a_bot_that_raises_or_plays_no_legal_move_loses(bot: str, reason: str) -> None:
    name = f"tests.arena.bots:{bot}"
    settings = Settings("dice", (name, SURE), games=2).checked()
    played = {fixture: play(settings, fixture, Nobody()) for fixture in settings.fixtures()}
    check_report(summary(settings, played, []), name, reason)


def check_report(results: dict[str, Any], bot: str, reason: str) -> None:
    """It lost every game, and each time the report says where and why."""
    assert results["games"] == 2
    bad, sure = results["bots"]
    assert (bad["faults"], sure["faults"]) == (2, 0)
    assert (bad["win_rate"][0], sure["win_rate"][0]) == (0, 1)
    assert [fault["game"] for fault in results["faults"]] == [1, 2]
    for fault in results["faults"]:
        seat = fault["record"]["names"].index(bot)
        event = len(fault["record"]["events"]) + 1
        assert f"seat {seat}, event {event}: {bot} loses: {reason}" in fault["text"]
        assert replay(fault["record"]).game.turn == seat


def test_the_others_are_ranked_as_they_stand() -> None:
    game = start("dice", 4, chance=Seeded(9))
    for _ in range(30):
        game.play(game.legal()[0])
    values = game.values
    best = max(range(4), key=lambda player: sorted(values[player]))
    outcome = forfeit(Fixture(0, ("a", "b", "c", "d")), game, best, "nothing", [[], [], [], []])
    assert outcome.places[best] == 4
    others = sorted((player for player in range(4) if player != best), key=lambda player: outcome.places[player])
    assert [sorted(values[player]) for player in others] == sorted((sorted(values[p]) for p in others), reverse=True)
    assert min(outcome.places) == 1


def test_three_players_go_on_after_a_fault(tmp_path: Path) -> None:
    results = results_of("Raises", tmp_path, players=3, game="cards")
    assert results["games"] == 6
    assert results["bots"][0]["faults"] == 6


def test_processes_that_end_without_a_bot_to_blame_end_the_run(tmp_path: Path) -> None:
    # A game that does not exist gets past nobody but a program; it breaks the worker before any bot thinks.
    settings = Settings("chess", (SURE, "random"), pairings=((SURE, "random"),))
    with pytest.raises(WorkerError, match="keep ending"):
        list(outcomes(settings, [Fixture(0, (SURE, "random"))], 1))


def test_outcomes_are_kept_whole() -> None:
    game = start("dice", 2, chance=Seeded(1))
    outcome = forfeit(Fixture(3, ("a", "b")), game, 0, "a reason", [[1.5], []])
    assert Outcome.of_json(outcome.as_json()) == outcome

"""Work in parts on all cores, in any order the same: reviews measured, puzzles looked for, games counted."""

import gc
import json
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lab.studies import puzzle_search
from lab.studies.agreement import Agreement, Levels
from lab.studies.game_stats import Count, count
from lab.studies.puzzle_search import Journal, Search, SearchJob, SearchState, run_search
from lab.studies.spread import spread
from sixfold.commands.cli_support import throttled_printer
from sixfold.errors import SetupError
from sixfold.review.puzzles import Collection, Puzzle

pytestmark = pytest.mark.xdist_group("solve")
Lab = Callable[..., int]


def in_turn(work: Callable[[Any], Any], jobs: Iterable[Any], workers: int, warm: Callable[[], None]) -> Iterator[Any]:
    """The same as ``spread`` in this process."""
    return ((job, work(job)) for job in jobs)


def test_a_process_does_the_work_and_tells_what_went_wrong() -> None:
    results = spread(int, ["1", "2", "three"], 1, gc.collect)
    assert [next(results), next(results)] == [("1", 1), ("2", 2)]
    with pytest.raises(ValueError, match="invalid literal"):
        next(results)


# What is found where: a puzzle of a kind that is wanted, and else the other one.


def puzzle_at(number: int, most: bool) -> Puzzle:
    return Puzzle([f"{number} {most}"], 0, ["a"], 50.0, "b", 6.0, 6.0, most, 1 if most else 3)


def found_at(place: SearchJob) -> Puzzle | None:
    """Every third place has nothing, the others mostly answers that score most."""
    for most in (True, False) if place.number % 5 else (False, True):
        if place.number % 3 and most in place.wanted:
            return puzzle_at(place.number, most)
    return None


def searched(found: SearchState, ahead: int, lot: random.Random) -> list[Puzzle]:
    """A search in which so many places are looked at side by side, and come back in any order."""
    places, waiting = found.jobs(), list[SearchJob]()
    while found.wanted:
        while len(waiting) < ahead:
            waiting.append(next(places))
        place = waiting.pop(lot.randrange(len(waiting)))
        found.record(place.number, found_at(place))
    return found.puzzles


def test_however_many_look_they_end_with_the_same_puzzles() -> None:
    search = Search("travel", 20, 1)
    alone = searched(SearchState(search), 1, random.Random(1))
    assert sum(puzzle.most for puzzle in alone) == 10
    for ahead in (2, 7, 15):
        assert searched(SearchState(search), ahead, random.Random(ahead)) == alone


def test_a_search_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_search, "spread", in_turn)
    monkeypatch.setattr(puzzle_search, "search_game", found_at)
    search = Search("travel", 20, 1)
    whole = SearchState(search)
    list(run_search(whole, Journal(tmp_path / "whole.part", search), 1))
    path = tmp_path / "cut.part"
    steps = run_search(SearchState(search), Journal(path, search), 1)
    for _ in range(9):
        next(steps)
    steps.close()
    path.write_text(path.read_text() + "[9, {")
    rest = SearchState(search)
    taken = len(list(run_search(rest, Journal(path, search), 1)))
    assert rest.puzzles == whole.puzzles
    assert taken == whole.games_searched - 9
    with pytest.raises(SetupError, match="another search"):
        Journal(path, Search("travel", 20, 2)).read()


def test_puzzles_are_written_when_all_are_found(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(puzzle_search, "spread", in_turn)
    monkeypatch.setattr(puzzle_search, "search_game", found_at)
    out = tmp_path / "puzzles.json"
    assert lab("puzzles", "travel", "--number", 6, "--out", out) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["puzzles.json"]
    made = msgspec.json.decode(out.read_bytes(), type=Collection)
    assert (made.game, made.confirmed_by) == ("travel", "games played to their end")
    assert made.puzzles == searched(SearchState(Search("travel", 6, 1)), 1, random.Random(1))
    capsys.readouterr()
    assert lab("puzzles", "travel", "--workers", 0, "--out", out) == 2
    assert "--workers has to be at least 1" in capsys.readouterr().err


# Measuring


def test_a_levels_mean_cost_and_how_sure_it_is() -> None:
    found = Levels()
    found.add([(1, 10, 40.0), (2, 10, 10.0)])
    found.add([(1, 30, 60.0), (2, 10, 30.0)])
    # 100 points in 40 decisions; the games are off by 40 - 25 and 60 - 75.
    assert found.mean(1) == pytest.approx((40, 2.5, (2 * 15.0**2) ** 0.5 / 40))
    assert found.mean(3) == (0, 0.0, 0.0)
    assert found.steps() == [pytest.approx(0.5 / (0.28125 + 0.5) ** 0.5), None, None, None]
    # A level that never makes a mistake is known to be better, one with a single game is not.
    found.add([(3, 10, 0.0), (3, 10, 0.0), (4, 10, 5.0)])
    assert found.steps() == [found.steps()[0], pytest.approx(2.0 / 0.5**0.5), None, None]


def test_what_two_processes_counted_adds_up() -> None:
    both = Agreement(games=1, grave=3, both_grave=2, gap=4.0)
    both.add(Agreement(games=2, grave=5, both_grave=5, gap=1.0))
    assert both == Agreement(games=3, grave=8, both_grave=7, gap=4.0)


def test_the_measurements_are_commands(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("lab.studies.spread.spread", in_turn)
    monkeypatch.setattr("lab.studies.agreement.ITERATIONS", 16)
    assert lab("bench", "review", "dice", "--games", 2, "--workers", 1, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["games"], told["gap"]) == (2, 0.0)
    assert 0 < told["both_grave"] <= told["grave"] <= told["marked"] <= told["decisions"]
    assert lab("bench", "levels", "dice", "--games", 1, "--workers", 1) == 0
    assert "mean cost of a decision, by level" in capsys.readouterr().out


def test_numbers_add_up_and_tell_how_far_they_are(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def in_two_parts(game: str, players: int, games: int, cores: int) -> Iterator[tuple[int, Count]]:
        for deals in (1, games - 1):
            part = Count()
            part.add("turns", deals * players)
            yield deals, part

    written: list[Any] = []
    monkeypatch.setattr("lab.studies.game_stats.count", in_two_parts)
    monkeypatch.setattr("lab.studies.games_page.write", lambda *given: written.append(given))
    monkeypatch.setattr("lab.commands.numbers.throttled_printer", lambda: throttled_printer(seconds=0))
    out = tmp_path / "numbers.md"
    assert lab("numbers", "dice-2", "cards-3", "--games", 5, "--workers", 1, "--out", out) == 0
    told = capsys.readouterr().err.splitlines()
    assert told == [f"played: {deals} of 10 deals" for deals in (1, 5, 6, 10)]
    [(where, found, games)] = written
    assert (where, games) == (out, 5)
    assert {table: part.sums["turns sum"] for table, part in found.items()} == {("dice", 2): 10, ("cards", 3): 15}


def test_a_card_played_in_either_order_is_the_same_move_to_whoever_counts() -> None:
    """C8: of two orders that lead to the same position a net looks at one, a greedy player may choose the other."""
    ((_, found),) = count("cards", 2, 1, 1)
    assert found.number("greedy loses") == found.number("greedy agrees") > 10

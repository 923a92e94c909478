"""Exact odds on demand: of any position that somebody describes, where there is a value file, and nowhere else."""

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from sixfold import Seeded
from sixfold.engine import notation
from sixfold.engine.game import Game, View
from sixfold.games.dice import rules as dice
from sixfold.games.dice.codec import DicePosition
from sixfold.review import solution_odds
from sixfold.review.model import Odds
from sixfold.review.solution import Solution
from sixfold.review.solution_odds import NoPosition, exact_odds, read_view
from sixfold.solve.positions.sheets import Variant
from sixfold.solve.values import solver
from sixfold.solve.values.file import Values
from sixfold.table import positions
from tests.server_harness import running_server

pytestmark = pytest.mark.xdist_group("solve")


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> Values:
    """The exact values of the end game in which every row has a box left at most."""
    path = tmp_path_factory.mktemp("values") / "end.values"
    solver.solve(Variant(boxes=1), path, "cpu", lambda stage, done, number: None)
    return Values(path)


@pytest.fixture
def known(values: Values, monkeypatch: pytest.MonkeyPatch) -> Values:
    """These values are where the server looks for them."""
    monkeypatch.setattr(solution_odds, "default_path", lambda split: values.path)
    monkeypatch.setattr(solution_odds, "open_values", lambda split, path: Values(path))
    solution_odds._opened.cache_clear()
    return values


def end_game(seed: int) -> Game:
    """Two boxes are left on each sheet, and somebody has to decide."""
    begin = dice.start(2)
    begin[0].marks[:2] = dice.BOXES
    for player in range(2):
        begin[0].marks[player, [player, 3]] = dice.BOXES - 1
    game = Game(dice, begin, Seeded(seed))
    game.resolve_chance()
    return game


def described(view: View) -> dict[str, Any]:
    return positions.value(view)


def shown(view: View) -> DicePosition:
    return msgspec.convert(described(view), DicePosition)


def test_odds_are_those_of_the_values(known: Values) -> None:
    by = Solution(False, known)
    for seed in range(6):
        game = end_game(seed)
        view = game.view(0)
        odds = exact_odds(shown(view))
        assert odds is not None
        assert odds.chances == [by.chance(view, 0), by.chance(view, 1)]
        # Every choice is there once, and the best first.
        legal = view.legal()
        best = by.evaluate_moves(view, int(legal.numbers[0])).options
        assert [one.move for one in odds.candidates][: len(best)] == [notation.write(dice, one.move) for one in best]
        assert odds.candidates[0].chance == odds.chances[described(view)["turn"]]
        chances = [one.chance for one in odds.candidates]
        assert chances == sorted(chances, reverse=True)
        assert {one.move for one in odds.candidates} <= set(legal)
        # Before a roll only the chances are known.
        game.chance = None
        game.play("reroll")
        waiting = exact_odds(shown(game.view(0)))
        assert waiting == Odds([by.chance(game.view(0), 0), by.chance(game.view(0), 1)], [])


def test_the_opening_and_a_hidden_start_are_positions_too(known: Values, monkeypatch: pytest.MonkeyPatch) -> None:
    # Empty sheets are none that these values know: they are of the end game.
    every = np.zeros_like(known.numbering.sheet_of)
    monkeypatch.setattr(known, "numbering", known.numbering._replace(sheet_of=every))
    for hidden in (False, True):
        begin = Game(dice, dice.start(2, hidden_start=hidden))
        view = begin.view(0)
        assert read_view(shown(view), known).states.tobytes() == view.states.tobytes()


WRONG: dict[str, list[dict[str, Any]]] = {
    "D1": [{"turn": 2}, {"values": [[0] * 6]}, {"dice": [["R"] * 3, ["R"] * 4]}, {"dice": [["X"] * 4, ["R"] * 4]}],
    "D2": [{"values": [[8] * 6, [0] * 6]}, {"values": [[-1] * 6, [0] * 6]}, {"values": [[300] * 6, [0] * 6]}],
    "D4": [{"rolls": 0}, {"rolls": 4}, {"phase": "roll"}],
    "D5": [{"dice": [["R"] * 4, []]}],
    "D11": [{"values": [[7, 0, 0, 0, 0, 0], [0] * 6]}],
    "D13": [{"values": [[7] * 6, [6] * 6]}],
}


@pytest.mark.parametrize(
    ("clause", "parts"), [(name, parts) for name, every in WRONG.items() for parts in every], ids=str
)
def test_what_cannot_be_is_refused_with_its_clause(clause: str, parts: dict[str, Any], known: Values) -> None:
    game = end_game(1)
    position = {**described(game.view(0)), "turn": 0}
    with pytest.raises(NoPosition, match=rf"\({clause}\)"):
        exact_odds(msgspec.convert({**position, **parts}, DicePosition))


def test_a_server_tells_them_and_refuses_nonsense(known: Values, tmp_path: Path) -> None:
    position = described(end_game(1).view(0))
    with running_server(tmp_path) as here:

        def asked(view: object) -> Any:
            return here.client.get("/api/odds", params={"view": view if isinstance(view, str) else json.dumps(view)})

        told = asked(position)
        assert told.status_code == 200, told.text
        assert msgspec.json.decode(told.content, type=Odds) == exact_odds(msgspec.convert(position, DicePosition))
        assert asked({**position, "players": 3}).json() is None
        wrongs = {**position, "turn": 7}, {**position, "game": "chess"}, {**position, "options": 1}
        for wrong in ("", "x", "{}", "1" * 3000, *wrongs):
            answer = asked(wrong)
            assert (answer.status_code, answer.json()["key"]) == (409, "no_position"), wrong


def test_a_server_without_values_knows_none(
    values: Values, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    position = json.dumps(described(end_game(1).view(0)))
    path = tmp_path / "dice.values"
    monkeypatch.setattr(solution_odds, "default_path", lambda split: path)
    with running_server(tmp_path) as here:
        assert here.client.get("/api/odds", params={"view": position}).json() is None
        # A file that is damaged is no reason to fail either; the log has it.
        path.write_bytes(values.path.read_bytes()[:5000])
        answer = here.client.get("/api/odds", params={"view": position})
        assert (answer.status_code, answer.json()) == (200, None)
        assert "the values cannot be used" in caplog.text

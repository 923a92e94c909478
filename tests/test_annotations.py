"""What the browser is told beside the moves: their effect before limits, lines, replays, and the shapes of it all."""

import json
import random
from typing import Any

import msgspec
import pytest

from sixfold.games.shared.symbols import SYMBOLS
from sixfold.server import responses
from sixfold.table import event_view, table_view
from sixfold.table.replay import steps
from tests.clauses import clause
from tests.test_table_random import KINDS, act, play_round, random_move, started


@pytest.mark.parametrize(("game", "players", "options"), KINDS)
def test_views_events_and_replays_have_the_shapes_that_the_browser_knows(
    game: str, players: int, options: dict[str, bool]
) -> None:
    table, dice = started(game, players, options=options), random.Random(5)
    while table.stage == "playing":
        for seat in [*range(players), None]:
            told = json.loads(json.dumps(table_view(table, seat)))
            view = msgspec.convert(told, responses.View)
            assert msgspec.to_builtins(view.position) == told["position"]
            msgspec.convert(json.loads(json.dumps(event_view(table, table.version, seat, "g0"))), responses.EventShown)
        act(table, table.turn or 0, "move", move=random_move(table, dice))
    assert msgspec.convert(json.loads(json.dumps(table_view(table, 0))), responses.View).result is not None


@clause("C7", "C10", "D6", "D7", "D12")
@pytest.mark.parametrize(("game", "players", "options"), [kind for kind in KINDS if kind[0] != "travel"])
def test_a_move_never_gains_more_than_it_earns(game: str, players: int, options: dict[str, bool]) -> None:
    table, dice = started(game, players, options=options), random.Random(6)
    lost = 0
    while table.stage == "playing":
        told = table_view(table, table.turn)
        assert len(told["earned"]) == len(told["legal"])
        for preview, earned in zip(told["previews"], told["earned"], strict=True):
            assert all(gain <= given for gain, given in zip(preview, earned, strict=False))
            lost += sum(earned) - sum(preview[:6])
        row = told["values"] if "values" in told else told["position"]["values"]
        assert all(max(values) <= reach for values, reach in zip(row, told["reach"], strict=True))
        act(table, table.turn or 0, "move", move=random_move(table, dice))
    assert lost > 0


@clause("T9", "T10", "T11", "T12")
def test_the_lines_of_both_halves_are_what_a_tile_scores() -> None:
    table, dice = started("travel", 2), random.Random(7)
    while table.stage == "playing":
        told = table_view(table, table.turn)
        scores = told["position"]["values"][told["position"]["turn"]]
        for move, preview in zip(told["legal"], told["previews"], strict=True):
            words = move.split(" ")
            if words[0] != "place":
                continue
            earned = [0] * 6
            for letter, cell in zip(words[1], words[2:], strict=True):
                earned[SYMBOLS.index(letter)] += len(told["lines"].get(cell, {}).get(letter, []))
            assert preview[:6] == [min(more, 18 - score) for more, score in zip(earned, scores, strict=True)]
        act(table, table.turn or 0, "move", move=random_move(table, dice))


@pytest.mark.parametrize(("game", "players", "options"), KINDS)
def test_a_replay_goes_through_the_whole_round(game: str, players: int, options: dict[str, bool]) -> None:
    table = started(game, players, options=options)
    play_round(table, random.Random(8))
    (made,) = table.records
    found: list[dict[str, Any]] = steps(made)
    assert [event for step in found for event in step["events"]] == made["events"]
    assert found[0]["player"] is None
    assert all(step["player"] is not None for step in found[1:])
    assert found[-1]["position"]["values"] == made["result"]["values"]
    for player in range(players):
        gained = [step["gained"] for step in found if step["player"] == player]
        assert [sum(column) for column in zip(*gained, strict=True)] == made["result"]["values"][player]
    assert "??" not in json.dumps(found)


def test_an_event_says_what_a_move_gained() -> None:
    table, dice = started("dice", 2), random.Random(9)
    totals = {0: [0] * 6, 1: [0] * 6}
    while table.stage == "playing":
        turn = table.turn or 0
        act(table, turn, "move", move=random_move(table, dice))
        told = event_view(table, table.version, None)
        totals[turn] = [old + more for old, more in zip(totals[turn], told["gained"], strict=True)]
    assert table.result is not None
    assert [totals[0], totals[1]] == table.result["values"]


@clause("T9")
def test_an_event_says_which_cells_a_placement_scored_with() -> None:
    table, dice = started("travel", 2), random.Random(10)
    scoring = 0
    while table.stage == "playing":
        lines, move, before = table_view(table, table.turn)["lines"], random_move(table, dice), table.version
        act(table, table.turn or 0, "move", move=move)
        word, *words = move.split(" ")
        halves = zip(words[1:], words[0], strict=True) if word == "place" else ()
        told = event_view(table, before + 1, None).get("counted", [])
        assert told == [one for cell, half in halves for one in lines.get(cell, {}).get(half, [])]
        scoring += bool(told)
    assert scoring

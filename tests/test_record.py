"""The record: what it must hold, what is refused with which words, and files that are complete or not there."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sixfold import Refused, system
from sixfold.engine import record
from sixfold.engine.record import RecordError
from tests.positions import travel
from tests.tables import TABLES, Table, at_every_table, random_game

DICE = {
    "format": "sixfold/1",
    "game": "dice",
    "players": 2,
    "options": {"split_jokers": False, "hidden_start": False},
    "events": ["roll 1 R R G B", "roll 0 R G G B", "0 score"],
    "result": None,
}
DEALS = ["deal 0 RG RG RG RB RB RB", "deal 1 RR RR GG GG BB BB"]


def refusal(changed: object) -> str:
    with pytest.raises(RecordError) as refused:
        record.replay(changed)
    return str(refused.value)


def test_the_example_of_the_specification_holds() -> None:
    replayed = record.replay({**DICE, "names": ["Anne", "Carl"]})
    # Red matches two dice, each green one the other green die, blue one.
    assert replayed.game.values == [[2, 2, 1, 0, 0, 0], [0] * 6]
    assert replayed.legal == [8]


def test_unknown_keys_are_ignored() -> None:
    replayed = record.replay({**DICE, "times": [1, 2, 3], "proof": {"key": "x"}})
    assert replayed.game == record.replay(DICE).game


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "sixfold/2"}, "the format is 'sixfold/2', not 'sixfold/1'"),
        ({"game": "chess"}, "there is no game 'chess'; choose one of travel, cards, dice"),
        ({"game": 7}, "'game' is a name and 'players' a whole number"),
        ({"players": 2.0}, "'game' is a name and 'players' a whole number"),
        ({"players": 5}, "dice is for 2 or 3 or 4 players, not 5"),
        ({"players": True}, "'game' is a name and 'players' a whole number"),
        ({"options": []}, "'options' is an object that names every option with its value"),
        ({"options": {"split_jokers": False}}, "'options' does not name hidden_start"),
        ({"options": {"open_racks": False}}, "dice has no option 'open_racks'; it has: split_jokers, hidden_start"),
        (
            {"options": {"split_jokers": 0, "hidden_start": False}},
            "option split_jokers of dice is true or false, not 0",
        ),
        ({"events": "roll 1 R R G B"}, "'events' is a list of texts"),
        ({"events": ["roll 1 R R G B", None]}, "event 2: None is no text (record)"),
        ({"names": "Anne"}, "'names' is a list of texts"),
        ({"names": ["Anne"]}, "there are 1 names for 2 players"),
        ({"legal": [9]}, "event 3: 'legal' says 9 moves, but there were 8 (record)"),
        ({"legal": [8.0]}, "event 3: 'legal' says 8.0 moves, but there were 8 (record)"),
        ({"legal": [8, 8]}, "'legal' has to be a list of 1 numbers, one for each event of a player (record)"),
        ({"legal": "8"}, "'legal' has to be a list of 1 numbers, one for each event of a player (record)"),
    ],
)
def test_a_damaged_head_is_refused_with_a_clear_message(change: dict[str, Any], message: str) -> None:
    assert refusal({**DICE, **change}) == message


@pytest.mark.parametrize("key", list(DICE))
def test_every_key_is_needed(key: str) -> None:
    assert refusal({name: value for name, value in DICE.items() if name != key}) == f"{key!r} is missing"


@pytest.mark.parametrize("nothing", [None, [], "record", 7])
def test_a_record_is_an_object(nothing: object) -> None:
    assert refusal(nothing) == "a record is a JSON object"


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"places": [1, 2]},
        {"places": [1, 2], "values": [[7] * 6, [3] * 6]},
        [],
        0,
        False,
    ],
)
def test_an_unfinished_game_has_no_result(result: object) -> None:
    assert refusal({**DICE, "result": result}) == "'result' has to be null, to which the events lead (D13)"


@at_every_table
def test_a_finished_game_has_its_true_result(table: Table) -> None:
    whole = record.of(random_game(table, 40))
    places, values = whole["result"]["places"], whole["result"]["values"]
    wrong_values = [[value + (player == 0) for value in row] for player, row in enumerate(values)]
    as_truth = [True if place == 1 else place for place in places]
    for clause, result in (
        (table.rules.END_CLAUSE, None),
        (table.rules.END_CLAUSE, {"places": places}),
        (table.rules.RANKING_CLAUSE, {"places": [place + 1 for place in places], "values": values}),
        (table.rules.END_CLAUSE, {"places": places, "values": wrong_values}),
        (table.rules.RANKING_CLAUSE, {"places": as_truth, "values": values}),
        (table.rules.RANKING_CLAUSE, {"places": [float(place) for place in places], "values": values}),
    ):
        true = json.dumps(whole["result"])
        message = f"'result' has to be {true}, to which the events lead ({clause})"
        assert refusal({**whole, "result": result}) == message
    record.replay({**whole, "result": {**whole["result"], "decided": "early"}})


def test_a_taken_cell_is_named_with_event_and_clause() -> None:
    events = [*DEALS, "0 place RG a2 a3", "draw 0 OO", "1 place GG a3 a4"]
    broken = {**DICE, "game": "travel", "options": {"open_racks": False}, "events": events}
    assert refusal(broken) == 'event 5: "1 place GG a3 a4": a3 is taken (T5)'


def test_the_message_of_the_specification() -> None:
    game = travel("c . . . R . . . .", other="RG")
    game.state.turn = 1
    with pytest.raises(Refused) as refused:
        game.play("1 place RG c4 c5")
    assert f"event 17: {refused.value}" == 'event 17: "1 place RG c4 c5": c4 is taken (T5)'


def test_steps_tell_how_many_moves_there_were() -> None:
    told = [(event, choices) for event, _, choices in record.steps(DICE)]
    assert told == [("roll 1 R R G B", None), ("roll 0 R G G B", None), ("0 score", 8)]


def test_files_have_one_record_to_a_line(tmp_path: Path) -> None:
    path = tmp_path / "games.sixfold.jsonl"
    records = [record.of(random_game(table, 41), names=["Änne"] * table.players) for table in TABLES]
    record.write_lines(path, records)
    assert [written for _, written, _ in record.read_lines(path)] == records
    assert [number for number, _, _ in record.read_lines(path)] == list(range(1, len(records) + 1))
    assert sum(size for _, _, size in record.read_lines(path)) == path.stat().st_size
    assert "Änne" in path.read_text(encoding="utf-8")
    assert path.read_bytes().count(b"\n") == len(records)


@pytest.mark.parametrize(
    "line",
    [b"{", b"nonsense", b"\xff\xfe", b"[" * 100_000, b"1" * 5_000, b'{"a": ' + b"1" * 5_000 + b"}", b"\x00"],
    ids=lambda line: repr(line[:10]),
)
def test_a_line_that_is_no_json_is_told_with_its_number(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "games.sixfold.jsonl"
    good = json.dumps(DICE).encode()
    path.write_bytes(b"\n".join([good, b"", line, good]) + b"\n")
    lines = list(record.read_lines(path))
    assert [number for number, _, _ in lines] == [1, 3, 4]
    assert [isinstance(read, RecordError) for _, read, _ in lines] == [False, True, False]
    assert str(lines[1][1]).startswith("not a JSON object in UTF-8: ")


def test_a_file_appears_only_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "games.sixfold.jsonl"
    path.write_text("before\n", encoding="utf-8")
    with pytest.raises(TypeError):
        record.write_lines(path, [DICE, {"not": {"for", "JSON"}}])
    assert path.read_text(encoding="utf-8") == "before\n"
    assert list(tmp_path.iterdir()) == [path]
    with system.atomic_file(path) as file:
        file.write("whole\n")
    assert path.read_text(encoding="utf-8") == "whole\n"


@pytest.mark.parametrize("depth", [100, 400, 900, 2_000])
def test_a_deep_result_is_refused_like_any_other(depth: int) -> None:
    deep: object = None
    for _ in range(depth):
        deep = [deep]
    assert refusal({**DICE, "result": deep}).startswith("'result' has to be null")
    assert refusal({**DICE, "legal": [deep]}).startswith("event 3: 'legal' says [[")
    assert refusal({**DICE, "format": deep}).startswith("the format is [[")
    assert "is true or false, not [[" in refusal({**DICE, "options": {"split_jokers": deep, "hidden_start": False}})


def test_a_player_number_of_many_digits_is_refused_in_few_words() -> None:
    message = refusal({**DICE, "events": ["roll 1 R R G B", "roll 0 R G G B", "9" * 5_000 + " score"]})
    assert message == f'event 3: "{"9" * 79}…": this is not a move; write it like 0 score B2>Y (record)'


def test_control_characters_do_not_reach_the_screen() -> None:
    assert refusal({**DICE, "events": ["\x1b[2J"]}).startswith(r'event 1: "\u001b[2J": ')


def test_letters_that_cannot_be_printed_do_not_stop_a_check(tmp_path: Path) -> None:
    path = tmp_path / "games.sixfold.jsonl"
    lines = [{**DICE, "events": ["roll 1 R R G \ud800"]}, {**DICE, "game": "\udfff"}, DICE]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "sixfold", "check", path], capture_output=True, encoding="utf-8")
    assert done.returncode == 1, done.stderr
    assert r'line 1: event 1: "roll 1 R R G \ud800": there is no \ud800 (record)' in done.stdout
    assert done.stdout.endswith("1 of 3 records holds\n")
    assert done.stderr == ""

"""``sixfold arena`` as a user meets it."""

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from sixfold import cli
from sixfold.arena.svg import render

CAREFUL = "tests.arena.bots:Careful"
SVG = "{http://www.w3.org/2000/svg}"


def sixfold(*words: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a command as from a shell; returns its exit code."""
    monkeypatch.setattr(sys, "argv", ["sixfold", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_a_run_leaves_tables_json_a_picture_and_a_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    words = ["dice", CAREFUL, "random", "--games", "10", "--budget", "5it", "--workers", "2", "--out", str(folder)]
    assert sixfold("arena", *words, "--option", "split_jokers=true", monkeypatch=monkeypatch) == 0
    said = capsys.readouterr().out
    assert "dice, 2 players; split_jokers; 10 games; 5it; seed 1" in said
    assert "Careful" in said
    results = json.loads((folder / "results.json").read_text())
    assert (results["games"], results["options"]["split_jokers"]) == (10, True)
    assert {"processor", "cores", "date", "workers"} <= results["sessions"][0].keys()
    assert ElementTree.parse(folder / "ratings.svg").getroot().tag.endswith("svg")
    assert sorted(path.name for path in folder.iterdir()) == ["games.jsonl", "ratings.svg", "results.json"]
    # All is played: the same command only shows it again.
    before = (folder / "games.jsonl").read_bytes()
    assert sixfold("arena", *words, "--option", "split_jokers=true", monkeypatch=monkeypatch) == 0
    assert (folder / "games.jsonl").read_bytes() == before


WRONG = [
    (["chess", "random", CAREFUL], "there is no game 'chess'"),
    (["travel", "random", CAREFUL, "--players", "3"], "travel is for 2 players"),
    (["dice", "random"], "at least two bots"),
    (["dice", "random", "random"], "each named once"),
    (["dice", "random", "nobody"], "there is no bot 'nobody'"),
    (["dice", "random", "tests.arena.bots:None"], "cannot be loaded"),
    (["dice", "random", "tests.arena.test_command:sixfold"], "cannot be made: TypeError"),
    (["dice", "random", CAREFUL, "--budget", "1s"], "a budget is written"),
    (["dice", "random", CAREFUL, "--games", "0"], "--games has to be at least 1"),
    (["dice", "random", CAREFUL, "--workers", "0"], "--workers has to be at least 1"),
    (["dice", "random", CAREFUL, "--move-limit", "0"], "--move-limit has to be more than 0"),
]


@pytest.mark.parametrize(("words", "reason"), WRONG)
def test_wrong_input_ends_in_one_line_and_writes_nothing(
    words: list[str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code = sixfold("arena", *words, monkeypatch=monkeypatch)
    said = capsys.readouterr()
    assert code == 2
    assert reason in said.err
    assert said.err.count("\n") == 1
    assert not said.out
    assert not list(tmp_path.iterdir())


def results(game: str, players: int) -> dict[str, Any]:
    """Made-up results of two bots."""
    bot = {
        "games": 14,
        "error": 20.0,
        "win_rate": [0.6, 0.5, 0.7],
        "mean_place": [1.4, 1.3, 1.5],
        "time": {"moves": 99, "mean": 12.3, "p99": 45.6},
        "faults": 0,
    }
    return {
        "game": game,
        "players": players,
        "options": {},
        "budget": None,
        "seed": 1,
        "games": 14,
        "bots_and_rules": {"code": "abc", "turns.json": "def"},
        "bots": [{"bot": "greedy", "rating": 0.0, **bot}, {"bot": "a<b&c", "rating": 77.0, **bot}],
        "pairs": [
            {"bots": ["a<b&c", "greedy"], "games": 14, "ahead": [0.6, 0.5, 0.7], "mean_place": [1.4, 1.3, 1.5]},
        ],
        "faults": [],
        "sessions": [{"date": "2026-01-02 03:04", "processor": "Abacus", "cores": 3, "workers": 2}],
    }


def test_the_picture_is_whole_whatever_bots_are_called() -> None:
    root = ElementTree.fromstring(render(results("dice", 3)))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts.count("a<b&c") == 2
    assert {"60.0", "40.0"} <= set(texts)

"""``sixfold arena`` and ``sixfold strength`` as a user meets them."""

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from sixfold import cli
from sixfold.arena import strength
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


def test_the_page_gets_new_results_and_keeps_what_people_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "strength.md"
    page.write_text(f"# Mine\n\n{strength.BEGIN}\nstale figures\n{strength.END}\n\nA log.\n")
    for table in ("travel-2", "cards-3"):
        game, players = strength.TABLES[table]
        (tmp_path / table).mkdir()
        (tmp_path / table / "results.json").write_text(json.dumps(results(game, players)))
    words = ["strength", "--render", "--runs", str(tmp_path), "--out", str(page)]
    assert sixfold(*words, monkeypatch=monkeypatch) == 0
    text = page.read_text()
    assert text.startswith(f"# Mine\n\n{strength.BEGIN}\n")
    assert text.endswith(f"{strength.END}\n\nA log.\n")
    assert "stale figures" not in text
    assert "## Travel, 2 players\n\n2026-01-02; 14 games; Abacus, 3 cores, 2 games at once; seed 1" in text
    assert "| a<b&c | 77 | 39 | 60.0% [50.0, 70.0] | 14 | 12.3 | 45.6 | 0 |" in text
    assert "| a<b&c | greedy | 60.0% [50.0, 70.0] | 1.40 [1.30, 1.50] | 14 |" in text
    assert sixfold(*words, monkeypatch=monkeypatch) == 0
    assert page.read_text() == text


def test_one_command_plays_the_plan_and_writes_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "BOTS", ("random", CAREFUL))
    monkeypatch.setattr(strength, "PAIRINGS", ((CAREFUL, "random"),))
    page, runs = tmp_path / "strength.md", tmp_path / "runs"
    words = ["strength", "dice-2", "--games", "4", "--workers", "1", "--runs", str(runs), "--out", str(page)]
    assert sixfold(*words, monkeypatch=monkeypatch) == 0
    played = json.loads((runs / "dice-2" / "results.json").read_text())
    assert played["games"] == 4
    data = {"games/dice/turns.json", "games/dice/net-3.npz", "games/dice/net-4.npz", "solve/play/dice.guess.npz"}
    assert played["bots_and_rules"].keys() == {"code", *data}
    for name, digest in played["bots_and_rules"].items():
        assert f"{name} {digest}" in page.read_text()
    assert "| Careful | random |" in page.read_text()


def test_one_command_measures_what_longer_thinking_brings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "MILLISECONDS", (1, 2))
    page, runs = tmp_path / "strength.md", tmp_path / "runs"
    words = ["--thinking", "--games", "2", "--workers", "1", "--runs", str(runs), "--out", str(page)]
    assert sixfold("strength", "cards-2", "dice-2", *words, monkeypatch=monkeypatch) == 0
    # The solved dice game needs no search.
    assert sorted(run.name for run in runs.iterdir()) == ["cards-2-1ms", "cards-2-2ms"]
    text = page.read_text()
    assert "4 games. Made by" in text
    assert text.count("| cards, 2 players | 1ms |") == text.count("| cards, 2 players | 2ms |") == 1
    assert "(strength/thinking.svg)" in text
    drawn = ElementTree.parse(tmp_path / "strength" / "thinking.svg").getroot()
    assert [words.text for words in drawn.iter(f"{SVG}text")].count("cards, 2 players") == 1


def test_a_page_without_a_place_for_results_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "strength.md"
    page.write_text("# Mine\n")
    assert sixfold("strength", "--render", "--out", str(page), monkeypatch=monkeypatch) == 2
    assert "no place for the results" in capsys.readouterr().err
    assert page.read_text() == "# Mine\n"
    assert sixfold("strength", "chess-2", monkeypatch=monkeypatch) == 2
    assert "there is no table 'chess-2'" in capsys.readouterr().err


def test_the_plan_joins_all_bots_in_one_fit() -> None:
    reached = {strength.BOTS[0]}
    for _ in strength.BOTS:
        reached |= {bot for pair in strength.PAIRINGS if reached & set(pair) for bot in pair}
    assert reached == set(strength.BOTS)
    assert {frozenset((f"level{n}", f"level{n + 1}")) for n in range(1, 5)} <= set(map(frozenset, strength.PAIRINGS))


def test_the_picture_is_whole_whatever_bots_are_called() -> None:
    root = ElementTree.fromstring(render(results("dice", 3)))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts.count("a<b&c") == 2
    assert {"60.0", "40.0"} <= set(texts)

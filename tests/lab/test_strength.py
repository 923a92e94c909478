"""``python -m lab strength``: plays the plan, writes the page."""

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest

from lab.studies import strength
from tests.arena.test_command import CAREFUL, SVG, results

Lab = Callable[..., int]


def test_the_page_gets_new_results_and_keeps_what_people_wrote(lab: Lab, tmp_path: Path) -> None:
    page = tmp_path / "strength.md"
    page.write_text(f"# Mine\n\n{strength.BEGIN}\nstale figures\n{strength.END}\n\nA log.\n")
    for table in ("travel-2", "cards-3"):
        game, players = strength.TABLES[table]
        (tmp_path / table).mkdir()
        (tmp_path / table / "results.json").write_text(json.dumps(results(game, players)))
    words = ["strength", "--render", "--runs", str(tmp_path), "--out", str(page)]
    assert lab(*words) == 0
    text = page.read_text()
    assert text.startswith(f"# Mine\n\n{strength.BEGIN}\n")
    assert text.endswith(f"{strength.END}\n\nA log.\n")
    assert "stale figures" not in text
    assert "## Travel, 2 players\n\n2026-01-02; 14 games; Abacus, 3 cores, 2 games at once; seed 1" in text
    assert "| a<b&c | 77 | 39 | 60.0% [50.0, 70.0] | 14 | 12.3 | 45.6 | 0 |" in text
    assert "| a<b&c | greedy | 60.0% [50.0, 70.0] | 1.40 [1.30, 1.50] | 14 |" in text
    assert lab(*words) == 0
    assert page.read_text() == text


def test_one_command_plays_the_plan_and_writes_the_page(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strength, "BOTS", ("random", CAREFUL))
    monkeypatch.setattr(strength, "PAIRINGS", ((CAREFUL, "random"),))
    page, runs = tmp_path / "strength.md", tmp_path / "runs"
    words = ["strength", "dice-2", "--games", "4", "--workers", "1", "--runs", str(runs), "--out", str(page)]
    assert lab(*words) == 0
    played = json.loads((runs / "dice-2" / "results.json").read_text())
    assert played["games"] == 4
    data = {"games/dice/turns.json", "games/dice/net-3.npz", "games/dice/net-4.npz", "solve/play/dice.guess.npz"}
    assert played["bots_and_rules"].keys() == {"code", *data}
    for name, digest in played["bots_and_rules"].items():
        assert f"{name} {digest}" in page.read_text()
    assert "| Careful | random |" in page.read_text()


def test_one_command_measures_what_longer_thinking_brings(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strength, "MILLISECONDS", (1, 2))
    page, runs = tmp_path / "strength.md", tmp_path / "runs"
    words = ["--thinking", "--games", "2", "--workers", "1", "--runs", str(runs), "--out", str(page)]
    assert lab("strength", "cards-2", "dice-2", *words) == 0
    # The solved dice game needs no search.
    assert sorted(run.name for run in runs.iterdir()) == ["cards-2-1ms", "cards-2-2ms"]
    text = page.read_text()
    assert "4 games. Made by" in text
    assert text.count("| cards, 2 players | 1ms |") == text.count("| cards, 2 players | 2ms |") == 1
    assert "(strength/thinking.svg)" in text
    drawn = ElementTree.parse(tmp_path / "strength" / "thinking.svg").getroot()
    assert [words.text for words in drawn.iter(f"{SVG}text")].count("cards, 2 players") == 1


def test_a_page_without_a_place_for_results_is_refused(
    lab: Lab, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "strength.md"
    page.write_text("# Mine\n")
    assert lab("strength", "--render", "--out", str(page)) == 2
    assert "no place for the results" in capsys.readouterr().err
    assert page.read_text() == "# Mine\n"
    assert lab("strength", "chess-2") == 2
    assert "there is no table 'chess-2'" in capsys.readouterr().err


def test_the_plan_joins_all_bots_in_one_fit() -> None:
    reached = {strength.BOTS[0]}
    for _ in strength.BOTS:
        reached |= {bot for pair in strength.PAIRINGS if reached & set(pair) for bot in pair}
    assert reached == set(strength.BOTS)
    assert {frozenset((f"level{n}", f"level{n + 1}")) for n in range(1, 5)} <= set(map(frozenset, strength.PAIRINGS))

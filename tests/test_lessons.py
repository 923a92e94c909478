"""The browser's lessons are games by the real rules, in which every rule that they teach happens."""

import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sixfold import start
from tests.clauses import clause

WEB = Path(__file__).parents[1] / "web"
TOOL = runpy.run_path(str(WEB / "tools" / "lessons.py"))
GAMES: tuple[str, ...] = TOOL["GAMES"]


def events(game: str) -> list[str]:
    """A lesson as a plain record has it."""
    lines = [line for line in TOOL["lines"](game) if not line.startswith(">")]
    return [line.split(" ", 2)[2] if line.startswith("!") else line for line in lines]


def steps(game: str) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = json.loads(TOOL["made"](game))
    return made


def to_do(game: str) -> Iterator[tuple[str, dict[str, Any]]]:
    return ((step["moves"][0], step["view"]) for step in steps(game) if step["moves"])


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_made_from_what_is_written(game: str) -> None:
    committed = (WEB / "src" / "games" / game / "lesson.json").read_text(encoding="utf-8")
    assert committed == TOOL["made"](game), "run: npm run lessons"


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_a_game_to_its_end_that_the_learner_wins(game: str) -> None:
    played = start(game)
    for event in events(game):
        played.apply(event)
    assert played.result is not None
    assert played.result.places == [1, 2]
    assert played.result.values == steps(game)[-1]["view"]["result"]["values"]


@pytest.mark.parametrize("game", GAMES)
def test_every_step_can_be_done_and_has_a_sentence_in_every_language(game: str) -> None:
    for move, view in to_do(game):
        assert move in view["legal"]
        assert len(view["previews"]) == len(view["legal"])
    words = [step["word"] for step in steps(game)]
    assert len(set(words)) == len(words)
    for language in ("en", "de", "nl"):
        path = WEB / "src" / "games" / game / f"lesson.{language}.json"
        assert list(json.loads(path.read_text(encoding="utf-8"))) == words


@clause("D4", "D7", "D11", "D12", "D13")
def test_the_dice_lesson_has_another_roll_a_joker_lost_marks_and_an_opening_strip() -> None:
    done = dict(to_do("dice"))
    assert "reroll" in done
    assert "score R3>O" in done
    lost = [
        sum(view["earned"][view["legal"].index(move)]) - sum(view["previews"][view["legal"].index(move)][:6])
        for move, view in to_do("dice")
        if move == "score"
    ]
    assert any(lost)
    reaches = [step["view"]["reach"][0] for step in steps("dice")]
    assert reaches == sorted(reaches)
    assert set(reaches) == {3, 6, 7}


@clause("C8", "C10", "C13", "C14", "C15")
def test_the_card_lesson_has_an_order_that_matters_a_new_hand_and_a_bonus_turn() -> None:
    done = list(to_do("cards"))
    alike = [len(step["moves"]) for step in steps("cards") if step["moves"] and step["moves"][0].startswith("play")]
    assert 1 in alike
    assert ("renew", "choose") in [(move, view["position"]["phase"]) for move, view in done]
    again = [view["position"]["phase"] for _, view in done if view["last"] and view["last"]["seat"] == 0]
    assert again == ["choose", "play"]  # a new hand, and a bonus turn
    assert min(steps("cards")[-1]["view"]["position"]["values"][0]) == 7


@clause("T6", "T11", "T13", "T16", "T18", "T20")
def test_the_travel_lesson_has_a_corner_a_double_a_swap_a_bonus_turn_and_a_full_board() -> None:
    done = dict(to_do("travel"))
    assert "place PP f3 g2" in done
    assert "swap" in done
    arrived = [max(view["position"]["values"][0]) for view in done.values()]
    assert arrived[-1] == 18
    end = steps("travel")[-1]["view"]
    assert end["stage"] == "over"
    assert [min(row) for row in end["result"]["values"]] == [10, 8]

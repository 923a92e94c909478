"""How much better moves there are than a net's: luck is not taken for skill, and hands are shown only if asked."""

import json
import os

import numpy as np
import pytest
from typer.testing import CliRunner

from sixfold.bots.net import features_of

if os.environ.get("CI") != "true":
    pytest.importorskip("torch", reason="training needs sixfold[train]")

import torch

from lab.cli import app
from lab.studies.regret import DEPTHS, Regret
from sixfold.games.shared.generator import seed_word
from sixfold.train.selfplay import GameBatch

pytestmark = pytest.mark.xdist_group("train")
torch.set_num_threads(1)
NO = np.nan


def found(net: list[list[float]], ends: list[list[list[float]]], seen: float = 0.0) -> Regret:
    seen_by_all = np.full((*np.shape(net), len(DEPTHS), 1), seen)
    return Regret(np.array(net), np.array(ends), seen_by_all, (16,), 8.0, 20.0)


def test_what_is_lost_is_what_the_best_move_is_worth_more() -> None:
    # The net likes the second of two moves, and the first of the others; a third is not there.
    regret = found(
        [[0.4, 0.6, NO], [0.7, 0.6, NO]],
        [[[0.5, 0.7], [0.3, 0.3], [NO, NO]], [[0.8, 0.8], [0.2, 0.2], [NO, NO]]],
    )
    np.testing.assert_allclose(regret.lost(), [0.3, 0.0])
    np.testing.assert_allclose(regret.at_most(), [0.3, 0.0])
    assert regret.summary()["lost"] == pytest.approx(0.15)


def test_luck_is_not_taken_for_skill() -> None:
    # Two moves are worth the same; in one half of the worlds one was lucky, in the other half the other.
    regret = found([[0.5, 0.49]], [[[0.4, 0.5], [0.5, 0.42]]])
    np.testing.assert_allclose(regret.lost(), [-0.04])
    np.testing.assert_allclose(regret.at_most(), [0.01])


def test_a_search_wins_back_what_it_sees() -> None:
    regret = found([[0.5, 0.4]], [[[0.3, 0.3], [0.5, 0.5]]])
    assert regret.won_back(0, 0) == [0.0]
    regret.seen[:, 1, 2] = 0.9
    np.testing.assert_allclose(regret.won_back(2, 0), [0.2])


@pytest.mark.parametrize("shown", [False, True])
def test_hands_are_dealt_anew_unless_they_are_shown(shown: bool) -> None:
    features = features_of("cards", 3)
    source, tables = (GameBatch(features, 3, games, "cpu") for games in (1, 8))
    source.deal(3, torch.zeros(1, dtype=torch.int64))
    source.backend.resolve_chance(torch.zeros(1, dtype=torch.int64))
    seats = torch.zeros(8, dtype=torch.int64)
    move = torch.tensor([features.rules.nth(source.backend.states[0], 0)], dtype=torch.int32)
    tables.backend.determinize(source.backend, torch.zeros(1, dtype=torch.int64), move, 8, seed_word(1), shown, seats)
    hands, dealt = source.backend.states["hand"][0], tables.backend.states["hand"]
    assert seats.tolist() == [0] * 8
    assert [np.array_equal(hand[1:], hands[1:]) for hand in dealt] == [shown] * 8


def test_the_command_measures_a_net_that_ships() -> None:
    asked = ["regret", "dice", "--players", "3", "--positions", "3", "--worlds", "64", "--device", "cpu"]
    summary = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    assert (summary["positions"], summary["worlds"], summary["played"]) == (3, [16], 64)
    assert summary["lost"] <= summary["at_most"] + 1e-9
    assert list(map(int, summary["won_back"])) == list(DEPTHS)
    assert 5 < summary["decisions"] < 100


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (["--worlds", "5"], "64 to 4096 worlds, not 5"),
        (["--positions", "0"], "--positions has to be at least 1"),
        (["--device", "tpu"], "cuda or cpu, not 'tpu'"),
        (["--players", "9"], "cards is for 2 or 3 or 4 players"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong: list[str], why: str) -> None:
    assert why in str(CliRunner().invoke(app, ["regret", "cards", *wrong]).exception)

"""Nets learn: a tiny one soon wins, goes on after an interruption, and says the same in every form."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from sixfold.bots.net import NetPolicy, features_of
from sixfold.engine.game import SetupError
from sixfold.games import packages
from tests.nets import net_outputs

if os.environ.get("CI") != "true":
    # A newcomer need not fetch PyTorch for the tests; where everything is checked, it must be there.
    pytest.importorskip("torch", reason="training needs sixfold[train]")
    pytest.importorskip("onnxruntime", reason="exporting needs sixfold[train]")

# Without a device Triton can play one, if it is told before it begins.
os.environ["TRITON_INTERPRET"] = "1"

import onnxruntime
import torch

from sixfold.commands.train import app
from sixfold.train import net as nets
from sixfold.train.search_targets import Search
from sixfold.train.selfplay import GameBatch
from sixfold.train.trainer import LOG, NET, Trainer, TrainingConfig

# One training for all of them.
pytestmark = pytest.mark.xdist_group("train")
# Threads that wait for each other would keep the other tests' cores busy.
torch.set_num_threads(1)
TINY = TrainingConfig(
    "dice", players=4, hidden=(16, 8), games=128, rounds=12, device="cpu", measure=8, temperature=0.2, rate=4e-3
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny training."""
    folder = tmp_path_factory.mktemp("training")
    Trainer(TINY, folder).run(lambda line: None, lambda: False)
    return folder


def lines(folder: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (folder / LOG).read_text().splitlines()]


def test_a_tiny_net_learns_to_win(trained: Path) -> None:
    # With four players the share of pairs is 50% for equal ones; in this game first sight is no better than chance.
    last = lines(trained)[-1]
    assert last["round"] == 12
    assert last["first_sight"] > 0.58
    assert last["games"] == 12 * 128


def test_a_training_goes_on_where_it_was_interrupted(trained: Path, tmp_path: Path) -> None:
    rounds = 0

    def tired() -> bool:
        return rounds == 2

    def count(line: dict[str, float]) -> None:
        nonlocal rounds
        rounds += 1

    begun = Trainer(TINY, tmp_path)
    begun.run(count, tired)
    again = Trainer(TINY, tmp_path)
    assert again.rounds == 2
    assert 0 < again.progress < 1
    for one, other in zip(again.average.parameters(), begun.average.parameters(), strict=True):
        assert torch.equal(one, other)
    again.run(count, lambda: rounds == 4)
    assert Trainer(TINY, tmp_path).rounds == 4
    with pytest.raises(SetupError, match="holds a training with hidden"):
        Trainer(TrainingConfig(**{**TINY.__dict__, "hidden": (8, 8)}), tmp_path)


def test_a_training_that_makes_no_sense_is_refused() -> None:
    for wrong in ({"games": 3}, {"rounds": 0}, {"minutes": 0.0}, {"players": 7}, {"worlds": -1}):
        with pytest.raises(SetupError):
            TrainingConfig(**{**TINY.__dict__, **wrong}).checked()


# A net of every kind, with three rounds of pairs and two layers.
KINDS = {"dice": (16, 8), "cards": (12, 8, 16)}


@pytest.fixture(params=KINDS)
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path, nets.Net]:
    """A game, and the net of four players that has learned nothing as yet, in a file and read from it by PyTorch."""
    game, path, features = request.param, tmp_path / NET, features_of(request.param, 4)
    torch.manual_seed(3)
    net = nets.create(features, 4, KINDS[game])
    nets.write(net, path, game=game, players=4, version=features.VERSION, games=0)
    assert nets.read(path, net, game, 4) == 0
    return game, path, net


def positions(game: str) -> np.ndarray:
    scales = features_of(game, 4).scales(4)
    return np.random.default_rng(1).integers(0, scales + 1, (40, len(scales))).astype(np.int8)


def test_pytorch_and_the_plain_arrays_say_the_same(fresh: tuple[str, Path, nets.Net]) -> None:
    game, path, net = fresh
    told = positions(game)
    expected = net(torch.from_numpy(told)).detach().numpy()
    for row, wanted in zip(told, expected, strict=True):
        assert np.allclose(net_outputs(path, game, 4, row), wanted, atol=1e-4)


def test_a_smaller_net_fills_a_part_of_a_larger_one(fresh: tuple[str, Path, nets.Net]) -> None:
    game, path, small = fresh
    wider = tuple(width + 8 for width in KINDS[game])
    told = torch.from_numpy(positions(game))
    for hidden in (wider, (24, 24, *wider)) if game == "cards" else (wider,):
        large = nets.create(features_of(game, 4), 4, hidden)
        assert nets.read(path, large, game, 4) == 0
        assert torch.allclose(small(told), large(told), atol=1e-4)


def test_many_positions_are_judged_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    net = nets.create(features_of("cards", 4), 4, KINDS["cards"])
    told = torch.from_numpy(positions("cards"))
    whole = net(told)
    monkeypatch.setattr(nets, "MAX_BATCH", 7)
    with torch.no_grad():
        assert torch.allclose(net(told), whole, atol=1e-6)


def test_what_is_no_net_to_begin_with_is_refused(trained: Path, tmp_path: Path) -> None:
    torn, bare = tmp_path / "torn.npz", tmp_path / "bare.npz"
    torn.write_bytes(b"nothing")
    np.savez(bare, game=TINY.game, players=TINY.players)
    for wrong in (torn, bare, tmp_path / "none.npz"):
        with pytest.raises(SetupError, match="is no net to begin with"):
            Trainer(TINY, tmp_path / "folder", wrong)
    with pytest.raises(SetupError, match=r"^\S+ is a net for dice with 4 players$"):
        Trainer(replace(TINY, players=3), tmp_path / "folder", trained / NET)


def test_a_net_remembers_how_many_games_it_has_learned_from(trained: Path, tmp_path: Path) -> None:
    training = Trainer(replace(TINY, rounds=1), tmp_path, trained / NET)
    training.run(lambda line: None, lambda: False)
    with np.load(tmp_path / NET) as file:
        assert int(file["games"]) == 13 * 128


def test_onnx_says_the_same(fresh: tuple[str, Path, nets.Net], tmp_path: Path) -> None:
    game, path, _ = fresh
    out = tmp_path / "net.onnx"
    done = CliRunner().invoke(app, ["export", str(path), str(out)])
    assert done.exit_code == 0, done.output
    told = positions(game)
    session = onnxruntime.InferenceSession(str(out), providers=["CPUExecutionProvider"])
    answers = session.run(["said"], {"told": told.astype(np.float32)})[0]
    for row, wanted in zip(told, answers, strict=True):
        assert np.allclose(net_outputs(path, game, 4, row), wanted, atol=1e-4)
    assert session.get_modelmeta().custom_metadata_map["game"] == game
    assert session.get_outputs()[0].shape[1] == answers.shape[1] == 5


def test_a_trained_net_can_play(trained: Path) -> None:
    mind = NetPolicy("dice", 4, 8, path=trained / NET)
    assert mind.net[1].tolist() == [features_of("dice", 4).input_count(4), 16, 8, 5]


@pytest.mark.parametrize("players", [2, 3])
def test_thinking_ahead_finds_what_the_search_finds(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    worlds, seed = 4, np.uint64(11)
    features, path = features_of("cards", players), packages()["cards"].net(players)
    # Every move is looked at, so that no tie at first sight makes a difference.
    monkeypatch.setattr(features, "PLAN", replace(features.PLAN, replies=features.candidate_count(players)))
    net = nets.create(features, players, nets.HIDDEN["graph"])
    assert nets.read(path, net, "cards", players) > 0
    tables, search = GameBatch(features, players, 2, "cpu"), Search(features, players, worlds, "cpu", 1)
    tables.deal(5, torch.arange(2))
    tables.backend.resolve_chance(torch.empty(2, dtype=torch.int64))
    view = tables.backend.states[:1].copy()
    seat = int(view["turn"][0])
    features.rules.hide(view[0], seat)
    mind = NetPolicy("cards", players, features.PLAN.replies, worlds, 3)
    moves = mind.score_candidates(view)[0][:3]
    mind.roll_out(view, seat, moves, np.ones(3, dtype=np.bool_), (0, worlds), int(seed), features.PLAN.depth)
    live = torch.zeros(3, dtype=torch.int64)
    with torch.no_grad():
        found = search.play_on(net, tables, live, torch.from_numpy(moves.astype(np.int32)), seed)
    np.testing.assert_allclose(found[:, 0].numpy(), mind.chances[:worlds, :3].mean(0), atol=1e-4)


def test_a_net_learns_from_its_own_search(tmp_path: Path) -> None:
    course = replace(TINY, game="cards", players=3, games=8, rounds=2, worlds=2, measure=2)
    training = Trainer(course, tmp_path)
    first = training.average.frozen_copy()
    training.run(lambda line: None, lambda: False)
    unknown = training.replay[-1].margins.isnan()
    assert bool(unknown.any())
    assert not bool(unknown.all())
    assert bool(torch.isfinite(training.replay[-1].values).all())
    assert all(bool(torch.isfinite(weight).all()) for weight in training.net.parameters())
    assert any(not torch.equal(a, b) for a, b in zip(first.parameters(), training.average.parameters(), strict=True))


@pytest.mark.skipif(sys.platform != "linux", reason="Triton is for Linux")
@pytest.mark.parametrize("best", [False, True])
def test_on_a_device_symbols_hear_the_same(best: bool) -> None:
    torch.manual_seed(2)
    told = torch.nn.functional.pad(torch.randint(0, 3, (35, 15, 9)).float(), (0, 7))
    graph = nets.create(features_of("cards", 4), 4, (8,))
    assert isinstance(graph, nets.Graph)
    met, weight = (torch.randn(size, requires_grad=True) for size in ((35, 6, 40), (16, 40)))
    said = []
    for meet in (nets.aggregate_messages, nets.aggregate_messages_on_gpu):
        heard, most = meet(told, met, weight, graph.joins, best)
        torch.manual_seed(3)
        of_all = (heard * torch.randn_like(heard)).sum()
        if best:
            of_all = of_all + (most * torch.randn_like(most)).sum()
        said.append((heard, *torch.autograd.grad(of_all, (met, weight)), *((most,) if best else ())))
    for plain, device in zip(*said, strict=True):
        torch.testing.assert_close(plain, device, rtol=1e-4, atol=1e-4)

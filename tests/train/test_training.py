"""Nets learn: a tiny one soon wins, goes on after an interruption, and says the same in every form."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from sixfold.bots.net import Mind, features_of, load, say, scratch
from sixfold.engine.game import SetupError

if os.environ.get("CI") != "true":
    # A newcomer need not fetch PyTorch for the tests; where everything is checked, it must be there.
    pytest.importorskip("torch", reason="training needs sixfold[train]")
    pytest.importorskip("onnxruntime", reason="exporting needs sixfold[train]")

import onnxruntime
import torch

from sixfold.commands.train import app
from sixfold.train import net as nets
from sixfold.train.learning import LOG, NET, Course, Training
from sixfold.train.net import Net

# One training for all of them.
pytestmark = pytest.mark.xdist_group("train")
# Threads that wait for each other would keep the other tests' cores busy.
torch.set_num_threads(1)
TINY = Course("dice", players=4, hidden=(16, 8), games=128, rounds=12, device="cpu", measure=8, heat=0.2, rate=4e-3)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny training."""
    folder = tmp_path_factory.mktemp("training")
    Training(TINY, folder).run(lambda line: None, lambda: False)
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

    begun = Training(TINY, tmp_path)
    begun.run(count, tired)
    again = Training(TINY, tmp_path)
    assert again.rounds == 2
    assert 0 < again.progress < 1
    for one, other in zip(again.average.parameters(), begun.average.parameters(), strict=True):
        assert torch.equal(one, other)
    again.run(count, lambda: rounds == 4)
    assert Training(TINY, tmp_path).rounds == 4
    with pytest.raises(SetupError, match="holds a training with hidden"):
        Training(Course(**{**TINY.__dict__, "hidden": (8, 8)}), tmp_path)


def test_a_training_that_makes_no_sense_is_refused() -> None:
    for wrong in ({"games": 3}, {"rounds": 0}, {"minutes": 0.0}, {"players": 7}):
        with pytest.raises(SetupError):
            Course(**{**TINY.__dict__, **wrong}).checked()


def positions(inputs: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 12, (40, inputs), dtype=np.int8)


def test_pytorch_and_the_plain_arrays_say_the_same(trained: Path) -> None:
    features = features_of("dice", 4)
    net = Net(features.scales(4), TINY.hidden, 4)
    nets.read(trained / NET, net)
    told = positions(features.inputs(4))
    expected = net(torch.from_numpy(told)).detach().numpy()
    weights, sizes = load(trained / NET, "dice", 4)
    room = scratch(int(sizes.max()))
    for row, wanted in zip(told, expected, strict=True):
        assert np.allclose(room[say(weights, sizes, row, room), :5], wanted, atol=1e-4)


def test_a_smaller_net_fills_a_part_of_a_larger_one(trained: Path) -> None:
    features = features_of("dice", 4)
    small, large = (Net(features.scales(4), hidden, 4) for hidden in (TINY.hidden, (24, 12)))
    for net in (small, large):
        nets.read(trained / NET, net)
    told = torch.from_numpy(positions(features.inputs(4)))
    assert torch.allclose(small(told), large(told), atol=1e-4)


def test_onnx_says_the_same(trained: Path, tmp_path: Path) -> None:
    out = tmp_path / "net.onnx"
    done = CliRunner().invoke(app, ["export", str(trained / NET), str(out)])
    assert done.exit_code == 0, done.output
    inputs = features_of("dice", 4).inputs(4)
    told = positions(inputs)
    session = onnxruntime.InferenceSession(str(out), providers=["CPUExecutionProvider"])
    said = session.run(["said"], {"told": told.astype(np.float32)})[0]
    weights, sizes = load(trained / NET, "dice", 4)
    room = scratch(int(sizes.max()))
    for row, wanted in zip(told, said, strict=True):
        assert np.allclose(room[say(weights, sizes, row, room), :5], wanted, atol=1e-4)
    assert session.get_modelmeta().custom_metadata_map["game"] == "dice"


def test_a_trained_net_can_play(trained: Path) -> None:
    mind = Mind("dice", 4, 8, path=trained / NET)
    assert mind.net[1].tolist() == [features_of("dice", 4).inputs(4), 16, 8, 5]

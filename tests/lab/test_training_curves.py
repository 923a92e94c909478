"""The curves of trainings."""

import json
from pathlib import Path

import pytest

from lab.commands.nets import curves
from lab.studies.training_curves import ratings
from sixfold.errors import SetupError
from tests.lab.test_charts import points_of


def test_a_log_that_goes_on_rates_its_later_nets_above_the_earlier(tmp_path: Path) -> None:
    lines = [
        {"round": 10, "games": 1_000_000},
        {"round": 20, "games": 2_000_000, "oldest": 0.75},
        {"round": 10, "games": 500_000, "oldest": 0.5},
        {"round": 20, "games": 1_000_000, "oldest": 0.75},
    ]
    log = tmp_path / "cards-2.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    three_of_four = 190.8485
    expected = {1.0: 0.0, 2.0: three_of_four, 2.5: three_of_four, 3.0: 2 * three_of_four}
    assert ratings(log) == pytest.approx(expected, abs=0.01)
    curves(tmp_path)
    assert len(points_of((tmp_path / "cards.svg").read_text())) == 1


@pytest.mark.parametrize("torn", ['{"round": 1', "[1, 2]", '{"round": 1, "games": "many"}'])
def test_a_folder_without_logs_and_a_torn_log_are_named(tmp_path: Path, torn: str) -> None:
    log = tmp_path / "dice-3.jsonl"
    log.touch()
    with pytest.raises(SetupError, match=f"no log in {tmp_path} has anything to draw"):
        curves(tmp_path)
    log.write_text(torn)
    with pytest.raises(SetupError, match=f"{log} is no log of a training"):
        curves(tmp_path)

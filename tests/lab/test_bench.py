"""``python -m lab bench``."""

import json
from collections.abc import Callable

import pytest

from lab.commands import bench_research


def test_the_research_bench_measures_every_game(
    lab: Callable[..., int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench_research, "SECONDS", 0.001)

    def bench(*words: str) -> int:
        return lab("bench", "research", "--repeats", "1", "--games", "4", *words)

    assert bench("--json") == 0
    rows = json.loads(capsys.readouterr().out)["games"]
    assert [(row["game"], row["players"]) for row in rows][:2] == [("travel", 2), ("cards", 2)]
    assert all(
        row[name] > 0
        for row in rows
        for name in ("object_moves", "pettingzoo", "pettingzoo_costs", "steps", "steps_with_masks")
    )
    assert bench() == 0
    assert "PettingZoo" in capsys.readouterr().out
    assert bench("--device", "abacus") == 2
    assert "--device is cpu or cuda, not 'abacus'" in capsys.readouterr().err


def test_without_a_gpu_it_says_so(lab: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert lab("bench", "gpu") == 2
    assert "no CUDA device was found" in capsys.readouterr().err

"""The examples do what they say, and so do the page about research and the bench."""

import ast
import doctest
import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sixfold.cli import main
from sixfold.commands import bench_research

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def example(name: str) -> Callable[..., Any]:
    """The main function of an example."""
    found: Callable[..., Any] = runpy.run_path(str(EXAMPLES / f"{name}.py"))["main"]
    return found


def test_the_page_says_what_happens() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "research.md"), module_relative=False)
    assert tried > 20
    assert not failed


def test_every_example_is_run_here() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert not [file.stem for file in EXAMPLES.glob("*.py") if f'"{file.stem}"' not in text]


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda file: file.stem)
def test_notebooks_run_from_top_to_bottom(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {}
    pictures = 0
    for cell in cells:
        assert not cell.get("outputs"), "a notebook is kept without what it printed"
        if cell["cell_type"] == "code":
            *before, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(before, []), file.name, "exec"), names)
            if isinstance(last, ast.Expr):
                shown = eval(compile(ast.Expression(last.value), file.name, "eval"), names)
                pictures += shown is not None and shown._repr_svg_().startswith("<svg")
            else:
                exec(compile(ast.Module([last], []), file.name, "exec"), names)
    assert pictures
    assert capsys.readouterr().out


def test_a_bot_in_ten_lines_beats_a_random_player(tmp_path: Path) -> None:
    example("bot_in_ten_lines")(6, "--workers", "1", "--out", str(tmp_path))
    results = json.loads((tmp_path / "results.json").read_text())
    ratings = {bot["bot"]: bot["rating"] for bot in results["bots"]}
    assert ratings["bot_in_ten_lines:Lifter"] > ratings["random"]


def test_a_policy_learns() -> None:
    first, *_, last = example("train_a_policy")(games=128, steps=300)
    assert last > first > 0
    assert last > 0.6


def test_games_in_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    wins = example("games_in_numbers")(games=400)
    assert all(abs(sum(shares) - 1) < 1e-9 for shares in wins.values())
    assert capsys.readouterr().out.count("decisions") == len(wins)


# Where the other tests of the solution are, which compile the same.
@pytest.mark.xdist_group("solve")
def test_openspiel_finds_what_the_solution_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert example("expectiminimax")() < 1e-6
    assert capsys.readouterr().out.startswith("reroll")


def test_the_bench_measures_every_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(bench_research, "SECONDS", 0.001)

    def bench(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["sixfold", "bench", "research", "--repeats", "1", "--games", "4", *words])
        with pytest.raises(SystemExit) as end:
            main()
        return int(end.value.code or 0)

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

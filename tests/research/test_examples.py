"""The examples do what they say, and so does the page about research."""

import ast
import doctest
import json
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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

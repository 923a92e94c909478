"""Hexagonal boards of any size, and the travel edition on smaller ones: nothing assumes the size of the board."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sixfold.games.shared.hexagon import Hexagon
from tests.clauses import clause

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("side", [2, 3, 4, 5, 6, 9])
def test_a_hexagon_has_its_cells_pairs_and_corners(side: int) -> None:
    board = Hexagon(side)
    assert len(board.cells) == len(set(board.cells)) == board.off == 3 * side * (side - 1) + 1
    # Every cell has six neighbours but for the edge: each corner lacks three, each other cell of the edge two.
    assert len(board.pairs) == (6 * board.off - 3 * 6 - 2 * 6 * (side - 2)) // 2
    assert [int((board.neighbour[corner] != board.off).sum()) for corner in board.corners] == [3] * 6
    for cell in range(board.off):
        for direction in range(6):
            step = board.neighbour[cell, direction]
            assert step == board.off or board.neighbour[step, (direction + 3) % 6] == cell
    everything = board.words(set(range(len(board.pairs))))
    assert sum(int(word).bit_count() for word in everything) == len(board.pairs)


@clause("T1")
def test_the_corners_of_the_printed_board() -> None:
    board = Hexagon(6)
    assert [board.cells[corner] for corner in board.corners] == ["a1", "a6", "f11", "k6", "k1", "f1"]


PROGRAM = """
import sys, warnings
warnings.simplefilter("ignore", RuntimeWarning)  # 64-bit words overflow on purpose
from sixfold.games.shared import hexagon
side, board = int(sys.argv[1]), hexagon.Hexagon
hexagon.Hexagon = lambda printed: board(side)
from sixfold import Seeded, start
from sixfold.bots import Budget, make
from sixfold.engine import annotations, record
from sixfold.games.travel.board import CELLS, WORDS
from sixfold.table.positions import value, view_of
chance = Seeded(1)
game = start("travel", chance=chance)
bots = [make("search", "travel", 2), make("greedy", "travel", 2)]
while game.turn is not None:
    view = game.view(game.turn)
    assert view_of(value(view)) == view
    assert set(annotations.lines(game)) <= set(CELLS)
    game.play(bots[game.turn].choose(view, Budget(iterations=3), chance))
assert annotations.over_why(game) in ("no_room", "all_18")
assert record.replay(record.of(game)).game == game
print(len(CELLS), WORDS, str(game).count(chr(10)))
"""


@pytest.mark.parametrize(("side", "told"), [(3, "19 1 8"), (4, "37 2 10")])
def test_the_travel_edition_on_a_smaller_board(side: int, told: str) -> None:
    """Interpreted: rules, bots, positions and explanations take every size from the board."""
    environment = {
        **os.environ,
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
    }
    program = [sys.executable, "-c", PROGRAM, str(side)]
    done = subprocess.run(program, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == told

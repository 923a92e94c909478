"""OpenSpiel's expectiminimax at the end of the two-player dice game, beside the exact solution.

``python examples/expectiminimax.py`` solves the positions in which at most one box is left in each row. Then OpenSpiel
evaluates every move after a roll with one reroll left: rolling again leads to 1,296 rolls, and each to every way to
score it. The value of the end of a turn comes from the solution; OpenSpiel has to reproduce the solution's chances.
"""

import tempfile
from pathlib import Path

import pyspiel
from open_spiel.python.algorithms.minimax import expectiminimax

from sixfold.engine.game import View
from sixfold.research.open_spiel import SixfoldState
from sixfold.solve.play.odds import Odds, read_dice, read_sheet
from sixfold.solve.positions.sheets import Variant, code
from sixfold.solve.values.file import Values
from sixfold.solve.values.solver import solve
from sixfold.table.positions import view_of


def position(mine: str, theirs: str, shown: str, roll: str) -> View:
    """Two sheets in the order R G B O Y P, the dice of the other player, and the second roll of the player in turn."""
    sheets = [[int(mark) for mark in sheet] for sheet in (mine, theirs)]
    fields = {"players": 2, "options": {}, "seen_by": None, "phase": "decide", "turn": 0, "values": sheets}
    return view_of({"game": "dice", **fields, "dice": [list(roll), list(shown)], "rolls": 2})


def by_openspiel(values: Values, view: View) -> dict[str, float]:
    """The chance of winning after each move, computed by OpenSpiel."""

    def value_after_turn(state: SixfoldState) -> float:
        """The value when the turn is over and the opponent is about to roll."""
        board = state.table.state
        mine, theirs = (int(code(board.marks[player])) for player in range(2))
        values.load_class(mine)
        return 1 - 2 * values.chance(theirs, mine, int(code(board.dice[0])))

    state = pyspiel.load_game("sixfold_dice").state_at(view)
    chances = {}
    for move in state.legal_actions():
        child = state.child(move)
        turn_continues = child.table.active_player == 0
        value, _ = expectiminimax(child, 1 if turn_continues else 0, value_after_turn, 0)
        chances[state.action_to_string(move)] = (value + 1) / 2
    return chances


def main(mine: str = "667777", theirs: str = "776777", shown: str = "RGBB", roll: str = "GGYP") -> float:
    """Compare them, the best move first; returns the largest difference."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "end.values"
        solve(Variant(boxes=1), file, "cpu", lambda *_: None)
        values = Values(file)
        first, second = (read_sheet(values, sheet, "a sheet") for sheet in (mine, theirs))
        odds = Odds(values, first, second, read_dice(values, shown, "dice"))
        exact = odds.choices(read_dice(values, roll, "a roll"), 1)
        by_search = by_openspiel(values, position(mine, theirs, shown, roll))
    for choice in exact:
        print(f"{choice.move:12} solution {choice.chance:.6f}   OpenSpiel {by_search[choice.move]:.6f}")
    return max(abs(choice.chance - by_search[choice.move]) for choice in exact)


if __name__ == "__main__":
    main()

"""What a browser needs to explain moves before they are played, asked of the rules."""

from typing import Any

import numpy as np

from sixfold.games import Moves, View
from sixfold.rules import cards, dice, travel
from sixfold.rules.board import CELLS, EMPTY, NEIGHBOUR, OFF_BOARD
from sixfold.rules.compiling import compiled, compiled_with_arrays
from sixfold.rules.shared import SYMBOLS, limit

_LAST = {"cards": cards.LAST_COLUMN, "dice": dice.BOXES, "travel": travel.GOAL}
_NEIGHBOUR: list[list[int]] = NEIGHBOUR.tolist()
# The directions that stay on the board, with the cells they lead to.
_AROUND = [[(way, step) for way, step in enumerate(steps) if step != OFF_BOARD] for steps in _NEIGHBOUR]


def reach(view: View) -> list[int]:
    """C10, D11: how far a row of each player may go now; T12: in travel always to the end."""
    last = _LAST[view.name]
    if view.name == "travel":
        return [last] * view.players
    return [int(limit(np.array(row, dtype=np.int8), last)) for row in view.values]


def earned(view: View, moves: Moves) -> list[list[int]]:
    """C7, D6 to D8: for each move what it gives before areas, strips and full rows are looked at.

    In travel the lines say it.
    """
    if view.name == "cards":
        return _cards_earned(view, moves)
    if view.name == "dice":
        return _dice_earned(view, moves)
    return []


def _cards_earned(view: View, moves: Moves) -> list[list[int]]:
    counted = np.zeros(6, dtype=np.int8)
    _matches(view.states, counted)
    matches: list[int] = counted.tolist()
    rows = []
    for move in moves.numbers.tolist():
        shown = divmod(move, 6) if move < cards.KEEP else ()
        rows.append([matches[symbol] if symbol in shown else 0 for symbol in range(6)])
    return rows


@compiled
def _matches(states: np.ndarray, counted: np.ndarray) -> None:
    for symbol in range(6):
        counted[symbol] = cards.matches(states[0], symbol)


def _dice_earned(view: View, moves: Moves) -> list[list[int]]:
    earned = np.zeros((len(moves), 6), dtype=np.int8)
    _scored(view.states.copy(), moves.numbers, earned)
    rows: list[list[int]] = earned.tolist()
    return rows


@compiled_with_arrays
def _scored(states: np.ndarray, moves: np.ndarray, earned: np.ndarray) -> None:
    for which in range(moves.size):
        if moves[which] != dice.REROLL:
            dice.earn(states[0], moves[which])
            earned[which] = states[0].due


def lines(view: View) -> dict[str, dict[str, list[str]]]:
    """T9, T10: for each free cell and symbol the cells that a half there would score with.

    The line towards a tile's other half begins at a free cell, so it never has any.
    """
    found: dict[str, dict[str, list[str]]] = {}
    if view.name != "travel":
        return found
    board: list[int] = view.fields["board"]
    for cell, name in enumerate(CELLS):
        if board[cell] != EMPTY:
            continue
        for direction, step in _AROUND[cell]:
            symbol = board[step]
            if symbol == EMPTY:
                continue
            while step != OFF_BOARD and board[step] == symbol:
                found.setdefault(name, {}).setdefault(SYMBOLS[symbol], []).append(CELLS[step])
                step = _NEIGHBOUR[step][direction]
    return found


def counted(view: View, move: str) -> list[str]:
    """T9, T10: the cells that a placement scores with; nothing for other moves."""
    word, *words = move.split(" ")
    if word != "place":
        return []
    found, (tile, *cells) = lines(view), words
    return [one for cell, symbol in zip(cells, tile, strict=True) for one in found.get(cell, {}).get(symbol, [])]


def explained(view: View, moves: Moves) -> dict[str, Any]:
    """Everything for the seat in turn."""
    return {"earned": earned(view, moves), "lines": lines(view)}

"""What a browser needs to explain moves before they are played, asked of the rules."""

from typing import Any

import numpy as np

from sixfold.games import Moves, View
from sixfold.rules import cards, dice, travel
from sixfold.rules.board import CELLS, EMPTY, NEIGHBOUR, OFF_BOARD
from sixfold.rules.shared import SYMBOLS, limit

_LAST = {"cards": cards.LAST_COLUMN, "dice": dice.BOXES, "travel": travel.GOAL}
_NEIGHBOUR: list[list[int]] = NEIGHBOUR.tolist()


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
    matches = [int(cards.matches(view.state, symbol)) for symbol in range(6)]
    rows = []
    for move in moves.numbers.tolist():
        shown = divmod(move, 6) if move < cards.KEEP else ()
        rows.append([matches[symbol] if symbol in shown else 0 for symbol in range(6)])
    return rows


def _dice_earned(view: View, moves: Moves) -> list[list[int]]:
    state = view.state.copy()
    rows = []
    for move in moves.numbers.tolist():
        if move == dice.REROLL:
            rows.append([0] * 6)
        else:
            dice.earn(state, move)
            rows.append(state.due.tolist())
    return rows


def lines(view: View) -> dict[str, dict[str, list[str]]]:
    """T9, T10: for each free cell and symbol the cells that a half there would score with.

    The line towards a tile's other half begins at a free cell, so it never has any.
    """
    found: dict[str, dict[str, list[str]]] = {}
    if view.name != "travel":
        return found
    board: list[int] = view.state.board.tolist()
    for cell, name in enumerate(CELLS):
        if board[cell] != EMPTY:
            continue
        for direction in range(6):
            step = _NEIGHBOUR[cell][direction]
            symbol = EMPTY if step == OFF_BOARD else board[step]
            while symbol != EMPTY and step != OFF_BOARD and board[step] == symbol:
                found.setdefault(name, {}).setdefault(SYMBOLS[symbol], []).append(CELLS[step])
                step = _NEIGHBOUR[step][direction]
    return found


def explained(view: View, moves: Moves) -> dict[str, Any]:
    """Everything for the seat in turn."""
    return {"earned": earned(view, moves), "lines": lines(view)}

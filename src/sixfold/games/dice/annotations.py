"""Annotations of positions of the dice game."""

import numpy as np

from sixfold.games.contract import Reason
from sixfold.games.dice import AREAS, rules
from sixfold.games.dice.moves import REROLL, joker_of, jokers_in
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import SYMBOLS, limit

CELLS = ()
NO_REROLL, NO_GROUP, WHOLE_GROUP = range(3)
REASONS = (
    Reason("no_reroll", "D4"),
    Reason("no_group", "D7", (("number", None), ("symbol", SYMBOLS))),
    Reason("whole_group", "D9"),
)
ENDS = (("boxes_full", "D13"),)


@compiled
def earned(state: np.record, move: int, result: np.ndarray) -> None:
    """D6 to D8: the marks of a scoring move for each symbol, before the limits of strips and full rows."""
    if move != REROLL:
        rules.count_marks(state, move, result)
        return
    for symbol in range(6):
        result[symbol] = 0


@compiled
def reach(state: np.record, player: int) -> int:
    """D11: the last box of a row that may be marked."""
    return limit(state.marks[player], AREAS)


@compiled
def bonus(state: np.record) -> bool:
    """There are no bonus turns."""
    return False


@compiled
def ended(state: np.record) -> int:
    """D13: a sheet is full."""
    return 0


@compiled
def refusal(state: np.record, move: int, words: np.ndarray) -> int:
    """D4, D7, D9: the reason why a move is not allowed."""
    if move == REROLL:
        return NO_REROLL
    for symbol in range(6):
        needed = 0
        for which in range(jokers_in(move)):
            symbol_used, size, _ = joker_of(move, which)
            needed += size if symbol_used == symbol else 0
        if needed > state.dice[state.turn, symbol]:
            words[0] = needed
            words[1] = symbol
            return NO_GROUP
    return WHOLE_GROUP


@compiled
def favours(move: int, symbol: int) -> bool:
    """D7: whether a move gives a joker to a symbol."""
    for which in range(jokers_in(move)):
        if joker_of(move, which)[2] == symbol:
            return True
    return False

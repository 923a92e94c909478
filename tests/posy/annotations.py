"""What people ask of a position of posy."""

import numpy as np

from sixfold.games.contract import Reason
from sixfold.games.shared.compiler import compiled
from tests.posy import LAST, rules

CELLS = ()
REASONS = (Reason("posy_not_held", "P3", (("symbol", rules.ITEMS),)),)
ENDS = (("hands_empty", "P7"), ("complete", "P7"))


@compiled
def earned(state: np.record, move: int, result: np.ndarray) -> None:
    """P4: what a flower gives, before 5 is looked at."""
    for symbol in range(6):
        result[symbol] = rules.rise(state, symbol) if symbol == move else 0


@compiled
def reach(state: np.record, player: int) -> int:
    """P5: to 5, always."""
    return LAST


@compiled
def bonus(state: np.record) -> bool:
    return False


@compiled
def ended(state: np.record) -> int:
    """P7: somebody's values are complete, or all hands are empty."""
    return 1 if rules.complete(state) else 0


@compiled
def refusal(state: np.record, move: int, words: np.ndarray) -> int:
    """P3: the flower is not in the hand."""
    words[0] = move
    return 0

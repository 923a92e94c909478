"""What people ask of a position of orchard."""

import numpy as np

from sixfold.games.contract import Reason
from sixfold.games.shared.compiler import compiled
from tests.orchard import LAST, rules

CELLS = ()
NOT_HELD, NO_CHOICE, CHOOSE_FIRST = range(3)
REASONS = (
    Reason("orchard_not_held", "O3", (("fruit", rules.ITEMS),)),
    Reason("orchard_no_choice", "O5"),
    Reason("orchard_choose_first", "O5"),
)
ENDS = (("orchard_bare", "O7"),)


@compiled
def earned(state: np.record, move: int, result: np.ndarray) -> None:
    """O4: what a fruit adds."""
    for value in range(len(rules.VALUES)):
        result[value] = rules.gain(state, move, value) if move < rules.HOLD else 0


@compiled
def reach(state: np.record, player: int) -> int:
    return LAST


@compiled
def bonus(state: np.record) -> bool:
    return False


@compiled
def ended(state: np.record) -> int:
    return 0


@compiled
def refusal(state: np.record, move: int, words: np.ndarray) -> int:
    """O3, O5: the fruit is not in the hand, or a choice comes first, or there is none."""
    words[0] = move
    if state.phase == rules.CHOOSE:
        return CHOOSE_FIRST
    return NO_CHOICE if move >= rules.HOLD else NOT_HELD


@compiled
def shows(state: np.record, move: int, items: np.ndarray) -> int:
    """O5: fruits that are traded are shown."""
    if move != rules.TRADE:
        return 0
    for at in range(state.held[state.turn]):
        items[at] = state.hand[state.turn, at]
    return int(state.held[state.turn])

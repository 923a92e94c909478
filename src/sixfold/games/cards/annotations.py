"""Annotations of positions of the card game."""

import numpy as np

from sixfold.games.cards import AREAS, rules
from sixfold.games.contract import Reason
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.symbols import first_of, limit, second_of

CELLS = ()
NO_RENEW, CHOOSE_FIRST, NOT_IN_HAND = range(3)
REASONS = (
    Reason("no_renew", "C13"),
    Reason("choose_first", "C13", (("choices", (", ".join(rules.CHOICES),)),)),
    Reason("not_in_hand", "C6", (("card", rules.ITEMS),)),
)
ENDS = (("chips_home", "C15"),)


@compiled
def earned(state: np.record, move: int, result: np.ndarray) -> None:
    """C7: the steps of a card for each symbol, before the limits of areas and full rows."""
    for symbol in range(6):
        shown = move < rules.KEEP and (symbol == first_of(move) or symbol == second_of(move))
        result[symbol] = rules.matches(state, symbol) if shown else 0


@compiled
def reach(state: np.record, player: int) -> int:
    """C10: the last column that a chip may reach."""
    return limit(state.chip[player], AREAS)


@compiled
def bonus(state: np.record) -> bool:
    """C14: in a bonus turn the hand is not full, because nothing has been drawn yet."""
    return state.phase == rules.PLAY and state.hand_size[state.turn] < rules.HAND


@compiled
def ended(state: np.record) -> int:
    """C15: all chips of a player have come home."""
    return 0


@compiled
def shows(state: np.record, move: int, cards: np.ndarray) -> int:
    """C13: renewing the hand reveals it to everybody."""
    if move != rules.RENEW:
        return 0
    for at in range(state.hand_size[state.turn]):
        cards[at] = state.hand[state.turn, at]
    return int(state.hand_size[state.turn])


@compiled
def refusal(state: np.record, move: int, words: np.ndarray) -> int:
    """C6, C13: the reason why a move is not allowed."""
    if move >= rules.KEEP:
        return NO_RENEW
    if state.phase == rules.CHOOSE:
        return CHOOSE_FIRST
    words[0] = rules.CARD_OF[first_of(move), second_of(move)]
    return NOT_IN_HAND

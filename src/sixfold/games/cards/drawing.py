"""A position of the card game as a drawing."""

from collections.abc import Sequence

import numpy as np

from sixfold.games.cards import AREAS
from sixfold.games.cards.rules import CARD_OF, ITEMS
from sixfold.games.contract import Drawn
from sixfold.games.shared.drawing import below, beside, card, panel, sheet, text, two_in_a_row
from sixfold.games.shared.picture import item_names
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.language import say


def drawn(state: np.record, last: Sequence[str], language: str) -> Drawn:
    panels = [panel(state, player, _parts(state, player, last, language), language) for player in range(state.players)]
    piles = say("piles", language, pile=state.pile_size, discards=state.discards_size)
    return below([two_in_a_row(panels), text(piles)])


def _parts(state: np.record, player: int, last: Sequence[str], language: str) -> list[Drawn]:
    """C6: the card that was played last lies farthest from the middle."""
    shown = item_names(ITEMS, state.open[player], int(state.open_size[player]))
    hand = item_names(ITEMS, state.hand[player], int(state.hand_size[player]))
    played = _card_in(last) if last and last[0] == str(player) else None
    marked = len(shown) - 1 if shown and shown[-1] == played else None
    on_table = [text(say("open", language)), beside([card(item, at == marked) for at, item in enumerate(shown)])]
    in_hand = [text(say("hand", language)), beside([card(item) for item in hand])]
    return [beside([below(on_table), below(in_hand)], 18), sheet(state.chip[player], AREAS)]


def _card_in(move: Sequence[str]) -> str | None:
    """The card of a move, whose symbols stand in the order in which they are scored."""
    if len(move) < 3:
        return None
    first, second = (SYMBOLS.index(letter) for letter in move[2])
    return ITEMS[CARD_OF[first, second]]

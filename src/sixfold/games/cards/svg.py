"""SVG rendering of positions of the card game."""

from collections.abc import Sequence

import numpy as np

from sixfold.games.cards import AREAS
from sixfold.games.cards.rules import CARD_OF, ITEMS
from sixfold.games.contract import SvgPart
from sixfold.games.shared.svg import below, beside, card, panel, sheet, text, two_in_a_row
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.games.shared.text import item_names
from sixfold.language import say


def render(state: np.record, last: Sequence[str], language: str) -> SvgPart:
    panels = [panel(state, player, _parts(state, player, last, language), language) for player in range(state.players)]
    piles = say("piles", language, pile=state.pile_size, discards=state.discards_size)
    return below([two_in_a_row(panels), text(piles)])


def _parts(state: np.record, player: int, last: Sequence[str], language: str) -> list[SvgPart]:
    """A player's cards and sheet; C6: the card played last lies farthest from the middle."""
    face_up = item_names(ITEMS, state.open[player], int(state.open_size[player]))
    hand = item_names(ITEMS, state.hand[player], int(state.hand_size[player]))
    played = _card_in(last) if last and last[0] == str(player) else None
    marked = len(face_up) - 1 if face_up and face_up[-1] == played else None
    on_table = [text(say("open", language)), beside([card(item, at == marked) for at, item in enumerate(face_up)])]
    in_hand = [text(say("hand", language)), beside([card(item) for item in hand])]
    return [beside([below(on_table), below(in_hand)], 18), sheet(state.chip[player], AREAS)]


def _card_in(move: Sequence[str]) -> str | None:
    """The card of a move, which names its symbols in scoring order."""
    if len(move) < 3:
        return None
    first, second = (SYMBOLS.index(letter) for letter in move[2])
    return ITEMS[CARD_OF[first, second]]

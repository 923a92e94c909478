"""A position of posy as text."""

import numpy as np

from sixfold.games.shared.text import values_text
from sixfold.language import say
from tests.posy.codec import names
from tests.posy.rules import ITEMS, pool_size


def decision(state: np.record, language: str) -> str:
    return say("posy_lay", language)


def lines(state: np.record, language: str) -> list[str]:
    made = []
    for player in range(state.players):
        held = " ".join(names(state.hand[player], int(state.held[player])))
        top = "-" if state.top[player] < 0 else ITEMS[state.top[player]]
        who = say("player", language, number=player)
        made.append(f"  {who}   {values_text(state.value[player])}   {top}   {say('hand', language)} {held}".rstrip())
    return [*made, f"  {say('posy_rest', language, number=pool_size(state))}"]

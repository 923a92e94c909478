"""A position of orchard as text."""

import numpy as np

from sixfold.games.shared.text import item_names
from sixfold.language import say
from tests.orchard.rules import CHOOSE, ITEMS, VALUES, pool_size


def decision(state: np.record, language: str) -> str:
    return say("orchard_choose" if state.phase == CHOOSE else "orchard_lay", language)


def lines(state: np.record, language: str) -> list[str]:
    rows = []
    for player in range(state.players):
        held = " ".join(item_names(ITEMS, state.hand[player], int(state.held[player])))
        top = " ".join(item_names(ITEMS, state.top[player], int(state.topped[player]))) or "-"
        values = " ".join(f"{name}{value}" for name, value in zip(VALUES, state.value[player], strict=True))
        name = say("player", language, number=player)
        rows.append(f"  {name}   {values}   {top}   {say('hand', language)} {held}".rstrip())
    return [*rows, f"  {say('orchard_stock', language, number=pool_size(state))}"]

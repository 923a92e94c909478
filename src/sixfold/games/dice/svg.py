"""SVG rendering of positions of the dice game."""

from collections.abc import Sequence

import numpy as np

from sixfold.games.contract import SvgPart
from sixfold.games.dice import AREAS
from sixfold.games.shared.svg import beside, die, panel, sheet, two_in_a_row
from sixfold.games.shared.symbols import SYMBOLS

# Reserves the space of a die for players without dice.
_NO_DICE = SvgPart(34, 34, "")


def render(state: np.record, last: Sequence[str], language: str) -> SvgPart:
    panels = []
    for player in range(state.players):
        letters = [letter for symbol, letter in enumerate(SYMBOLS) for _ in range(state.dice[player, symbol])]
        dice = beside([die(letter) for letter in letters] or [_NO_DICE])
        panels.append(panel(state, player, [dice, sheet(state.marks[player], AREAS)], language))
    return two_in_a_row(panels)

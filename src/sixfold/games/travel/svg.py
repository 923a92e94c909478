"""SVG rendering of positions of the travel edition."""

from collections.abc import Sequence

import numpy as np

from sixfold.games.contract import SvgPart
from sixfold.games.shared.svg import (
    GLOW,
    LINE,
    SOFT,
    STEP,
    at,
    below,
    beside,
    half,
    hexagon,
    panel,
    sheet,
    text,
    tile,
)
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.games.shared.text import item_names
from sixfold.games.travel import AREAS
from sixfold.games.travel.board import CELLS, EMPTY, LENGTHS, ROWS
from sixfold.games.travel.rules import ITEMS, pool_size
from sixfold.language import say

_LEFT = 24.0
_SCALE = 1.9
# The width of a full rack, so that all panels have the same width.
_RACK = 264.0


def render(state: np.record, last: Sequence[str], language: str) -> SvgPart:
    panels = []
    for player in range(state.players):
        tiles = [tile(item) for item in item_names(ITEMS, state.rack[player], int(state.rack_size[player]))]
        rack = beside(tiles, 1)._replace(width=_RACK)
        panels.append(panel(state, player, [rack, sheet(state.score[player], AREAS)], language))
    bag = text(say("bag", language, number=pool_size(state)))
    return beside([_board(state, last), below([*panels, bag])], 18)


def _board(state: np.record, last: Sequence[str]) -> SvgPart:
    """The board; the cells of the last tile have a ring."""
    last_cells = last[3:5]
    parts, rings = [], []
    for cell, name in enumerate(CELLS):
        row, number = ROWS.index(name[0]), int(name[1:]) - 1
        x, y = _LEFT + 110 + (2 * number - LENGTHS[row] + 1) * 10, 12 + row * STEP
        if number == 0:
            letter = f'<text x="-16" y="3" font-size="8" fill="{SOFT}" text-anchor="middle">{name[0]}</text>'
            parts.append(at(x, y, letter))
        empty = f'<path d="{hexagon(10.6)}" fill="#f3e8cf" stroke="{LINE}" stroke-width="0.8"/>'
        parts.append(at(x, y, empty if state.board[cell] == EMPTY else half(SYMBOLS[state.board[cell]])))
        if name in last_cells:
            rings.append(at(x, y, f'<path d="{hexagon(11.2)}" fill="none" stroke="{GLOW}" stroke-width="2.2"/>'))
    width, height = _LEFT + 222, 12 + 10 * STEP + 13
    scaled = f'<g transform="scale({_SCALE})">{"".join(parts + rings)}</g>'
    return SvgPart(_SCALE * width, _SCALE * height, scaled)

"""SVG elements for rendering positions: symbols, tiles, cards, dice and sheets, and layout helpers.

Every symbol has a shape as well as a colour, and every value is also written as a number.
"""

from collections.abc import Iterator, Sequence
from math import cos, pi, sin, sqrt
from xml.sax.saxutils import escape

import numpy as np

from sixfold.games.contract import SvgPart
from sixfold.games.shared.symbols import OVER, SYMBOLS
from sixfold.games.shared.text import HIDDEN
from sixfold.language import say

COLOURS = {"R": "#ff6157", "G": "#43cf7c", "B": "#52b1ff", "O": "#ff9838", "Y": "#ffe03d", "P": "#c48bff"}
PIECE, PIECE_TOP, PIECE_EDGE, PIECE_RIM = "#231f36", "#35304f", "#100e1a", "#5a5379"
INK, SOFT, PAPER, SUNKEN, LINE, GLOW, LOW = "#231d30", "#4d4757", "#fffaf0", "#f1e8d6", "#cbbd9f", "#e08600", "#a3211a"
FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"


def _path(points: Iterator[tuple[float, float]]) -> str:
    """A closed path through points in polar coordinates."""
    return f"M{'L'.join(f'{radius * cos(angle):.2f} {radius * sin(angle):.2f}' for radius, angle in points)}Z"


def _star(points: int, outer: float, inner: float) -> str:
    return _path((inner if at % 2 else outer, pi * at / points - pi / 2) for at in range(2 * points))


def _circle(radius: float) -> str:
    return f"M{-radius} 0a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 {-2 * radius} 0Z"


def _sun() -> str:
    rays = ([(6.2, -0.17), (10.0, -0.07), (10.0, 0.07), (6.2, 0.17)] for _ in range(12))
    return _circle(4.7) + "".join(
        _path((radius, pi * at / 6 + turn) for radius, turn in ray) for at, ray in enumerate(rays)
    )


def hexagon(radius: float) -> str:
    """A hexagon with a corner at the top."""
    return _path((radius, pi * at / 3 + pi / 6) for at in range(6))


# Each fits a circle of radius 10 around the origin.
SHAPES = {
    "R": _star(12, 10, 6.4),
    "G": _circle(8.6),
    "B": _star(6, 10, 4.6),
    "O": _path((9.6, pi * at / 3) for at in range(6)),
    "Y": _sun(),
    "P": _circle(9.2) + _circle(4.9),
}
STEP = 10 * sqrt(3)  # from one row of cells to the next, where a cell is 20 wide


def at(x: float, y: float, svg: str) -> str:
    """An SVG fragment moved to a point."""
    return f'<g transform="translate({x:.1f} {y:.1f})">{svg}</g>'


def symbol(letter: str, scale: float = 1.0) -> str:
    """A symbol around the origin."""
    return f'<path d="{SHAPES[letter]}" fill="{COLOURS[letter]}" fill-rule="evenodd" transform="scale({scale})"/>'


def half(letter: str | None) -> str:
    """Half a tile around the origin: a hexagon with its symbol, or face down."""
    edge = f'<path d="{hexagon(11.4)}" transform="translate(0 0.9)" fill="{PIECE_EDGE}"/>'
    top = f'<path d="{hexagon(10.9)}" fill="{PIECE_TOP}" stroke="{PIECE_RIM}" stroke-width="0.4"/>'
    if letter is None:
        return edge + top
    return f'{edge}{top}<path d="{hexagon(9.2)}" fill="{PIECE}"/>{symbol(letter, 0.7)}'


def tile(item: str) -> SvgPart:
    """A tile with two symbols side by side, or face down."""
    letters = [None, None] if item == HIDDEN else list(item)
    return SvgPart(43, 26, at(11.5, 12, half(letters[0])) + at(31.5, 12, half(letters[1])))


def card(item: str, marked: bool = False) -> SvgPart:
    """A card with two symbols one above the other, or its back; a marked card has a frame and a dot."""
    parts = [
        f'<rect x="1" y="2" width="38" height="58" rx="5.5" fill="{PIECE_EDGE}"/>',
        f'<rect x="1" y="1" width="38" height="57.5" rx="5.5" fill="{PIECE}" stroke="{PIECE_RIM}"/>',
    ]
    if item == HIDDEN:
        parts.append(f'<path d="M20 18L30 24V36L20 42L10 36V24Z" fill="none" stroke="{PIECE_RIM}" stroke-width="1.4"/>')
    else:
        parts += [at(20, 16, symbol(item[0], 0.95)), at(20, 43.4, symbol(item[1], 0.95))]
        parts.append(f'<path d="M9 29.7H31" stroke="{PIECE_RIM}"/>')
    if marked:
        parts.append(
            f'<rect x="-1" y="-1" width="42" height="62" rx="7" fill="none" stroke="{GLOW}" stroke-width="2.4"/>'
        )
        parts.append(f'<circle cx="20" cy="-1" r="4" fill="{GLOW}"/>')
    return SvgPart(42, 62, "".join(parts))


def die(letter: str) -> SvgPart:
    return SvgPart(
        34,
        34,
        f'<rect x="0.5" y="2" width="31" height="31" rx="7.5" fill="{PIECE_EDGE}"/>'
        f'<rect x="0.5" y="0.5" width="31" height="30.5" rx="7.5" fill="{PIECE}" stroke="{PIECE_RIM}"/>'
        + at(16, 15.6, symbol(letter)),
    )


def text(content: str, size: float = 13, bold: bool = False, colour: str = INK) -> SvgPart:
    """A line of text; its width is an estimate."""
    weight = ' font-weight="700"' if bold else ""
    svg = f'<text y="{size:.1f}" font-size="{size}" fill="{colour}"{weight}>{escape(content)}</text>'
    return SvgPart(0.56 * size * len(content), 1.4 * size, svg)


def sheet(values: Sequence[int] | np.ndarray, areas: Sequence[int]) -> SvgPart:
    """Six rows of boxes, grouped by area and filled up to each value, with the number; an arrow marks the lowest."""
    box, high, left = (15.0, 17.0, 24.0) if areas[-1] <= 10 else (9.0, 17.0, 24.0)
    least = min(values)
    marked = least < max(values)
    parts = []
    end = 0.0
    for row, (letter, value) in enumerate(zip(SYMBOLS, values, strict=True)):
        y = row * (high + 3)
        parts.append(at(9, y + high / 2, f'<circle r="9" fill="{PIECE}"/>{symbol(letter, 0.65)}'))
        for number in range(1, areas[-1] + 1):
            x = left + (number - 1) * box + 4 * sum(number > area for area in areas)
            full = (
                f'fill="{COLOURS[letter]}" stroke="{PIECE}"' if number <= value else f'fill="{SUNKEN}" stroke="{LINE}"'
            )
            parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{box - 1.5}" height="{high}" rx="3" {full}/>')
            end = x + box
        lowest = marked and value == least
        parts.append(at(end + 6, y, text(str(value), 13, bold=lowest, colour=LOW if lowest else INK).svg))
        if lowest:
            parts.append(f'<path d="M{end + 34:.1f} {y + 3:.1f}l-9 5.5l9 5.5z" fill="{LOW}"/>')
    return SvgPart(end + 40, 6 * (high + 3), "".join(parts))


def beside(parts: Sequence[SvgPart], gap: float = 6) -> SvgPart:
    """SVG parts side by side."""
    x, elements = 0.0, []
    for part in parts:
        elements.append(at(x, 0, part.svg))
        x += part.width + gap
    return SvgPart(max(0.0, x - gap), max((part.height for part in parts), default=0), "".join(elements))


def below(parts: Sequence[SvgPart], gap: float = 8) -> SvgPart:
    """SVG parts stacked vertically."""
    y, elements = 0.0, []
    for part in parts:
        elements.append(at(0, y, part.svg))
        y += part.height + gap
    return SvgPart(max((part.width for part in parts), default=0), max(0.0, y - gap), "".join(elements))


def panel(state: np.record, player: int, parts: Sequence[SvgPart], language: str) -> SvgPart:
    """A panel with a player's name and parts; the player in turn has an arrow and a strong frame."""
    turn = state.phase != OVER and state.turn == player
    name = say("player", language, number=player)
    whole = below([text(f"▶ {name}" if turn else name, 14, bold=turn), *parts])
    width, height = whole.width + 24, whole.height + 24
    frame = f'stroke="{INK}" stroke-width="2"' if turn else f'stroke="{LINE}" stroke-width="1"'
    paper = f'<rect x="1" y="1" width="{width - 2:.1f}" height="{height - 2:.1f}" rx="10" fill="{PAPER}" {frame}/>'
    return SvgPart(width, height, paper + at(12, 12, whole.svg))


def two_in_a_row(panels: Sequence[SvgPart]) -> SvgPart:
    return below([beside(panels[first : first + 2], 12) for first in range(0, len(panels), 2)], 12)

"""Positions as self-contained SVG images, rendered by the game, with a heading and the last move."""

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from sixfold.engine.text import render_text
from sixfold.games import packages
from sixfold.games.contract import SvgPart
from sixfold.games.shared.svg import FONT, SOFT, at, below, text

if TYPE_CHECKING:
    from sixfold.engine.game import Position

_EDGE = 16
_GROUND = "#d9e3d8"


def render_svg(position: "Position", language: str = "en") -> str:
    """Render a position, or a view with hidden items face down; the text rendering is its accessible description."""
    description = render_text(position.rules, position.state, language)
    heading, *lines = description.split("\n")
    renderer = packages()[position.name].svg
    content = renderer.render(position.state, position.last, language) if renderer else _text_part(lines)
    parts = [text(heading, 15, bold=True)]
    if position.last:
        parts.append(text(" ".join(position.last), 13, colour=SOFT))
    whole = below([*parts, content])
    width, height = whole.width + 2 * _EDGE, whole.height + 2 * _EDGE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" font-family="{FONT}" role="img" aria-label={quoteattr(heading)}>'
        f"<desc>{escape(description)}</desc>"
        f'<rect width="{width:.0f}" height="{height:.0f}" rx="14" fill="{_GROUND}"/>{at(_EDGE, _EDGE, whole.svg)}</svg>'
    )


def _text_part(lines: list[str]) -> SvgPart:
    """The text rendering as SVG, for games without an SVG renderer."""
    rows = [
        f'<text y="{14 + 18 * row}" font-size="13" font-family="monospace" xml:space="preserve">{escape(line)}</text>'
        for row, line in enumerate(lines)
    ]
    return SvgPart(8 * max(map(len, lines), default=0), 18.0 * len(lines), "".join(rows))

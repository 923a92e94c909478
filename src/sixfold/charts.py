"""The parts of a self-contained SVG chart."""

from collections.abc import Sequence
from math import ceil, floor, log10
from xml.sax.saxutils import escape

FONT = 'font-family="system-ui, sans-serif" font-size="13"'
INK, SOFT, FAINT = "#1b1b1b", "#555555", "#dddddd"


def svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    """A complete SVG document with a title."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    frame = f'{head} {FONT} role="img" aria-label="{escape(title)}">'
    paper = f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    return "\n".join([frame, paper, text(14, 26, title, weight="bold"), *parts, "</svg>"]) + "\n"


def text(x: float, y: float, words: str, anchor: str = "start", weight: str = "normal", fill: str = INK) -> str:
    """A text element at a point."""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} font-weight="{weight}" fill="{fill}">{escape(words)}</text>'


def rule(x: float, y: float, to_x: float, to_y: float) -> str:
    """A faint grid line."""
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{FAINT}"/>'


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round tick values that cover the range from ``low`` to ``high`` in at most ``most`` steps."""
    power = 10.0 ** floor(log10((high - low) / most))
    step = next(step for step in (power, 2 * power, 5 * power, 10 * power) if (high - low) / step <= most)
    return [step * number for number in range(floor(low / step), ceil(high / step) + 1)]

"""Small charts as SVG that stand alone: bars, and lines over whole numbers."""

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

FONT = 'font-family="system-ui, sans-serif" font-size="13"'
# Lines are told apart by their dashes as well as by their colours.
STROKES = (("#3f37c9", ""), ("#c2410c", "7 4"), ("#15803d", "2 4"))
LEFT, WIDTH, ROW = 250, 400, 30


def _svg(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    frame = f'{head} {FONT} role="img" aria-label="{escape(title)}">'
    paper = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return "\n".join([frame, paper, _text(14, 26, title, weight="bold"), *parts, "</svg>"]) + "\n"


def _text(x: float, y: float, text: str, anchor: str = "start", weight: str = "normal") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}">{escape(text)}</text>'


def _line(x: float, y: float, to_x: float, to_y: float) -> str:
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="#ddd"/>'


def bars(title: str, rows: Mapping[str, float], middle: float | None = None) -> str:
    """Shares of one as bars, with a line where the middle is."""
    parts = []
    for number, (name, share) in enumerate(rows.items()):
        top = 44 + number * ROW
        parts.append(_text(LEFT - 10, top + 16, name, "end"))
        parts.append(
            f'<rect x="{LEFT}" y="{top}" width="{WIDTH * share:.1f}" height="20" rx="3" fill="{STROKES[0][0]}"/>'
        )
        parts.append(_text(LEFT + WIDTH * share + 8, top + 16, f"{share:.2%}"))
    height = 60 + ROW * len(rows)
    if middle is not None:
        parts.insert(0, _line(LEFT + WIDTH * middle, 38, LEFT + WIDTH * middle, height - 14))
    return _svg(LEFT + WIDTH + 90, height, title, parts)


def lines(title: str, across: str, series: Mapping[str, Mapping[int, float]]) -> str:
    """Shares of one over whole numbers, one line for each series."""
    places = [at for points in series.values() for at in points]
    low, high = min(places), max(places)
    left, width, top, height = 60, 560, 70, 260

    def x(at: int) -> float:
        return left + width * (at - low) / max(1, high - low)

    def y(share: float) -> float:
        return top + height * (1 - share)

    parts = [_text(left + width / 2, top + height + 44, across, "middle")]
    for tenth in range(0, 11, 2):
        parts += [
            _line(left, y(tenth / 10), left + width, y(tenth / 10)),
            _text(left - 8, y(tenth / 10) + 4, f"{tenth * 10}%", "end"),
        ]
    step = max(1, (high - low) // 10)
    parts += [_text(x(at), top + height + 20, str(at), "middle") for at in range(low, high + 1, step)]
    for number, (name, points) in enumerate(series.items()):
        colour, dashes = STROKES[number]
        pen = f'fill="none" stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dashes}"'
        path = " ".join(f"{x(at):.1f},{y(share):.1f}" for at, share in sorted(points.items()))
        key = left + number * 190
        parts.append(f'<polyline points="{path}" {pen}/>')
        parts.append(f'<polyline points="{key},48 {key + 28},48" {pen}/>')
        parts.append(_text(key + 34, 52, name))
    return _svg(left + width + 40, top + height + 60, title, parts)

"""Bar charts and line charts as SVG."""

from collections.abc import Callable, Mapping
from math import log10

from sixfold.charts import SOFT, rule, svg, text, ticks

# Lines differ in dash pattern as well as in colour.
STROKES = (("#3f37c9", ""), ("#c2410c", "7 4"), ("#15803d", "2 4"), ("#a21caf", "10 3 2 3"))
LEFT, WIDTH, ROW = 250, 400, 30


def bars(title: str, rows: Mapping[str, float], middle: float | None = None) -> str:
    """A bar chart of shares between 0 and 1, with an optional reference line at ``middle``."""
    parts = []
    for number, (name, share) in enumerate(rows.items()):
        top = 44 + number * ROW
        parts.append(text(LEFT - 10, top + 16, name, "end"))
        parts.append(
            f'<rect x="{LEFT}" y="{top}" width="{WIDTH * share:.1f}" height="20" rx="3" fill="{STROKES[0][0]}"/>'
        )
        parts.append(text(LEFT + WIDTH * share + 8, top + 16, f"{share:.2%}"))
    height = 60 + ROW * len(rows)
    if middle is not None:
        parts.insert(0, rule(LEFT + WIDTH * middle, 38, LEFT + WIDTH * middle, height - 14))
    return svg(LEFT + WIDTH + 90, height, title, parts)


def lines(
    title: str,
    x_label: str,
    series: Mapping[str, Mapping[float, float]],
    span: tuple[float, float] = (0.0, 1.0),
    show: Callable[[float], str] = "{:.0%}".format,
    logarithmic: bool = False,
) -> str:
    """A line chart with one line per series, by default of shares between 0 and 1; the x axis may be logarithmic."""
    places = sorted({position for points in series.values() for position in points})
    marks = places if logarithmic else ticks(places[0], max(places[-1], places[0] + 1), 10)
    levels = ticks(*span, 6)
    left, width, top, height = 60, 560, 70, 260

    def along(position: float) -> float:
        return log10(position) if logarithmic else position

    def x(position: float) -> float:
        return left + width * (along(position) - along(marks[0])) / ((along(marks[-1]) - along(marks[0])) or 1)

    def y(value: float) -> float:
        return top + height * (1 - (value - levels[0]) / (levels[-1] - levels[0]))

    parts = [text(left + width / 2, top + height + 44, x_label, "middle", fill=SOFT)]
    for value in levels:
        parts.append(rule(left, y(value), left + width, y(value)))
        parts.append(text(left - 8, y(value) + 4, show(value), "end", fill=SOFT))
    parts += [text(x(position), top + height + 20, f"{position:g}", "middle", fill=SOFT) for position in marks]
    for number, (name, points) in enumerate(series.items()):
        colour, dashes = STROKES[number % len(STROKES)]
        pen = f'fill="none" stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dashes}"'
        path = " ".join(f"{x(position):.1f},{y(value):.1f}" for position, value in sorted(points.items()))
        legend_x = left + number * min(190, 600 // len(series))
        parts.append(f'<polyline points="{path}" {pen}/>')
        parts.append(f'<polyline points="{legend_x},48 {legend_x + 28},48" {pen}/>')
        parts.append(text(legend_x + 34, 52, name))
    return svg(left + width + 40, top + height + 60, title, parts)

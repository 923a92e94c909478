"""The chart of a run: ratings with 95% error bars, and a matrix of win rates."""

from typing import Any

from sixfold.arena.text import short
from sixfold.charts import SOFT, rule, svg, text, ticks

ROW = 28
LEFT = 150
BAR = 420
CELL = 64
TOP = 64
# The rating axis spans at least this many points.
MIN_SPAN = 100.0


def render(results: dict[str, Any]) -> str:
    """Render the results as a standalone SVG."""
    bots = sorted(results["bots"], key=lambda bot: -bot["rating"])
    names = [bot["bot"] for bot in bots]
    matrix_left = LEFT + BAR + 60
    width = matrix_left + CELL * len(names) + 20
    height = TOP + ROW * len(names) + 90
    heading = f"{results['game']}, {results['players']} players, {results['games']:,} games"
    return svg(width, height, heading, [*_ratings(bots), *_matrix(names, results, matrix_left)])


def _ratings(bots: list[dict[str, Any]]) -> list[str]:
    """Draw a dot and an error bar for each bot over a common axis."""
    low = min((bot["rating"] - 1.96 * bot["error"] for bot in bots), default=0.0)
    high = max((bot["rating"] + 1.96 * bot["error"] for bot in bots), default=0.0)
    marks = ticks(low, max(high, low + MIN_SPAN), 8)

    def x(points: float) -> float:
        return LEFT + BAR * (points - marks[0]) / (marks[-1] - marks[0])

    bottom = TOP + ROW * len(bots)
    parts = [text(LEFT, TOP - 14, "rating (Elo scale) with its 95% interval", fill=SOFT)]
    for mark in marks:
        parts.append(rule(x(mark), TOP, x(mark), bottom))
        parts.append(text(x(mark), bottom + 18, f"{mark:g}", "middle", fill=SOFT))
    for row, bot in enumerate(bots):
        y = TOP + ROW * (row + 0.5)
        half = 1.96 * bot["error"]
        parts.append(text(LEFT - 12, y + 5, short(bot["bot"]), "end"))
        ends = f'x1="{x(bot["rating"] - half):.1f}" x2="{x(bot["rating"] + half):.1f}"'
        parts.append(f'<line {ends} y1="{y}" y2="{y}" stroke="#1f5fa8" stroke-width="3"/>')
        parts.append(f'<circle cx="{x(bot["rating"]):.1f}" cy="{y}" r="5" fill="#1f5fa8"/>')
    return parts


def _matrix(names: list[str], results: dict[str, Any], left: float) -> list[str]:
    """Draw how often the bot of the row finishes ahead of the bot of the column."""
    shares: dict[tuple[str, str], float] = {}
    for pair in results["pairs"]:
        first, second = pair["bots"]
        shares[first, second] = pair["ahead"][0]
        shares[second, first] = 1 - pair["ahead"][0]
    caption = "the row wins against the column" if results["players"] == 2 else "the row finishes ahead of the column"
    parts = [text(left, TOP - 14, f"{caption}, %", fill=SOFT)]
    for row, name in enumerate(names):
        y = TOP + ROW * row
        for column, opponent in enumerate(names):
            at = left + CELL * column
            share = shares.get((name, opponent))
            if share is not None:
                parts.append(f'<rect x="{at}" y="{y}" width="{CELL - 2}" height="{ROW - 2}" fill="{_shade(share)}"/>')
                parts.append(text(at + CELL / 2 - 1, y + ROW / 2 + 4, f"{100 * share:.1f}", "middle"))
        x, bottom = left + CELL * row + CELL / 2, TOP + ROW * len(names) + 14
        label = text(x, bottom, short(name), "end")
        parts.append(label.replace("<text", f'<text transform="rotate(-35 {x:.1f} {bottom})"'))
    return parts


def _shade(share: float) -> str:
    """A color from orange (losing) through white to blue (winning), light enough for black text."""
    strength = abs(share - 0.5) * 2
    end = (120, 170, 225) if share > 0.5 else (240, 170, 110)
    return "#" + "".join(f"{round(255 + (value - 255) * strength):02x}" for value in end)

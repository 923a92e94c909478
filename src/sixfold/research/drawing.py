"""A picture of curves over the turns of a game."""

from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 300, 48, 40, 40, 150
COLOURS = ("#1f5fa8", "#b3541e", "#2f7d4f")
DASHES = ("", "7 4", "2 4")


def curves(title: str, lines: dict[str, list[float]]) -> str:
    """An SVG that stands alone; each curve has its own dashes and its name at its end."""
    longest = max(len(line) for line in lines.values())
    most = max(1.0, *(value for line in lines.values() for value in line))

    def place(turn: float, value: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * turn / max(1, longest - 1)
        return x, HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / most

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="{escape(title)}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="22" font-weight="bold" fill="#1b1b1b">{escape(title)}</text>',
    ]
    for step in range(5):
        value = most * step / 4
        x, y = place(0, value)
        parts.append(f'<line x1="{x}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#dddddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#555555">{value:.3g}</text>')
    for turn in range(0, longest, max(1, longest // 8)):
        x, y = place(turn, 0)
        parts.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle" fill="#555555">{turn + 1}</text>')
    for number, (name, line) in enumerate(lines.items()):
        points = " ".join("{:.1f},{:.1f}".format(*place(turn, value)) for turn, value in enumerate(line))
        style = f'stroke="{COLOURS[number]}" stroke-width="2.5" stroke-dasharray="{DASHES[number]}" fill="none"'
        parts.append(f'<polyline points="{points}" {style}/>')
        x, y = place(len(line) - 1, line[-1])
        parts.append(f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" fill="{COLOURS[number]}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"

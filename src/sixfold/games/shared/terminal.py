"""Shared helpers for terminal rendering: symbols with a shape and a letter, items, sheets and buttons."""

import unicodedata
from collections.abc import Iterable, Sequence

from sixfold.games.contract import Scene, Span
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.games.shared.text import HIDDEN
from sixfold.language import say

Line = list[Span]

# A symbol is recognised by shape and letter, without colour. All shapes are one column wide.
SHAPES = dict(zip(SYMBOLS, "✹●✶◆☼◎", strict=True))


def symbol(letter: str) -> str:
    """A symbol as two columns."""
    return f"{SHAPES[letter]}{letter}"


def half(letter: str, pick: str = "") -> Line:
    """A symbol on its colour, four columns wide including half-column edges."""
    return [Span("▐", letter.lower(), pick), Span(symbol(letter), letter, pick), Span("▌", letter.lower(), pick)]


def item(name: str, picks: tuple[str, str] = ("", "")) -> Line:
    """A tile or card with two symbols, six columns wide; each half may have its own pick."""
    if name == HIDDEN:
        return [Span("▐????▌", "faint")]
    first, second = name[0], name[1]
    return [
        Span("▐", first.lower(), picks[0]),
        Span(symbol(first), first, picks[0]),
        Span(symbol(second), second, picks[1]),
        Span("▌", second.lower(), picks[1]),
    ]


def items(names: Iterable[str]) -> Line:
    """Tiles or cards in a row."""
    return [span for name in names for span in (*item(name), Span(" "))]


def button(scene: Scene, pick: str, label: str) -> Line:
    """A button, or nothing if its pick is not on offer."""
    return [Span(f"[ {label} ]", "strong", pick), Span("  ")] if pick in scene.offers else []


def sheet(scene: Scene, player: int, areas: Sequence[int], picks: str = "") -> list[Line]:
    """A player's six rows: ■ reached, ▣ added by the move, □ open, · closed, ◂ lowest value.

    If ``picks`` is not empty, a row can be picked by ``picks`` plus the symbol's letter.
    """
    values, added = scene.position.values[player], _added(scene, player)
    least = min(value + more for value, more in zip(values, added, strict=True))
    rows = []
    for letter, value, more in zip(SYMBOLS, values, added, strict=True):
        pick = f"{picks}{letter}" if picks and f"{picks}{letter}" in scene.offers else ""
        reach = max(scene.reach[player], value + more)
        fields = "".join(
            ("│" if at in areas else "")
            + ("■" if at < value else "▣" if at < value + more else "□" if at < reach else "·")
            for at in range(areas[-1])
        )
        lowest = "◂" if value + more == least else " "
        rows.append(
            [
                Span(symbol(letter), letter, pick),
                Span(f" {fields} ", letter.lower(), pick),
                Span(f"{value + more:>{len(str(areas[-1]))}}{lowest}", "strong" if more else "", pick),
            ]
        )
    return rows


def _added(scene: Scene, player: int) -> Sequence[int]:
    return scene.gained if player == scene.player else [0] * len(SYMBOLS)


def heading(scene: Scene, player: int, width: int) -> Line:
    """A player's name; ▶ marks the player in turn."""
    turn = scene.position.phase != "over" and scene.position.turn == player
    name = f"{'▶' if turn else ' '}{scene.names[player]}"
    return [Span(cut(name, width), "strong" if turn else "")]


def cut(text: str, width: int) -> str:
    """Truncate a text to a number of columns."""
    if columns_of(text) <= width:
        return text
    while columns_of(text) >= width:
        text = text[:-1]
    return f"{text}…"


def columns_of(text: str) -> int:
    """The width of a text in terminal columns, with wide and combining characters taken into account."""
    return sum(
        0 if unicodedata.combining(character) else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )


def beside(left: Sequence[Line], right: Sequence[Line], width: int) -> list[Line]:
    """Two blocks of lines side by side; the left one is padded to ``width`` columns."""
    rows = max(len(left), len(right))
    lines = []
    for row in range(rows):
        line = list(left[row]) if row < len(left) else []
        if row < len(right):
            line += [Span(" " * (width - columns(line))), *right[row]]
        lines.append(line)
    return lines


def columns(line: Iterable[Span]) -> int:
    return sum(columns_of(span.text) for span in line)


def row_of(drawings: Sequence[Sequence[Line]], width: int) -> list[Line]:
    """Blocks of lines side by side, each padded to ``width`` columns."""
    lines: list[Line] = []
    for number, drawing in enumerate(drawings):
        lines = beside(lines, drawing, number * width)
    return lines


def choices(scene: Scene, words: Iterable[str]) -> Line:
    """T16, C13: the private choice at the end of a turn as buttons."""
    return [span for word in words for span in button(scene, word, say(f"pick_{word}", scene.language))]

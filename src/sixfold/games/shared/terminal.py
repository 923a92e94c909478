"""What the games' drawings for a terminal share: symbols with a shape and a letter, items, sheets, buttons."""

import unicodedata
from collections.abc import Iterable, Sequence

from sixfold.games.contract import Scene, Span
from sixfold.games.shared.picture import HIDDEN
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.language import say

Line = list[Span]

# A shape and a letter tell a symbol, so colour never has to. All are one column wide.
SHAPES = dict(zip(SYMBOLS, "✹●✶◆☼◎", strict=True))


def symbol(letter: str) -> str:
    """A symbol as two columns."""
    return f"{SHAPES[letter]}{letter}"


def half(letter: str, pick: str = "") -> Line:
    """A symbol on its colour, four columns wide with edges of half a column."""
    return [Span("▐", letter.lower(), pick), Span(symbol(letter), letter, pick), Span("▌", letter.lower(), pick)]


def item(name: str, picks: tuple[str, str] = ("", "")) -> Line:
    """A tile or a card of two symbols, six columns wide; each half may be picked by itself."""
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
    """Something that can be done, if it is on offer."""
    return [Span(f"[ {label} ]", "strong", pick), Span("  ")] if pick in scene.offers else []


def sheet(scene: Scene, player: int, areas: Sequence[int], picks: str = "") -> list[Line]:
    """A player's six rows: ■ what is there, ▣ what the move would add, □ what is open, · what is barred, ◂ the lowest.

    ``picks`` before a symbol's letter makes its row something to pick.
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
    """A player's name; ▶ says whose turn it is."""
    turn = scene.position.phase != "over" and scene.position.turn == player
    name = f"{'▶' if turn else ' '}{scene.names[player]}"
    return [Span(cut(name, width), "strong" if turn else "")]


def cut(text: str, width: int) -> str:
    """A text in no more columns than there are."""
    if columns_of(text) <= width:
        return text
    while columns_of(text) >= width:
        text = text[:-1]
    return f"{text}…"


def columns_of(text: str) -> int:
    """How many columns a terminal needs for a text: some letters are wide, and marks stand above others."""
    return sum(0 if unicodedata.combining(one) else 1 + (unicodedata.east_asian_width(one) in "WF") for one in text)


def beside(left: Sequence[Line], right: Sequence[Line], width: int) -> list[Line]:
    """Two drawings next to each other; the left one gets so many columns."""
    rows = max(len(left), len(right))
    made = []
    for row in range(rows):
        begin = list(left[row]) if row < len(left) else []
        if row < len(right):
            begin += [Span(" " * (width - columns(begin))), *right[row]]
        made.append(begin)
    return made


def columns(line: Iterable[Span]) -> int:
    return sum(columns_of(span.text) for span in line)


def row_of(drawings: Sequence[Sequence[Line]], width: int) -> list[Line]:
    """Drawings next to each other, each with so many columns."""
    made: list[Line] = []
    for number, drawing in enumerate(drawings):
        made = beside(made, drawing, number * width)
    return made


def choices(scene: Scene, words: Iterable[str]) -> Line:
    """T16, C13: the choice at a turn's end as buttons."""
    return [span for word in words for span in button(scene, word, say(f"pick_{word}", scene.language))]

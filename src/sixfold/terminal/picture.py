"""A drawing on the screen: pieces that can be picked with the mouse, or with arrow keys and Enter."""

from collections.abc import Collection, Sequence
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from sixfold.games.contract import Span
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.games.shared.terminal import columns_of

# Each symbol's colour, and the letters on it; shapes and letters tell the symbols apart without them.
GROUNDS = dict(zip(SYMBOLS, ("#c92a3a", "#2b8a3e", "#2563c9", "#e8821e", "#f2cc1f", "#8e3fb0"), strict=True))
INKS = dict(zip(SYMBOLS, ("#ffffff", "#ffffff", "#ffffff", "#111111", "#111111", "#ffffff"), strict=True))
IN_COLOUR = dict(zip(SYMBOLS, ("#ff6b78", "#51cf66", "#74a9ff", "#ffa94d", "#ffe066", "#d08bf0"), strict=True))

LOOKS: dict[str, Style] = {
    "": Style(),
    "strong": Style(bold=True),
    "faint": Style(color="#8a8f98"),
    "free": Style(color="#e8e8e8", bgcolor="#3a4150"),
    "mark": Style(bold=True, underline=True),
    **{letter: Style(color=INKS[letter], bgcolor=GROUNDS[letter], bold=True) for letter in SYMBOLS},
    **{letter.lower(): Style(color=IN_COLOUR[letter]) for letter in SYMBOLS},
}
EDGE = {letter.lower(): Style(color=GROUNDS[letter]) for letter in SYMBOLS} | {"free": Style(color="#3a4150")}
HALF_BLOCKS = ("▐", "▌")
# Where the cursor stands, brackets take the place of the edges.
CURSOR = Style(color="#000000", bgcolor="#ffffff", bold=True)
BRACKETS = str.maketrans("▐▌⟨⟩", "[][]")
# A line further is as far as so many columns.
ROW = 4
# From so many columns on there is room for more beside the drawing.
WIDTHS: list[tuple[int, str]] | None = [(0, "narrow"), (116, "wide")]


class Spot(NamedTuple):
    """Where something can be picked."""

    pick: str
    row: int
    begin: int
    end: int

    @property
    def middle(self) -> float:
        return (self.begin + self.end) / 2


class Picture(Widget, can_focus=True):
    """Lines of spans. Only what is ``active`` can be picked; the cursor stands on one such spot."""

    DEFAULT_CSS = "Picture { width: auto; height: auto; margin: 0 0 0 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(way, f"go('{way}')", show=False) for way in ("up", "down", "left", "right")),
        Binding("enter,space", "choose", show=False),
        Binding("tab", "next(1)", show=False),
        Binding("shift+tab", "next(-1)", show=False),
    ]

    class Picked(Message):
        """Somebody picked something; without a pick, Enter was pressed where there is nothing to pick."""

        def __init__(self, pick: str | None) -> None:
            self.pick = pick
            super().__init__()

    class Moved(Message):
        """The cursor stands somewhere else."""

    def __init__(self) -> None:
        super().__init__()
        self._drawn: Sequence[Sequence[Span]] = ()
        self.spots: list[Spot] = []
        self._at: Spot | None = None

    @property
    def cursor(self) -> str | None:
        """What Enter would pick."""
        return None if self._at is None else self._at.pick

    @property
    def text(self) -> str:
        """What stands on the screen, without colours."""
        return "\n".join("".join(span.text for span in line).rstrip() for line in self._drawn)

    def show(self, lines: Sequence[Sequence[Span]], active: Collection[str] = (), wanted: Collection[str] = ()) -> None:
        """Draw anew; the cursor stays where it was, or goes to the nearest spot; to what is wanted, if there is any."""
        size = self._extent()
        self._drawn = lines
        self.spots = [spot for spot in _spots(lines) if spot.pick in active]
        before = self._at
        near = [spot for spot in self.spots if spot.pick in wanted] or self.spots
        if before is not None and before not in self.spots and near:
            self._at = min(near, key=lambda spot: _distance(spot, before))
        elif before not in self.spots:
            self._at = near[0] if near else None
        self.refresh(layout=self._extent() != size)

    def leave(self) -> None:
        """The cursor has done its work here; the next drawing finds it another place."""
        self.spots = []
        self._at = self._at and self._at._replace(pick="")

    def _extent(self) -> tuple[int, int]:
        widths = [sum(columns_of(span.text) for span in line) for line in self._drawn]
        return max(widths, default=0), len(self._drawn)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return self._extent()[0]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._extent()[1]

    def render_line(self, y: int) -> Strip:
        if y >= len(self._drawn):
            return Strip.blank(self.size.width, self.rich_style)
        segments = []
        column = 0
        for span in self._drawn[y]:
            style, text = self.rich_style + _style(span), span.text
            if self._at is not None and self._at.row == y and self._at.begin <= column < self._at.end:
                style, text = CURSOR, text.translate(BRACKETS)
            segments.append(Segment(text, style))
            column += columns_of(span.text)
        return Strip(segments).adjust_cell_length(self.size.width, self.rich_style)

    def _under(self, x: int, y: int) -> Spot | None:
        return next((spot for spot in self.spots if spot.row == y and spot.begin <= x < spot.end), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._go_to(self._under(event.x, event.y))

    def on_click(self, event: events.Click) -> None:
        spot = self._under(event.x, event.y)
        self._go_to(spot)
        if spot is not None:
            self.post_message(self.Picked(spot.pick))

    def _go_to(self, spot: Spot | None) -> None:
        if spot is not None and spot != self._at:
            self._at = spot
            self.refresh()
            self.post_message(self.Moved())

    def action_choose(self) -> None:
        self.post_message(self.Picked(self.cursor))

    def action_next(self, step: int) -> None:
        if self._at is not None:
            self._go_to(self.spots[(self.spots.index(self._at) + step) % len(self.spots)])

    def action_go(self, way: str) -> None:
        """To the nearest spot in a direction; left and right stay in the line where there are others."""
        here = self._at
        if here is None:
            return
        level = way in ("left", "right")
        sign = 1 if way in ("down", "right") else -1
        ahead = [(spot.middle - here.middle if level else spot.row - here.row) * sign for spot in self.spots]
        found = [spot for spot, by in zip(self.spots, ahead, strict=True) if by > 0]
        if level and sum(spot.row == here.row for spot in self.spots) > 1:
            found = [spot for spot in found if spot.row == here.row]
        if found:
            self._go_to(min(found, key=lambda spot: _distance(spot, here)))


def _spots(lines: Sequence[Sequence[Span]]) -> list[Spot]:
    """Neighbouring spans that pick the same are one spot."""
    found: list[Spot] = []
    for row, line in enumerate(lines):
        column = 0
        for span in line:
            end = column + columns_of(span.text)
            last = found[-1] if found else None
            if span.pick and last is not None and (last.pick, last.row, last.end) == (span.pick, row, column):
                found[-1] = last._replace(end=end)
            elif span.pick:
                found.append(Spot(span.pick, row, column, end))
            column = end
    return found


def _distance(one: Spot, other: Spot) -> float:
    return abs(one.middle - other.middle) + ROW * abs(one.row - other.row)


def _style(span: Span) -> Style:
    return EDGE[span.look] if span.text in HALF_BLOCKS and span.look in EDGE else LOOKS[span.look]

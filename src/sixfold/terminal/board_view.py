"""The board widget: styled lines whose pieces can be picked with the mouse, or with arrow keys and Enter."""

from collections.abc import Collection, Sequence
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from sixfold.games.contract import Span
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.games.shared.terminal import columns_of

# Background and foreground of each symbol; shapes and letters distinguish the symbols without colour, too.
BACKGROUNDS = dict(zip(SYMBOLS, ("#c92a3a", "#2b8a3e", "#2563c9", "#e8821e", "#f2cc1f", "#8e3fb0"), strict=True))
FOREGROUNDS = dict(zip(SYMBOLS, ("#ffffff", "#ffffff", "#ffffff", "#111111", "#111111", "#ffffff"), strict=True))
TEXT_COLOURS = dict(zip(SYMBOLS, ("#ff6b78", "#51cf66", "#74a9ff", "#ffa94d", "#ffe066", "#d08bf0"), strict=True))

LOOKS: dict[str, Style] = {
    "": Style(),
    "strong": Style(bold=True),
    "faint": Style(color="#8a8f98"),
    "free": Style(color="#e8e8e8", bgcolor="#3a4150"),
    "mark": Style(bold=True, underline=True),
    **{letter: Style(color=FOREGROUNDS[letter], bgcolor=BACKGROUNDS[letter], bold=True) for letter in SYMBOLS},
    **{letter.lower(): Style(color=TEXT_COLOURS[letter]) for letter in SYMBOLS},
}
EDGE = {letter.lower(): Style(color=BACKGROUNDS[letter]) for letter in SYMBOLS} | {"free": Style(color="#3a4150")}
HALF_BLOCKS = ("▐", "▌")
# At the cursor, brackets replace the edges.
CURSOR = Style(color="#000000", bgcolor="#ffffff", bold=True)
BRACKETS = str.maketrans("▐▌⟨⟩", "[][]")
# One line counts as this many columns when looking for the nearest spot.
ROW_COST = 4
# From this many columns on, the log fits beside the board.
WIDTHS: list[tuple[int, str]] | None = [(0, "narrow"), (116, "wide")]


class Spot(NamedTuple):
    """A screen area that can be picked."""

    pick: str
    row: int
    begin: int
    end: int

    @property
    def middle(self) -> float:
        return (self.begin + self.end) / 2


class BoardView(Widget, can_focus=True):
    """Shows lines of spans. Only ``active`` spots can be picked; the cursor is on one of them."""

    DEFAULT_CSS = "BoardView { width: auto; height: auto; margin: 0 0 0 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(direction, f"go('{direction}')", show=False) for direction in ("up", "down", "left", "right")),
        Binding("enter,space", "choose", show=False),
        Binding("tab", "next(1)", show=False),
        Binding("shift+tab", "next(-1)", show=False),
    ]

    class Picked(Message):
        """A spot was picked; ``pick`` is None if Enter was pressed with nothing under the cursor."""

        def __init__(self, pick: str | None) -> None:
            self.pick = pick
            super().__init__()

    class Moved(Message):
        """The cursor moved to another spot."""

    def __init__(self) -> None:
        super().__init__()
        self._content_lines: Sequence[Sequence[Span]] = ()
        self.spots: list[Spot] = []
        self._cursor_spot: Spot | None = None

    @property
    def cursor(self) -> str | None:
        """What Enter would pick."""
        return None if self._cursor_spot is None else self._cursor_spot.pick

    @property
    def text(self) -> str:
        """The displayed text without styles."""
        return "\n".join("".join(span.text for span in line).rstrip() for line in self._content_lines)

    def show(
        self, lines: Sequence[Sequence[Span]], active: Collection[str] = (), preferred: Collection[str] = ()
    ) -> None:
        """Redraw; the cursor stays, or moves to the nearest spot, preferably one of ``preferred``."""
        size = self._extent()
        self._content_lines = lines
        self.spots = [spot for spot in _spots(lines) if spot.pick in active]
        previous = self._cursor_spot
        targets = [spot for spot in self.spots if spot.pick in preferred] or self.spots
        if previous is not None and previous not in self.spots and targets:
            self._cursor_spot = min(targets, key=lambda spot: _distance(spot, previous))
        elif previous not in self.spots:
            self._cursor_spot = targets[0] if targets else None
        self.refresh(layout=self._extent() != size)

    def release_cursor(self) -> None:
        """Let the next ``show`` place the cursor on another spot."""
        self.spots = []
        self._cursor_spot = self._cursor_spot and self._cursor_spot._replace(pick="")

    def _extent(self) -> tuple[int, int]:
        widths = [sum(columns_of(span.text) for span in line) for line in self._content_lines]
        return max(widths, default=0), len(self._content_lines)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return self._extent()[0]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._extent()[1]

    def render_line(self, y: int) -> Strip:
        if y >= len(self._content_lines):
            return Strip.blank(self.size.width, self.rich_style)
        segments = []
        column = 0
        cursor = self._cursor_spot
        for span in self._content_lines[y]:
            style, text = self.rich_style + _style(span), span.text
            if cursor is not None and cursor.row == y and cursor.begin <= column < cursor.end:
                style, text = CURSOR, text.translate(BRACKETS)
            segments.append(Segment(text, style))
            column += columns_of(span.text)
        return Strip(segments).adjust_cell_length(self.size.width, self.rich_style)

    def _spot_at(self, x: int, y: int) -> Spot | None:
        return next((spot for spot in self.spots if spot.row == y and spot.begin <= x < spot.end), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._go_to(self._spot_at(event.x, event.y))

    def on_click(self, event: events.Click) -> None:
        spot = self._spot_at(event.x, event.y)
        self._go_to(spot)
        if spot is not None:
            self.post_message(self.Picked(spot.pick))

    def _go_to(self, spot: Spot | None) -> None:
        if spot is not None and spot != self._cursor_spot:
            self._cursor_spot = spot
            self.refresh()
            # In a window that is too small for the board, the cursor stays visible.
            if isinstance(self.parent, Widget):
                self.parent.scroll_to_region(Region(spot.begin, spot.row, spot.end - spot.begin, 1), animate=False)
            self.post_message(self.Moved())

    def action_choose(self) -> None:
        self.post_message(self.Picked(self.cursor))

    def action_next(self, step: int) -> None:
        if self._cursor_spot is not None:
            self._go_to(self.spots[(self.spots.index(self._cursor_spot) + step) % len(self.spots)])

    def action_go(self, direction: str) -> None:
        """Move to the nearest spot in a direction; left and right stay in the line if it has other spots."""
        here = self._cursor_spot
        if here is None:
            return
        horizontal = direction in ("left", "right")
        sign = 1 if direction in ("down", "right") else -1
        offsets = [(spot.middle - here.middle if horizontal else spot.row - here.row) * sign for spot in self.spots]
        candidates = [spot for spot, offset in zip(self.spots, offsets, strict=True) if offset > 0]
        if horizontal and sum(spot.row == here.row for spot in self.spots) > 1:
            candidates = [spot for spot in candidates if spot.row == here.row]
        if candidates:
            self._go_to(min(candidates, key=lambda spot: _distance(spot, here)))


def _spots(lines: Sequence[Sequence[Span]]) -> list[Spot]:
    """Collect the spots; adjacent spans with the same pick form one spot."""
    spots: list[Spot] = []
    for row, line in enumerate(lines):
        column = 0
        for span in line:
            end = column + columns_of(span.text)
            last = spots[-1] if spots else None
            if span.pick and last is not None and (last.pick, last.row, last.end) == (span.pick, row, column):
                spots[-1] = last._replace(end=end)
            elif span.pick:
                spots.append(Spot(span.pick, row, column, end))
            column = end
    return spots


def _distance(a: Spot, b: Spot) -> float:
    return abs(a.middle - b.middle) + ROW_COST * abs(a.row - b.row)


def _style(span: Span) -> Style:
    return EDGE[span.look] if span.text in HALF_BLOCKS and span.look in EDGE else LOOKS[span.look]

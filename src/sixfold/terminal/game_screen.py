"""The layout shared by all screens with a board: title, board, log and prompt."""

from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from sixfold.terminal.board_view import WIDTHS, BoardView


class GameScreen(Screen[None]):
    """Lays out the widgets; subclasses fill them."""

    DEFAULT_CSS = """
    GameScreen #title { height: 1; background: $panel; text-style: bold; padding: 0 1; }
    GameScreen #middle { layout: vertical; height: 1fr; }
    GameScreen #board { width: auto; max-width: 100%; height: auto; max-height: 90%; overflow: auto; }
    GameScreen #log { height: 1fr; min-height: 2; color: $text-muted; padding: 0 1; scrollbar-size-vertical: 1; }
    GameScreen #prompt { height: 1; padding: 0 1; text-style: bold; }
    GameScreen.wide #middle { layout: horizontal; }
    GameScreen.wide #board { max-height: 100%; }
    GameScreen.wide #log { height: 100%; width: 1fr; padding: 0 2; }
    """
    HORIZONTAL_BREAKPOINTS = WIDTHS

    def compose(self) -> ComposeResult:
        yield Static("", id="title", markup=False)
        with Container(id="middle"):
            with Container(id="board"):
                yield BoardView()
            with VerticalScroll(id="log"):
                yield Static("", id="events", markup=False)
        yield Static("", id="prompt", markup=False)

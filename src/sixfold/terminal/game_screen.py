"""What screens share: the keys for rules, language and quitting, and the layout around a board."""

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from sixfold.language import LANGUAGES, say
from sixfold.terminal import rules
from sixfold.terminal.board_view import WIDTHS, BoardView
from sixfold.terminal.dialogs import TextDialog

if TYPE_CHECKING:
    from sixfold.terminal.app import Sixfold


class CommonScreen(Screen[None]):
    """A screen with the keys for rules, language and quitting."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "rules", show=False),
        Binding("l", "language", show=False),
        Binding("q", "quit", show=False),
    ]
    app: "Sixfold"

    @property
    def shown_game(self) -> str | None:
        """The game whose rules can be read here."""
        raise NotImplementedError

    def _draw(self) -> None:
        raise NotImplementedError

    def set_language(self, language: str) -> None:
        self.app.language = language
        self._draw()

    def show_text(self, text: str) -> None:
        self.app.push_screen(TextDialog(text, say("key_close", self.app.language)))

    def action_rules(self) -> None:
        if self.shown_game is not None:
            self.show_text(rules.text(self.shown_game, self.app.language))

    def action_language(self) -> None:
        self.set_language(LANGUAGES[(LANGUAGES.index(self.app.language) + 1) % len(LANGUAGES)])

    def action_quit(self) -> None:
        self.app.exit()


class GameScreen(CommonScreen):
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

"""Modal screens: a text to read, a yes/no question, and a curtain between two players who share the screen."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static


class TextDialog(ModalScreen[None]):
    """A scrollable text."""

    CSS = """
    TextDialog { align: center middle; }
    TextDialog VerticalScroll {
        width: 78; max-width: 100%; height: auto; max-height: 100%; border: round $primary; padding: 0 1;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q,r,question_mark,f1", "close", show=False)]

    def __init__(self, text: str, close_label: str) -> None:
        super().__init__()
        self._text, self._close_label = text, close_label

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.border_subtitle = f"Esc: {self._close_label}"
            yield Static(self._text, markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def action_close(self) -> None:
        self.dismiss()


class ConfirmDialog(ModalScreen[bool]):
    """A yes/no question; only the language's key for yes confirms it."""

    CSS = """
    ConfirmDialog { align: center middle; }
    ConfirmDialog Static { width: auto; max-width: 90%; padding: 1 3; border: round $warning; }
    """

    def __init__(self, text: str, yes_key: str) -> None:
        super().__init__()
        self._text, self._yes_key = text, yes_key

    def compose(self) -> ComposeResult:
        yield Static(self._text, markup=False)

    def on_key(self, event: Key) -> None:
        event.stop()
        self.dismiss(event.key.lower() == self._yes_key)


class Curtain(ModalScreen[None]):
    """Hides the table while the keyboard is passed to another player."""

    CSS = """
    Curtain { align: center middle; background: $background; }
    Curtain Static { width: auto; max-width: 90%; padding: 1 3; border: round $primary; text-align: center; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "lift", show=False)]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        yield Static(self._text, markup=False)

    def on_click(self) -> None:
        self.dismiss()

    def action_lift(self) -> None:
        self.dismiss()

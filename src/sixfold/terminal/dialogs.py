"""What comes up in front of a screen: something to read, a question, a curtain between two people."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static


class Reading(ModalScreen[None]):
    """A text that may be longer than the screen."""

    CSS = """
    Reading { align: center middle; }
    Reading VerticalScroll {
        width: 78; max-width: 100%; height: auto; max-height: 100%; border: round $primary; padding: 0 1;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q,r,question_mark,f1", "dismiss_it", show=False)]

    def __init__(self, text: str, close: str) -> None:
        super().__init__()
        self._text, self._close = text, close

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.border_subtitle = f"Esc: {self._close}"
            yield Static(self._text, markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def action_dismiss_it(self) -> None:
        self.dismiss()


class Asking(ModalScreen[bool]):
    """A question; only the language's letter for yes is a yes."""

    CSS = """
    Asking { align: center middle; }
    Asking Static { width: auto; max-width: 90%; padding: 1 3; border: round $warning; }
    """

    def __init__(self, text: str, yes: str) -> None:
        super().__init__()
        self._text, self._yes = text, yes

    def compose(self) -> ComposeResult:
        yield Static(self._text, markup=False)

    def on_key(self, event: Key) -> None:
        event.stop()
        self.dismiss(event.key.lower() == self._yes)


class Curtain(ModalScreen[None]):
    """Hides everything while the keyboard goes to somebody else."""

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

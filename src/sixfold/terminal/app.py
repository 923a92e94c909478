"""The full-screen program: a menu, a table, or a record."""

import asyncio
from collections.abc import Callable
from typing import ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from sixfold.language import say
from sixfold.terminal.local import LocalRoom
from sixfold.terminal.menu import Menu, Wanted
from sixfold.terminal.rooms import Room
from sixfold.terminal.table_screen import TableScreen


class Waiting(Screen[None]):
    """While rules and bots are loaded, or compiled for the first time."""

    CSS = "Waiting { align: center middle; } Waiting Static { width: auto; max-width: 90%; }"

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        yield Static(self._text, markup=False)


class Sixfold(App[None]):
    """Begins with whatever ``begin`` opens. ``open_room`` makes a table on this computer of what the menu says."""

    TITLE = "Sixfold"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", show=False, priority=True)]

    def __init__(
        self, begin: Callable[["Sixfold"], object], language: str, open_room: Callable[[Wanted, str], LocalRoom]
    ) -> None:
        super().__init__()
        self.language = language
        self.room: Room | None = None
        self._begin = begin
        self._open_room = open_room

    def on_mount(self) -> None:
        self._begin(self)

    def show_menu(self, wanted: Wanted) -> None:
        self.push_screen(Menu(wanted))

    def show_table(self, room: Room) -> None:
        self.room = room
        self.push_screen(TableScreen(room))

    @work(exclusive=True, group="opening")
    async def sit_down(self, wanted: Wanted) -> None:
        """To a table on this computer; the rules may have to be compiled first."""
        await self.push_screen(Waiting(say("preparing", self.language)))
        room = await asyncio.to_thread(self._open_room, wanted, self.language)
        self.pop_screen()
        self.show_table(room)

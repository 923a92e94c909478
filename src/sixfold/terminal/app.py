"""The full-screen application: a menu, a table, or a record."""

import asyncio
from collections.abc import Callable
from typing import ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from sixfold.language import say
from sixfold.terminal.local_table import LocalTable
from sixfold.terminal.menu import GameChoices, Menu
from sixfold.terminal.table_client import TableClient
from sixfold.terminal.table_screen import TableScreen


class LoadingScreen(Screen[None]):
    """Shown while rules and bots are loaded, or compiled for the first time."""

    CSS = "LoadingScreen { align: center middle; } LoadingScreen Static { width: auto; max-width: 90%; }"

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        yield Static(self._text, markup=False)


class Sixfold(App[None]):
    """Starts with the screen that ``open_first_screen`` pushes; ``open_table`` makes a local table of menu choices."""

    TITLE = "Sixfold"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", show=False, priority=True)]

    def __init__(
        self,
        open_first_screen: Callable[["Sixfold"], object],
        language: str,
        open_table: Callable[[GameChoices, str], LocalTable],
    ) -> None:
        super().__init__()
        self.language = language
        self.client: TableClient | None = None
        self._open_first_screen = open_first_screen
        self._open_table = open_table

    def on_mount(self) -> None:
        self._open_first_screen(self)

    def show_menu(self, choices: GameChoices) -> None:
        self.push_screen(Menu(choices))

    def show_table(self, client: TableClient) -> None:
        self.client = client
        self.push_screen(TableScreen(client))

    @work(exclusive=True, group="opening")
    async def sit_down(self, choices: GameChoices) -> None:
        """Open a local table and show it; the rules may have to be compiled first."""
        await self.push_screen(LoadingScreen(say("preparing", self.language)))
        client = await asyncio.to_thread(self._open_table, choices, self.language)
        self.pop_screen()
        self.show_table(client)

"""The interface between the screens and a table, whether it is on this computer or on a server."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from sixfold.errors import UserError

View = dict[str, Any]
Event = dict[str, Any]


class ClientRefused(UserError):
    """The table refused an action; the message is the reason in the player's language, with the rules clause if any."""

    def __init__(self, reason: str, clause: str = "table") -> None:
        super().__init__(reason if clause in ("table", "record") else f"{reason} ({clause})")


class Advice(NamedTuple):
    """A hint: a move, and a clause that explains it."""

    move: str
    reason: str


class TableClient(Protocol):
    """A table as its local players use it: their views, the events, and actions."""

    language: str
    on_change: Callable[[], None]  # set by the screen
    status_message: str  # why the table is unavailable at the moment, if it is

    @property
    def views(self) -> list[View]:
        """One view per local seat, or a spectator's; empty until the table has answered."""

    def events_for(self, seat: int | None) -> list[Event]:
        """The events of the current round, as a seat may see them."""

    @property
    def is_shared_screen(self) -> bool:
        """Whether several players with hidden items take turns at this screen."""

    async def run(self) -> None:
        """Keep the table running until the screen closes."""

    async def act(self, do: str, **words: Any) -> None:
        """Perform an action; raises ClientRefused with the reason if it is refused."""

    async def hint(self, seat: int) -> Advice:
        """The move the strongest bot would make."""

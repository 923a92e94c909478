"""Where a table is: on this computer (``local``), or on a server (``joined``). The screen only knows this."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from sixfold.errors import UserError

View = dict[str, Any]
Event = dict[str, Any]


class RoomRefused(UserError):
    """The table says no; the message is the reason, in the player's language, with the clause of the rules if any."""

    def __init__(self, reason: str, clause: str = "table") -> None:
        super().__init__(reason if clause in ("table", "record") else f"{reason} ({clause})")


class Advice(NamedTuple):
    """A hint: a move, and the end of a sentence that says why."""

    move: str
    reason: str


class Room(Protocol):
    """A table to sit at: what each seat of ours sees, what was heard, and what we may do."""

    language: str
    changed: Callable[[], None]  # set by the screen
    trouble: str  # what stands between us and the table just now, if anything

    @property
    def views(self) -> list[View]:
        """One for each seat of ours, or a spectator's; none before the table has answered."""

    def heard(self, seat: int | None) -> list[Event]:
        """The events of the present round, as a seat hears them."""

    @property
    def share_a_screen(self) -> bool:
        """Do several people look at it in turn, each with something to hide?"""

    async def run(self) -> None:
        """Keep the table going until the screen closes."""

    async def act(self, do: str, **words: Any) -> None:
        """Do something; raises RoomRefused with the reason why not."""

    async def hint(self, seat: int) -> Advice:
        """What the strongest bot would do."""

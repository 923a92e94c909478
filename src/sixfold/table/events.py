"""The events of a table as they are stored: typed, versioned, and readable even if an older program stored them.

A table's first event names the format it was created in and the version of the game's rules. An upcaster converts an
older event to the current format. It only adds missing fields and renames others, so events that this program appends
to an old table pass through it unchanged.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from sixfold.engine.game import rules_of
from sixfold.table.setup import PERSONAS, PORTRAITS, Seat, Setup, TableRefused

FORMAT = 2


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat drawn to play first, and the number of seats it was drawn from."""

    seats: int
    seat: int


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", forbid_unknown_fields=True):
    """When it happened, in milliseconds since 1970; the guest who caused it, and the id they gave the action."""

    at: int
    guest: str = ""
    id: str = ""
    bot: bool = False

    @property
    def type(self) -> str:
        return str(self.__struct_config__.tag)


class AtSeat(Event, frozen=True, kw_only=True):
    seat: Annotated[int, Meta(ge=0)]


class MayBegin(AtSeat, frozen=True, kw_only=True):
    """An event that begins a round if it has a deal: the seat that is player 0, and the chance events."""

    first: int | None = None
    start: Start | None = None
    deal: list[str] | None = None


class MayEnd(AtSeat, frozen=True, kw_only=True):
    """An event that may end a round: then it has the round's key and the commitment to the next one's."""

    key: str | None = None
    commitment: str | None = None


class Make(Event, frozen=True, kw_only=True, tag="make"):
    format: int
    rules: int
    setup: Setup
    seats: list[Seat]
    commitment: str


class Sit(AtSeat, frozen=True, kw_only=True, tag="sit"):
    name: str
    portrait: str


class Bot(AtSeat, frozen=True, kw_only=True, tag="bot"):
    level: str
    name: str
    portrait: str


class Open(AtSeat, frozen=True, kw_only=True, tag="open"):
    pass


class Transfer(AtSeat, frozen=True, kw_only=True, tag="carry"):
    to: str


class Leave(MayBegin, frozen=True, kw_only=True, tag="leave"):
    pass


class Back(AtSeat, frozen=True, kw_only=True, tag="back"):
    pass


class Begin(MayBegin, frozen=True, kw_only=True, tag="start"):
    pass


class Ready(MayBegin, frozen=True, kw_only=True, tag="ready"):
    pass


class React(AtSeat, frozen=True, kw_only=True, tag="react"):
    reaction: str


class Move(MayEnd, frozen=True, kw_only=True, tag="move"):
    """A decision and the dice it rolled. In format 1 it also holds the draw after it."""

    events: list[str]


class Draw(AtSeat, frozen=True, kw_only=True, tag="draw"):
    """T15, C11: the draw at the end of a turn."""

    events: list[str]


class Keep(AtSeat, frozen=True, kw_only=True, tag="keep"):
    """T16, C13: a declined choice and the draw after it; the other seats learn only of the draw."""

    events: list[str]


class Undo(AtSeat, frozen=True, kw_only=True, tag="undo"):
    pass


class Ask(AtSeat, frozen=True, kw_only=True, tag="ask"):
    """A seat asks the others to let it take back its last decision."""


class Agree(AtSeat, frozen=True, kw_only=True, tag="agree"):
    pass


class Decline(AtSeat, frozen=True, kw_only=True, tag="decline"):
    pass


class TakeBack(AtSeat, frozen=True, kw_only=True, tag="take_back"):
    """The table returns to the position before a seat's last decision."""


class Resign(MayEnd, frozen=True, kw_only=True, tag="resign"):
    pass


class Time(MayEnd, frozen=True, kw_only=True, tag="time"):
    pass


class Takeover(AtSeat, frozen=True, kw_only=True, tag="takeover"):
    pass


class Pause(AtSeat, frozen=True, kw_only=True, tag="pause"):
    """An outage of the server: its duration is given back to the seat whose clock ran."""

    milliseconds: int


_AtTable = Make | Sit | Bot | Open | Transfer | Leave | Back | Begin | Ready | React | Resign | Time | Takeover | Pause
AnyEvent = _AtTable | Move | Draw | Keep | Undo | Ask | Agree | Decline | TakeBack
_read: msgspec.json.Decoder[Any] = msgspec.json.Decoder(AnyEvent)
write = msgspec.json.Encoder().encode


def read(bodies: Iterable[str | bytes], first: int = 1, table_format: int | None = None) -> Iterator[Event]:
    """Decode stored events in order. ``table_format`` is the table's format if the first event is not among them.

    Raises TableRefused, naming the version, for an event that is damaged or needs a newer program.
    """
    for version, body in enumerate(bodies, start=first):
        if version == 1:
            table_format = _format(body)
        try:
            yield _read.decode(body) if table_format == FORMAT else _upcast(body, table_format or 1)
        except (msgspec.MsgspecError, KeyError, TypeError, ValueError) as error:
            # The details belong in the operator's log only: they may reveal a hand.
            raise TableRefused("table_damaged", version=version) from error


class _Stamp(Struct):
    """The fields of a table's first event that decide how to read it."""

    format: int = 1
    rules: int = 1
    setup: dict[str, Any] = {}


def _format(body: str | bytes) -> int:
    """The format a table was created in; refuses a table that is newer than this program."""
    try:
        stamp = msgspec.json.decode(body, type=_Stamp)
        supported = rules_of(stamp.setup["game"]).VERSION
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError) as error:
        raise TableRefused("table_damaged", version=1) from error
    if stamp.format > FORMAT or stamp.rules > supported:
        raise TableRefused("table_newer")
    return stamp.format


def _upcast(body: str | bytes, table_format: int) -> Event:
    value: dict[str, Any] = msgspec.json.decode(body)
    for version in range(table_format, FORMAT):
        value = _UPCASTERS[version](value)
    event: Event = msgspec.convert(value, AnyEvent)
    return event


def _from_1(value: dict[str, Any]) -> dict[str, Any]:
    """Format 1: bots had no names, seats had no portraits, and declining a choice was an ordinary move."""
    kind = value["type"]
    if kind == "make":
        seats = [_with_portrait(number, seat) for number, seat in enumerate(value["seats"])]
        return {"format": 1, "rules": 1, **value, "seats": seats}
    if kind in ("sit", "bot"):
        return _with_portrait(value["seat"], value)
    if kind == "move" and value["events"][0].endswith(" keep"):
        return {**value, "type": "keep"}
    return value


def _with_portrait(number: int, seat: dict[str, Any]) -> dict[str, Any]:
    """Add a bot's name and a portrait, chosen by seat number so that they are always the same."""
    if seat.get("kind") == "open" or "portrait" in seat:
        return seat
    if seat.get("level"):
        return {**seat, "name": PERSONAS[number], "portrait": PERSONAS[number].lower()}
    return {**seat, "portrait": PORTRAITS[number]}


_UPCASTERS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _from_1}

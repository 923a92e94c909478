"""What can happen at a table, as it is stored: every event has a type, and what older programs stored is still read.

A table's first event says in which format it was begun and by which version of the game's rules. An upcaster brings an
older event to the present format. It only adds what is missing and renames what has another name, so what this program
appends to an old table goes through it unchanged.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from sixfold.engine.game import rules_of
from sixfold.table.setup import PERSONAS, PORTRAITS, Seat, Setup, TableRefused

FORMAT = 2


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat that was drawn to begin, and of how many."""

    seats: int
    seat: int


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", forbid_unknown_fields=True):
    """When it happened, in milliseconds since 1970; who did it, and under which name of their own."""

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
    """With a deal it begins a round: who is player 0, and what chance did."""

    first: int | None = None
    start: Start | None = None
    deal: list[str] | None = None


class MayEnd(AtSeat, frozen=True, kw_only=True):
    """Where it ends a round: the round's key, and the commitment to the next one's."""

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


class Carry(AtSeat, frozen=True, kw_only=True, tag="carry"):
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
    """A decision and the dice that it rolled. In format 1 what was drawn stands here too."""

    events: list[str]


class Draw(AtSeat, frozen=True, kw_only=True, tag="draw"):
    """T15, C11: what is drawn at the end of a turn."""

    events: list[str]


class Keep(AtSeat, frozen=True, kw_only=True, tag="keep"):
    """T16, C13: a choice that was declined, and the draw after it; everybody else hears of the draw only."""

    events: list[str]


class Undo(AtSeat, frozen=True, kw_only=True, tag="undo"):
    pass


class Ask(AtSeat, frozen=True, kw_only=True, tag="ask"):
    """Somebody asks the others to let a decision be taken back."""


class Agree(AtSeat, frozen=True, kw_only=True, tag="agree"):
    pass


class Decline(AtSeat, frozen=True, kw_only=True, tag="decline"):
    pass


class TakeBack(AtSeat, frozen=True, kw_only=True, tag="take_back"):
    """The table goes back to where a seat decided last."""


class Resign(MayEnd, frozen=True, kw_only=True, tag="resign"):
    pass


class Time(MayEnd, frozen=True, kw_only=True, tag="time"):
    pass


class Takeover(AtSeat, frozen=True, kw_only=True, tag="takeover"):
    pass


class Pause(AtSeat, frozen=True, kw_only=True, tag="pause"):
    """The server was away: the time is given back to the seat whose clock ran."""

    milliseconds: int


AnyEvent = (
    Make
    | Sit
    | Bot
    | Open
    | Carry
    | Leave
    | Back
    | Begin
    | Ready
    | React
    | Move
    | Draw
    | Keep
    | Undo
    | Ask
    | Agree
    | Decline
    | TakeBack
    | Resign
    | Time
    | Takeover
    | Pause
)
_read: msgspec.json.Decoder[Any] = msgspec.json.Decoder(AnyEvent)
write = msgspec.json.Encoder().encode


def read(bodies: Iterable[str | bytes], first: int = 1, made_in: int | None = None) -> Iterator[Event]:
    """Stored events in order, from a version on; ``made_in`` is the table's format where the first is not among them.

    What cannot be read refuses the table and says where, and so does what only a newer program understands.
    """
    for version, body in enumerate(bodies, start=first):
        if version == 1:
            made_in = _format(body)
        try:
            yield _read.decode(body) if made_in == FORMAT else _upcast(body, made_in or 1)
        except (msgspec.MsgspecError, KeyError, TypeError, ValueError) as error:
            # What exactly is wrong is for the operator's log: it may name what somebody holds.
            raise TableRefused("table_damaged", version=version) from error


class _Stamp(Struct):
    """What is looked at before a table's first event is read as a whole."""

    format: int = 1
    rules: int = 1
    setup: dict[str, Any] = {}


def _format(body: str | bytes) -> int:
    """The format that a table was begun in; refuses a table that is newer than this program."""
    try:
        stamp = msgspec.json.decode(body, type=_Stamp)
        known = rules_of(stamp.setup["game"]).VERSION
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError) as error:
        raise TableRefused("table_damaged", version=1) from error
    if stamp.format > FORMAT or stamp.rules > known:
        raise TableRefused("table_newer")
    return stamp.format


def _upcast(body: str | bytes, made_in: int) -> Event:
    value: dict[str, Any] = msgspec.json.decode(body)
    for older in range(made_in, FORMAT):
        value = _UPCASTERS[older](value)
    event: Event = msgspec.convert(value, AnyEvent)
    return event


def _from_1(value: dict[str, Any]) -> dict[str, Any]:
    """Format 1: bots were called by their level, nobody had a portrait, and to keep was a move like any other."""
    kind = value["type"]
    if kind == "make":
        seats = [_face(number, seat) for number, seat in enumerate(value["seats"])]
        return {"format": 1, "rules": 1, **value, "seats": seats}
    if kind in ("sit", "bot"):
        return _face(value["seat"], value)
    if kind == "move" and value["events"][0].endswith(" keep"):
        return {**value, "type": "keep"}
    return value


def _face(number: int, seat: dict[str, Any]) -> dict[str, Any]:
    """A name for a bot, a portrait for everybody: by the number of the seat, so that they are the same every time."""
    if seat.get("kind") == "open" or "portrait" in seat:
        return seat
    if seat.get("level"):
        return {**seat, "name": PERSONAS[number], "portrait": PERSONAS[number].lower()}
    return {**seat, "portrait": PORTRAITS[number]}


_UPCASTERS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _from_1}

"""The messages of the protocol, over HTTP and WebSockets (docs/protocol.md)."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct, field

from sixfold.games import packages
from sixfold.games.contract import Option, Value
from sixfold.table import PORTRAITS, Setup
from sixfold.table.setup import LONGEST_NAME, LONGEST_TIME, MOST_ROUNDS

MOST_BYTES = 4096

# From the registry of games: their names, and the limits of players and options over all of them.
_FACTS = [game.facts for game in packages().values()]
FEWEST_PLAYERS = min(min(facts.PLAYERS) for facts in _FACTS)
MAX_PLAYERS = max(max(facts.PLAYERS) for facts in _FACTS)
MOST_OPTIONS = max(len(facts.OPTIONS) for facts in _FACTS)
if TYPE_CHECKING:
    GameName = str
else:
    GameName = Literal[tuple(packages())]

Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, description="printable characters")]
SeatNumber = Annotated[int, Meta(ge=0, lt=MAX_PLAYERS)]
Token = Annotated[str, Meta(min_length=1, max_length=512)]
Portrait = Annotated[str, Meta(max_length=20, description=f"one of {', '.join(PORTRAITS)}")]
Version = Annotated[int, Meta(ge=0, le=1_000_000)]


class Action(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What somebody wants to do. ``id`` is the sender's own name for it; ``version`` is what the sender had seen;
    ``then`` is chosen together with a move, in case it leads to a choice (T16, C13)."""

    do: Annotated[str, Meta(max_length=16)]
    id: Annotated[str, Meta(max_length=40)] = ""
    version: Version | None = None
    seat: SeatNumber | None = None
    move: Annotated[str, Meta(max_length=40)] | None = None
    then: Annotated[str, Meta(max_length=20)] | None = None
    name: Name | None = None
    portrait: Portrait | None = None
    level: Annotated[str, Meta(max_length=40)] | None = None
    reaction: Annotated[str, Meta(max_length=20)] | None = None


class NewSeat(Struct, forbid_unknown_fields=True):
    """A seat of a new table: open, for the maker (``name`` where several share a device), or for a bot."""

    kind: Literal["open", "me", "bot"] = "open"
    name: Name | None = None
    portrait: Portrait | None = None
    level: Annotated[str, Meta(max_length=40)] | None = None


class NewTable(Struct, forbid_unknown_fields=True):
    """A table to be made. Without ``seats`` the maker takes the first and the others are open; without ``rounds`` there
    are as many as the game has by default; without ``hints`` there are some only where all others are bots."""

    game: GameName
    players: Annotated[int, Meta(ge=FEWEST_PLAYERS, le=MAX_PLAYERS)] = 2
    options: Annotated[dict[str, Value], Meta(max_length=MOST_OPTIONS)] = field(default_factory=dict)
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] | None = None
    clock: Literal["none", "move", "game"] = "none"
    seconds: Annotated[int, Meta(ge=0, le=LONGEST_TIME)] = 0
    takeover: Annotated[int, Meta(ge=1, le=LONGEST_TIME)] | None = 120
    first: SeatNumber | None = None
    hints: bool | None = None
    public: bool = False
    seats: Annotated[list[NewSeat], Meta(min_length=FEWEST_PLAYERS, max_length=MAX_PLAYERS)] | None = None

    def setup(self, deputy: str) -> Setup:
        names = ("game", "players", "options", "clock", "seconds", "takeover", "first", "hints")
        return Setup(**{name: getattr(self, name) for name in names}, rounds=self.rounds or 0, deputy=deputy)


class GameShown(Struct):
    """A game that can be played here: ``rounds_default`` by players; ``last`` is the last field of a row, ``goal`` the
    lowest value that wins, ``areas`` where each area of a row ends, ``minutes`` about how long a game takes."""

    name: str
    players: list[int]
    options: dict[str, Option]
    series: bool
    rounds_default: dict[str, int]
    last: int
    goal: int
    areas: list[int]
    symbols: int
    minutes: int


class NewGuest(Struct, forbid_unknown_fields=True):
    name: Name
    portrait: Portrait | None = None


class GuestShown(Struct):
    """Who the server thinks you are; an empty portrait is chosen at each table."""

    name: str
    bot: bool
    portrait: str = ""


class BotToken(Struct):
    """A token for a bot program; it is shown once, and goes into the header ``Authorization: Bearer …``."""

    name: str
    token: str


class Link(Struct, forbid_unknown_fields=True):
    token: Token


class JoinLink(Struct, forbid_unknown_fields=True):
    token: Token
    name: Name | None = None
    portrait: Portrait | None = None
    seat: SeatNumber | None = None


class Invitation(Struct):
    """The token stands behind the # of the link, so that no server and no log on the way sees it."""

    token: str
    link: str


class Carry(Struct):
    token: str
    link: str
    seconds: int


class TableFound(Struct):
    id: str
    game: str
    players: int
    stage: str
    open_seats: int
    made_at: int
    changed_at: int


class TableShown(Struct):
    """A table as the asking guest may see it: one view for each seat of theirs, or a spectator's."""

    id: str
    version: int
    public: bool
    views: list[dict[str, Any]]


class Seated(Struct):
    id: str
    version: int
    seats: list[int]


class Done(Struct):
    version: int


class EventsShown(Struct):
    version: int
    events: list[dict[str, Any]]


class Turn(Struct):
    """A bot's turn that a worker has taken on: it is the worker's until ``until``, in milliseconds since 1970."""

    table: str
    seat: int
    level: str
    version: int
    until: int
    view: dict[str, Any]


class TurnPlayed(Struct, forbid_unknown_fields=True):
    table: Annotated[str, Meta(max_length=32)]
    seat: SeatNumber
    version: Version
    move: Annotated[str, Meta(max_length=40)]
    then: Annotated[str, Meta(max_length=20)] | None = None


class Problem(Struct):
    """Why not: a sentence, the clause of the rules (or ``table``, ``server``), and a key with words for translating."""

    key: str
    reason: str
    clause: str
    words: dict[str, str] = field(default_factory=dict)


# Messages sent over a socket.


class Snapshot(Struct, tag="snapshot"):
    version: int
    views: list[Raw]
    events: list[Raw]


class EventMessage(Struct, tag="event"):
    version: int
    event: Raw
    views: list[Raw]


class Presence(Struct, tag="presence"):
    """Who is at the table just now, by seat; bots always are. It is no event and has no version."""

    present: list[bool]


class Ack(Struct, tag="ack"):
    id: str
    version: int


class ActionRefused(Struct, tag="refused"):
    id: str
    version: int
    key: str
    reason: str
    clause: str
    words: dict[str, str]


class Pong(Struct, tag="pong"):
    version: int


encode = msgspec.json.Encoder().encode
read_action = msgspec.json.Decoder(Action).decode

"""The shapes of what a browser gets: a seat's view, an event, a replay. The browser's types are made from these."""

import json
import sys
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct

from sixfold.games import contract, packages
from sixfold.server import messages

Values = list[list[int]]
Stage = Literal["open", "playing", "between", "over"]


class SeatShown(Struct, forbid_unknown_fields=True):
    """A seat as everybody may know it."""

    kind: Literal["open", "person", "bot"]
    name: str
    level: str
    left: bool
    relieved: bool
    resigned: bool
    ready: bool
    time_left: int


class SetupShown(Struct, forbid_unknown_fields=True):
    """What was agreed; times in seconds."""

    game: messages.GameName
    players: int
    options: dict[str, contract.Value]
    rounds: int
    clock: Literal["none", "move", "game"]
    seconds: int
    takeover: int | None
    first: int | None
    deputy: str


if TYPE_CHECKING:
    Position = contract.Position
else:
    Position = reduce(or_, [game.shown.POSITION for game in packages().values()])


class Sentence(Struct, forbid_unknown_fields=True):
    """A key of the languages, and what fills the sentence."""

    key: str
    words: dict[str, str]


class EventShown(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One event as a seat hears it; ``gained`` is what a move added to its player's six values."""

    type: str
    at: int
    version: int
    line: Sentence
    seat: int | None = None
    name: str | None = None
    level: str | None = None
    reaction: str | None = None
    first: int | None = None
    start: dict[str, int] | None = None
    commitment: str | None = None
    key: str | None = None
    setup: SetupShown | None = None
    bot: bool | None = None
    deal: list[str] | None = None
    events: list[str] | None = None
    gained: list[int] | None = None
    id: str | None = None


class ResultShown(Struct, forbid_unknown_fields=True):
    """The result by seat; ``points`` has a row for each round of a series."""

    why: Literal["played", "resigned", "time"]
    values: Values
    places: list[int]
    points: Values | None
    totals: list[int] | None
    winners: list[int]


class View(Struct, forbid_unknown_fields=True):
    """A table as one seat sees it. ``legal``, ``previews``, ``earned`` and ``lines`` are for the seat in turn:
    the moves; what each adds to the six values, and the phase after it; what it would add without any limit;
    and, on a board, for each free cell and symbol the cells that it would score with.
    ``reach`` is how far a row of each player may go."""

    version: int
    setup: SetupShown
    stage: Stage
    seats: list[SeatShown]
    seat: int | None
    turn: int | None
    round: int
    commitment: str
    turn_began: int
    due: int | None
    result: ResultShown | None
    position: Position | None
    order: list[int] | None
    legal: list[str]
    previews: Values
    earned: Values
    lines: dict[str, dict[str, list[str]]]
    reach: list[int]
    undo: bool
    last: EventShown | None


class ReplayStep(Struct):
    """A position of a finished round, and the events that led to it: a player's decision, and what chance did."""

    events: list[str]
    player: int | None
    gained: list[int]
    position: Position
    reach: list[int]


class Replay(Struct):
    """A finished round, step by step, with everything open; everything goes by player."""

    game: messages.GameName
    round: int
    rounds: int
    names: list[str]
    bots: list[str | None]
    resigned: list[int]
    places: list[int] | None
    steps: list[ReplayStep]
    commitment: str
    key: str


class HintShown(Struct):
    """A move that the strongest bot would play, what it adds at once, and why: the end of a sentence."""

    move: str
    by: str
    gained: list[int]
    reason: str


class Invited(Struct):
    """The table that an invitation leads to."""

    id: str
    game: messages.GameName
    players: int
    names: list[str]
    open_seats: int


SHAPES: list[Any] = [
    View,
    EventShown,
    Replay,
    HintShown,
    Invited,
    messages.Action,
    messages.NewTable,
    messages.GameShown,
    messages.GuestShown,
    messages.Seated,
    messages.TableFound,
    messages.Invitation,
    messages.Carry,
    messages.Problem,
]


def schema() -> dict[str, Any]:
    """The shapes as an OpenAPI document."""
    _, components = msgspec.json.schema_components(SHAPES, ref_template="#/components/schemas/{name}")
    return {
        "openapi": "3.1.0",
        "info": {"title": "Sixfold", "version": "1"},
        "paths": {},
        "components": {"schemas": components},
    }


if __name__ == "__main__":
    json.dump(schema(), sys.stdout, indent=1)

"""The types of responses: a seat's view, an event, a replay. The browser's TypeScript types are made from these."""

import json
import sys
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct

from sixfold.games import contract, packages
from sixfold.review.model import Odds, Review, Step
from sixfold.server import protocol

Values = list[list[int]]
Stage = Literal["open", "playing", "between", "over"]


class SeatShown(Struct, forbid_unknown_fields=True):
    """A seat as everybody may know it."""

    kind: Literal["open", "person", "bot"]
    name: str
    level: str
    portrait: str
    left: bool
    relieved: bool
    resigned: bool
    ready: bool
    time_left: int


class SetupShown(Struct, forbid_unknown_fields=True):
    """What was agreed; times in seconds."""

    game: protocol.GameName
    players: int
    options: dict[str, contract.Value]
    rounds: int
    clock: Literal["none", "move", "game"]
    seconds: int
    takeover: int | None
    first: int | None
    deputy: str
    hints: bool


if TYPE_CHECKING:
    EndReason = str
    Position = contract.Position
else:
    EndReason = Literal[tuple(sorted({key for game in packages().values() for key, _ in game.annotations.ENDS}))]
    Position = reduce(or_, [game.codec.POSITION for game in packages().values()])


class Sentence(Struct, forbid_unknown_fields=True):
    """A key of the languages, and what fills the sentence."""

    key: str
    words: dict[str, str]


class EventShown(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One event as a seat hears it. Of a move: ``gained`` is what it added to its player's six values, ``counted`` the
    cells that it scored with, ``bonus`` whether the mover has another turn (T13, C14), ``shown`` the hand that was
    shown to everybody (C13), and ``over_why`` why the game is over."""

    type: str
    at: int
    version: int
    line: Sentence
    seat: int | None = None
    name: str | None = None
    level: str | None = None
    portrait: str | None = None
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
    counted: list[str] | None = None
    bonus: bool | None = None
    shown: list[str] | None = None
    over_why: EndReason | None = None
    milliseconds: int | None = None
    id: str | None = None


class ResultShown(Struct, forbid_unknown_fields=True):
    """The result by seat; ``points`` has a row for each round of a series."""

    why: Literal["played", "resigned", "time"]
    over_why: EndReason | None
    values: Values
    places: list[int]
    points: Values | None
    totals: list[int] | None
    winners: list[int]


class TakeBackAsked(Struct, forbid_unknown_fields=True):
    """Who asks to take a decision back, and who has agreed."""

    seat: int
    agreed: list[int]


class View(Struct, forbid_unknown_fields=True):
    """A table as one seat sees it. ``legal``, ``previews``, ``earned`` and ``lines`` are for the seat in turn:
    the moves; what each adds to the six values, and the phase after it; what it would add without any limit;
    and, on a board, for each free cell and symbol the cells that it would score with.
    ``reach`` is how far a row of each player may go, ``totals`` the points of the rounds so far, ``starters`` the seat
    that begins each round. ``bonus``: the seat in turn is in a bonus turn. ``undo_why`` and ``take_back_why`` say why
    that is not possible; ``take_back`` is somebody's request to take a decision back."""

    version: int
    setup: SetupShown
    stage: Stage
    seats: list[SeatShown]
    seat: int | None
    turn: int | None
    round: int
    starters: list[int]
    commitment: str
    turn_began: int
    due: int | None
    result: ResultShown | None
    totals: list[int] | None
    position: Position | None
    order: list[int] | None
    legal: list[str]
    previews: Values
    earned: Values
    lines: dict[str, dict[str, list[str]]]
    reach: list[int]
    bonus: bool
    undo: bool
    undo_why: Sentence | None
    take_back: TakeBackAsked | None
    take_back_why: Sentence | None
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

    game: protocol.GameName
    round: int
    rounds: int
    names: list[str]
    bots: list[str | None]
    resigned: list[int]
    places: list[int] | None
    steps: list[ReplayStep]
    commitment: str
    key: str


class ReviewShown(Struct):
    """How far the review of a finished round has come: ``done`` of ``total`` events, the steps judged so far and
    everybody's chance after each; and all of it, once it is done."""

    done: int
    total: int
    steps: list[Step]
    chances: list[list[float]]
    review: Review | None


class HintShown(Struct):
    """A move that the strongest bot would play, what it adds at once, and why: the end of a sentence."""

    move: str
    by: str
    gained: list[int]
    reason: str


class Invited(Struct):
    """The table that an invitation leads to; ``seated``: you sit there already."""

    id: str
    game: protocol.GameName
    players: int
    names: list[str]
    open_seats: int
    setup: SetupShown
    seats: list[SeatShown]
    seated: bool


RESPONSES: list[Any] = [
    View,
    EventShown,
    Replay,
    ReviewShown,
    Odds,
    HintShown,
    Invited,
    protocol.Action,
    protocol.Presence,
    protocol.NewTable,
    protocol.GameShown,
    protocol.GuestShown,
    protocol.Seated,
    protocol.TableFound,
    protocol.Invitation,
    protocol.Carry,
    protocol.Problem,
]


def schema() -> dict[str, Any]:
    """The types as an OpenAPI document."""
    _, components = msgspec.json.schema_components(RESPONSES, ref_template="#/components/schemas/{name}")
    return {
        "openapi": "3.1.0",
        "info": {"title": "Sixfold", "version": "1"},
        "paths": {},
        "components": {"schemas": components},
    }


if __name__ == "__main__":
    json.dump(schema(), sys.stdout, indent=1)

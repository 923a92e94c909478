"""A table without any I/O: its state is derived from its list of events and nothing else."""

import hmac
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from msgspec import Struct, structs

from sixfold.engine import annotations, record, shuffle
from sixfold.engine.game import Game, rules_of
from sixfold.engine.series import Series
from sixfold.table import events as event_types
from sixfold.table.events import Event
from sixfold.table.setup import Seat, Setup, TableRefused

OPEN, PLAYING, BETWEEN, OVER = "open", "playing", "between", "over"
# The events that change what another seat may be deciding on; so does any event that begins or ends a round.
DECISIVE = (event_types.Move, event_types.Draw, event_types.Keep, event_types.Undo, event_types.TakeBack)
# The event fields that are public as they are.
PUBLIC = ("at", "seat", "name", "level", "portrait", "reaction", "first", "commitment", "key", "milliseconds")
# Not counted against a guest's allowance: they advance the game and cannot be repeated at will.
UNCOUNTED = (*DECISIVE[:3], event_types.Begin, event_types.Ready, event_types.Resign)


@cache
def _public_fields(kind: type[Event]) -> tuple[str, ...]:
    return tuple(name for name in PUBLIC if name in kind.__struct_fields__)


def fresh(setup: Setup) -> Game:
    """The round's game before its first event."""
    rules = rules_of(setup.game, setup.players)
    return Game(rules, rules.start(setup.players, **setup.options))


class Decision(Struct, frozen=True):
    """A decision and the state before it, so that the table can return there."""

    seat: int
    state: bytes
    lines: int  # number of game events before it
    drawn: int
    began: int
    bonus: bool
    final: bool  # it cannot be undone: something was drawn or rolled, or the turn passed
    declined: bool
    by_bot: bool


class Entry(Struct, frozen=True):
    """An event in the table's log, with its effects at the time."""

    event: Event
    first: int  # the seat that was player 0 then
    public: dict[str, Any]  # the event as every seat is told of it, without its hidden items


@dataclass
class Request:
    """A seat's request to take back its last decision, and the seats that have agreed."""

    seat: int
    agreed: tuple[int, ...] = ()


class SeatIndex(Struct, frozen=True):
    """Values derived from a list of seats: each guest's seats, whether any person plays, the public part of the seats,
    and the public setup, in which ``hints`` is resolved."""

    seats: list[Seat]
    held: dict[str, list[int]]
    plays: bool
    public_seats: list[dict[str, Any]]
    public_setup: dict[str, Any]


@dataclass
class Allowance:
    """How many actions other than moves a guest has taken in this round, and when they last left and reacted."""

    used: int = 0
    left_at: int | None = None
    reacted_at: int | None = None


class Table:
    """The state derived from the events. ``apply`` is the only way to change it; times come from the events.

    Attribute values are replaced, never changed in place, except that ``log``, ``records`` and ``done`` grow.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.version = 0
        self.format = event_types.FORMAT
        self.stage = OPEN
        self.setup: Setup
        self.seats: list[Seat] = []
        self.game: Game | None = None
        self.drawn = 0  # items that chance has supplied in the present round
        self.first = 0  # the seat that is player 0 in the present round
        self.match_first = 0
        self.rounds_begun = 0
        self.series: Series | None = None
        self.commitment = ""  # to the key of the round being played, or of the next one
        self.start: event_types.Start | None = None
        self.turn: int | None = None  # the seat whose turn it is
        self.turn_began = 0
        self.renewed = False  # was the clock of the current decision restarted already?
        self.credited = 0  # until when outages were credited to the current decision
        self.changed = 0  # the version that last changed what can be decided
        self.result: dict[str, Any] | None = None
        self.records: list[dict[str, Any]] = []
        self.log: list[Entry] = []
        self.round_from = 1  # the version that began the present round
        self.done: dict[tuple[str, str], int] = {}  # the version that each action became, by guest and action id
        self.allowances: dict[str, Allowance] = {}
        self.dealt: np.ndarray  # the state after the deal of the present round, which says who sees what
        self.bonus = False  # T13, C14: is the present turn a bonus turn?
        self.decisions: tuple[Decision, ...] = ()  # of the present round
        self.undo_from = 0  # decisions before this one cannot be undone
        self.request: Request | None = None
        self._cached_seat_index: SeatIndex | None = None
        for event in events:
            self.apply(event)

    @classmethod
    def of(cls, events: Iterable[Event]) -> "Table":
        """Rebuild a table from stored events."""
        table = cls()
        for event in events:
            table.take(event)
        return table

    def take(self, event: Event) -> None:
        """Apply a stored event; refuses the table if the event does not fit its state."""
        try:
            self.apply(event)
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise TableRefused("table_damaged", version=self.version + 1) from error

    # Who is who

    def seat_of(self, player: int) -> int:
        return (player + self.first) % len(self.seats)

    def player_of(self, seat: int) -> int:
        return (seat - self.first) % len(self.seats)

    @property
    def order(self) -> list[int]:
        """The seats in order of players."""
        return [*range(self.first, len(self.seats)), *range(self.first)]

    def held_by(self, guest: str) -> list[int]:
        """The seats of a guest: none for a spectator, several if people share a device."""
        return self._seat_index().held.get(guest, [])

    @property
    def public_seats(self) -> list[dict[str, Any]]:
        return self._seat_index().public_seats

    @property
    def public_setup(self) -> dict[str, Any]:
        return self._seat_index().public_setup

    def seen_by(self, guest: str) -> list[int | None]:
        """The seats whose views a guest gets; a spectator's is None."""
        return [*self.held_by(guest)] or [None]

    def bot_to_move(self) -> tuple[int, str] | None:
        """The seat in turn and its bot's level, if a bot has to decide; None at a table that all people have left."""
        turn = self.turn
        if turn is None or self.deserted:
            return None
        seat = self.seats[turn]
        if seat.kind == "bot":
            return turn, seat.level
        return (turn, self.setup.deputy) if seat.relieved or seat.resigned else None

    @property
    def deserted(self) -> bool:
        """Has every person left or been replaced by a bot? Then the table pauses."""
        return not self._seat_index().plays

    def _seat_index(self) -> SeatIndex:
        """Needed many times per event, so it is computed once for each list of seats."""
        if self._cached_seat_index is None or self._cached_seat_index.seats is not self.seats:
            held: dict[str, list[int]] = {}
            for number, seat in enumerate(self.seats):
                if seat.person:
                    held.setdefault(seat.guest, []).append(number)
            public_seats = [seat.value() for seat in self.seats]
            public_setup = {**structs.asdict(self.setup), "hints": self.hints}
            self._cached_seat_index = SeatIndex(
                self.seats, held, any(seat.plays for seat in self.seats), public_seats, public_setup
            )
        return self._cached_seat_index

    def other_people(self, seat: int) -> list[int]:
        """The seats of other people who decide for themselves; seats on the same device do not count."""
        guest = self.seats[seat].guest
        return [number for number, other in enumerate(self.seats) if other.plays and other.guest != guest]

    def ends_without(self, seat: int) -> bool:
        """Does the round end if this seat gives up, because one seat or no person remains?"""
        others = [other for number, other in enumerate(self.seats) if number != seat and not other.resigned]
        return len(others) == 1 or not any(other.person for other in others)

    @property
    def hints(self) -> bool:
        """Are hints allowed? If the setup leaves it open, only when all other seats are bots."""
        if self.setup.hints is not None:
            return self.setup.hints
        kinds = [seat.kind for seat in self.seats]
        return kinds.count("person") <= 1 and "open" not in kinds

    @property
    def starters(self) -> list[int]:
        """C17, D14: the seat that plays first in each round, if it is known."""
        first = self.match_first if self.rounds_begun else self.setup.first
        if first is None:
            return []
        return [(first + number) % len(self.seats) for number in range(self.setup.rounds)]

    # Undo

    def undoable(self, seat: int) -> bool:
        """Was the last decision this seat's own, and has nothing been revealed since?"""
        if len(self.decisions) <= self.undo_from:
            return False
        last = self.decisions[-1]
        return last.seat == seat == self.turn and not last.final and not last.by_bot

    def own_last(self, seat: int) -> int | None:
        """The index of a seat's last decision in this round, not counting declined choices, which are secret."""
        for number in range(len(self.decisions) - 1, -1, -1):
            decision = self.decisions[number]
            if decision.seat == seat and not decision.by_bot and not decision.declined:
                return number
        return None

    def _go_back(self, number: int) -> Decision:
        """Return to the position before a decision of this round."""
        assert self.game is not None
        decision = self.decisions[number]
        states = np.frombuffer(bytearray(decision.state), dtype=self.game.states.dtype)
        self.game = Game(self.game.rules, states, None, self.game.events[: decision.lines])
        self.decisions = self.decisions[:number]
        self.bonus, self.drawn = decision.bonus, decision.drawn
        self.request = None
        return decision

    # What happens

    def after(self, event: Event, game: Game | None = None) -> "Table":
        """The table after an event; this one stays as it is."""
        table = copy(self)
        table.log, table.records, table.done = self.log.copy(), self.records.copy(), self.done.copy()
        table.apply(event, game)
        return table

    def apply(self, event: Event, game: Game | None = None) -> None:
        """Apply an event that was allowed when it was decided; ``game`` is the game after it, if already known."""
        effects: dict[str, Any] = getattr(self, f"_on_{event.type}")(event, game) or {}
        self.version += 1
        playing = self.stage == PLAYING and self.game is not None
        self.turn = self.seat_of(self.game.active_player) if playing else None  # type: ignore[arg-type,union-attr]
        begins = isinstance(event, event_types.MayBegin) and event.deal is not None
        ends = isinstance(event, event_types.MayEnd) and event.key is not None
        if isinstance(event, DECISIVE) or begins or ends:
            self.changed = self.version
        if event.id:
            self.done[event.guest, event.id] = self.version
        if event.guest and not isinstance(event, UNCOUNTED) and not begins:
            self._count(event)
        self.log.append(Entry(event, self.first, {**self._public(event), **effects}))

    def _public(self, event: Event) -> dict[str, Any]:
        """The event as every seat is told of it: its public fields and a log line. A move is in the notation."""
        kind = "move" if isinstance(event, event_types.Keep) else event.type
        public: dict[str, Any] = {"type": kind, "version": self.version}
        for name in _public_fields(type(event)):
            if (value := getattr(event, name)) is not None:
                public[name] = value
        if event.bot:
            public["bot"] = True
        words: dict[str, Any] = {name: public[name] for name in ("name", "level", "reaction") if name in public}
        if "seat" in public:
            words.setdefault("name", self.seats[public["seat"]].name)
        if isinstance(event, event_types.Move | event_types.Keep):
            words["move"] = event.events[0].partition(" ")[2]
        public["line"] = {"key": f"log_{kind}", "words": words}
        return public

    def _count(self, event: Event) -> None:
        allowance = self.allowances.get(event.guest, Allowance())
        left = event.at if isinstance(event, event_types.Leave) else allowance.left_at
        reacted = event.at if isinstance(event, event_types.React) else allowance.reacted_at
        self.allowances = {**self.allowances, event.guest: Allowance(allowance.used + 1, left, reacted)}

    def _set(self, number: int, seat: Seat) -> None:
        self.seats = list(self.seats)
        self.seats[number] = seat

    def _change(self, number: int, **changes: Any) -> None:
        self._set(number, structs.replace(self.seats[number], **changes))

    def _on_make(self, event: event_types.Make, game: Game | None) -> None:
        self.format = event.format
        self.setup = event.setup
        self.seats = list(event.seats)
        self.commitment = event.commitment

    def _on_sit(self, event: event_types.Sit, game: Game | None) -> None:
        self._set(event.seat, Seat("person", event.name, event.guest, portrait=event.portrait))

    def _on_bot(self, event: event_types.Bot, game: Game | None) -> None:
        self._set(event.seat, Seat("bot", event.name, level=event.level, portrait=event.portrait))

    def _on_open(self, event: event_types.Open, game: Game | None) -> None:
        self._set(event.seat, Seat())

    def _on_carry(self, event: event_types.Transfer, game: Game | None) -> None:
        self._change(event.seat, guest=event.to)

    def _on_leave(self, event: event_types.Leave, game: Game | None) -> None:
        if self.stage == OPEN:
            self._set(event.seat, Seat())
            return
        # If the setup has no takeover time, a substitute plays as soon as the person leaves.
        relieved = self.setup.takeover is None or self.seats[event.seat].relieved
        if relieved and self.turn == event.seat:
            self._charge(event.seat, event.at, starts_next=False)
        self._change(event.seat, left=True, relieved=relieved)
        self._withdraw_request(event.seat)
        self._maybe_begin(event)

    def _on_back(self, event: event_types.Back, game: Game | None) -> None:
        before = self.seats[event.seat]
        self._change(event.seat, left=False, relieved=False)
        if self.turn != event.seat or not before.relieved:
            return
        self.undo_from = len(self.decisions)
        # Otherwise a seat whose time had run out could never decide; but each decision's clock restarts only once.
        if not self.renewed:
            self.renewed = True
            self.turn_began = event.at

    def _on_start(self, event: event_types.Begin, game: Game | None) -> None:
        self._begin_match(event)

    def _on_ready(self, event: event_types.Ready, game: Game | None) -> None:
        self._change(event.seat, ready=True)
        self._maybe_begin(event)

    def _on_react(self, event: event_types.React, game: Game | None) -> None:
        """A reaction is only announced; it changes nothing."""

    def _on_move(self, event: event_types.Move | event_types.Keep, game: Game | None) -> dict[str, Any]:
        assert self.game is not None
        before, seat = self.game, event.seat
        began, bonus, drawn = self.turn_began, self.bonus, self.drawn
        self._charge(seat, event.at)
        line = event.events[0]
        self._play(event.events, game)
        player = self.player_of(seat)
        turn_continues = self.game.turn == player and len(event.events) == 1
        declined = isinstance(event, event_types.Keep)
        decision = Decision(
            seat,
            before.states.tobytes(),
            len(before.events),
            drawn,
            began,
            bonus,
            not turn_continues,
            declined,
            event.bot,
        )
        self.decisions = (*self.decisions, decision)
        self.request = None
        self.bonus = turn_continues and annotations.bonus(self.game)
        gained = [new - old for new, old in zip(self.game.values[player], before.values[player], strict=True)]
        effects: dict[str, Any] = {"gained": gained, "bonus": self.bonus}
        move = line.partition(" ")[2]
        if cells := annotations.counted(before, move):
            effects["counted"] = cells
        if hand := annotations.shown_by(before, move):
            effects["shown"] = hand
        if self.game.over:
            effects["over_why"] = annotations.over_why(self.game)
            self._end_round(event)
        return effects

    _on_keep = _on_move

    def _on_draw(self, event: event_types.Draw, game: Game | None) -> None:
        self._play(event.events, game)

    def _play(self, lines: list[str], game: Game | None) -> None:
        assert self.game is not None
        if game is None:
            game = self.game.copy()
            for line in lines:
                game.apply(line)
        self.game = game
        self.drawn += shuffle.items_drawn(lines)

    def _on_undo(self, event: event_types.Undo, game: Game | None) -> None:
        self._charge(event.seat, event.at)
        decision = self._go_back(len(self.decisions) - 1)
        if self.setup.clock == "move":
            self.turn_began = decision.began

    def _on_ask(self, event: event_types.Ask, game: Game | None) -> None:
        self.request = Request(event.seat)

    def _on_agree(self, event: event_types.Agree, game: Game | None) -> None:
        assert self.request is not None
        self.request = Request(self.request.seat, (*self.request.agreed, event.seat))

    def _on_decline(self, event: event_types.Decline, game: Game | None) -> None:
        self.request = None

    def _on_take_back(self, event: event_types.TakeBack, game: Game | None) -> None:
        number, turn = self.own_last(event.seat), self.turn
        assert number is not None
        assert turn is not None
        self._charge(turn, event.at)
        self._go_back(number)
        self.undo_from = min(self.undo_from, number)

    def _on_takeover(self, event: event_types.Takeover, game: Game | None) -> None:
        self._charge(event.seat, event.at, starts_next=False)
        self._change(event.seat, relieved=True)
        self.undo_from = len(self.decisions)
        self._withdraw_request(event.seat)

    def _on_resign(self, event: event_types.Resign | event_types.Time, game: Game | None) -> None:
        if self.turn == event.seat:
            self._charge(event.seat, event.at)
        ends = self.ends_without(event.seat)
        self._change(event.seat, resigned=True)
        self.undo_from = len(self.decisions)
        self._withdraw_request(event.seat)
        if ends:
            self._end_round(event)

    _on_time = _on_resign

    def _on_pause(self, event: event_types.Pause, game: Game | None) -> None:
        self.turn_began += event.milliseconds
        self.credited = event.at

    def _withdraw_request(self, seat: int) -> None:
        """Drop the pending request if it is from a seat that no longer plays."""
        if self.request is not None and self.request.seat == seat:
            self.request = None

    # Rounds

    def _charge(self, seat: int, at: int, starts_next: bool = True) -> None:
        """Charge a decision's time to its seat and start timing the next one, unless a bot continues the same one."""
        if self.setup.clock == "game" and self.seats[seat].person and not self.seats[seat].relieved:
            left = self.seats[seat].time_left - max(0, at - self.turn_began)
            self._change(seat, time_left=max(0, left))
        if starts_next or self.setup.clock == "game":
            self.turn_began = at
        if starts_next:
            self.renewed, self.credited = False, 0

    def _maybe_begin(self, event: event_types.MayBegin) -> None:
        """Begin the next round or a rematch if the event carries a deal."""
        if event.deal is None:
            return
        if self.stage == OVER:
            self._begin_match(event)
        else:
            self._begin_round(event)

    def _begin_match(self, event: event_types.MayBegin) -> None:
        """C17, D14: begin a new series; in a rematch the next seat plays first."""
        assert event.first is not None
        self.match_first = event.first
        if rules_of(self.setup.game).ROUNDS:
            self.series = Series(self.setup.game, self.setup.players, self.setup.rounds)
        self.seats = [structs.replace(seat, resigned=False) for seat in self.seats]
        self._begin_round(event)

    def _begin_round(self, event: event_types.MayBegin) -> None:
        assert event.first is not None
        assert event.deal is not None
        self.first = event.first
        self.start = event.start
        self.rounds_begun += 1
        self.stage, self.result = PLAYING, None
        game = fresh(self.setup)
        for line in event.deal:
            game.apply(line)
        self.game, self.drawn = game, shuffle.items_drawn(event.deal)
        self.turn_began = event.at
        self.renewed, self.credited, self.bonus = False, 0, False
        self.decisions, self.undo_from, self.request = (), 0, None
        self.allowances = {}
        self.round_from = self.version + 1
        time = self.setup.seconds * 1000 if self.setup.clock == "game" else 0
        # A person who left and has not come back keeps their substitute in the next round.
        self.seats = [
            structs.replace(
                seat, ready=False, time_left=time if seat.person else 0, relieved=seat.relieved or seat.left
            )
            for seat in self.seats
        ]
        self.dealt = game.states

    def _end_round(self, event: event_types.MayEnd | event_types.Keep) -> None:
        assert self.game is not None
        assert isinstance(event, event_types.MayEnd)
        game_over = self.game.over
        if self.series is not None and self.game.result is not None:
            self.series = self.series.after(self.game.result)
        ended = game_over and self.series is not None and not self.series.over
        self.stage = BETWEEN if ended else OVER
        self.request = None
        self.result = self._round_result(event.type)
        self.records.append(self._record(event))
        self.commitment = event.commitment or ""

    def _by_seat(self, by_player: list[Any]) -> list[Any]:
        return [by_player[self.player_of(seat)] for seat in range(len(self.seats))]

    def _series_by_seat(self, by_series: list[int]) -> list[int]:
        """Reorder a row of the series by seat: the series counts from the seat that played first."""
        return [by_series[(seat - self.match_first) % len(self.seats)] for seat in range(len(self.seats))]

    @property
    def totals(self) -> list[int] | None:
        """C17, D14: the points of a series so far, by seat."""
        return None if self.series is None else self._series_by_seat(self.series.totals)

    def _round_result(self, why: str) -> dict[str, Any]:
        """The result by seat. Seats that resigned rank below all others."""
        assert self.game is not None
        values = self._by_seat(self.game.values)
        series = self.series
        points = None if series is None else [self._series_by_seat(row) for row in series.points]
        totals = self.totals
        if totals is not None and self.setup.rounds > 1:
            scores = totals
        else:
            scores = [-place for place in self._by_seat(self.game.places)]
        ranked = [(not seat.resigned, score) for seat, score in zip(self.seats, scores, strict=True)]
        places = [1 + sum(other > mine for other in ranked) for mine in ranked]
        winners = [seat for seat, place in enumerate(places) if place == 1] if self.stage == OVER else []
        return {
            "why": {"move": "played", "resign": "resigned", "time": "time"}[why],
            "over_why": annotations.over_why(self.game),
            "values": values,
            "places": places,
            "points": points,
            "totals": totals,
            "winners": winners,
        }

    def _record(self, event: event_types.MayEnd) -> dict[str, Any]:
        """The record of the round (docs/rules/record.md), with the proof of the shuffle."""
        assert self.game is not None
        order = self.order
        round_record = record.of(self.game, names=[self.seats[seat].name for seat in order])
        round_record["seats"] = order
        round_record["bots"] = [self.seats[seat].level if self.seats[seat].kind == "bot" else None for seat in order]
        resigned = [player for player, seat in enumerate(order) if self.seats[seat].resigned]
        if resigned:
            round_record["resigned"] = resigned
        round_record["shuffle"] = {"commitment": self.commitment, "key": event.key}
        if self.start is not None:
            round_record["shuffle"]["start"] = structs.asdict(self.start)
        return round_record


@lru_cache(10_000)
def round_key(secret: bytes, number: int) -> bytes:
    """The shuffle key of a round, counted from 0. Revealing it after the round reveals nothing about other rounds."""
    return hmac.digest(secret, f"round {number}".encode(), "sha256")


def round_commitment(secret: bytes, number: int) -> str:
    return shuffle.commitment(round_key(secret, number))

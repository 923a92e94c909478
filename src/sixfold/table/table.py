"""A table without any I/O: what has happened at it is its list of events, and nothing else."""

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from msgspec import Struct, structs

from sixfold.engine import explaining, record, shuffle
from sixfold.engine.game import Game, rules_of
from sixfold.engine.series import Series
from sixfold.table import events as happened
from sixfold.table.events import Event
from sixfold.table.setup import Seat, Setup, TableRefused

OPEN, PLAYING, BETWEEN, OVER = "open", "playing", "between", "over"
# Only these change what somebody else may be deciding on; so does whatever begins or ends a round.
DECISIVE = (happened.Move, happened.Draw, happened.Keep, happened.Undo, happened.TakeBack)
# What everybody may hear of an event as it is.
PUBLIC = ("at", "seat", "name", "level", "portrait", "reaction", "first", "commitment", "key", "milliseconds")
# These are not counted: they bring the game on, and nobody can do them over and over.
UNCOUNTED = (*DECISIVE[:3], happened.Begin, happened.Ready, happened.Resign)


@cache
def _public_fields(kind: type[Event]) -> tuple[str, ...]:
    return tuple(name for name in PUBLIC if name in kind.__struct_fields__)


def fresh(setup: Setup) -> Game:
    """The round's game before its first event."""
    rules = rules_of(setup.game, setup.players)
    return Game(rules, rules.start(setup.players, **setup.options))


class Decision(Struct, frozen=True):
    """Where somebody decided: the state before it, so that the table can go back there."""

    seat: int
    state: bytes
    lines: int  # of the game so far
    drawn: int
    began: int
    bonus: bool
    final: bool  # something was drawn or rolled, or the turn passed
    declined: bool
    by_bot: bool


class Entry(Struct, frozen=True):
    """An event in the table's log, and what it meant when it happened."""

    event: Event
    first: int  # the seat that was player 0 then
    told: dict[str, Any]  # what everybody hears of it, but for hidden items


@dataclass
class Request:
    """A decision is to be taken back, if the others agree."""

    seat: int
    agreed: tuple[int, ...] = ()


class Kept(Struct, frozen=True):
    """A table as it was, to go back to if what was decided could not be stored."""

    version: int
    values: dict[str, Any]
    log: int
    records: int


class Known(Struct, frozen=True):
    """What follows from a list of seats: which ones each guest has, whether anybody plays, what everybody may know of
    them, and what was agreed, with what that means for hints."""

    seats: list[Seat]
    held: dict[str, list[int]]
    plays: bool
    shown: list[dict[str, Any]]
    agreed: dict[str, Any]


@dataclass
class Allowance:
    """What a guest has done in this round that is no move, and when they last left and reacted."""

    used: int = 0
    left_at: int | None = None
    reacted_at: int | None = None


class Table:
    """The state that follows from the events. ``apply`` is the only way to change it; times are in the events.

    Nothing that an attribute refers to is changed in place, except that the log, the records and what is done grow:
    so a table can be put back to where it was.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.version = 0
        self.format = happened.FORMAT
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
        self.start: happened.Start | None = None
        self.turn: int | None = None  # the seat whose turn it is
        self.turn_began = 0
        self.renewed = False  # has the present decision been given a new beginning?
        self.credited = 0  # until when the present decision was given back the time without a server
        self.changed = 0  # the version that last changed what can be decided
        self.result: dict[str, Any] | None = None
        self.records: list[dict[str, Any]] = []
        self.log: list[Entry] = []
        self.round_from = 1  # the version that began the present round
        self.done: dict[tuple[str, str], int] = {}  # which of a guest's actions happened, and as which version
        self.allowances: dict[str, Allowance] = {}
        self.open_hands: set[int] = set()  # the players whose hands everybody sees
        self.bonus = False  # T13, C14: is the present turn a bonus turn?
        self.decisions: tuple[Decision, ...] = ()  # of the present round
        self.undo_from = 0  # decisions before this one cannot be undone
        self.request: Request | None = None
        self._known: Known | None = None
        for event in events:
            self.apply(event)

    @classmethod
    def of(cls, events: Iterable[Event]) -> "Table":
        """A table from what was stored."""
        table = cls()
        for event in events:
            table.take(event)
        return table

    def take(self, event: Event) -> None:
        """Let an event happen that was stored; refuses the table where events do not follow from each other."""
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
        """The seats of the players."""
        return [*range(self.first, len(self.seats)), *range(self.first)]

    def held_by(self, guest: str) -> list[int]:
        """The seats of a guest: none for a spectator, several where people share a device."""
        return self._who().held.get(guest, [])

    @property
    def seats_shown(self) -> list[dict[str, Any]]:
        return self._who().shown

    @property
    def agreed(self) -> dict[str, Any]:
        return self._who().agreed

    def seen_by(self, guest: str) -> list[int | None]:
        """The seats whose views a guest gets; a spectator's is None."""
        return [*self.held_by(guest)] or [None]

    def bot_to_move(self) -> tuple[int, str] | None:
        """The seat in turn and its level, if a bot has to decide for it; bots do not play on by themselves."""
        turn = self.turn
        if turn is None or self.deserted:
            return None
        seat = self.seats[turn]
        if seat.kind == "bot":
            return turn, seat.level
        return (turn, self.setup.deputy) if seat.relieved or seat.resigned else None

    @property
    def deserted(self) -> bool:
        """Has everybody left, or not come back since a bot took over? Then the table rests."""
        return not self._who().plays

    def _who(self) -> Known:
        """Asked for many times with every event, so worked out once for each list of seats."""
        if self._known is None or self._known.seats is not self.seats:
            held: dict[str, list[int]] = {}
            for number, seat in enumerate(self.seats):
                if seat.person:
                    held.setdefault(seat.guest, []).append(number)
            shown = [seat.value() for seat in self.seats]
            agreed = {**structs.asdict(self.setup), "hints": self.hints}
            self._known = Known(self.seats, held, any(seat.plays for seat in self.seats), shown, agreed)
        return self._known

    def other_people(self, seat: int) -> list[int]:
        """The seats of others who decide for themselves; who shares a device is not another."""
        mine = self.seats[seat].guest
        return [number for number, other in enumerate(self.seats) if other.plays and other.guest != mine]

    def ends_without(self, seat: int) -> bool:
        """Is the round over once a seat gives up, because nobody or no person is left to play against?"""
        others = [other for number, other in enumerate(self.seats) if number != seat and not other.resigned]
        return len(others) == 1 or not any(other.person for other in others)

    @property
    def hints(self) -> bool:
        """May bots advise here? Where nothing was agreed, only if all others are bots."""
        if self.setup.hints is not None:
            return self.setup.hints
        kinds = [seat.kind for seat in self.seats]
        return kinds.count("person") <= 1 and "open" not in kinds

    @property
    def starters(self) -> list[int]:
        """C17, D14: the seat that begins each round, as far as it is known."""
        begins = self.match_first if self.rounds_begun else self.setup.first
        if begins is None:
            return []
        return [(begins + number) % len(self.seats) for number in range(self.setup.rounds)]

    # Going back

    def keep(self) -> Kept:
        return Kept(self.version, dict(self.__dict__), len(self.log), len(self.records))

    def back_to(self, kept: Kept) -> None:
        """What happened since has not happened."""
        for entry in self.log[kept.log :]:
            self.done.pop((entry.event.guest, entry.event.id), None)
        del self.log[kept.log :]
        del self.records[kept.records :]
        self.__dict__.update(kept.values)

    def undoable(self, seat: int) -> bool:
        """Was the last decision this seat's own, and has nothing been revealed since?"""
        if len(self.decisions) <= self.undo_from:
            return False
        last = self.decisions[-1]
        return last.seat == seat == self.turn and not last.final and not last.by_bot

    def own_last(self, seat: int) -> int | None:
        """The number of a seat's last decision in this round; one to keep is none, since nobody heard of it."""
        for number in range(len(self.decisions) - 1, -1, -1):
            made = self.decisions[number]
            if made.seat == seat and not made.by_bot and not made.declined:
                return number
        return None

    def _go_back(self, number: int) -> Decision:
        """To the position of a decision of this round."""
        assert self.game is not None
        made = self.decisions[number]
        states = np.frombuffer(bytearray(made.state), dtype=self.game.states.dtype)
        self.game = Game(self.game.rules, states, None, self.game.events[: made.lines])
        self.decisions = self.decisions[:number]
        self.bonus, self.drawn = made.bonus, made.drawn
        self.request = None
        return made

    # What happens

    def apply(self, event: Event, game: Game | None = None) -> None:
        """Let an event happen that was allowed when it was made; ``game`` is the game after it, if it is known."""
        meant: dict[str, Any] = getattr(self, f"_on_{event.type}")(event, game) or {}
        self.version += 1
        playing = self.stage == PLAYING and self.game is not None
        self.turn = self.seat_of(self.game.mover) if playing else None  # type: ignore[arg-type,union-attr]
        begins = isinstance(event, happened.MayBegin) and event.deal is not None
        ends = isinstance(event, happened.MayEnd) and event.key is not None
        if isinstance(event, DECISIVE) or begins or ends:
            self.changed = self.version
        if event.id:
            self.done[event.guest, event.id] = self.version
        if event.guest and not isinstance(event, UNCOUNTED) and not begins:
            self._count(event)
        self.log.append(Entry(event, self.first, {**self._public(event), **meant}))

    def _public(self, event: Event) -> dict[str, Any]:
        """What everybody may hear of an event: its plain fields, and a sentence. A move is told in the notation."""
        kind = "move" if isinstance(event, happened.Keep) else event.type
        told: dict[str, Any] = {"type": kind, "version": self.version}
        for name in _public_fields(type(event)):
            if (value := getattr(event, name)) is not None:
                told[name] = value
        if event.bot:
            told["bot"] = True
        words: dict[str, Any] = {name: told[name] for name in ("name", "level", "reaction") if name in told}
        if "seat" in told:
            words.setdefault("name", self.seats[told["seat"]].name)
        if isinstance(event, happened.Move | happened.Keep):
            words["move"] = event.events[0].partition(" ")[2]
        told["line"] = {"key": f"log_{kind}", "words": words}
        return told

    def _count(self, event: Event) -> None:
        had = self.allowances.get(event.guest, Allowance())
        left = event.at if isinstance(event, happened.Leave) else had.left_at
        reacted = event.at if isinstance(event, happened.React) else had.reacted_at
        self.allowances = {**self.allowances, event.guest: Allowance(had.used + 1, left, reacted)}

    def _set(self, number: int, seat: Seat) -> None:
        self.seats = list(self.seats)
        self.seats[number] = seat

    def _change(self, number: int, **changes: Any) -> None:
        self._set(number, structs.replace(self.seats[number], **changes))

    def _on_make(self, event: happened.Make, game: Game | None) -> None:
        self.format = event.format
        self.setup = event.setup
        self.seats = list(event.seats)
        self.commitment = event.commitment

    def _on_sit(self, event: happened.Sit, game: Game | None) -> None:
        self._set(event.seat, Seat("person", event.name, event.guest, portrait=event.portrait))

    def _on_bot(self, event: happened.Bot, game: Game | None) -> None:
        self._set(event.seat, Seat("bot", event.name, level=event.level, portrait=event.portrait))

    def _on_open(self, event: happened.Open, game: Game | None) -> None:
        self._set(event.seat, Seat())

    def _on_carry(self, event: happened.Carry, game: Game | None) -> None:
        self._change(event.seat, guest=event.to)

    def _on_leave(self, event: happened.Leave, game: Game | None) -> None:
        if self.stage == OPEN:
            self._set(event.seat, Seat())
            return
        # Where no time was agreed, a bot sits in for whoever says that they go.
        relieved = self.setup.takeover is None or self.seats[event.seat].relieved
        if relieved and self.turn == event.seat:
            self._charge(event.seat, event.at, begins=False)
        self._change(event.seat, left=True, relieved=relieved)
        self._answered_for(event.seat)
        self._maybe_begin(event)

    def _on_back(self, event: happened.Back, game: Game | None) -> None:
        was = self.seats[event.seat]
        self._change(event.seat, left=False, relieved=False)
        if self.turn != event.seat or not was.relieved:
            return
        self.undo_from = len(self.decisions)
        # A seat whose time had run out could not decide anything otherwise; but each decision is given it only once.
        if not self.renewed:
            self.renewed = True
            self.turn_began = event.at

    def _on_start(self, event: happened.Begin, game: Game | None) -> None:
        self._begin_match(event)

    def _on_ready(self, event: happened.Ready, game: Game | None) -> None:
        self._change(event.seat, ready=True)
        self._maybe_begin(event)

    def _on_react(self, event: happened.React, game: Game | None) -> None:
        """Everybody hears it; nothing changes."""

    def _on_move(self, event: happened.Move | happened.Keep, game: Game | None) -> dict[str, Any]:
        assert self.game is not None
        before, seat = self.game, event.seat
        began, bonus, drawn = self.turn_began, self.bonus, self.drawn
        self._charge(seat, event.at)
        line = event.events[0]
        self._play(event.events, game)
        player = self.player_of(seat)
        goes_on = self.game.turn == player and len(event.events) == 1
        declined = isinstance(event, happened.Keep)
        made = Decision(
            seat, before.states.tobytes(), len(before.events), drawn, began, bonus, not goes_on, declined, event.bot
        )
        self.decisions = (*self.decisions, made)
        self.request = None
        self.bonus = goes_on and explaining.bonus(self.game)
        gained = [new - old for new, old in zip(self.game.values[player], before.values[player], strict=True)]
        meant: dict[str, Any] = {"gained": gained, "bonus": self.bonus}
        move = line.partition(" ")[2]
        if cells := explaining.counted(before, move):
            meant["counted"] = cells
        if hand := explaining.shown_by(before, move):
            meant["shown"] = hand
        if self.game.over:
            meant["over_why"] = explaining.over_why(self.game)
            self._end_round(event)
        return meant

    _on_keep = _on_move

    def _on_draw(self, event: happened.Draw, game: Game | None) -> None:
        self._play(event.events, game)

    def _play(self, lines: list[str], game: Game | None) -> None:
        assert self.game is not None
        if game is None:
            game = self.game.copy()
            for line in lines:
                game.apply(line)
        self.game = game
        self.drawn += shuffle.items_drawn(lines)

    def _on_undo(self, event: happened.Undo, game: Game | None) -> None:
        self._charge(event.seat, event.at)
        made = self._go_back(len(self.decisions) - 1)
        if self.setup.clock == "move":
            self.turn_began = made.began

    def _on_ask(self, event: happened.Ask, game: Game | None) -> None:
        self.request = Request(event.seat)

    def _on_agree(self, event: happened.Agree, game: Game | None) -> None:
        assert self.request is not None
        self.request = Request(self.request.seat, (*self.request.agreed, event.seat))

    def _on_decline(self, event: happened.Decline, game: Game | None) -> None:
        self.request = None

    def _on_take_back(self, event: happened.TakeBack, game: Game | None) -> None:
        number, turn = self.own_last(event.seat), self.turn
        assert number is not None
        assert turn is not None
        self._charge(turn, event.at)
        self._go_back(number)
        self.undo_from = min(self.undo_from, number)

    def _on_takeover(self, event: happened.Takeover, game: Game | None) -> None:
        self._charge(event.seat, event.at, begins=False)
        self._change(event.seat, relieved=True)
        self.undo_from = len(self.decisions)
        self._answered_for(event.seat)

    def _on_resign(self, event: happened.Resign | happened.Time, game: Game | None) -> None:
        if self.turn == event.seat:
            self._charge(event.seat, event.at)
        ends = self.ends_without(event.seat)
        self._change(event.seat, resigned=True)
        self.undo_from = len(self.decisions)
        self._answered_for(event.seat)
        if ends:
            self._end_round(event)

    _on_time = _on_resign

    def _on_pause(self, event: happened.Pause, game: Game | None) -> None:
        self.turn_began += event.milliseconds
        self.credited = event.at

    def _answered_for(self, seat: int) -> None:
        """Who no longer plays is not waited for; who asked and no longer plays asks no longer."""
        if self.request is not None and self.request.seat == seat:
            self.request = None

    # Rounds

    def _charge(self, seat: int, at: int, begins: bool = True) -> None:
        """The time of a decision goes off the clock of its seat; the next one begins, unless a bot goes on with it."""
        if self.setup.clock == "game" and self.seats[seat].person and not self.seats[seat].relieved:
            left = self.seats[seat].time_left - max(0, at - self.turn_began)
            self._change(seat, time_left=max(0, left))
        if begins or self.setup.clock == "game":
            self.turn_began = at
        if begins:
            self.renewed, self.credited = False, 0

    def _maybe_begin(self, event: happened.MayBegin) -> None:
        """The next round, or a rematch, begins with the event that made it possible."""
        if event.deal is None:
            return
        if self.stage == OVER:
            self._begin_match(event)
        else:
            self._begin_round(event)

    def _begin_match(self, event: happened.MayBegin) -> None:
        """C17, D14: a new series; a rematch is begun by the next seat."""
        assert event.first is not None
        self.match_first = event.first
        if rules_of(self.setup.game).ROUNDS:
            self.series = Series(self.setup.game, self.setup.players, self.setup.rounds)
        self.seats = [structs.replace(seat, resigned=False) for seat in self.seats]
        self._begin_round(event)

    def _begin_round(self, event: happened.MayBegin) -> None:
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
        # Who has left and is not back gets a bot, as agreed, also in the next round.
        self.seats = [
            structs.replace(
                seat, ready=False, time_left=time if seat.person else 0, relieved=seat.relieved or seat.left
            )
            for seat in self.seats
        ]
        self.open_hands = {player for player in range(len(self.seats)) if self.game.open_to_all(player)}

    def _end_round(self, event: happened.MayEnd | happened.Keep) -> None:
        assert self.game is not None
        assert isinstance(event, happened.MayEnd)
        game_over = self.game.over
        if self.series is not None and self.game.result is not None:
            self.series = self.series.after(self.game.result)
        ended = game_over and self.series is not None and not self.series.over
        self.stage = BETWEEN if ended else OVER
        self.request = None
        self.result = self._standing(event.type)
        self.records.append(self._record(event))
        self.commitment = event.commitment or ""

    def _by_seat(self, by_player: list[Any]) -> list[Any]:
        return [by_player[self.player_of(seat)] for seat in range(len(self.seats))]

    def _turned(self, by_series: list[int]) -> list[int]:
        """By seat: the series counts its seats from the one that began the match."""
        return [by_series[(seat - self.match_first) % len(self.seats)] for seat in range(len(self.seats))]

    @property
    def totals(self) -> list[int] | None:
        """C17, D14: the points of the rounds of a series so far, by seat."""
        return None if self.series is None else self._turned(self.series.totals)

    def _standing(self, why: str) -> dict[str, Any]:
        """The result by seat. Who resigned comes after everybody who did not."""
        assert self.game is not None
        values = self._by_seat(self.game.values)
        series = self.series
        points = None if series is None else [self._turned(row) for row in series.points]
        totals = self.totals
        if totals is not None and self.setup.rounds > 1:
            marks: list[Any] = [[total] for total in totals]
        else:
            marks = [sorted(row) for row in values]
        ranked = [(not seat.resigned, mark) for seat, mark in zip(self.seats, marks, strict=True)]
        places = [1 + sum(other > mine for other in ranked) for mine in ranked]
        winners = [seat for seat, place in enumerate(places) if place == 1] if self.stage == OVER else []
        return {
            "why": {"move": "played", "resign": "resigned", "time": "time"}[why],
            "over_why": explaining.over_why(self.game),
            "values": values,
            "places": places,
            "points": points,
            "totals": totals,
            "winners": winners,
        }

    def _record(self, event: happened.MayEnd) -> dict[str, Any]:
        """The round as docs/rules/record.md has it, with the shuffle's proof."""
        assert self.game is not None
        order = self.order
        made = record.of(self.game, names=[self.seats[seat].name for seat in order])
        made["seats"] = order
        made["bots"] = [self.seats[seat].level if self.seats[seat].kind == "bot" else None for seat in order]
        resigned = [player for player, seat in enumerate(order) if self.seats[seat].resigned]
        if resigned:
            made["resigned"] = resigned
        made["shuffle"] = {"commitment": self.commitment, "key": event.key}
        if self.start is not None:
            made["shuffle"]["start"] = structs.asdict(self.start)
        return made


@lru_cache(10_000)
def round_key(secret: bytes, number: int) -> bytes:
    """The key of a table's round, counted from 0: shown after the round, it tells nothing about the others."""
    return hmac.digest(secret, f"round {number}".encode(), "sha256")


def round_commitment(secret: bytes, number: int) -> str:
    return shuffle.commitment(round_key(secret, number))

"""A table without any I/O: what has happened at it is its list of events, and nothing else."""

import hmac
from collections.abc import Iterable
from typing import Any

from sixfold.engine import record, shuffle
from sixfold.engine.game import Game, rules_of
from sixfold.engine.series import Series
from sixfold.table.setup import Seat, Setup

Event = dict[str, Any]

OPEN, PLAYING, BETWEEN, OVER = "open", "playing", "between", "over"


def fresh(setup: Setup) -> Game:
    """The round's game before its first event."""
    rules = rules_of(setup.game, setup.players)
    return Game(rules, rules.start(setup.players, **setup.options))


class Table:
    """The state that follows from the events. ``apply`` is the only way to change it; times are in the events."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.version = 0
        self.stage = OPEN
        self.setup: Setup
        self.seats: list[Seat] = []
        self.game: Game | None = None
        self.first = 0  # the seat that is player 0 in the present round
        self.match_first = 0
        self.rounds_begun = 0
        self.series: Series | None = None
        self.commitment = ""  # to the key of the round being played, or of the next one
        self.start: dict[str, int] | None = None  # which seat was drawn to begin, and of how many
        self.turn_began = 0
        self.changed = 0  # the version that last changed what can be decided
        self.result: dict[str, Any] | None = None
        self.records: list[dict[str, Any]] = []
        self.log: list[tuple[Event, int]] = []  # each event with the seat that was player 0 then
        self.round_from = 1  # the version that began the present round
        self.done: dict[tuple[str, str], int] = {}  # which of a guest's actions happened, and as which version
        self.reacted: dict[int, int] = {}
        self.open_hands: set[int] = set()  # the players whose hands everybody sees
        self.gained: dict[int, list[int]] = {}  # what the move of a version added to its player's six values
        self.undoable: list[int] = []  # when the turn began before each decision that may be undone
        for event in events:
            self.apply(event)

    # Who is who

    def seat_of(self, player: int) -> int:
        return (player + self.first) % len(self.seats)

    def player_of(self, seat: int) -> int:
        return (seat - self.first) % len(self.seats)

    @property
    def turn(self) -> int | None:
        """The seat that has to decide."""
        if self.stage != PLAYING or self.game is None or self.game.turn is None:
            return None
        return self.seat_of(self.game.turn)

    def held_by(self, guest: str) -> list[int]:
        """The seats of a guest: none for a spectator, several where people share a device."""
        return [number for number, seat in enumerate(self.seats) if seat.person and seat.guest == guest]

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
        return not any(seat.here and not seat.relieved and not seat.resigned for seat in self.seats)

    def ends_without(self, seat: int) -> bool:
        """Is the round over once a seat gives up, because nobody or no person is left to play against?"""
        others = [other for number, other in enumerate(self.seats) if number != seat and not other.resigned]
        return len(others) == 1 or not any(other.person for other in others)

    # What happens

    def apply(self, event: Event) -> None:
        """Let an event happen that was allowed when it was made."""
        getattr(self, f"_on_{event['type']}")(event)
        self.version += 1
        if event["type"] != "react":
            self.changed = self.version
        if event.get("id"):
            self.done[event["guest"], event["id"]] = self.version
        self.log.append((event, self.first))

    def _on_make(self, event: Event) -> None:
        self.setup = Setup.of(event["setup"])
        self.seats = [Seat(**seat) for seat in event["seats"]]
        self.commitment = event["commitment"]

    def _on_sit(self, event: Event) -> None:
        self.seats[event["seat"]] = Seat("person", event["name"], event["guest"])

    def _on_bot(self, event: Event) -> None:
        self.seats[event["seat"]] = Seat("bot", event["level"], level=event["level"])

    def _on_open(self, event: Event) -> None:
        self.seats[event["seat"]] = Seat()

    def _on_carry(self, event: Event) -> None:
        self.seats[event["seat"]].guest = event["to"]

    def _on_leave(self, event: Event) -> None:
        if self.stage == OPEN:
            self.seats[event["seat"]] = Seat()
            return
        self.seats[event["seat"]].left = True
        # Where no time was agreed, a bot sits in for whoever says that they go.
        self.seats[event["seat"]].relieved = self.setup.takeover is None
        self._maybe_begin(event)

    def _on_back(self, event: Event) -> None:
        seat = self.seats[event["seat"]]
        seat.left = seat.relieved = False
        if self.turn == event["seat"]:
            self.turn_began = event["at"]
            self.undoable = []

    def _on_start(self, event: Event) -> None:
        self._begin_match(event)

    def _on_ready(self, event: Event) -> None:
        self.seats[event["seat"]].ready = True
        self._maybe_begin(event)

    def _on_react(self, event: Event) -> None:
        self.reacted[event["seat"]] = event["at"]

    def _on_move(self, event: Event) -> None:
        assert self.game is not None
        seat = event["seat"]
        began = self.turn_began
        self._charge(seat, event["at"])
        player = self.player_of(seat)
        before = self.game.values[player]
        for line in event["events"]:
            self.game.apply(line)
        after = self.game.values[player]
        self.gained[self.version + 1] = [new - old for new, old in zip(after, before, strict=True)]
        again = self.game.turn is not None and self.seat_of(self.game.turn) == seat
        undoable = len(event["events"]) == 1 and again and not event.get("bot")
        self.undoable = [*self.undoable, began] if undoable else []
        if self.game.over:
            self._end_round(event)

    def _on_undo(self, event: Event) -> None:
        assert self.game is not None
        self._charge(event["seat"], event["at"])
        began = self.undoable.pop()
        if self.setup.clock == "move":
            self.turn_began = began
        events = self.game.events[:-1]
        self.game = fresh(self.setup)
        for line in events:
            self.game.apply(line)

    def _on_takeover(self, event: Event) -> None:
        self.seats[event["seat"]].relieved = True
        self.turn_began = event["at"]
        self.undoable = []

    def _on_resign(self, event: Event) -> None:
        if self.turn == event["seat"]:
            self._charge(event["seat"], event["at"])
        ends = self.ends_without(event["seat"])
        self.seats[event["seat"]].resigned = True
        self.undoable = []
        if ends:
            self._end_round(event)

    _on_time = _on_resign

    # Rounds

    def _charge(self, seat: int, at: int) -> None:
        """The time of a decision goes off the clock of its seat; the next one begins."""
        if self.setup.clock == "game" and self.seats[seat].person and not self.seats[seat].relieved:
            left = self.seats[seat].time_left - max(0, at - self.turn_began)
            self.seats[seat].time_left = max(0, left)
        self.turn_began = at

    def _maybe_begin(self, event: Event) -> None:
        """The next round, or a rematch, begins with the event that made it possible."""
        if "deal" not in event:
            return
        if self.stage == OVER:
            self._begin_match(event)
        else:
            self._begin_round(event)

    def _begin_match(self, event: Event) -> None:
        """C17, D14: a new series; a rematch is begun by the next seat."""
        self.match_first = event["first"]
        if rules_of(self.setup.game).ROUNDS:
            self.series = Series(self.setup.game, self.setup.players, self.setup.rounds)
        for seat in self.seats:
            seat.resigned = False
        self._begin_round(event)

    def _begin_round(self, event: Event) -> None:
        self.first = event["first"]
        self.start = event.get("start")
        self.rounds_begun += 1
        self.stage, self.result = PLAYING, None
        self.game = fresh(self.setup)
        for line in event["deal"]:
            self.game.apply(line)
        self.turn_began = event["at"]
        self.undoable = []
        self.round_from = self.version + 1
        for seat in self.seats:
            seat.ready = False
            seat.time_left = self.setup.seconds * 1000 if self.setup.clock == "game" and seat.person else 0
            # Who has left and is not back gets a bot, as agreed, also in the next round.
            seat.relieved = seat.relieved or seat.left
        self.open_hands = {player for player in range(len(self.seats)) if self.game.open_to_all(player)}

    def _end_round(self, event: Event) -> None:
        assert self.game is not None
        game_over = self.game.over
        if self.series is not None and self.game.result is not None:
            self.series.add(self.game.result)
        ended = game_over and self.series is not None and not self.series.over
        self.stage = BETWEEN if ended else OVER
        self.result = self._standing(event["type"])
        self.records.append(self._record(event))
        self.commitment = event["commitment"]

    def _by_seat(self, by_player: list[Any]) -> list[Any]:
        return [by_player[self.player_of(seat)] for seat in range(len(self.seats))]

    def _standing(self, why: str) -> dict[str, Any]:
        """The result by seat. Who resigned comes after everybody who did not."""
        assert self.game is not None
        values = self._by_seat(self.game.values)
        series = self.series
        points = totals = None
        if series is not None:
            # The series counts its seats from the one that began the match.
            turned = [(seat - self.match_first) % len(self.seats) for seat in range(len(self.seats))]
            points = [[row[at] for at in turned] for row in series.points]
            totals = [series.totals[at] for at in turned]
        if totals is not None and self.setup.rounds > 1:
            marks: list[Any] = [[total] for total in totals]
        else:
            marks = [sorted(row) for row in values]
        ranked = [(not seat.resigned, mark) for seat, mark in zip(self.seats, marks, strict=True)]
        places = [1 + sum(other > mine for other in ranked) for mine in ranked]
        winners = [seat for seat, place in enumerate(places) if place == 1] if self.stage == OVER else []
        return {
            "why": {"move": "played", "resign": "resigned", "time": "time"}[why],
            "values": values,
            "places": places,
            "points": points,
            "totals": totals,
            "winners": winners,
        }

    def _record(self, event: Event) -> dict[str, Any]:
        """The round as docs/rules/record.md has it, with the shuffle's proof."""
        assert self.game is not None
        order = [self.seat_of(player) for player in range(len(self.seats))]
        made = record.of(self.game, names=[self.seats[seat].name for seat in order])
        made["seats"] = order
        made["bots"] = [self.seats[seat].level if self.seats[seat].kind == "bot" else None for seat in order]
        resigned = [player for player, seat in enumerate(order) if self.seats[seat].resigned]
        if resigned:
            made["resigned"] = resigned
        made["shuffle"] = {"commitment": self.commitment, "key": event["key"]}
        if self.start is not None:
            made["shuffle"]["start"] = self.start
        return made


def round_key(secret: bytes, number: int) -> bytes:
    """The key of a table's round, counted from 0: shown after the round, it tells nothing about the others."""
    return hmac.digest(secret, f"round {number}".encode(), "sha256")


def round_commitment(secret: bytes, number: int) -> str:
    return shuffle.commitment(round_key(secret, number))

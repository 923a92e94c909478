"""Decide which events an action causes, or why it is refused; the table itself is never changed here."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from sixfold.engine.annotations import refusal
from sixfold.engine.game import Game, chance_occasion, rules_of
from sixfold.engine.notation import Refused, read
from sixfold.engine.shuffle import Keyed, start_seat
from sixfold.games.contract import Refusal
from sixfold.table import events as event_types
from sixfold.table.events import Event
from sixfold.table.setup import REACTIONS, Seat, Setup, TableRefused, bot, check_portrait, person
from sixfold.table.table import (
    BETWEEN,
    OVER,
    PLAYING,
    Allowance,
    Request,
    Table,
    fresh,
    round_commitment,
    round_key,
)

REACTION_PAUSE = 1000
LEAVING_PAUSE = 10_000
# Actions other than moves that a guest may take in one round; more would only make the event log long.
MOST_ASIDE = 120

Action = Mapping[str, Any]


class ActionRule(Struct, frozen=True):
    """What an action needs. Browsers read the same file, ``actions.json``, for tables on one device."""

    stages: tuple[str, ...] | None  # any if None
    always: bool  # never limited in number
    own: bool  # the acting seat is one of the actor's own
    turn: bool  # and it must be in turn
    refused: dict[str, str]  # the states of a seat that refuse it, and the keys of their sentences, in order


RULES = msgspec.json.decode(Path(__file__).with_name("actions.json").read_bytes(), type=dict[str, ActionRule])


class Actor(Struct, frozen=True):
    """The author of an action: a guest, or a bot playing for its seat."""

    guest: str = ""
    bot_seat: int | None = None


class Step(Struct, frozen=True):
    """An event to store, with the game after it where the event changes the game."""

    event: Event
    game: Game | None = None


class ActionContext(Struct, frozen=True):
    """An action together with everything needed to decide it."""

    table: Table
    actor: Actor
    action: Action
    at: int
    secret: bytes

    @property
    def stamp(self) -> dict[str, Any]:
        """The event fields that say when it happens and who causes it."""
        if self.actor.bot_seat is not None:
            return {"at": self.at, "bot": True}
        return {"at": self.at, "guest": self.actor.guest, "id": self.action.get("id") or ""}

    def seated(self) -> list[int]:
        """The seats held by the acting guest, at least one."""
        held = self.table.held_by(self.actor.guest)
        if not held:
            raise TableRefused("no_seat_yours")
        return held

    def own_seat(self) -> int:
        """The acting seat: the one named, else the one in turn, else the guest's first."""
        table = self.table
        if self.actor.bot_seat is not None:
            return self.actor.bot_seat
        held = self.seated()
        seat = self.action.get("seat")
        if seat is None:
            return table.turn if table.turn in held else held[0]
        if seat not in held:
            raise TableRefused("not_your_seat", seat=seat)
        return int(seat)

    def any_seat(self, kind: str) -> int:
        """The named seat, which must be of this kind, or the first of that kind."""
        seat = self.action.get("seat")
        candidates = [number for number, occupant in enumerate(self.table.seats) if occupant.kind == kind]
        if seat is None and candidates:
            return candidates[0]
        if seat not in candidates:
            raise TableRefused("no_open_seat" if kind == "open" else "no_bot_seat")
        return int(seat)

    def check(self, rule: "ActionRule") -> None:
        """Refuse the action at the wrong stage, out of turn, or from a seat in the wrong state."""
        table = self.table
        if rule.stages is not None and table.stage not in rule.stages:
            raise TableRefused(f"stage_{table.stage}")
        if not rule.own:
            return
        seat = self.own_seat()
        if rule.turn and seat != table.turn:
            raise TableRefused("other_turn", name=table.seats[table.turn or 0].name)
        if self.actor.bot_seat is None:
            for state, key in rule.refused.items():
                if getattr(table.seats[seat], state):
                    raise TableRefused(key)


def make(setup: Setup, seats: list[Seat], secret: bytes, at: int, guest: str) -> Event:
    """The event that creates a table."""
    if len(seats) != setup.players:
        raise TableRefused("seats_wrong", players=setup.players)
    return event_types.Make(
        at=at,
        guest=guest,
        format=event_types.FORMAT,
        rules=rules_of(setup.game).VERSION,
        setup=setup,
        seats=seats,
        commitment=round_commitment(secret, 0),
    )


def decide(table: Table, actor: Actor, action: Action, at: int, secret: bytes) -> list[Step]:
    """The events that an action causes, usually one; either all of them are stored or none."""
    do = action.get("do")
    if not isinstance(do, str) or do not in _ACTIONS:
        raise TableRefused("no_action", actions=", ".join(_ACTIONS))
    context = ActionContext(table, actor, action, at, secret)
    if not RULES[do].always:
        _check_allowance(table, actor.guest)
    context.check(RULES[do])
    return _ACTIONS[do](context)


def _check_allowance(table: Table, guest: str) -> None:
    if table.allowances.get(guest, Allowance()).used >= MOST_ASIDE:
        raise TableRefused("too_much_aside", most=MOST_ASIDE)


# Time


def due(table: Table) -> int | None:
    """When something happens without an action: a clock runs out, or a bot takes over."""
    turn = table.turn
    if turn is None or table.deserted or table.bot_to_move():
        return None
    times = []
    if table.setup.clock == "move":
        times.append(table.turn_began + table.setup.seconds * 1000)
    if table.setup.clock == "game":
        times.append(table.turn_began + table.seats[turn].time_left)
    if table.setup.takeover is not None:
        times.append(table.turn_began + table.setup.takeover * 1000)
    return min(times, default=None)


def tick(table: Table, at: int, secret: bytes) -> list[Step]:
    """The events that are due by now, usually none."""
    when = due(table)
    if when is None or at < when:
        return []
    turn = table.turn
    assert turn is not None
    assert table.game is not None
    if table.setup.clock == "game" and at >= table.turn_began + table.seats[turn].time_left:
        return [Step(event_types.Time(at=at, seat=turn, **_key_if_round_ends(table, turn, secret)))]
    if table.game.choosing:
        # T16, C13: without an answer the seat draws as usual; a takeover now would reveal that there was a choice.
        return _choose(table, turn, table.game, table.game.rules.CHOICES[0], {"at": at}, secret)
    return [Step(event_types.Takeover(at=at, seat=turn))]


def credit(table: Table, outages: Sequence[tuple[int, int]], at: int) -> list[Step]:
    """Give the time during which no server was running back to the seat whose clock ran."""
    if due(table) is None or table.turn is None:
        return []
    since, lost = max(table.turn_began, table.credited), 0
    # Several nodes may have recorded the same outage with slightly different limits.
    for start, end in sorted(outages):
        lost += max(0, min(end, at) - max(start, since))
        since = max(since, end)
    if lost == 0:
        return []
    return [Step(event_types.Pause(at=at, seat=table.turn, milliseconds=lost))]


# Seats


def _sit(context: ActionContext) -> list[Step]:
    seat = context.any_seat("open")
    portrait = check_portrait(str(context.action.get("portrait") or ""))
    occupant = person(str(context.action.get("name", "")), context.actor.guest, portrait, context.table.seats)
    return [Step(event_types.Sit(seat=seat, name=occupant.name, portrait=occupant.portrait, **context.stamp))]


def _bot(context: ActionContext) -> list[Step]:
    context.seated()
    table = context.table
    seat = context.any_seat("open")
    occupant = bot(str(context.action.get("level")), f"{table.commitment} {table.version}", table.seats)
    return [
        Step(
            event_types.Bot(
                seat=seat, level=occupant.level, name=occupant.name, portrait=occupant.portrait, **context.stamp
            )
        )
    ]


def _open(context: ActionContext) -> list[Step]:
    context.seated()
    return [Step(event_types.Open(seat=context.any_seat("bot"), **context.stamp))]


def _leave(context: ActionContext) -> list[Step]:
    table, seat = context.table, context.own_seat()
    left_at = table.allowances.get(context.actor.guest, Allowance()).left_at
    if left_at is not None and context.at - left_at < LEAVING_PAUSE:
        raise TableRefused("left_just_now")
    round_start = _round_if_ready(table, seat, context.secret, leaving=True)
    return [Step(event_types.Leave(seat=seat, **round_start, **context.stamp))]


def _back(context: ActionContext) -> list[Step]:
    seat = context.own_seat()
    if not context.table.seats[seat].left and not context.table.seats[seat].relieved:
        raise TableRefused("not_away")
    return [Step(event_types.Back(seat=seat, **context.stamp))]


def _start(context: ActionContext) -> list[Step]:
    table, seat = context.table, context.own_seat()
    if any(occupant.kind == "open" for occupant in table.seats):
        raise TableRefused("seats_open")
    first, start = table.setup.first, None
    if first is None:
        first = start_seat(round_key(context.secret, 0), len(table.seats))
        start = event_types.Start(len(table.seats), first)
    deal = _deal(table, context.secret)
    return [Step(event_types.Begin(seat=seat, first=first, start=start, deal=deal, **context.stamp))]


def transfer(table: Table, seat: int, holder: str, guest: str, at: int) -> list[Step]:
    """Transfer a seat to another device of its holder."""
    if not 0 <= seat < len(table.seats) or not table.seats[seat].person or table.seats[seat].guest != holder:
        raise TableRefused("link_used")
    _check_allowance(table, guest)
    return [Step(event_types.Transfer(at=at, guest=guest, seat=seat, to=guest))]


# Playing


def _move(context: ActionContext) -> list[Step]:
    table, seat, game = context.table, context.own_seat(), context.table.game
    assert game is not None
    move, then = str(context.action.get("move")), context.action.get("then")
    if game.choosing:
        return _choose(table, seat, game, move, context.stamp, context.secret)
    steps = _play(table, seat, game, move, context.stamp, context.secret)
    return steps if then is None else [*steps, *_play_prechosen(context, seat, steps[-1].game or game, str(then))]


def _play_prechosen(context: ActionContext, seat: int, game: Game, then: str) -> list[Step]:
    """T16, C13: a choice sent together with the move, so that no pause reveals that there was a choice."""
    choices = game.rules.CHOICES
    if then not in choices:
        raise Refused(then, Refusal("not_a_move", "record", {"example": " / ".join(choices)}))
    if game.choosing:
        return _choose(context.table, seat, game, then, {**context.stamp, "id": ""}, context.secret)
    if then != choices[0]:
        raise Refused(then, refusal(game, read(game.rules, then)))
    return []


def _play(table: Table, seat: int, game: Game, move: str, stamp: dict[str, Any], secret: bytes) -> list[Step]:
    """A decision and the chance events after it: dice join its event, draws at the end of a turn get their own."""
    after = game.copy()
    lines = after.play(f"{game.turn} {move}")
    if after.over:
        return [Step(event_types.Move(seat=seat, events=lines, **_revealed_key(table, secret), **stamp), after)]
    settled = _resolve_chance(table, after, secret)
    chance_events = settled.events[len(after.events) :]
    occasion = chance_occasion(game.rules, chance_events[0]) if chance_events else None
    if occasion is not None and occasion.hidden:
        draw = event_types.Draw(at=stamp["at"], seat=seat, events=chance_events)
        return [Step(event_types.Move(seat=seat, events=lines, **stamp), after), Step(draw, settled)]
    return [Step(event_types.Move(seat=seat, events=lines + chance_events, **stamp), settled)]


def _choose(table: Table, seat: int, game: Game, move: str, stamp: dict[str, Any], secret: bytes) -> list[Step]:
    """T16, C13: a choice. To the other seats, declining it looks like an ordinary draw."""
    if move != game.rules.CHOICES[0]:
        return _play(table, seat, game, move, stamp, secret)
    after = game.copy()
    lines = after.play(f"{game.turn} {move}")
    settled = _resolve_chance(table, after, secret)
    return [Step(event_types.Keep(seat=seat, events=lines + settled.events[len(after.events) :], **stamp), settled)]


def _resolve_chance(table: Table, game: Game, secret: bytes) -> Game:
    """The game after all pending chance events; the same object if none are pending."""
    if game.turn is not None:
        return game
    after = game.copy(Keyed(round_key(secret, table.rounds_begun - 1), table.drawn))
    after.resolve_chance()
    after.chance = None
    return after


def _resign(context: ActionContext) -> list[Step]:
    table, seat = context.table, context.own_seat()
    return [Step(event_types.Resign(seat=seat, **_key_if_round_ends(table, seat, context.secret), **context.stamp))]


# Going back


def undo_why(table: Table, seat: int) -> str | None:
    """Why a seat cannot undo, as a translation key; None if it can, or if there is nothing for it to undo."""
    if table.stage != PLAYING or not table.seats[seat].plays:
        return None
    last = table.decisions[-1] if table.decisions else None
    if last is None or last.seat != seat or last.by_bot:
        return "undo_nothing" if table.turn == seat else None
    if last.final:
        return "undo_revealed"
    if not table.undoable(seat):
        return "no_undo"
    assert table.game is not None
    return "undo_tells" if table.game.choosing and table.other_people(seat) else None


def _undo(context: ActionContext) -> list[Step]:
    table, seat = context.table, context.own_seat()
    why = undo_why(table, seat)
    if why is not None:
        raise TableRefused(why)
    if not table.undoable(seat):
        raise TableRefused("no_undo")
    return [Step(event_types.Undo(seat=seat, **context.stamp))]


def take_back_why(table: Table, seat: int) -> str | None:
    """Why a seat cannot take its last decision back or ask to, as a translation key; None if it can."""
    if table.stage != PLAYING:
        return f"stage_{table.stage}"
    if not table.seats[seat].plays:
        return "back_not_playing"
    if table.own_last(seat) is None:
        return "back_nothing"
    request = table.request
    pending = request is not None and set(table.other_people(request.seat)) - set(request.agreed)
    return "back_asked" if pending else None


def _take_back(context: ActionContext) -> list[Step]:
    table, seat = context.table, context.own_seat()
    why = take_back_why(table, seat)
    if why is not None:
        raise TableRefused(why)
    agreed = table.request.agreed if table.request is not None and table.request.seat == seat else ()
    if set(table.other_people(seat)) - set(agreed):
        return [Step(event_types.Ask(seat=seat, **context.stamp))]
    return [Step(event_types.TakeBack(seat=seat, **context.stamp))]


def _pending_request(context: ActionContext) -> tuple[int, Request]:
    table, seat = context.table, context.own_seat()
    if table.request is None:
        raise TableRefused("back_not_asked")
    if seat not in table.other_people(table.request.seat) or seat in table.request.agreed:
        raise TableRefused("back_not_yours")
    return seat, table.request


def _agree(context: ActionContext) -> list[Step]:
    seat, request = _pending_request(context)
    steps = [Step(event_types.Agree(seat=seat, **context.stamp))]
    # Seats on one device agree together.
    agreed = {*request.agreed, *context.table.held_by(context.actor.guest)}
    if not set(context.table.other_people(request.seat)) - agreed:
        steps.append(Step(event_types.TakeBack(at=context.at, seat=request.seat)))
    return steps


def _decline(context: ActionContext) -> list[Step]:
    seat, _ = _pending_request(context)
    return [Step(event_types.Decline(seat=seat, **context.stamp))]


# Between rounds, and beside the game


def _ready(context: ActionContext) -> list[Step]:
    table, seat = context.table, context.own_seat()
    if table.seats[seat].resigned and table.stage == BETWEEN:
        raise TableRefused("resigned")
    round_start = _round_if_ready(table, seat, context.secret, leaving=False)
    return [Step(event_types.Ready(seat=seat, **round_start, **context.stamp))]


def _react(context: ActionContext) -> list[Step]:
    table, seat = context.table, context.own_seat()
    if context.action.get("reaction") not in REACTIONS:
        raise TableRefused("no_reaction", reactions=", ".join(REACTIONS))
    reacted_at = table.allowances.get(context.actor.guest, Allowance()).reacted_at
    if reacted_at is not None and context.at - reacted_at < REACTION_PAUSE:
        raise TableRefused("too_many_reactions")
    return [Step(event_types.React(seat=seat, reaction=context.action["reaction"], **context.stamp))]


_ACTIONS: dict[str, Callable[[ActionContext], list[Step]]] = {
    "sit": _sit,
    "bot": _bot,
    "open": _open,
    "leave": _leave,
    "back": _back,
    "start": _start,
    "move": _move,
    "undo": _undo,
    "take_back": _take_back,
    "agree": _agree,
    "decline": _decline,
    "resign": _resign,
    "ready": _ready,
    "react": _react,
}
ACTIONS = tuple(_ACTIONS)
# Never limited: without these a game could not end.
ALWAYS = tuple(do for do, rule in RULES.items() if rule.always)


def _deal(table: Table, secret: bytes) -> list[str]:
    """T4, C3, C4, D3: the chance events at the start of the next round."""
    game = fresh(table.setup)
    game.chance = Keyed(round_key(secret, table.rounds_begun))
    game.resolve_chance()
    return game.events


def _revealed_key(table: Table, secret: bytes) -> dict[str, Any]:
    """At the end of a round: its key, and the commitment to the key of the next one."""
    number = table.rounds_begun
    return {"key": round_key(secret, number - 1).hex(), "commitment": round_commitment(secret, number)}


def _key_if_round_ends(table: Table, seat: int, secret: bytes) -> dict[str, Any]:
    return _revealed_key(table, secret) if table.ends_without(seat) else {}


def _round_if_ready(table: Table, seat: int, secret: bytes, leaving: bool) -> dict[str, Any]:
    """The deal of the next round or rematch if all other seats are ready, and this seat now is too or leaves."""
    if table.stage not in (BETWEEN, OVER):
        return {}
    others = [
        occupant
        for number, occupant in enumerate(table.seats)
        if number != seat and occupant.here and (table.stage == OVER or not occupant.resigned)
    ]
    if not all(occupant.ready for occupant in others) or (leaving and not others):
        return {}
    step = 1 if table.stage == OVER else len(table.series.points) if table.series else 0
    return {"first": (table.match_first + step) % len(table.seats), "deal": _deal(table, secret)}

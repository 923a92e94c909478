"""From an action to the events that it becomes, or to the reason why not; the table itself is not changed here."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from sixfold.engine.explaining import refusal
from sixfold.engine.game import Game, rules_of
from sixfold.engine.notation import Refused, read
from sixfold.engine.shuffle import Keyed, start_seat
from sixfold.games.contract import Refusal
from sixfold.table import events as happened
from sixfold.table.events import Event
from sixfold.table.setup import REACTIONS, Seat, Setup, TableRefused, bot, check_portrait, person
from sixfold.table.table import (
    BETWEEN,
    OPEN,
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
# What a guest may do in a round beside moving; more is no manners, and would make a table long.
MOST_ASIDE = 120

Action = Mapping[str, Any]


class Actor(Struct, frozen=True):
    """Who acts: a guest, or a bot for its seat."""

    guest: str = ""
    bot_seat: int | None = None


class Step(Struct, frozen=True):
    """An event that was decided on, and the game after it where it changes the game."""

    event: Event
    game: Game | None = None


class Asked(Struct, frozen=True):
    """An action with all that is needed to decide on it."""

    table: Table
    actor: Actor
    action: Action
    at: int
    secret: bytes

    @property
    def who(self) -> dict[str, Any]:
        """When it happens, and who does it."""
        if self.actor.bot_seat is not None:
            return {"at": self.at, "bot": True}
        return {"at": self.at, "guest": self.actor.guest, "id": self.action.get("id") or ""}

    def seated(self) -> list[int]:
        """The seats of who acts, at least one."""
        held = self.table.held_by(self.actor.guest)
        if not held:
            raise TableRefused("no_seat_yours")
        return held

    def own_seat(self) -> int:
        """The seat that acts: the one named, the one in turn, or the only one of the guest."""
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
        """The seat named, or the first of that kind."""
        seat = self.action.get("seat")
        found = [number for number, here in enumerate(self.table.seats) if here.kind == kind]
        if seat is None and found:
            return found[0]
        if seat not in found:
            raise TableRefused("no_open_seat" if kind == "open" else "no_bot_seat")
        return int(seat)

    def in_stage(self, *stages: str) -> None:
        if self.table.stage not in stages:
            raise TableRefused(f"stage_{self.table.stage}")


def make(setup: Setup, seats: list[Seat], secret: bytes, at: int, guest: str) -> Event:
    """The event that makes a table."""
    if len(seats) != setup.players:
        raise TableRefused("seats_wrong", players=setup.players)
    return happened.Make(
        at=at,
        guest=guest,
        format=happened.FORMAT,
        rules=rules_of(setup.game).VERSION,
        setup=setup,
        seats=seats,
        commitment=round_commitment(secret, 0),
    )


def decide(table: Table, actor: Actor, action: Action, at: int, secret: bytes) -> list[Step]:
    """The events that an action becomes, mostly one; all of them are stored or none."""
    do = action.get("do")
    if not isinstance(do, str) or do not in _ACTIONS:
        raise TableRefused("no_action", actions=", ".join(_ACTIONS))
    asked = Asked(table, actor, action, at, secret)
    if do not in ALWAYS:
        _not_too_much(table, actor.guest)
    return _ACTIONS[do](asked)


def _not_too_much(table: Table, guest: str) -> None:
    if table.allowances.get(guest, Allowance()).used >= MOST_ASIDE:
        raise TableRefused("too_much_aside", most=MOST_ASIDE)


# Time


def due(table: Table) -> int | None:
    """When something happens by itself: a clock runs out or a bot takes over."""
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
    """What a time that has come brings with it; mostly nothing."""
    when = due(table)
    if when is None or at < when:
        return []
    turn = table.turn
    assert turn is not None
    assert table.game is not None
    if table.setup.clock == "game" and at >= table.turn_began + table.seats[turn].time_left:
        return [Step(happened.Time(at=at, seat=turn, **_giving_up(table, turn, secret)))]
    if table.game.choosing:
        # T16, C13: who says nothing draws as usual; that a bot took over now would tell that there was a choice.
        return _choose(table, turn, table.game, table.game.rules.CHOICES[0], {"at": at}, secret)
    return [Step(happened.Takeover(at=at, seat=turn))]


def credit(table: Table, outages: Sequence[tuple[int, int]], at: int) -> list[Step]:
    """The time during which no server was there, given back to the seat whose clock ran."""
    if due(table) is None or table.turn is None:
        return []
    since, lost = max(table.turn_began, table.credited), 0
    # Several nodes may have noticed the same pause, each in its own way.
    for begin, until in sorted(outages):
        lost += max(0, min(until, at) - max(begin, since))
        since = max(since, until)
    if lost == 0:
        return []
    return [Step(happened.Pause(at=at, seat=table.turn, milliseconds=lost))]


# Seats


def _sit(asked: Asked) -> list[Step]:
    asked.in_stage(OPEN)
    seat = asked.any_seat("open")
    portrait = check_portrait(str(asked.action.get("portrait") or ""))
    sits = person(str(asked.action.get("name", "")), asked.actor.guest, portrait, asked.table.seats)
    return [Step(happened.Sit(seat=seat, name=sits.name, portrait=sits.portrait, **asked.who))]


def _bot(asked: Asked) -> list[Step]:
    asked.in_stage(OPEN)
    asked.seated()
    table = asked.table
    seat = asked.any_seat("open")
    sits = bot(str(asked.action.get("level")), f"{table.commitment} {table.version}", table.seats)
    return [Step(happened.Bot(seat=seat, level=sits.level, name=sits.name, portrait=sits.portrait, **asked.who))]


def _open(asked: Asked) -> list[Step]:
    asked.in_stage(OPEN)
    asked.seated()
    return [Step(happened.Open(seat=asked.any_seat("bot"), **asked.who))]


def _leave(asked: Asked) -> list[Step]:
    table, seat = asked.table, asked.own_seat()
    if table.seats[seat].left:
        raise TableRefused("left_already")
    left_at = table.allowances.get(asked.actor.guest, Allowance()).left_at
    if left_at is not None and asked.at - left_at < LEAVING_PAUSE:
        raise TableRefused("left_just_now")
    begins = _round_if_ready(table, seat, asked.secret, leaving=True)
    return [Step(happened.Leave(seat=seat, **begins, **asked.who))]


def _back(asked: Asked) -> list[Step]:
    seat = asked.own_seat()
    if not asked.table.seats[seat].left and not asked.table.seats[seat].relieved:
        raise TableRefused("not_away")
    return [Step(happened.Back(seat=seat, **asked.who))]


def _start(asked: Asked) -> list[Step]:
    asked.in_stage(OPEN)
    table, seat = asked.table, asked.own_seat()
    if any(other.kind == "open" for other in table.seats):
        raise TableRefused("seats_open")
    first, drawn = table.setup.first, None
    if first is None:
        first = start_seat(round_key(asked.secret, 0), len(table.seats))
        drawn = happened.Start(len(table.seats), first)
    deal = _deal(table, asked.secret)
    return [Step(happened.Begin(seat=seat, first=first, start=drawn, deal=deal, **asked.who))]


def carry(table: Table, seat: int, holder: str, guest: str, at: int) -> list[Step]:
    """A seat goes with its holder to another device."""
    if not 0 <= seat < len(table.seats) or not table.seats[seat].person or table.seats[seat].guest != holder:
        raise TableRefused("link_used")
    _not_too_much(table, guest)
    return [Step(happened.Carry(at=at, guest=guest, seat=seat, to=guest))]


# Playing


def _move(asked: Asked) -> list[Step]:
    asked.in_stage(PLAYING)
    table, seat, game = asked.table, asked.own_seat(), asked.table.game
    assert game is not None
    if seat != table.turn:
        raise TableRefused("other_turn", name=table.seats[table.turn or 0].name)
    if asked.actor.bot_seat is None:
        _still_playing(table.seats[seat])
    move, then = str(asked.action.get("move")), asked.action.get("then")
    if game.choosing:
        return _choose(table, seat, game, move, asked.who, asked.secret)
    steps = _play(table, seat, game, move, asked.who, asked.secret)
    return steps if then is None else [*steps, *_chosen_before(asked, seat, steps[-1].game or game, str(then))]


def _chosen_before(asked: Asked, seat: int, game: Game, then: str) -> list[Step]:
    """T16, C13: what was chosen together with the move, so that nobody sees anyone think about a choice."""
    choices = game.rules.CHOICES
    if then not in choices:
        raise Refused(then, Refusal("not_a_move", "record", {"example": " / ".join(choices)}))
    if game.choosing:
        return _choose(asked.table, seat, game, then, {**asked.who, "id": ""}, asked.secret)
    if then != choices[0]:
        raise Refused(then, refusal(game, read(game.rules, then)))
    return []


def _play(table: Table, seat: int, game: Game, move: str, who: dict[str, Any], secret: bytes) -> list[Step]:
    """A decision, and what chance does then: dice belong to it, what is drawn at the end of a turn stands by itself."""
    after = game.copy()
    lines = after.play(f"{game.turn} {move}")
    if after.over:
        return [Step(happened.Move(seat=seat, events=lines, **_shown_key(table, secret), **who), after)]
    drawn = _chance(table, after, secret)
    new = drawn.events[len(after.events) :]
    if new and new[0].startswith("draw "):
        draw = happened.Draw(at=who["at"], seat=seat, events=new)
        return [Step(happened.Move(seat=seat, events=lines, **who), after), Step(draw, drawn)]
    return [Step(happened.Move(seat=seat, events=lines + new, **who), drawn)]


def _choose(table: Table, seat: int, game: Game, move: str, who: dict[str, Any], secret: bytes) -> list[Step]:
    """T16, C13: a choice. Whoever declines it has just drawn, for everybody else."""
    if move != game.rules.CHOICES[0]:
        return _play(table, seat, game, move, who, secret)
    after = game.copy()
    lines = after.play(f"{game.turn} {move}")
    drawn = _chance(table, after, secret)
    return [Step(happened.Keep(seat=seat, events=lines + drawn.events[len(after.events) :], **who), drawn)]


def _chance(table: Table, game: Game, secret: bytes) -> Game:
    """The game after chance has supplied what it owes; the same one where it owes nothing."""
    if game.turn is not None:
        return game
    after = game.copy(Keyed(round_key(secret, table.rounds_begun - 1), table.drawn))
    after.settle()
    after.chance = None
    return after


def _still_playing(seat: Seat) -> None:
    for state, key in (("resigned", "resigned"), ("left", "left_already"), ("relieved", "relieved")):
        if getattr(seat, state):
            raise TableRefused(key)


def _resign(asked: Asked) -> list[Step]:
    asked.in_stage(PLAYING)
    table, seat = asked.table, asked.own_seat()
    if table.seats[seat].resigned:
        raise TableRefused("resigned")
    return [Step(happened.Resign(seat=seat, **_giving_up(table, seat, asked.secret), **asked.who))]


# Going back


def undo_why(table: Table, seat: int) -> str | None:
    """Why a seat cannot undo: the key of a sentence; None where it can, or where it is not its affair."""
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


def _undo(asked: Asked) -> list[Step]:
    asked.in_stage(PLAYING)
    table, seat = asked.table, asked.own_seat()
    _still_playing(table.seats[seat])
    why = undo_why(table, seat)
    if why is not None:
        raise TableRefused(why)
    if not table.undoable(seat):
        raise TableRefused("no_undo")
    return [Step(happened.Undo(seat=seat, **asked.who))]


def take_back_why(table: Table, seat: int) -> str | None:
    """Why a seat cannot take its last decision back, or ask for it: the key of a sentence."""
    if table.stage != PLAYING:
        return f"stage_{table.stage}"
    if not table.seats[seat].plays:
        return "back_not_playing"
    if table.own_last(seat) is None:
        return "back_nothing"
    asked = table.request
    waits = asked is not None and set(table.other_people(asked.seat)) - set(asked.agreed)
    return "back_asked" if waits else None


def _take_back(asked: Asked) -> list[Step]:
    table, seat = asked.table, asked.own_seat()
    why = take_back_why(table, seat)
    if why is not None:
        raise TableRefused(why)
    agreed = table.request.agreed if table.request is not None and table.request.seat == seat else ()
    if set(table.other_people(seat)) - set(agreed):
        return [Step(happened.Ask(seat=seat, **asked.who))]
    return [Step(happened.TakeBack(seat=seat, **asked.who))]


def _answering(asked: Asked) -> tuple[int, Request]:
    table, seat = asked.table, asked.own_seat()
    if table.request is None:
        raise TableRefused("back_not_asked")
    if seat not in table.other_people(table.request.seat) or seat in table.request.agreed:
        raise TableRefused("back_not_yours")
    return seat, table.request


def _agree(asked: Asked) -> list[Step]:
    seat, request = _answering(asked)
    steps = [Step(happened.Agree(seat=seat, **asked.who))]
    # Seats on one device agree together.
    agreed = {*request.agreed, *asked.table.held_by(asked.actor.guest)}
    if not set(asked.table.other_people(request.seat)) - agreed:
        steps.append(Step(happened.TakeBack(at=asked.at, seat=request.seat)))
    return steps


def _decline(asked: Asked) -> list[Step]:
    seat, _ = _answering(asked)
    return [Step(happened.Decline(seat=seat, **asked.who))]


# Between rounds, and beside the game


def _ready(asked: Asked) -> list[Step]:
    asked.in_stage(BETWEEN, OVER)
    table, seat = asked.table, asked.own_seat()
    if table.seats[seat].left:
        raise TableRefused("left_already")
    if table.seats[seat].ready:
        raise TableRefused("ready_already")
    if table.seats[seat].resigned and table.stage == BETWEEN:
        raise TableRefused("resigned")
    begins = _round_if_ready(table, seat, asked.secret, leaving=False)
    return [Step(happened.Ready(seat=seat, **begins, **asked.who))]


def _react(asked: Asked) -> list[Step]:
    table, seat = asked.table, asked.own_seat()
    if asked.action.get("reaction") not in REACTIONS:
        raise TableRefused("no_reaction", reactions=", ".join(REACTIONS))
    reacted_at = table.allowances.get(asked.actor.guest, Allowance()).reacted_at
    if reacted_at is not None and asked.at - reacted_at < REACTION_PAUSE:
        raise TableRefused("too_many_reactions")
    return [Step(happened.React(seat=seat, reaction=asked.action["reaction"], **asked.who))]


_ACTIONS: dict[str, Callable[[Asked], list[Step]]] = {
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
# These always fit: without them a game could not end.
ALWAYS = ("move", "resign", "start", "ready")


def _deal(table: Table, secret: bytes) -> list[str]:
    """T4, C3, C4, D3: what chance does at the start of the next round."""
    game = fresh(table.setup)
    game.chance = Keyed(round_key(secret, table.rounds_begun))
    game.settle()
    return game.events


def _shown_key(table: Table, secret: bytes) -> dict[str, Any]:
    """The round is over: its key is shown, and the next one committed to."""
    number = table.rounds_begun
    return {"key": round_key(secret, number - 1).hex(), "commitment": round_commitment(secret, number)}


def _giving_up(table: Table, seat: int, secret: bytes) -> dict[str, Any]:
    return _shown_key(table, secret) if table.ends_without(seat) else {}


def _round_if_ready(table: Table, seat: int, secret: bytes, leaving: bool) -> dict[str, Any]:
    """The deal of the next round or of a rematch, when everybody else has agreed and this seat now does or leaves."""
    if table.stage not in (BETWEEN, OVER):
        return {}
    asked = [
        other
        for number, other in enumerate(table.seats)
        if number != seat and other.here and (table.stage == OVER or not other.resigned)
    ]
    if not all(other.ready for other in asked) or (leaving and not asked):
        return {}
    step = 1 if table.stage == OVER else len(table.series.points) if table.series else 0
    return {"first": (table.match_first + step) % len(table.seats), "deal": _deal(table, secret)}

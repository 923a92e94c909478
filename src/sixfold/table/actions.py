"""From an action to the event that it becomes, or to the reason why not; the table itself is not changed here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sixfold.engine.game import SetupError
from sixfold.engine.shuffle import Keyed, items_drawn, start_seat
from sixfold.table.setup import REACTIONS, Seat, Setup, TableRefused, check_level, clean_name
from sixfold.table.table import BETWEEN, OPEN, OVER, PLAYING, Event, Table, fresh, round_commitment, round_key

REACTION_PAUSE = 1000

Action = Mapping[str, Any]


@dataclass(frozen=True)
class Actor:
    """Who acts: a guest, or a bot for its seat."""

    guest: str = ""
    bot_seat: int | None = None


def make(setup: Setup, seats: list[Seat], secret: bytes, at: int, guest: str) -> Event:
    """The event that makes a table."""
    if len(seats) != setup.players:
        raise TableRefused("seats_wrong", players=setup.players)
    values = [{**seat.value(), "guest": seat.guest} for seat in seats]
    return {
        "type": "make",
        "at": at,
        "guest": guest,
        "setup": setup.value(),
        "seats": values,
        "commitment": round_commitment(secret, 0),
    }


def decide(table: Table, actor: Actor, action: Action, at: int, secret: bytes) -> Event:
    """The event that an action becomes."""
    do = action.get("do")
    if not isinstance(do, str) or do not in _ACTIONS:
        raise TableRefused("no_action", actions=", ".join(_ACTIONS))
    event: Event = {"type": do, "at": at}
    if actor.bot_seat is not None:
        event["bot"] = True
    else:
        event["guest"] = actor.guest
        if action.get("id"):
            event["id"] = action["id"]
    return {**event, **_ACTIONS[do](table, actor, action, at, secret)}


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


def tick(table: Table, at: int, secret: bytes) -> Event | None:
    """The event of a time that has come, or None."""
    when = due(table)
    if when is None or at < when:
        return None
    turn = table.turn
    assert turn is not None
    if table.setup.clock == "game" and at >= table.turn_began + table.seats[turn].time_left:
        return {"type": "time", "at": at, "seat": turn, **_giving_up(table, turn, secret)}
    return {"type": "takeover", "at": at, "seat": turn}


# Each action gives what it adds to the event.


def _own_seat(table: Table, actor: Actor, action: Action) -> int:
    """The seat that acts: the one named, the one in turn, or the only one of the guest."""
    if actor.bot_seat is not None:
        return actor.bot_seat
    held = table.held_by(actor.guest)
    if not held:
        raise TableRefused("no_seat_yours")
    seat = action.get("seat")
    if seat is None:
        return table.turn if table.turn in held else held[0]
    if seat not in held:
        raise TableRefused("not_your_seat", seat=seat)
    return int(seat)


def _any_seat(table: Table, action: Action, kind: str) -> int:
    """The seat named, or the first of that kind."""
    seat = action.get("seat")
    found = [number for number, here in enumerate(table.seats) if here.kind == kind]
    if seat is None and found:
        return found[0]
    if seat not in found:
        raise TableRefused("no_open_seat" if kind == "open" else "no_bot_seat")
    return int(seat)


def _in_stage(table: Table, *stages: str) -> None:
    if table.stage not in stages:
        raise TableRefused(f"stage_{table.stage}")


def _sit(table: Table, actor: Actor, action: Action, at: int, secret: bytes) -> Event:
    _in_stage(table, OPEN)
    return {"seat": _any_seat(table, action, "open"), "name": clean_name(str(action.get("name", "")))}


def _bot(table: Table, actor: Actor, action: Action, at: int, secret: bytes) -> Event:
    _in_stage(table, OPEN)
    _own_seat(table, actor, {})
    level = str(action.get("level"))
    try:
        check_level(level)
    except SetupError:
        raise TableRefused("no_level", level=level) from None
    return {"seat": _any_seat(table, action, "open"), "level": level}


def _open(table: Table, actor: Actor, action: Action, at: int, secret: bytes) -> Event:
    _in_stage(table, OPEN)
    _own_seat(table, actor, {})
    return {"seat": _any_seat(table, action, "bot")}


def _leave(table: Table, actor: Actor, action: Action, at: int, secret: bytes) -> Event:
    seat = _own_seat(table, actor, action)
    if table.seats[seat].left:
        raise TableRefused("left_already")
    return {"seat": seat, **_round_if_ready(table, seat, secret, leaving=True)}


def _back(table: Table, actor: Actor, action: Action, at: int, secret: bytes) -> Event:
    seat = _own_seat(table, actor, action)
    if not table.seats[seat].left and not table.seats[seat].relieved:
        raise TableRefused("not_away")
    return {"seat": seat}


def _start(table: Table, actor: Actor, action: Action, at: int, secret: bytes) -> Event:
    _in_stage(table, OPEN)
    seat = _own_seat(table, actor, action)
    if any(other.kind == "open" for other in table.seats):
        raise TableRefused("seats_open")
    first, drawn = table.setup.first, {}
    if first is None:
        first = start_seat(round_key(secret, 0), len(table.seats))
        drawn = {"start": {"seats": len(table.seats), "seat": first}}
    return {"seat": seat, "first": first, **drawn, "deal": _deal(table, secret)}


def _move(table: Table, actor: Actor, action: Action, at: int, secret: bytes) -> Event:
    _in_stage(table, PLAYING)
    seat = _own_seat(table, actor, action)
    game = table.game
    assert game is not None
    if seat != table.turn:
        raise TableRefused("other_turn", name=table.seats[table.turn or 0].name)
    if actor.bot_seat is None:
        _still_playing(table.seats[seat])
    trial = game.copy(Keyed(round_key(secret, table.rounds_begun - 1), items_drawn(game.events)))
    events = trial.play(f"{game.turn} {action.get('move')}")
    return {"seat": seat, "events": events, **(_shown_key(table, secret) if trial.over else {})}


def _still_playing(seat: Seat) -> None:
    for state, key in (("resigned", "resigned"), ("left", "left_already"), ("relieved", "relieved")):
        if getattr(seat, state):
            raise TableRefused(key)


def _undo(table: Table, actor: Actor, action: Action, at: int, secret: bytes) -> Event:
    _in_stage(table, PLAYING)
    seat = _own_seat(table, actor, action)
    _still_playing(table.seats[seat])
    if seat != table.turn or not table.undoable:
        raise TableRefused("no_undo")
    return {"seat": seat}


def _resign(table: Table, actor: Actor, action: Action, at: int, secret: bytes) -> Event:
    _in_stage(table, PLAYING)
    seat = _own_seat(table, actor, action)
    if table.seats[seat].resigned:
        raise TableRefused("resigned")
    return {"seat": seat, **_giving_up(table, seat, secret)}


def _ready(table: Table, actor: Actor, action: Action, at: int, secret: bytes) -> Event:
    _in_stage(table, BETWEEN, OVER)
    seat = _own_seat(table, actor, action)
    if table.seats[seat].left:
        raise TableRefused("left_already")
    if table.seats[seat].ready:
        raise TableRefused("ready_already")
    if table.seats[seat].resigned and table.stage == BETWEEN:
        raise TableRefused("resigned")
    return {"seat": seat, **_round_if_ready(table, seat, secret, leaving=False)}


def _react(table: Table, actor: Actor, action: Action, at: int, secret: bytes) -> Event:
    seat = _own_seat(table, actor, action)
    if action.get("reaction") not in REACTIONS:
        raise TableRefused("no_reaction", reactions=", ".join(REACTIONS))
    if at - table.reacted.get(seat, -REACTION_PAUSE) < REACTION_PAUSE:
        raise TableRefused("too_many_reactions")
    return {"seat": seat, "reaction": action["reaction"]}


_ACTIONS: dict[str, Callable[[Table, Actor, Action, int, bytes], Event]] = {
    "sit": _sit,
    "bot": _bot,
    "open": _open,
    "leave": _leave,
    "back": _back,
    "start": _start,
    "move": _move,
    "undo": _undo,
    "resign": _resign,
    "ready": _ready,
    "react": _react,
}
ACTIONS = tuple(_ACTIONS)


def carry(table: Table, seat: int, holder: str, guest: str, at: int) -> Event:
    """A seat goes with its holder to another device."""
    if not 0 <= seat < len(table.seats) or not table.seats[seat].person or table.seats[seat].guest != holder:
        raise TableRefused("link_used")
    return {"type": "carry", "at": at, "guest": guest, "seat": seat, "to": guest}


def _deal(table: Table, secret: bytes) -> list[str]:
    """T4, C3, C4, D3: what chance does at the start of the next round."""
    game = fresh(table.setup)
    game.chance = Keyed(round_key(secret, table.rounds_begun))
    game.settle()
    return game.events


def _shown_key(table: Table, secret: bytes) -> Event:
    """The round is over: its key is shown, and the next one committed to."""
    number = table.rounds_begun
    return {"key": round_key(secret, number - 1).hex(), "commitment": round_commitment(secret, number)}


def _giving_up(table: Table, seat: int, secret: bytes) -> Event:
    return _shown_key(table, secret) if table.ends_without(seat) else {}


def _round_if_ready(table: Table, seat: int, secret: bytes, leaving: bool) -> Event:
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

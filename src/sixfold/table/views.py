"""What a seat may know of a table and its events: built from the game's views, never from the full game."""

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import structs

from sixfold.engine import notation
from sixfold.engine.annotations import earned, lines, reach
from sixfold.engine.game import View, mask_event, rules_of
from sixfold.table import events as event_types
from sixfold.table import positions
from sixfold.table.actions import due, take_back_why, undo_why
from sixfold.table.table import Table

EncodeEvent = Callable[[int, int | None], Any]
NOTHING_TO_DO: dict[str, Any] = {"legal": [], "previews": [], "earned": [], "lines": {}, "reach": []}


def table_view(table: Table, seat: int | None, light: bool = False) -> dict[str, Any]:
    """The whole table as a seat may know it; None for a spectator. A light view has the seat's state in place of what a
    client that has the rules can compute from it."""
    return {**round_view(table), **moment_view(table), **seat_view(table, seat, light)}


def seat_view(table: Table, seat: int | None, light: bool, encode_event: EncodeEvent | None = None) -> dict[str, Any]:
    """The part of a view that differs by seat. With ``encode_event``, which encodes an event for a seat as JSON, the
    position is encoded as JSON too."""
    value: dict[str, Any] = {
        "seat": seat,
        **({"state": None} if light else {"position": None}),
        "order": None,
        **({} if light else NOTHING_TO_DO),
        "undo": False,
        "undo_why": None,
        "take_back_why": None,
        "last": None,
    }
    game, player = table.game, None if seat is None else table.player_of(seat)
    if game is not None:
        if light:
            value["state"] = positions.encode_state(game.rules, game.seen_by(player))
        elif encode_event is not None:
            value["position"] = positions.encode_position(game.rules, game.seen_by(player), player)
        else:
            value["position"] = positions.value(game.view(player))
        value["order"] = table.order
        value["last"] = _last_move(table, seat, encode_event or partial(event_view, table))
        if seat is not None and table.seats[seat].person:
            value |= _undo_state(table, seat)
        if not light:
            value |= rule_annotations(game.view(player), in_turn=seat is not None and table.turn == seat)
    return value


def round_view(table: Table) -> dict[str, Any]:
    """The part of every view that changes only when a seat changes or a round begins or ends."""
    return {
        "setup": table.public_setup,
        "stage": table.stage,
        "seats": table.public_seats,
        "round": table.rounds_begun,
        "starters": table.starters,
        "commitment": table.commitment,
        "result": table.result,
        "totals": table.totals,
    }


def moment_view(table: Table) -> dict[str, Any]:
    """The part of the view that is the same for every seat at a version."""
    request = table.request if table.game is not None else None
    return {
        "version": table.version,
        "turn": table.turn,
        "turn_began": table.turn_began,
        "due": due(table),
        "bonus": table.game is not None and table.bonus,
        "take_back": None if request is None else {"seat": request.seat, "agreed": list(request.agreed)},
    }


def _undo_state(table: Table, seat: int) -> dict[str, Any]:
    why = undo_why(table, seat)
    return {
        "undo": why is None and table.undoable(seat),
        "undo_why": _sentence(why),
        "take_back_why": _sentence(take_back_why(table, seat)),
    }


def rule_annotations(view: View, in_turn: bool) -> dict[str, Any]:
    """What the rules say about a visible position. A browser computes the same by itself."""
    value: dict[str, Any] = {"reach": reach(view)}
    # The legal moves reveal the hand, so only the seat in turn gets them.
    if in_turn and view.turn is not None:
        moves = view.legal()
        move_texts = notation.move_texts(view.rules)
        value["legal"] = [move_texts[number] for number in moves.numbers.tolist()]
        value["previews"] = view.previews(moves).tolist()
        # In a game with a board, the lines say what a move earns.
        value["lines"] = lines(view)
        value["earned"] = [] if value["lines"] else earned(view, moves)
    return value


def _sentence(key: str | None) -> dict[str, Any] | None:
    return None if key is None else {"key": key, "words": {}}


def _last_move(table: Table, seat: int | None, encode_event: EncodeEvent) -> Any:
    """The last public move of the round."""
    for version in range(len(table.log), table.round_from, -1):
        if isinstance(table.log[version - 1].event, event_types.Move):
            return encode_event(version, seat)
    return None


def event_view(table: Table, version: int, seat: int | None, guest: str = "") -> dict[str, Any]:
    """An event as a seat is told of it: hidden items as ``??``; a guest's own action with the id they gave it."""
    entry = table.log[version - 1]
    event, value = entry.event, entry.public.copy()
    lines: dict[str, list[str]] = {}
    if isinstance(event, event_types.Move | event_types.Draw | event_types.Keep):
        lines["events"] = event.events
    if isinstance(event, event_types.Keep) and seat != event.seat:
        # T16, C13: the other seats are not told of a declined choice, only of the draw, as after any turn.
        name = value["line"]["words"]["name"]
        value = {"type": "draw", "version": version, "at": event.at, "seat": event.seat}
        value["line"] = {"key": "log_draw", "words": {"name": name}}
        lines["events"] = event.events[1:]
    elif isinstance(event, event_types.Make):
        value["setup"] = table.public_setup
    elif isinstance(event, event_types.MayBegin) and event.deal is not None:
        lines["deal"] = event.deal
        if event.start is not None:
            value["start"] = structs.asdict(event.start)
    if lines:
        rules, player = rules_of(table.setup.game), None if seat is None else (seat - entry.first) % len(table.seats)
        for kind, texts in lines.items():
            value[kind] = [mask_event(rules, table.dealt, text, player) for text in texts]
    if guest and event.guest == guest and event.id:
        value["id"] = event.id
    return value

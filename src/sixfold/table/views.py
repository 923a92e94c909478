"""What a seat gets to see and to hear of a table: made from the game's views, never from the game."""

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import structs

from sixfold.engine import notation
from sixfold.engine.explaining import earned, lines, reach
from sixfold.engine.game import View
from sixfold.table import events as happened
from sixfold.table import positions as shown
from sixfold.table.actions import due, take_back_why, undo_why
from sixfold.table.table import Table
from sixfold.table.writing import written

# What is said of these events may be hidden from some.
CONCEALED = ("deal", "draw")
Hear = Callable[[int, int | None], Any]
NOTHING_TO_DO: dict[str, Any] = {"legal": [], "previews": [], "earned": [], "lines": {}, "reach": []}


def seen(table: Table, seat: int | None, light: bool = False) -> dict[str, Any]:
    """The whole table as a seat may know it; None for a spectator. A light view is for who has the rules: it leaves out
    what they say about the position."""
    return {**of_round(table), **of_moment(table), **of_seat(table, seat, light)}


def of_seat(table: Table, seat: int | None, light: bool, hear: Hear | None = None) -> dict[str, Any]:
    """What is a seat's own in its view. ``hear`` says as JSON what it hears of an event, and then its position is
    written as JSON too."""
    value: dict[str, Any] = {
        "seat": seat,
        "position": None,
        "order": None,
        **({} if light else NOTHING_TO_DO),
        "undo": False,
        "undo_why": None,
        "take_back_why": None,
        "last": None,
    }
    game, player = table.game, None if seat is None else table.player_of(seat)
    if game is not None:
        value["position"] = shown.value(game.view(player)) if hear is None else written(game, player)
        value["order"] = table.order
        value["last"] = _last_move(table, seat, hear or partial(heard, table))
        if seat is not None and table.seats[seat].person:
            value |= _going_back(table, seat)
        if not light:
            value |= worked_out(game.view(player), in_turn=seat is not None and table.turn == seat)
    return value


def of_round(table: Table) -> dict[str, Any]:
    """What is the same in everybody's view, as long as nobody comes or goes and the round neither begins nor ends."""
    return {
        "setup": table.agreed,
        "stage": table.stage,
        "seats": table.seats_shown,
        "round": table.rounds_begun,
        "starters": table.starters,
        "commitment": table.commitment,
        "result": table.result,
        "totals": table.totals,
    }


def of_moment(table: Table) -> dict[str, Any]:
    """What is the same in everybody's view of a version."""
    request = table.request if table.game is not None else None
    return {
        "version": table.version,
        "turn": table.turn,
        "turn_began": table.turn_began,
        "due": due(table),
        "bonus": table.game is not None and table.bonus,
        "take_back": None if request is None else {"seat": request.seat, "agreed": list(request.agreed)},
    }


def _going_back(table: Table, seat: int) -> dict[str, Any]:
    why = undo_why(table, seat)
    return {
        "undo": why is None and table.undoable(seat),
        "undo_why": _sentence(why),
        "take_back_why": _sentence(take_back_why(table, seat)),
    }


def worked_out(view: View, in_turn: bool) -> dict[str, Any]:
    """What the rules say about a position that is shown. A browser works out the same by itself."""
    value: dict[str, Any] = {"reach": reach(view)}
    # Which moves there are says what is in the hand, so only the seat in turn hears of it.
    if in_turn and view.turn is not None:
        moves = view.legal()
        spelling = notation.spellings(view.rules)
        value["legal"] = [spelling[number] for number in moves.numbers.tolist()]
        value["previews"] = view.previews(moves).tolist()
        # Where there is a board, the lines say what a move earns.
        value["lines"] = lines(view)
        value["earned"] = [] if value["lines"] else earned(view, moves)
    return value


def _sentence(key: str | None) -> dict[str, Any] | None:
    return None if key is None else {"key": key, "words": {}}


def _last_move(table: Table, seat: int | None, hear: Hear) -> Any:
    """The last move that everybody heard of."""
    for version in range(len(table.log), table.round_from, -1):
        if isinstance(table.log[version - 1].event, happened.Move):
            return hear(version, seat)
    return None


def heard_alike(table: Table, version: int) -> bool:
    """Does everybody hear the same of an event?"""
    event = table.log[version - 1].event
    if isinstance(event, happened.Draw | happened.Keep | happened.MayBegin):
        return False
    return not isinstance(event, happened.Move) or not any(text.startswith(CONCEALED) for text in event.events)


def heard(table: Table, version: int, seat: int | None, guest: str = "") -> dict[str, Any]:
    """One event as a seat hears it: hidden tiles and cards as ``??``, a guest's own action with the id it gave it."""
    entry = table.log[version - 1]
    event, value = entry.event, entry.told.copy()
    lines: dict[str, list[str]] = {}
    if isinstance(event, happened.Move | happened.Draw | happened.Keep):
        lines["events"] = event.events
    if isinstance(event, happened.Keep) and seat != event.seat:
        # T16, C13: nobody else hears of a choice that was declined, only of the draw, as after any turn.
        name = value["line"]["words"]["name"]
        value = {"type": "draw", "version": version, "at": event.at, "seat": event.seat}
        value["line"] = {"key": "log_draw", "words": {"name": name}}
        lines["events"] = event.events[1:]
    elif isinstance(event, happened.Make):
        value["setup"] = table.agreed
    elif isinstance(event, happened.MayBegin) and event.deal is not None:
        lines["deal"] = event.deal
        if event.start is not None:
            value["start"] = structs.asdict(event.start)
    for kind, texts in lines.items():
        value[kind] = [_masked(table, text, entry.first, seat) for text in texts]
    if guest and event.guest == guest and event.id:
        value["id"] = event.id
    return value


def _masked(table: Table, text: str, first: int, seat: int | None) -> str:
    words = text.split(" ")
    if words[0] not in CONCEALED:
        return text
    player = int(words[1])
    own = seat is not None and (seat - first) % len(table.seats) == player
    if own or player in table.open_hands:
        return text
    return " ".join([*words[:2], *(shown.HIDDEN for _ in words[2:])])

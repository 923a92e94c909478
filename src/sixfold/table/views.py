"""What a seat gets to see and to hear of a table: made from the game's views, never from the game."""

from typing import Any

from sixfold.engine import notation
from sixfold.engine.explaining import earned, lines, reach
from sixfold.engine.game import View
from sixfold.table import positions as shown
from sixfold.table.actions import due
from sixfold.table.table import Event, Table

# What everybody may hear of an event, beside the game's own events.
_PUBLIC = ("type", "at", "seat", "name", "level", "reaction", "first", "start", "commitment", "key", "setup", "bot")


def seen(table: Table, seat: int | None) -> dict[str, Any]:
    """The whole table as a seat may know it; None for a spectator."""
    value: dict[str, Any] = {
        "version": table.version,
        "setup": table.setup.value(),
        "stage": table.stage,
        "seats": [other.value() for other in table.seats],
        "seat": seat,
        "turn": table.turn,
        "round": table.rounds_begun,
        "commitment": table.commitment,
        "turn_began": table.turn_began,
        "due": due(table),
        "result": table.result,
        "position": None,
        "order": None,
        "legal": [],
        "previews": [],
        "earned": [],
        "lines": {},
        "reach": [],
        "undo": False,
        "last": None,
    }
    if table.game is not None:
        view = table.game.view(None if seat is None else table.player_of(seat))
        value |= _game(table, seat, view)
    return value


def _game(table: Table, seat: int | None, view: View) -> dict[str, Any]:
    value: dict[str, Any] = {
        "position": shown.value(view),
        "order": [table.seat_of(player) for player in range(view.players)],
        "last": _last_move(table, seat),
        "reach": reach(view),
    }
    # Which moves there are says what is in the hand, so only the seat in turn hears of it.
    if seat is not None and table.turn == seat:
        moves = view.legal()
        spelling = notation.spellings(view.rules)
        value["legal"] = [spelling[number] for number in moves.numbers.tolist()]
        value["previews"] = view.previews(moves).tolist()
        value["undo"] = bool(table.undoable)
        # Where there is a board, the lines say what a move earns.
        value["lines"] = lines(view)
        value["earned"] = [] if value["lines"] else earned(view, moves)
    return value


def _last_move(table: Table, seat: int | None) -> dict[str, Any] | None:
    for version in range(len(table.log), table.round_from, -1):
        if table.log[version - 1][0]["type"] == "move":
            return heard(table, version, seat)
    return None


def heard(table: Table, version: int, seat: int | None, guest: str = "") -> dict[str, Any]:
    """One event as a seat hears it: hidden tiles and cards as ``??``, a guest's own action with the id it gave it."""
    event, first = table.log[version - 1]
    value = {name: event[name] for name in _PUBLIC if name in event}
    value["version"] = version
    value["line"] = line(table, event)
    for name in ("deal", "events"):
        if name in event:
            value[name] = [_masked(table, text, first, seat) for text in event[name]]
    if version in table.gained:
        value["gained"] = table.gained[version]
    if guest and event.get("guest") == guest and "id" in event:
        value["id"] = event["id"]
    return value


def _masked(table: Table, text: str, first: int, seat: int | None) -> str:
    words = text.split(" ")
    if words[0] not in ("deal", "draw"):
        return text
    player = int(words[1])
    own = seat is not None and (seat - first) % len(table.seats) == player
    if own or player in table.open_hands:
        return text
    return " ".join([*words[:2], *(shown.HIDDEN for _ in words[2:])])


def line(table: Table, event: Event) -> dict[str, Any]:
    """An event in words: the key of a sentence and what fills it. A move is told in the notation."""
    words: dict[str, Any] = {}
    if "seat" in event:
        words["name"] = event.get("name") or table.seats[event["seat"]].name
    for name in ("level", "reaction"):
        if name in event:
            words[name] = event[name]
    if event["type"] == "move":
        words["move"] = event["events"][0].partition(" ")[2]
    return {"key": f"log_{event['type']}", "words": words}

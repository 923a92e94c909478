"""A view as a drawing: what a game draws itself, or its text picture and a list of moves."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sixfold.engine import picture
from sixfold.games import packages
from sixfold.games.contract import Scene, Span
from sixfold.games.shared.terminal import Line
from sixfold.language import say, sentences
from sixfold.table import view_of
from sixfold.terminal.picking import Picking
from sixfold.terminal.rooms import View

LIST_WIDTH = 80
MOST_LISTED = 60


def name_of(seat: Mapping[str, Any], language: str) -> str:
    """Who sits there; for a bot also how strong it is."""
    level = str(seat["level"])
    known = seat["kind"] == "bot" and level.startswith("level") and level[5:].isdigit()
    return f"{seat['name']}, {say(f'level_{level[5:]}', language)}" if known else str(seat["name"])


def of_view(view: View, picking: Picking | None, cursor: str | None, language: str) -> list[Line]:
    """The position of a table's view."""
    order = view["order"]
    return drawn(
        view["position"],
        names=[name_of(view["seats"][seat], language) for seat in order],
        reach=view["reach"],
        language=language,
        player=None if view["seat"] is None else order.index(view["seat"]),
        picking=picking,
        cursor=cursor,
        last=(view["last"] or {}).get("events", ()),
    )


def drawn(
    position: Mapping[str, Any],
    *,
    names: Sequence[str],
    reach: Sequence[int],
    language: str,
    player: int | None = None,
    picking: Picking | None = None,
    cursor: str | None = None,
    last: Sequence[str] = (),
) -> list[Line]:
    """A position with names by player; ``last`` are the events of the last move."""
    game = packages()[position["game"]]
    if game.terminal is None:
        return _listed(position, picking, language)
    scene = Scene(
        position=msgspec.convert(position, game.shown.POSITION),
        names=names,
        reach=reach,
        language=language,
        player=player,
        offers=picking.offers if picking is not None else {},
        picked=picking.picked if picking is not None else (),
        gained=picking.gained(cursor) if picking is not None else (0,) * 6,
        marked=last[0].split(" ") if last else (),
    )
    return game.terminal.draw(scene)


def _listed(position: Mapping[str, Any], picking: Picking | None, language: str) -> list[Line]:
    """A game that draws nothing itself: its picture as text, and the moves below, as many as fit."""
    view = view_of(position)
    made: list[Line] = [[Span(text)] for text in picture.text(view.rules, view.state, language).splitlines()]
    row: Line = []
    room = LIST_WIDTH
    for move in list(picking.offers)[:MOST_LISTED] if picking is not None else ():
        label = f"[ {move} ]"
        if len(label) + 1 > room:
            made.append(row)
            row, room = [], LIST_WIDTH
        row += [Span(label, "strong", move), Span(" ")]
        room -= len(label) + 1
    return [*made, row] if row else made


def decision(view: View, language: str) -> str:
    """What the seat in turn has to do, as far as this view knows."""
    shown = view_of(view["position"])
    return "" if shown.turn is None else packages()[shown.name].picture.decision(shown.state, language)


def title(game: str, language: str) -> str:
    """A game's name, as a heading."""
    key = f"title_{game}"
    return say(key, language) if key in sentences(language) else say(f"game_{game}", language)

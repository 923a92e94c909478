"""Builds the lines of a position: by the game's own renderer, or as plain text with a list of moves."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sixfold.engine.text import render_text
from sixfold.games import packages
from sixfold.games.contract import Scene, Span
from sixfold.games.shared.terminal import Line
from sixfold.language import say, sentences
from sixfold.table import view_of
from sixfold.terminal.move_builder import MoveBuilder
from sixfold.terminal.table_client import View

LIST_WIDTH = 80
MAX_LISTED = 60


def seat_label(seat: Mapping[str, Any], language: str) -> str:
    """The name of a seat's occupant; for a bot also its level."""
    level = str(seat["level"])
    has_level = seat["kind"] == "bot" and level.startswith("level") and level[5:].isdigit()
    return f"{seat['name']}, {say(f'level_{level[5:]}', language)}" if has_level else str(seat["name"])


def from_view(view: View, builder: MoveBuilder | None, cursor: str | None, language: str) -> list[Line]:
    """The lines of a table's view."""
    order = view["order"]
    return from_position(
        view["position"],
        names=[seat_label(view["seats"][seat], language) for seat in order],
        reach=view["reach"],
        language=language,
        player=None if view["seat"] is None else order.index(view["seat"]),
        builder=builder,
        cursor=cursor,
        last=(view["last"] or {}).get("events", ()),
    )


def from_position(
    position: Mapping[str, Any],
    *,
    names: Sequence[str],
    reach: Sequence[int],
    language: str,
    player: int | None = None,
    builder: MoveBuilder | None = None,
    cursor: str | None = None,
    last: Sequence[str] = (),
) -> list[Line]:
    """The lines of a position; ``names`` go by player, ``last`` are the events of the last move."""
    game = packages()[position["game"]]
    if game.terminal is None:
        return _as_text(position, builder, language)
    scene = Scene(
        position=msgspec.convert(position, game.codec.POSITION),
        names=names,
        reach=reach,
        language=language,
        player=player,
        offers=builder.offers if builder is not None else {},
        picked=builder.picked if builder is not None else (),
        gained=builder.gained(cursor) if builder is not None else (0,) * len(game.rules.VALUES),
        marked=last[0].split(" ") if last else (),
    )
    return game.terminal.draw(scene)


def _as_text(position: Mapping[str, Any], builder: MoveBuilder | None, language: str) -> list[Line]:
    """The fallback for a game without a terminal renderer: its text, and the first moves below."""
    view = view_of(position)
    lines: list[Line] = [[Span(line)] for line in render_text(view.rules, view.state, language).splitlines()]
    row: Line = []
    columns_left = LIST_WIDTH
    for move in list(builder.offers)[:MAX_LISTED] if builder is not None else ():
        label = f"[ {move} ]"
        if len(label) + 1 > columns_left:
            lines.append(row)
            row, columns_left = [], LIST_WIDTH
        row += [Span(label, "strong", move), Span(" ")]
        columns_left -= len(label) + 1
    return [*lines, row] if row else lines


def decision(view: View, language: str) -> str:
    """What the seat in turn has to decide, as far as this view shows."""
    position = view_of(view["position"])
    return "" if position.turn is None else packages()[position.name].text.decision(position.state, language)


def title(game: str, language: str) -> str:
    """A game's name as a heading."""
    key = f"title_{game}"
    return say(key, language) if key in sentences(language) else say(f"game_{game}", language)

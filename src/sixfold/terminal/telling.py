"""What happened at a table, as sentences: for the list beside the board, and line by line."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from sixfold.games.shared.picture import HIDDEN
from sixfold.games.shared.symbols import SYMBOLS, places
from sixfold.language import say, sentences


def gains(gained: Sequence[int], language: str) -> str:
    """What was added to the six values: ``red +3, blue +1``."""
    added = zip(SYMBOLS, gained, strict=True)
    return ", ".join(f"{say(f'symbol_{letter}', language)} +{number}" for letter, number in added if number)


def line(event: str, names: Sequence[str], me: Collection[int], language: str) -> str:
    """One event of the game. ``names`` go by player; ``me`` are the players that "you" means."""
    words = event.split(" ")
    by_player = words[0].isdigit()
    player, verb = (int(words[0]), words[1]) if by_player else (int(words[1]), words[0])
    rest = words[2:]
    hidden = bool(rest) and all(word == HIDDEN for word in rest)
    what = str(len(rest)) if hidden else " ".join(rest)
    return _said(f"{verb}_hidden" if hidden else verb, what, player in me, names[player], language) or event


def _said(verb: str, what: str, mine: bool, name: str, language: str) -> str | None:
    """``told_place`` and ``told_place_you``; where nothing follows, ``told_score_plain``. None for words of a game that
    has no sentences for them."""
    key = f"told_{verb}{'' if what else '_plain'}{'_you' if mine else ''}"
    return say(key, language, name=name, what=what) if key in sentences(language) else None


def heard(event: Mapping[str, Any], view: Mapping[str, Any], me: Collection[int], language: str) -> list[str]:
    """A table's event, as a view's seat hears it; ``me`` are seats here."""
    told = event.get("events") or event.get("deal")
    order = view["order"]
    if not told or order is None:
        words = dict(event["line"]["words"])
        if "reaction" in words:
            words["reaction"] = say(f"react_{words['reaction']}", language)
        return [say(event["line"]["key"], language, **words)]
    names = [view["seats"][seat]["name"] for seat in order]
    mine = [player for player, seat in enumerate(order) if seat in me]
    lines = [line(text, names, mine, language) for text in told]
    if any(event.get("gained", ())):
        lines[0] += f" ({gains(event['gained'], language)})"
    lines[0] += shown(event.get("shown"), language)
    return lines


def shown(hand: Sequence[str] | None, language: str) -> str:
    """C13: the hand that somebody has shown to everybody, after the sentence about it."""
    return f" {say('told_shown', language, what=' '.join(hand))}" if hand else ""


def _places(view: Mapping[str, Any]) -> list[int]:
    """Between two rounds the places in the last one, after that the places in all of them."""
    ended = view["result"]
    return places(np.array(ended["values"])) if view["stage"] == "between" else list(ended["places"])


def winner(view: Mapping[str, Any], me: Collection[int], language: str) -> str:
    """Who has won the round, or all of them."""
    if view["result"] is None:
        return ""
    best = [seat for seat, place in enumerate(_places(view)) if place == 1]
    names = [view["seats"][seat]["name"] for seat in best]
    if len(best) > 1:
        return say("share_win", language, names=", ".join(names))
    return say("you_win", language) if best[0] in me else say("wins", language, name=names[0])


def result(view: Mapping[str, Any], me: Collection[int], language: str) -> list[str]:
    """How a round ended: the winner, everybody's place and values, and the points of a series so far."""
    ended = view["result"]
    placed = _places(view)
    seats = sorted(range(len(view["seats"])), key=lambda seat: placed[seat])
    lines = [winner(view, me, language)]
    for seat in seats:
        values = " ".join(str(value) for value in sorted(ended["values"][seat]))
        name = view["seats"][seat]["name"]
        lines.append(say("place_line", language, place=placed[seat], name=name, values=values))
    if view["totals"] and view["setup"]["rounds"] > 1:
        points = ", ".join(f"{seat['name']} {total}" for seat, total in zip(view["seats"], view["totals"], strict=True))
        lines.append(say("points_line", language, points=points))
    return lines

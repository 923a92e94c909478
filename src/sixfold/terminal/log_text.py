"""Events and results of a table as sentences, for the log and for line-by-line play."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sixfold.games import GAMES
from sixfold.games.contract import Rules
from sixfold.games.shared.text import HIDDEN
from sixfold.language import say, sentences
from sixfold.table import view_of


def gains_text(rules: Rules, gained: Sequence[int], language: str) -> str:
    """The gains in a player's values: ``red +3, blue +1``."""
    added = zip(rules.VALUES, gained, strict=True)
    return ", ".join(f"{say(f'symbol_{name}', language)} +{number}" for name, number in added if number)


def event_text(event: str, names: Sequence[str], me: Collection[int], language: str) -> str:
    """One game event as a sentence. ``names`` go by player; ``me`` are the players addressed as "you"."""
    words = event.split(" ")
    by_player = words[0].isdigit()
    player, verb = (int(words[0]), words[1]) if by_player else (int(words[1]), words[0])
    rest = words[2:]
    hidden = bool(rest) and all(word == HIDDEN for word in rest)
    items = str(len(rest)) if hidden else " ".join(rest)
    return _sentence(f"{verb}_hidden" if hidden else verb, items, player in me, names[player], language) or event


def _sentence(verb: str, items: str, mine: bool, name: str, language: str) -> str | None:
    """Look up ``told_place`` or ``told_place_you``; without items, ``told_score_plain``. None for a game that has no
    sentences for its verbs."""
    key = f"told_{verb}{'' if items else '_plain'}{'_you' if mine else ''}"
    return say(key, language, name=name, what=items) if key in sentences(language) else None


def table_event_lines(
    event: Mapping[str, Any], view: Mapping[str, Any], me: Collection[int], language: str
) -> list[str]:
    """The log lines of a table event, as a view's seat may see it; ``me`` are seats here."""
    game_events = event.get("events") or event.get("deal")
    order = view["order"]
    if not game_events or order is None:
        words = dict(event["line"]["words"])
        if "reaction" in words:
            words["reaction"] = say(f"react_{words['reaction']}", language)
        return [say(event["line"]["key"], language, **words)]
    names = [view["seats"][seat]["name"] for seat in order]
    mine = [player for player, seat in enumerate(order) if seat in me]
    lines = [event_text(text, names, mine, language) for text in game_events]
    if any(event.get("gained", ())):
        lines[0] += f" ({gains_text(GAMES[view['setup']['game']], event['gained'], language)})"
    lines[0] += shown_hand(event.get("shown"), language)
    return lines


def shown_hand(hand: Sequence[str] | None, language: str) -> str:
    """C13: the suffix that names a hand shown to all players."""
    return f" {say('told_shown', language, what=' '.join(hand))}" if hand else ""


def _places(view: Mapping[str, Any]) -> list[int]:
    """Between rounds the places of the last one, at the end those of the whole series."""
    if view["stage"] != "between":
        return list(view["result"]["places"])
    by_player = view_of(view["position"]).places
    return [by_player[view["order"].index(seat)] for seat in range(len(by_player))]


def winner_text(view: Mapping[str, Any], me: Collection[int], language: str) -> str:
    """Announce the winner of the round or of the series."""
    if view["result"] is None:
        return ""
    best = [seat for seat, place in enumerate(_places(view)) if place == 1]
    names = [view["seats"][seat]["name"] for seat in best]
    if len(best) > 1:
        return say("share_win", language, names=", ".join(names))
    return say("you_win", language) if best[0] in me else say("wins", language, name=names[0])


def result_lines(view: Mapping[str, Any], me: Collection[int], language: str) -> list[str]:
    """How a round ended: the winner, each player's place and values, and the points of a series so far."""
    result = view["result"]
    placed = _places(view)
    seats = sorted(range(len(view["seats"])), key=lambda seat: placed[seat])
    lines = [winner_text(view, me, language)]
    for seat in seats:
        values = " ".join(str(value) for value in sorted(result["values"][seat]))
        name = view["seats"][seat]["name"]
        lines.append(say("place_line", language, place=placed[seat], name=name, values=values))
    if view["totals"] and view["setup"]["rounds"] > 1:
        points = ", ".join(f"{seat['name']} {total}" for seat, total in zip(view["seats"], view["totals"], strict=True))
        lines.append(say("points_line", language, points=points))
    return lines

"""What the games say: win rates, places, ratings and time per move, as one JSON object."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from sixfold.arena.match import Outcome
from sixfold.arena.ratings import Ranking, fit, interval
from sixfold.arena.schedule import Fixture, Settings

FORMAT = "sixfold-arena-results/1"


def ranks(places: Sequence[int]) -> list[float]:
    """Places that add up: those who tie get the mean of the places that they share."""
    return [place + (places.count(place) - 1) / 2 for place in places]


def wins(places: Sequence[int]) -> list[float]:
    """One for the winner; those who share the victory share it."""
    return [(place == 1) / places.count(1) for place in places]


def whole_deals(settings: Settings, outcomes: Mapping[Fixture, Outcome]) -> list[Outcome]:
    """The games of all deals of a pairing that were played in every seat order: only then does luck cancel."""
    groups: dict[tuple[int, frozenset[str]], list[Outcome]] = defaultdict(list)
    for fixture in settings.fixtures():
        if fixture in outcomes:
            groups[fixture.deal, frozenset(fixture.seats)].append(outcomes[fixture])
    return [outcome for group in groups.values() if len(group) == settings.orders for outcome in group]


def summary(
    settings: Settings, outcomes: Mapping[Fixture, Outcome], sessions: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """All results of a run, or of the part of it that is played."""
    counted = whole_deals(settings, outcomes)
    number = {fixture: at for at, fixture in enumerate(settings.fixtures(), start=1)}
    faults = [(number[outcome.fixture], outcome.fault) for outcome in counted if outcome.fault]
    return {
        "format": FORMAT,
        **settings.identity(),
        "games": len(counted),
        "deals": len({outcome.fixture.deal for outcome in counted}),
        "unfinished": settings.total - len(counted),
        "sessions": list(sessions),
        "bots": _bots(settings, counted) if counted else [],
        "pairs": [row for pair in settings.pairings if (row := _pair(pair, settings.players, counted))],
        "faults": [
            {"bot": fault.bot, "game": game, "text": fault.sentence(game), "record": fault.record}
            for game, fault in faults
        ],
    }


def _bots(settings: Settings, outcomes: list[Outcome]) -> list[dict[str, Any]]:
    """One row for each bot, over all its pairings."""
    index = {name: at for at, name in enumerate(settings.bots)}
    rankings = [
        Ranking(tuple(index[name] for name in game.fixture.seats), tuple(game.places), game.fixture.deal)
        for game in outcomes
    ]
    ratings = fit(rankings, len(settings.bots))
    rows = []
    for at, name in enumerate(settings.bots):
        games = [game for game in outcomes if name in game.fixture.seats]
        if not games:
            continue
        rows.append(
            {
                "bot": name,
                "games": len(games),
                "rating": round(float(ratings.points[at]), 1),
                "error": round(float(ratings.errors[at]), 1),
                "win_rate": _rounded(interval(_by_deal(games, name, wins))),
                "mean_place": _places(games, name, settings.players),
                "time": _time(games, name),
                "faults": sum(game.fault is not None and game.fault.bot == name for game in games),
            }
        )
    return rows


def _pair(pair: tuple[str, str], players: int, outcomes: list[Outcome]) -> dict[str, Any] | None:
    """One bot against another: how often it finishes ahead, which with two players is its win rate."""
    games = [game for game in outcomes if set(game.fixture.seats) == set(pair)]
    if not games:
        return None
    ahead: dict[int, list[float]] = defaultdict(list)
    for game in games:
        ahead[game.fixture.deal] += _comparisons(game, pair[0])
    return {
        "bots": list(pair),
        "games": len(games),
        "ahead": _rounded(interval(np.array([np.mean(shares) for shares in ahead.values()]))),
        "mean_place": _places(games, pair[0], players),
        "places": _place_counts(games, pair[0], players),
    }


def _comparisons(game: Outcome, name: str) -> list[float]:
    """One for each of the bot's seats and each of the other's that finished behind; a tie is half."""
    seats = list(zip(game.fixture.seats, game.places, strict=True))
    mine = [place for bot, place in seats if bot == name]
    theirs = [place for bot, place in seats if bot != name]
    return [(place < other) + (place == other) / 2 for place in mine for other in theirs]


def _place_counts(games: list[Outcome], name: str, players: int) -> list[int]:
    """How often the bot's seats came first, second and so on; equal players share the better place."""
    counts = [0] * players
    for game in games:
        for bot, place in zip(game.fixture.seats, game.places, strict=True):
            counts[place - 1] += bot == name
    return counts


def _by_deal(games: Iterable[Outcome], name: str, measure: Any) -> np.ndarray:
    """The mean of a bot's seats in each deal."""
    deals: dict[int, list[float]] = defaultdict(list)
    for game in games:
        values = zip(game.fixture.seats, measure(game.places), strict=True)
        deals[game.fixture.deal] += [value for bot, value in values if bot == name]
    return np.array([np.mean(values) for values in deals.values()])


def _places(games: list[Outcome], name: str, players: int) -> list[float]:
    """The mean place with its 95% interval; a bot as good as its company comes to the middle."""
    scale = players - 1
    mean, low, high = interval((players - _by_deal(games, name, ranks)) / scale)
    return _rounded((players - scale * mean, players - scale * high, players - scale * low))


def _time(games: list[Outcome], name: str) -> dict[str, float] | None:
    """Milliseconds for each move: the mean, and what 99 of 100 moves stay below."""
    times = [
        moment
        for game in games
        for bot, moments in zip(game.fixture.seats, game.milliseconds, strict=True)
        if bot == name
        for moment in moments
    ]
    if not times:
        return None
    return {"moves": len(times), "mean": _short(np.mean(times)), "p99": _short(np.percentile(times, 99))}


def _short(milliseconds: Any) -> float:
    return float(f"{float(milliseconds):.4g}")


def _rounded(values: Iterable[float]) -> list[float]:
    return [round(value, 5) for value in values]

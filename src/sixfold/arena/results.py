"""The results of a run as one JSON object: win rates, places, ratings and time per move."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from sixfold.arena.match import Outcome
from sixfold.arena.ratings import Ranking, fit, interval
from sixfold.arena.schedule import Fixture, Settings

FORMAT = "sixfold-arena-results/1"

T = TypeVar("T")


def ranks(places: Sequence[int]) -> list[float]:
    """Fractional ranks: tied players get the mean of the places they share."""
    return [place + (places.count(place) - 1) / 2 for place in places]


def won(game: Outcome, bot: str) -> float:
    """The share of a game that a bot won over all its seats; joint winners split the win."""
    winners = [name for name, place in zip(game.fixture.seats, game.places, strict=True) if place == 1]
    return winners.count(bot) / len(winners)


def whole_deals(settings: Settings, outcomes: Mapping[Fixture, Outcome]) -> list[Outcome]:
    """The games of all deals that were played in every seat order, so that luck cancels out."""
    groups: dict[tuple[int, frozenset[str]], list[Outcome]] = defaultdict(list)
    for fixture in settings.fixtures():
        if fixture in outcomes:
            groups[fixture.deal, frozenset(fixture.seats)].append(outcomes[fixture])
    return [outcome for group in groups.values() if len(group) == settings.orders for outcome in group]


def summary(
    settings: Settings, outcomes: Mapping[Fixture, Outcome], sessions: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """All results of a run, or of the part played so far."""
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
                "win_rate": _win_rate(games, name),
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
    return {
        "bots": list(pair),
        "games": len(games),
        "ahead": _rounded(interval(_by_deal(games, lambda game: _comparisons(game, pair[0])))),
        "mean_place": _places(games, pair[0], players),
        "places": _place_counts(games, pair[0], players),
    }


def _comparisons(game: Outcome, name: str) -> list[float]:
    """For each pair of a bot's seat and an opponent's seat: 1 if ahead, 0.5 if tied, 0 if behind."""
    mine = _of(name, game, game.places)
    theirs = [place for bot, place in zip(game.fixture.seats, game.places, strict=True) if bot != name]
    return [(place < opponent_place) + (place == opponent_place) / 2 for place in mine for opponent_place in theirs]


def _place_counts(games: list[Outcome], name: str, players: int) -> list[int]:
    """How often the bot's seats came first, second and so on; equal players share the better place."""
    counts = [0] * players
    for game in games:
        for place in _of(name, game, game.places):
            counts[place - 1] += 1
    return counts


def _of(name: str, game: Outcome, by_seat: Sequence[T]) -> list[T]:
    """The entries of a bot's seats."""
    return [value for bot, value in zip(game.fixture.seats, by_seat, strict=True) if bot == name]


def _by_deal(games: Iterable[Outcome], measure: Callable[[Outcome], list[float]]) -> np.ndarray:
    """The mean of a measure in each deal."""
    deals: dict[int, list[float]] = defaultdict(list)
    for game in games:
        deals[game.fixture.deal] += measure(game)
    return np.array([np.mean(values) for values in deals.values()])


def _win_rate(games: list[Outcome], name: str) -> list[float]:
    """The share of games won, with its 95% interval."""
    return _rounded(interval(_by_deal(games, lambda game: [won(game, name)])))


def _places(games: list[Outcome], name: str, players: int) -> list[float]:
    """The mean place with its 95% interval; a bot of average strength gets the middle place."""
    scale = players - 1
    shared = _by_deal(games, lambda game: _of(name, game, ranks(game.places)))
    mean, low, high = interval((players - shared) / scale)
    return _rounded((players - scale * mean, players - scale * high, players - scale * low))


def _time(games: list[Outcome], name: str) -> dict[str, float] | None:
    """Milliseconds per move: the mean and the 99th percentile."""
    times = [milliseconds for game in games for seat in _of(name, game, game.milliseconds) for milliseconds in seat]
    if not times:
        return None
    return {"moves": len(times), "mean": _short(np.mean(times)), "p99": _short(np.percentile(times, 99))}


def _short(milliseconds: Any) -> float:
    return float(f"{float(milliseconds):.4g}")


def _rounded(values: Iterable[float]) -> list[float]:
    return [round(value, 5) for value in values]

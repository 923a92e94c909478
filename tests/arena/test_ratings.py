"""Ratings and intervals against cases whose answer is known."""

import numpy as np
import pytest

from sixfold.arena.match import Outcome
from sixfold.arena.ratings import POINTS, PRIOR, Ranking, fit, interval, orders, quantile
from sixfold.arena.results import ranks, won
from sixfold.arena.schedule import Fixture


def two(won: int, lost: int, drawn: int = 0) -> list[Ranking]:
    places = [(1, 2)] * won + [(2, 1)] * lost + [(1, 1)] * drawn
    return [Ranking((0, 1), place, deal) for deal, place in enumerate(places)]


def test_two_bots_have_the_rating_of_the_closed_form() -> None:
    ratings = fit(two(7000, 2000, 1000), 2)
    odds = 7500 / 2500
    assert ratings.points[0] == 0
    assert ratings.errors[0] == 0
    assert ratings.points[1] == pytest.approx(-400 * np.log10(odds), rel=1e-3)
    # n p (1 - p) is the information of n games; draws only make it an upper bound.
    assert ratings.errors[1] == pytest.approx(POINTS / np.sqrt(10000 * 0.75 * 0.25), rel=1e-2)


def test_the_prior_alone_decides_where_every_game_was_won() -> None:
    ratings = fit(two(50, 0), 2)
    difference = -ratings.points[1] / POINTS
    # Half the difference to each side of the mean; there the likelihood pulls as strongly as the prior.
    assert 50 / (1 + np.exp(difference)) == pytest.approx(difference / 2 / PRIOR**2, rel=1e-6)
    assert ratings.errors[1] > 100


def simulated(theta: np.ndarray, tables: list[tuple[int, ...]], games: int) -> list[Ranking]:
    """Rankings drawn from Plackett-Luce: the order of exponential times with the strengths as rates."""
    generator = np.random.default_rng(5)
    rankings = []
    for deal in range(games):
        for table in tables:
            times = generator.exponential(1 / np.exp(theta[list(table)]))
            places = np.argsort(np.argsort(times)) + 1
            rankings.append(Ranking(table, tuple(places.tolist()), deal))
    return rankings


@pytest.mark.parametrize("tables", [[(0, 1), (1, 2), (2, 3)], [(0, 1, 1), (1, 2, 3), (3, 0, 0)], [(0, 1, 2, 3)]])
def test_known_strengths_are_found_within_their_errors(tables: list[tuple[int, ...]]) -> None:
    theta = np.array([0.0, 0.5, -0.7, 1.2])
    ratings = fit(simulated(theta, tables, 1500), 4)
    away = (ratings.points - theta * POINTS)[1:] / ratings.errors[1:]
    assert np.abs(away).max() < 3
    assert ratings.errors[1:].max() < 25


def test_games_that_repeat_each_other_within_a_deal_make_the_errors_larger() -> None:
    once = two(60, 40)
    copies = [game for game in once for _ in range(4)]
    assert fit(copies, 2).errors[1] == pytest.approx(fit(once, 2).errors[1], rel=0.02)


def test_ties_mix_all_orders() -> None:
    assert orders((4, 7), (1, 2)) == ((4, 7),)
    assert orders((4, 7, 9), (2, 1, 2)) == ((7, 4, 9), (7, 9, 4))
    assert len(orders((0, 1, 2, 3), (1, 1, 1, 1))) == 24
    level = fit([Ranking((0, 1, 2), (1, 1, 1), 0)], 3)
    assert np.abs(level.points).max() < 1e-6


def test_places_that_are_shared_are_shared_fairly() -> None:
    assert ranks([1, 2, 2, 4]) == [1, 2.5, 2.5, 4]
    game = Outcome(Fixture(0, ("a", "b", "a", "c")), [1, 1, 1, 4], [], [])
    assert [won(game, bot) for bot in "abc"] == pytest.approx([2 / 3, 1 / 3, 0])


def test_the_interval_counts_a_deal_once() -> None:
    deals = np.array([1.0, 0.0] * 50)
    mean, low, high = interval(deals)
    assert mean == 0.5
    assert high - low == pytest.approx(2 * 1.984 * np.sqrt(0.25 / 99), rel=0.03)
    # Deals in which luck cancels leave less doubt.
    _, calm_low, calm_high = interval(np.array([0.5] * 90 + [1.0, 0.0] * 5))
    assert calm_high - calm_low < (high - low) / 2


def test_the_interval_where_all_deals_agree_is_wilsons() -> None:
    mean, low, high = interval(np.ones(50))
    assert (mean, high) == (1.0, 1.0)
    assert low == pytest.approx(50 / (50 + quantile(49) ** 2))
    assert interval(np.array([1.0])) == (1.0, 0.0, 1.0)


def test_ninety_five_of_a_hundred_intervals_hold_the_truth() -> None:
    generator = np.random.default_rng(1)
    held = 0
    for _ in range(2000):
        _, low, high = interval(generator.binomial(2, 0.8, 100) / 2)
        held += low <= 0.8 <= high
    assert 0.93 < held / 2000 < 0.97


@pytest.mark.parametrize(("freedom", "value"), [(1, 12.706), (4, 2.776), (10, 2.228), (30, 2.042), (1000, 1.962)])
def test_students_quantile(freedom: int, value: float) -> None:
    assert quantile(freedom) == pytest.approx(value, abs=0.01)

"""Ratings from one fit over all pairings: Bradley-Terry for two players, Plackett-Luce for more, in one formula.

Plackett-Luce models a ranking place by place: each remaining player comes next with a probability proportional to its
strength exp(θ). With two players that is Bradley-Terry. A tie counts as an equal mixture of all orders of the tied
players; with two players that is half a win for each.

A weak normal prior on θ, with a standard deviation of 800 points around the mean, keeps the rating of a bot that won or
lost every game finite; otherwise its effect is negligible.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, permutations, product

import numpy as np

# Points on the Elo scale for one unit of θ: 400 points are odds of ten to one.
POINTS = 400 / np.log(10)
PRIOR = 800 / POINTS
NEWTON_STEPS = 100

# The bots by seat and their places; games of the same kind are counted together.
Kind = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Ranking:
    """One game: the bots' numbers by seat, the places by seat, and the deal that it shares with other games."""

    bots: tuple[int, ...]
    places: tuple[int, ...]
    deal: int


@dataclass(frozen=True)
class Ratings:
    """Points on the Elo scale, the first bot at 0, and the standard errors of the differences from the first."""

    points: np.ndarray
    errors: np.ndarray


@cache
def orders(bots: tuple[int, ...], places: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """All orders, best first, that agree with the places; more than one if bots tie."""
    groups = [[bot for bot, at in zip(bots, places, strict=True) if at == place] for place in sorted(set(places))]
    return tuple(tuple(chain(*parts)) for parts in product(*map(permutations, groups)))


def fit(rankings: Sequence[Ranking], bot_count: int) -> Ratings:
    """Fit the ratings by maximum a posteriori, with standard errors."""
    kinds = sorted({(ranking.bots, ranking.places) for ranking in rankings})
    index = {kind: row for row, kind in enumerate(kinds)}
    rows = np.array([index[ranking.bots, ranking.places] for ranking in rankings])
    counts = np.bincount(rows, minlength=len(kinds))
    theta = np.zeros(bot_count)
    for _ in range(NEWTON_STEPS):
        gradients, information = _derivatives(kinds, counts, theta)
        step = np.linalg.solve(information, counts @ gradients - theta / PRIOR**2)
        # Far from the maximum a full step may overshoot; the likelihood is concave, so bounded steps converge.
        theta = theta + step * min(1.0, 2.0 / max(np.abs(step).max(), 1e-12))
        if np.abs(step).max() < 1e-10:
            break
    gradients, information = _derivatives(kinds, counts, theta)
    deals = np.array([ranking.deal for ranking in rankings])
    return Ratings((theta - theta[0]) * POINTS, _errors(gradients[rows], deals, information) * POINTS)


def _derivatives(kinds: list[Kind], counts: np.ndarray, theta: np.ndarray) -> tuple[np.ndarray, ...]:
    """The gradient of the log-likelihood for each kind of game, and the information matrix including the prior."""
    gradients = np.zeros((len(kinds), theta.size))
    information = np.eye(theta.size) / PRIOR**2
    strength = np.exp(theta - theta.max())
    for row, (bots, places) in enumerate(kinds):
        linear_orders = orders(bots, places)
        for order in linear_orders:
            for first in range(len(order) - 1):
                rest = list(order[first:])
                share = np.bincount(rest, weights=strength[rest] / strength[rest].sum(), minlength=theta.size)
                gradients[row] -= share / len(linear_orders)
                gradients[row, rest[0]] += 1 / len(linear_orders)
                information += (np.diag(share) - np.outer(share, share)) * (counts[row] / len(linear_orders))
    return gradients, information


def _errors(gradients: np.ndarray, deals: np.ndarray, information: np.ndarray) -> np.ndarray:
    """Standard errors of each bot's difference from the first: the larger of two.

    One is from the observed information, as if all games were independent. The other is clustered by deal: the seat
    orders of one deal are not independent, and where they resemble each other the first is too small.
    """
    _, group = np.unique(deals, return_inverse=True)
    sums = np.zeros((group.max() + 1, gradients.shape[1]))
    np.add.at(sums, group, gradients)
    inverse = np.linalg.inv(information)
    contrast = np.eye(len(inverse))
    contrast[:, 0] -= 1
    variances = [
        np.diag(contrast @ covariance @ contrast.T) for covariance in (inverse, inverse @ (sums.T @ sums) @ inverse)
    ]
    return np.sqrt(np.maximum(0.0, np.maximum(*variances)))


# Values of quantile() for few degrees of freedom, where the expansion is inaccurate.
EXACT_QUANTILES = {1: 12.706, 2: 4.303, 3: 3.182}


def quantile(freedom: int) -> float:
    """The 97.5% point of Student's distribution, by its expansion around the normal one."""
    if freedom in EXACT_QUANTILES:
        return EXACT_QUANTILES[freedom]
    z = 1.959963984540054
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return float(sum(term / freedom**power for power, term in enumerate(terms)))


def interval(shares: np.ndarray) -> tuple[float, float, float]:
    """A mean share between 0 and 1 with its 95% interval, from one mean for each deal.

    The seat orders of one deal are not independent, so a deal is one observation. The interval is Wilson's, for as
    many games as would give the deals' variance; it stays within 0 and 1. Where all deals agree, and so say nothing
    about their variance, a deal counts as one game.
    """
    deals = len(shares)
    mean = float(shares.mean())
    if deals < 2:
        return mean, 0.0, 1.0
    variance = float(shares.var(ddof=1)) / deals
    games = mean * (1 - mean) / variance if variance > 1e-15 else float(deals)
    squared = quantile(deals - 1) ** 2
    middle = (mean + squared / (2 * games)) / (1 + squared / games)
    half = np.sqrt(squared * (mean * (1 - mean) / games + squared / (4 * games**2))) / (1 + squared / games)
    return mean, float(max(0.0, middle - half)), float(min(1.0, middle + half))

"""Rollout search with a net: sampled determinizations of the best moves, continued by the net's policy."""

import time
from dataclasses import replace

import numpy as np

from sixfold.bots import Budget
from sixfold.bots.greedy import state_array
from sixfold.bots.net import NET_CANDIDATES, NetPolicy, sigmoid
from sixfold.bots.selection import argmax, argsort_descending, squared_deviations
from sixfold.engine import notation
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View
from sixfold.games.shared.compiler import compiled

# The default thinking time.
MILLISECONDS = 300.0
# The largest number of determinizations, whatever the budget.
MAX_DETERMINIZATIONS = 4096
# Standard errors below this are treated as this.
MIN_ERROR = 1e-4


@compiled
def select_candidates(
    moves: np.ndarray,
    log_odds: np.ndarray,
    order: np.ndarray,
    candidates: np.ndarray,
    prior: np.ndarray,
    active: np.ndarray,
) -> int:
    """Select the net's best moves, as many as ``candidates`` holds, with their prior chances; returns their number."""
    argsort_descending(log_odds, order)
    count = min(log_odds.size, candidates.size)
    for at in range(count):
        candidates[at] = moves[order[at]]
        prior[at] = sigmoid(log_odds[order[at]])
        active[at] = True
    return count


@compiled
def next_batch_size(batch: int, iterations_left: int, active: np.ndarray, samples: int) -> int:
    """The number of determinizations to sample next; 0 when at most one move is active or the budget is spent."""
    active_count = 0
    for at in range(active.size):
        active_count += active[at]
    return min(batch, iterations_left // active_count, MAX_DETERMINIZATIONS - samples) if active_count > 1 else 0


@compiled
def update_chances(
    sampled: np.ndarray, prior: np.ndarray, weight: float, active: np.ndarray, samples: int, chances: np.ndarray
) -> None:
    """Update each move's estimated chance, 0 if pruned; the prior counts as ``weight`` determinizations."""
    for at in range(active.size):
        chances[at] = 0.0
        if active[at]:
            total = weight * prior[at]
            for sample in range(samples):
                total += sampled[sample, at]
            chances[at] = total / (samples + weight)


@compiled
def prune_candidates(
    sampled: np.ndarray, chances: np.ndarray, active: np.ndarray, samples: int, patience: float
) -> int:
    """Prune moves that trail the best by more than ``patience`` standard errors of the paired difference.

    All moves share the same determinizations. Returns how many moves were active before.
    """
    count = 0
    leader = argmax(chances)
    for at in range(active.size):
        if not active[at]:
            continue
        count += 1
        error = np.sqrt(squared_deviations(sampled, samples, leader, at) / samples) / np.sqrt(float(samples))
        active[at] = chances[leader] - chances[at] <= patience * max(error, MIN_ERROR)
    return count


class NetSearch:
    """Roll out the net's best moves in many determinizations, and prune those that fall behind.

    The same view, seed and iterations give the same move; an iteration is one move in one determinization.
    """

    def __init__(self, game: str, players: int, **changes: float) -> None:
        self._root_policy = NetPolicy(game, players, NET_CANDIDATES)
        self.plan = replace(self._root_policy.features.PLAN, **changes)  # type: ignore[arg-type]
        self._rollout_policy = NetPolicy(game, players, self.plan.replies, MAX_DETERMINIZATIONS, self.plan.width)

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        moves, chances = self.think(view, budget, chance)
        return notation.write(view.rules, int(moves[argmax(chances)]))

    def think(self, view: View, budget: Budget, chance: Seeded) -> tuple[np.ndarray, np.ndarray]:
        """The candidate moves and the estimated chance to be ahead after each."""
        started = time.perf_counter()
        assert view.seat is not None
        seed = chance.below(2**32)
        states = state_array(view)
        all_moves, log_odds = self._root_policy.score_candidates(states)
        size = min(len(log_odds), self.plan.width)
        moves, prior, chances = np.zeros(size, dtype=np.int16), np.zeros(size), np.zeros(size)
        active = np.zeros(size, dtype=np.bool_)
        select_candidates(all_moves, log_odds, np.empty(len(log_odds), dtype=np.int32), moves, prior, active)
        milliseconds = budget.milliseconds
        if milliseconds is None:
            milliseconds = MILLISECONDS if budget.iterations is None else float("inf")
        end = started + milliseconds / 1000
        iterations_left = budget.iterations if budget.iterations is not None else MAX_DETERMINIZATIONS * size
        sampled = self._rollout_policy.chances
        samples = 0
        update_chances(sampled, prior, self.plan.prior_weight, active, samples, chances)
        now = time.perf_counter()
        while batch := next_batch_size(self.plan.batch_size, iterations_left, active, samples):
            self._rollout_policy.roll_out(
                states, view.seat, moves, active, (samples, samples + batch), seed, self.plan.depth
            )
            samples += batch
            update_chances(sampled, prior, self.plan.prior_weight, active, samples, chances)
            iterations_left -= batch * prune_candidates(sampled, chances, active, samples, self.plan.drop_threshold)
            previous, now = now, time.perf_counter()
            if now + (now - previous) > end:
                break
        return moves, np.where(active, chances, 0.0)

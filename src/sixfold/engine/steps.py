"""Everything in a game besides deliberate moves, compiled for any rules: draws, random moves, hidden items, results.

Playouts, searches, research environments, training and WebAssembly exports all build on these functions. They take a
state as a record and a generator as an array of one number, and run on a CPU or in a CUDA kernel.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np

from sixfold.games.contract import Ranks, Rules
from sixfold.games.shared.compiler import compiled, compiled_into_callers
from sixfold.games.shared.generator import below, picked, stream
from sixfold.games.shared.ranking import place_rewards, rank_values
from sixfold.games.shared.symbols import CHANCE, NONE


@dataclass(frozen=True)
class Steps:
    """The compiled steps of a game."""

    draw: Callable[[np.record, np.ndarray], int]
    """Supply one pending item from the pool; returns it."""
    resolve_chance: Callable[[np.record, np.ndarray], None]
    """Supply all pending items."""
    random_move: Callable[[np.record, np.ndarray], int]
    """A uniformly random legal move."""
    step: Callable[[np.record, np.ndarray], int]
    """Advance an unfinished random game by one item or one move; returns the number of moves made, 0 or 1."""
    deal_hidden: Callable[[np.record, int, np.ndarray, np.ndarray], None]
    """Determinize a state that ``hide`` has hidden from a seat: deal its unknown items at random. The third argument is
    scratch for the weights of the items."""
    sample_world: Callable[[np.ndarray, np.ndarray, int, np.uint64, int, np.ndarray, np.ndarray], None]
    """Determinize a seat's view: the first of ``worlds`` becomes the world with this seed and number."""
    try_move: Callable[[np.ndarray, int, np.uint64, int, np.ndarray], None]
    """Make a move, or none (NONE), in a copy of the first world, which becomes the second. What chance supplies next
    depends on the world's seed and number only, so that it is the same for every move."""
    rank: Callable[[np.record, np.ndarray, np.ndarray], None]
    """Write each player's values and place."""
    reward: Callable[[np.record, np.ndarray, np.ndarray, np.ndarray], None]
    """Write each player's values, place and reward: the share of opponents who are behind, a tie counting half."""


@cache
def steps_of(rules: Rules) -> Steps:
    """Compile the steps of a game."""

    @compiled_into_callers
    def draw(state: np.record, generator: np.ndarray) -> int:
        item = rules.item_at(state, below(generator, rules.pool_size(state)))
        rules.receive(state, item)
        return item

    @compiled_into_callers
    def resolve_chance(state: np.record, generator: np.ndarray) -> None:
        while state.phase == CHANCE:
            draw(state, generator)

    @compiled_into_callers
    def random_move(state: np.record, generator: np.ndarray) -> int:
        return rules.nth(state, below(generator, rules.count(state)))

    @compiled_into_callers
    def step(state: np.record, generator: np.ndarray) -> int:
        if state.phase == CHANCE:
            draw(state, generator)
            return 0
        rules.act(state, random_move(state, generator))
        return 1

    @compiled
    def deal_hidden(state: np.record, seat: int, weights: np.ndarray, generator: np.ndarray) -> None:
        owner = rules.unknown(state, seat)
        while owner != NONE:
            rules.possible(state, owner, weights)
            rules.fill(state, owner, picked(generator, weights))
            owner = rules.unknown(state, seat)

    @compiled_into_callers
    def sample_world(
        worlds: np.ndarray,
        views: np.ndarray,
        seat: int,
        seed: np.uint64,
        number: int,
        weights: np.ndarray,
        generator: np.ndarray,
    ) -> None:
        worlds[0] = views[0]
        generator[0] = stream(seed, number)
        deal_hidden(worlds[0], seat, weights, generator)

    @compiled_into_callers
    def try_move(worlds: np.ndarray, move: int, seed: np.uint64, number: int, generator: np.ndarray) -> None:
        worlds[1] = worlds[0]
        generator[0] = stream(~seed, number)
        if move != NONE:
            rules.act(worlds[1], move)

    rank = _ranking(rules)

    @compiled
    def reward(state: np.record, values: np.ndarray, places: np.ndarray, rewards: np.ndarray) -> None:
        rank(state, values, places)
        place_rewards(places, int(state.players), rewards)

    return Steps(draw, resolve_chance, random_move, step, deal_hidden, sample_world, try_move, rank, reward)


def _ranking(rules: Rules) -> Callable[[np.record, np.ndarray, np.ndarray], None]:
    """The game's own ranking, or else the one by ascending values."""
    if hasattr(rules, "rank"):
        own = cast(Ranks, rules)

        @compiled
        def rank_by_rules(state: np.record, values: np.ndarray, places: np.ndarray) -> None:
            rules.values(state, values)
            own.rank(state, places)

        return rank_by_rules

    @compiled
    def rank(state: np.record, values: np.ndarray, places: np.ndarray) -> None:
        rules.values(state, values)
        rank_values(values, int(state.players), places)

    return rank

"""A game's rules lifted to arrays of one state, which Python passes to compiled code ten times faster than records."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from sixfold.engine.steps import steps_of
from sixfold.games.contract import Rules
from sixfold.games.shared.compiler import compiled, compiled_with_arrays


@dataclass(frozen=True)
class LiftedRules:
    """The hot functions of a game's rules, each taking an array of one state."""

    count: Callable[[np.ndarray], int]
    legal: Callable[[np.ndarray, np.ndarray], int]
    allowed: Callable[[np.ndarray, int], bool]
    act: Callable[[np.ndarray, int], None]
    pending_chance: Callable[[np.ndarray], tuple[int, int]]
    receive: Callable[[np.ndarray, int], None]
    pool_size: Callable[[np.ndarray], int]
    hide: Callable[[np.ndarray, int], None]
    conceals: Callable[[np.ndarray, int, int, int], bool]
    values: Callable[[np.ndarray, np.ndarray], None]
    rank: Callable[[np.ndarray, np.ndarray, np.ndarray], None]
    preview: Callable[..., None]


@cache
def lift(rules: Rules) -> LiftedRules:
    """Compile the lifted functions of a game's rules."""
    hidden = np.array([occasion.hidden for occasion in rules.OCCASIONS])
    rank_one = steps_of(rules).rank

    @compiled
    def count(states: np.ndarray) -> int:
        return rules.count(states[0])

    @compiled
    def legal(states: np.ndarray, moves: np.ndarray) -> int:
        return rules.legal(states[0], moves)

    @compiled
    def allowed(states: np.ndarray, move: int) -> bool:
        return rules.allowed(states[0], move)

    @compiled
    def act(states: np.ndarray, move: int) -> None:
        rules.act(states[0], move)

    @compiled
    def pending_chance(states: np.ndarray) -> tuple[int, int]:
        return rules.pending_chance(states[0])

    @compiled
    def receive(states: np.ndarray, item: int) -> None:
        rules.receive(states[0], item)

    @compiled
    def pool_size(states: np.ndarray) -> int:
        return rules.pool_size(states[0])

    @compiled
    def hide(states: np.ndarray, seat: int) -> None:
        rules.hide(states[0], seat)

    @compiled
    def conceals(states: np.ndarray, occasion: int, player: int, seat: int) -> bool:
        """Whether the items that a player gets on an occasion are hidden from a seat, or from a spectator (NONE)."""
        return hidden[occasion] and not rules.sees(states[0], seat, player)

    @compiled
    def values(states: np.ndarray, result: np.ndarray) -> None:
        rules.values(states[0], result)

    @compiled
    def rank(states: np.ndarray, result: np.ndarray, places: np.ndarray) -> None:
        rank_one(states[0], result, places)

    @compiled_with_arrays
    def preview(
        states: np.ndarray, scratch: np.ndarray, moves: np.ndarray, values_out: np.ndarray, effects: np.ndarray
    ) -> None:
        player = states[0].turn
        rules.values(states[0], values_out)
        before = values_out[player].copy()
        for which in range(moves.size):
            scratch[0] = states[0]
            rules.act(scratch[0], moves[which])
            rules.values(scratch[0], values_out)
            for at in range(before.size):
                effects[which, at] = values_out[player, at] - before[at]
            effects[which, before.size] = scratch[0].phase

    return LiftedRules(
        count, legal, allowed, act, pending_chance, receive, pool_size, hide, conceals, values, rank, preview
    )

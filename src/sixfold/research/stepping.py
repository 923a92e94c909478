"""Many games side by side, a decision at a time: a move, what chance and the others do, the end, and a new beginning.

The same functions step games on a CPU (``batch``) and on a card (``card``).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numpy as np

from sixfold.bots.tree import by_place
from sixfold.games.contract import Masks, Rules
from sixfold.games.shared.compiling import compiled, compiled_into_callers
from sixfold.games.shared.generator import below, stream
from sixfold.games.shared.symbols import CHANCE, FIRST_DECISION, NONE, OVER

# Instead of a move: put this game away and begin another.
ANEW = -2


@compiled
def seed_streams(seed: np.uint64, first: int, generators: np.ndarray) -> None:
    """The generators of many games of a seed."""
    for game in range(generators.size):
        generators[game] = stream(seed, first + game)


@dataclass(frozen=True)
class Stepping:
    """The compiled functions of a game."""

    step: Callable[..., None]
    sample: Callable[..., None]
    allow: Callable[..., None]
    allow_all: Callable[..., None]


# Closed over is a module, never a compiled function: only so can Numba cache what is made.


@cache
def stepping(rules: Rules) -> Stepping:
    """Compile them."""

    @compiled_into_callers
    def step(
        states: Any,
        desk: Any,
        at: int,
        begin: Any,
        generator: Any,
        generators: Any,
        seats: Any,
        actions: Any,
        outcome: Any,
        views: Any,
        last_views: Any,
        games: Any,
    ) -> None:
        """Play one action in each of some games, and go on to the next decision: of the game's seat, while the others
        play random legal moves, or of anybody where the seat is NONE. An action that is no legal move stands for the
        first legal one. A game that ends is counted, and another begins.

        It is played at a place of the desk. Without ``states`` the game lies there already, and stays there.
        """
        turns, rewards, values, ended, illegal = outcome
        players = int(begin[0].players)
        state = desk[at]
        for game in range(games[0], games[1]):
            if states is not None:
                desk[at] = states[game]
            generator[0] = generators[game]
            seat = seats[game]
            move = int(actions[game])
            ended[game] = 0
            illegal[game] = 0
            for player in range(players):
                rewards[game, player] = 0.0
            told = move != ANEW
            if not told:
                desk[at] = begin[0]
            while told or state.phase < FIRST_DECISION or (seat != NONE and state.turn != seat):
                if state.phase == CHANCE:
                    rules.receive(state, rules.drawn(state, below(generator, rules.pool_size(state))))
                elif state.phase == OVER:
                    ended[game] = 1
                    rules.values(state, values[game])
                    by_place(values[game], players, rewards[game])
                    for player in range(players):
                        rewards[game, player] = 2.0 * rewards[game, player] - 1.0
                    # Ranking has sorted them.
                    rules.values(state, values[game])
                    if last_views is not None:
                        rules.hide(state, state.turn if seat == NONE else seat)
                        last_views[game] = desk[at]
                    desk[at] = begin[0]
                else:
                    if not told:
                        move = rules.nth(state, below(generator, rules.count(state)))
                    elif not rules.allowed(state, move):
                        illegal[game] = 1
                        move = rules.nth(state, 0)
                    told = False
                    rules.act(state, move)
            generators[game] = generator[0]
            turns[game] = state.turn
            if states is not None:
                states[game] = desk[at]
                rules.hide(state, state.turn)
                views[game] = desk[at]

    @compiled
    def sample(states: Any, generators: Any, actions: Any) -> None:
        """A random legal move for each game."""
        for game in range(states.size):
            generator = generators[game : game + 1]
            actions[game] = rules.nth(states[game], below(generator, rules.count(states[game])))

    return Stepping(step, sample, allowing(rules), masking(rules))


def allowing(rules: Rules) -> Callable[..., None]:
    """Compile a 1 for the legal moves of one game in a row of zeros: bytes, eight of them in a word. Where many work at
    it, each does every ``stride``-th part from number ``first`` on."""
    if hasattr(rules, "mask"):
        masks = cast(Masks, rules)

        @compiled
        def mask(state: Any, words: Any, legal: Any, first: int, stride: int) -> None:
            masks.mask(state, words, first, stride)

        return mask

    @compiled
    def allow(state: Any, words: Any, legal: Any, first: int, stride: int) -> None:
        for which in range(first, rules.count(state), stride):
            legal[rules.nth(state, which)] = 1

    return allow


def masking(rules: Rules) -> Callable[..., None]:
    """Compile a 1 for every legal move of each game, else 0."""
    if hasattr(rules, "mask"):
        masks = cast(Masks, rules)

        @compiled
        def mask_all(states: Any, moves: Any, words: Any, legal: Any) -> None:
            for game in range(states.size):
                masks.mask(states[game], words[game], 0, 1)

        return mask_all

    @compiled
    def list_all(states: Any, moves: Any, words: Any, legal: Any) -> None:
        """Listing them at once is quickest where nothing runs beside."""
        for game in range(states.size):
            for word in range(words.shape[1]):
                words[game, word] = 0
            for which in range(rules.legal(states[game], moves)):
                legal[game, moves[which]] = 1

    return list_all

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
    """The compiled functions of a game: for one, as a card needs them, and for all of a batch."""

    go_on: Callable[..., None]
    choose: Callable[..., int]
    step: Callable[..., None]
    sample: Callable[..., None]
    allow: Callable[..., None]
    allow_all: Callable[..., None]


@cache
def stepping(rules: Rules) -> Stepping:
    """Compile them."""
    choose = choosing(rules)
    go_on = going_on(rules)

    @compiled
    def step(
        states: Any,
        begin: Any,
        generators: Any,
        seats: Any,
        actions: Any,
        outcome: Any,
        views: Any,
        last_views: Any,
        desk: Any,
    ) -> None:
        """Play one action in each game, and write down what the next to decide sees."""
        scratch, generator = desk
        for game in range(states.size):
            scratch[0] = states[game]
            generator[0] = generators[game]
            go_on(scratch, 0, begin, generator, seats[game], int(actions[game]), outcome, game, last_views)
            generators[game] = generator[0]
            states[game] = scratch[0]
            rules.hide(scratch[0], scratch[0].turn)
            views[game] = scratch[0]

    @compiled
    def sample(states: Any, generators: Any, actions: Any) -> None:
        """A random legal move for each game."""
        for game in range(states.size):
            actions[game] = choose(states[game], generators[game : game + 1])

    return Stepping(go_on, choose, step, sample, allowing(rules), masking(rules))


@cache
def choosing(rules: Rules) -> Callable[..., int]:
    """Compile a random legal move."""

    @compiled
    def choose(state: Any, generator: Any) -> int:
        """A random legal move."""
        return rules.nth(state, below(generator, rules.count(state)))

    return choose


def going_on(rules: Rules) -> Callable[..., None]:
    """Compile a step of one game."""
    choose = choosing(rules)

    @compiled_into_callers
    def go_on(
        states: Any,
        at: int,
        begin: Any,
        generator: Any,
        seat: int,
        move: int,
        outcome: Any,
        game: int,
        last_views: Any,
    ) -> None:
        """Play one action in the state at a place, and go on to the next decision: of the game's seat, while the
        others play random legal moves, or of anybody where the seat is NONE. An action that is no legal move stands
        for the first legal one. A game that ends is counted, and another begins."""
        turns, rewards, values, ended, illegal = outcome
        state = states[at]
        players = int(begin[0].players)
        ended[game] = 0
        illegal[game] = 0
        for player in range(players):
            rewards[game, player] = 0.0
        told = move != ANEW
        if not told:
            states[at] = begin[0]
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
                    last_views[game] = states[at]
                states[at] = begin[0]
            else:
                if not told:
                    move = choose(state, generator)
                elif not rules.allowed(state, move):
                    illegal[game] = 1
                    move = rules.nth(state, 0)
                told = False
                rules.act(state, move)
        turns[game] = state.turn

    return go_on


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

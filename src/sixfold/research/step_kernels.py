"""Steps many games by one decision each: the move, chance events, opponents' moves, the end, and the next game.

The same functions step games on a CPU (``batch``) and on a GPU (``cuda_batch``).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numpy as np

from sixfold.engine.steps import steps_of
from sixfold.games.contract import Masks, Rules
from sixfold.games.shared.compiler import compiled, compiled_into_callers
from sixfold.games.shared.generator import stream
from sixfold.games.shared.ranking import utility
from sixfold.games.shared.symbols import CHANCE, FIRST_DECISION, NONE, OVER

# Passed instead of a move: abandon this game and begin another.
NEW_GAME = -2


@compiled
def seed_streams(seed: np.uint64, first: int, generators: np.ndarray) -> None:
    """Seed the generators of many games."""
    for game in range(generators.size):
        generators[game] = stream(seed, first + game)


@dataclass(frozen=True)
class StepFunctions:
    """The compiled step functions of a game."""

    step: Callable[..., None]
    sample: Callable[..., None]
    allow: Callable[..., None]
    allow_all: Callable[..., None]


@cache
def compile_steps(rules: Rules) -> StepFunctions:
    """Compile the step functions of a game."""
    steps = steps_of(rules)
    draw, random_move, rank = steps.draw, steps.random_move, steps.rank

    @compiled_into_callers
    def step(
        states: Any,
        workspace: Any,
        at: int,
        begin: Any,
        generator: Any,
        places: Any,
        generators: Any,
        seats: Any,
        actions: Any,
        outcome: Any,
        views: Any,
        last_views: Any,
        games: Any,
    ) -> None:
        """Play one action in each game of a range and advance to the next decision: of the game's seat, while the
        others play random legal moves, or of any player if the seat is NONE. An illegal action is replaced by the first
        legal move. When a game ends, its result is written and another begins.

        The game is played in slot ``at`` of the workspace. Without ``states`` it is already there, and stays there.
        """
        turns, rewards, values, ended, illegal = outcome
        players = int(begin[0].players)
        state = workspace[at]
        for game in range(games[0], games[1]):
            if states is not None:
                workspace[at] = states[game]
            generator[0] = generators[game]
            seat = seats[game]
            move = int(actions[game])
            ended[game] = 0
            illegal[game] = 0
            for player in range(players):
                rewards[game, player] = 0.0
            pending = move != NEW_GAME
            if not pending:
                workspace[at] = begin[0]
            while pending or state.phase < FIRST_DECISION or (seat != NONE and state.turn != seat):
                if state.phase == CHANCE:
                    draw(state, generator)
                elif state.phase == OVER:
                    ended[game] = 1
                    rank(state, values[game], places)
                    for player in range(players):
                        rewards[game, player] = utility(places, players, player)
                    if last_views is not None:
                        rules.hide(state, state.turn if seat == NONE else seat)
                        last_views[game] = workspace[at]
                    workspace[at] = begin[0]
                else:
                    if not pending:
                        move = random_move(state, generator)
                    elif not rules.allowed(state, move):
                        illegal[game] = 1
                        move = rules.nth(state, 0)
                    pending = False
                    rules.act(state, move)
            generators[game] = generator[0]
            turns[game] = state.turn
            if states is not None:
                states[game] = workspace[at]
                rules.hide(state, state.turn)
                views[game] = workspace[at]

    @compiled
    def sample(states: Any, generators: Any, actions: Any) -> None:
        """Choose a random legal move for each game."""
        for game in range(states.size):
            generator = generators[game : game + 1]
            actions[game] = random_move(states[game], generator)

    return StepFunctions(step, sample, compile_mask(rules), compile_masks(rules))


def compile_mask(rules: Rules) -> Callable[..., None]:
    """Compile a function that sets the bytes of one game's legal moves in a row of zeros, eight bytes to a word.

    Several threads can share the work, each doing every ``stride``-th part from ``first`` on.
    """
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


def compile_masks(rules: Rules) -> Callable[..., None]:
    """Compile a function that writes the masks of many games: 1 for every legal move, else 0."""
    if hasattr(rules, "mask"):
        masks = cast(Masks, rules)

        @compiled
        def mask_all(states: Any, moves: Any, words: Any, legal: Any) -> None:
            for game in range(states.size):
                masks.mask(states[game], words[game], 0, 1)

        return mask_all

    @compiled
    def list_all(states: Any, moves: Any, words: Any, legal: Any) -> None:
        """On a single thread, listing all moves at once is fastest."""
        for game in range(states.size):
            for word in range(words.shape[1]):
                words[game, word] = 0
            for which in range(rules.legal(states[game], moves)):
                legal[game, moves[which]] = 1

    return list_all

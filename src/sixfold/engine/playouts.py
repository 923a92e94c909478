"""Batches of random playouts of any game on the CPU."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from sixfold.engine.cpu import Cores
from sixfold.engine.steps import steps_of
from sixfold.games.contract import Rules
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.generator import seed_word, stream
from sixfold.games.shared.symbols import OVER


@cache
def random_games(rules: Rules) -> Callable[..., None]:
    """A compiled function that plays uniformly random games, one for every ``stride``-th row starting at ``row``."""
    step, rank = steps_of(rules).step, steps_of(rules).rank

    @compiled
    def play(
        begin: np.ndarray,
        scratch: np.ndarray,
        generator: np.ndarray,
        seed: np.uint64,
        first: int,
        row: int,
        stride: int,
        lengths: np.ndarray,
        results: np.ndarray,
        places: np.ndarray,
    ) -> None:
        while row < lengths.size:
            scratch[0] = begin[0]
            generator[0] = stream(seed, first + row)
            state = scratch[0]
            decisions = 0
            while state.phase != OVER:
                decisions += step(state, generator)
            lengths[row] = decisions
            rank(state, results[row], places[row])
            row += stride

    return play


@dataclass(frozen=True)
class Games:
    """Finished playouts: the number of decisions in each game, and every player's final values and place."""

    lengths: np.ndarray
    values: np.ndarray
    places: np.ndarray


def play_games(rules: Rules, begin: np.ndarray, seed: int, first: int, games: int, cores: int = 1) -> Games:
    """Play ``games`` random games of a seed, starting with number ``first``; the same seed gives the same games."""
    play = random_games(rules)
    seed_value = seed_word(seed)
    lengths = np.zeros(games, dtype=np.int32)
    players = int(begin[0].players)
    values = np.zeros((games, players, len(rules.VALUES)), dtype=np.int8)
    places = np.zeros((games, players), dtype=np.int8)

    def play_range(start: int, stop: int) -> None:
        scratch, generator = begin.copy(), np.empty(1, dtype=np.uint64)
        finished = (array[start:stop] for array in (lengths, values, places))
        play(begin, scratch, generator, seed_value, first + start, 0, 1, *finished)

    # Many more ranges than cores, so that all cores finish at about the same time.
    Cores(cores, ranges_per_core=16).run(games, play_range)
    return Games(lengths, values, places)

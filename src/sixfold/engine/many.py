"""The rules of any game over arrays of states: random games from start to end, and one state for the object."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache

import numpy as np

from sixfold.games.contract import Rules
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.generator import below, seed_word, stream
from sixfold.games.shared.symbols import CHANCE, OVER

# The factories below close over a module, never over a compiled function: only so can Numba cache what they make.


@cache
def random_games(rules: Rules) -> Callable[..., None]:
    """Compiled: play games of uniformly random legal moves, one for every ``stride``-th row from ``row`` on."""

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
    ) -> None:
        while row < lengths.size:
            scratch[0] = begin[0]
            generator[0] = stream(seed, first + row)
            state = scratch[0]
            decisions = 0
            while state.phase != OVER:
                if state.phase == CHANCE:
                    rules.receive(state, rules.drawn(state, below(generator, rules.pool_size(state))))
                else:
                    rules.act(state, rules.nth(state, below(generator, rules.count(state))))
                    decisions += 1
            lengths[row] = decisions
            rules.values(state, results[row])
            row += stride

    return play


@dataclass(frozen=True)
class Games:
    """Games that were played out: how many decisions each had, and every player's six final values."""

    lengths: np.ndarray
    values: np.ndarray


def play_games(rules: Rules, begin: np.ndarray, seed: int, first: int, games: int, cores: int = 1) -> Games:
    """Play random games number ``first`` and following of a seed, on some cores; the same seed plays the same games."""
    play = random_games(rules)
    word = seed_word(seed)
    lengths = np.zeros(games, dtype=np.int32)
    results = np.zeros((games, int(begin[0].players), 6), dtype=np.int8)

    def share(start: int, stop: int) -> None:
        scratch, generator = begin.copy(), np.empty(1, dtype=np.uint64)
        play(begin, scratch, generator, word, first + start, 0, 1, lengths[start:stop], results[start:stop])

    # Many more shares than cores, so that all finish together.
    edges = np.linspace(0, games, min(games, 1 if cores == 1 else cores * 16) + 1, dtype=int)
    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(share, edges[:-1], edges[1:]))
    return Games(lengths, results)

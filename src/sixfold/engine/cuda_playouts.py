"""Random playouts on a CUDA GPU with the same compiled functions as on the CPU, one game at a time per thread."""

import time
from functools import cache
from typing import Any

import numba
import numpy as np

from sixfold.engine.cuda import cuda, launch, need_device, record_type
from sixfold.engine.playouts import Games, random_games
from sixfold.games.contract import Rules
from sixfold.games.shared.generator import seed_word

THREADS_PER_BLOCK = 256
BLOCKS = 132 * 32


@cache
def kernel(rules: Rules) -> Any:
    """The kernel for one game's rules; each thread plays every ``gridsize``-th game."""
    play = random_games(rules)
    state_type = record_type(rules.STATE)

    @cuda.jit
    def games(
        begin: np.ndarray, seed: int, first: int, lengths: np.ndarray, values: np.ndarray, places: np.ndarray
    ) -> None:
        scratch = cuda.local.array(1, state_type)
        generator = cuda.local.array(1, numba.uint64)
        play(begin, scratch, generator, seed, first, cuda.grid(1), cuda.gridsize(1), lengths, values, places)

    return games


def play_on_device(rules: Rules, begin: np.ndarray, seed: int, first: int, games: int) -> tuple[Games, float]:
    """Play the same games as ``playouts.play_games`` with this seed; returns them and the kernel's seconds."""
    need_device()
    lengths = cuda.device_array(games, dtype=np.int32)
    players = int(begin[0].players)
    values = cuda.device_array((games, players, len(rules.VALUES)), dtype=np.int8)
    places = cuda.device_array((games, players), dtype=np.int8)
    start = cuda.to_device(begin)
    cuda.synchronize()
    clock = time.perf_counter()
    launch(kernel(rules), BLOCKS, THREADS_PER_BLOCK, start, seed_word(seed), first, lengths, values, places)
    cuda.synchronize()
    seconds = time.perf_counter() - clock
    return Games(*(array.copy_to_host() for array in (lengths, values, places))), seconds

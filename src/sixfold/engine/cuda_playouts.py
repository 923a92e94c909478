"""Random playouts on a CUDA GPU with the same compiled functions as on the CPU, one game at a time per thread."""

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np

from sixfold.engine.cuda import cuda, launch, need_device, record_type
from sixfold.engine.game import GAMES
from sixfold.engine.playouts import Games, play_games, random_games
from sixfold.games.contract import Rules
from sixfold.games.shared.generator import seed_word
from sixfold.system import available_cores

THREADS_PER_BLOCK = 256
BLOCKS = 132 * 32


@cache
def kernel(rules: Rules) -> Any:
    """The kernel for one game's rules; each thread plays every ``gridsize``-th game."""
    play = random_games(rules)
    state_type = record_type(rules.STATE)

    @cuda.jit
    def games(begin: np.ndarray, seed: int, first: int, lengths: np.ndarray, results: np.ndarray) -> None:
        scratch = cuda.local.array(1, state_type)
        generator = cuda.local.array(1, numba.uint64)
        play(begin, scratch, generator, seed, first, cuda.grid(1), cuda.gridsize(1), lengths, results)

    return games


def play_on_device(rules: Rules, begin: np.ndarray, seed: int, first: int, games: int) -> tuple[Games, float]:
    """Play the same games as ``playouts.play_games`` with this seed; returns them and the kernel's seconds."""
    need_device()
    lengths = cuda.device_array(games, dtype=np.int32)
    results = cuda.device_array((games, int(begin[0].players), len(rules.VALUES)), dtype=np.int8)
    start = cuda.to_device(begin)
    cuda.synchronize()
    clock = time.perf_counter()
    launch(kernel(rules), BLOCKS, THREADS_PER_BLOCK, start, seed_word(seed), first, lengths, results)
    cuda.synchronize()
    seconds = time.perf_counter() - clock
    return Games(lengths.copy_to_host(), results.copy_to_host()), seconds


def bench(games: int, repeats: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """Measure the GPU's speed for every game and player count, and check that CPU and GPU play identical games."""
    need_device()
    rows = []
    for rules in GAMES.values():
        for players in rules.PLAYERS:
            tell(f"{rules.NAME}, {players} players")
            begin = rules.start(players)
            on_device, _ = play_on_device(rules, begin, 1, 0, games)
            on_cpu = play_games(rules, begin, 1, 0, games, available_cores())
            same_lengths = np.array_equal(on_device.lengths, on_cpu.lengths)
            identical = same_lengths and np.array_equal(on_device.values, on_cpu.values)
            rates = []
            for repeat in range(repeats):
                played, seconds = play_on_device(rules, begin, 2, repeat * 10 * games, 10 * games)
                rates.append((int(played.lengths.sum()) / seconds, len(played.lengths) / seconds))
            decisions, games_per_second = sorted(rates)[repeats // 2]
            rows.append(
                {
                    "game": rules.NAME,
                    "players": players,
                    "decisions": decisions,
                    "games": games_per_second,
                    "compared": games,
                    "identical": identical,
                }
            )
    name = cuda.get_current_device().name
    return {"device": name.decode() if isinstance(name, bytes) else str(name), "repeats": repeats, "games": rows}

"""Thousands of games side by side on a CUDA card: everything stays there, and others take it over without a copy.

The functions are those of ``stepping``, one game in every thread; the same seed plays the same games as on the CPU.
"""

import importlib
from contextlib import nullcontext
from functools import cache
from typing import Any

import numba
import numpy as np

from sixfold.engine.gpu import need_device
from sixfold.errors import SetupError
from sixfold.games.contract import Rules
from sixfold.numba_internals import tables_in_global_memory
from sixfold.research.batch import MOVES, Outcome, setup, streams
from sixfold.research.dlpack import ON_CPU, ON_CUDA, Shared
from sixfold.research.observing import row_of, write_row
from sixfold.research.stepping import ANEW, stepping

config: Any = importlib.import_module("numba.core.config")
cuda: Any = importlib.import_module("numba.cuda")

# The simulator compiles nothing.
compiling: Any = nullcontext if config.ENABLE_CUDASIM else tables_in_global_memory

# One game in a thread, or one game in a block.
THREADS, THREADS_OF_A_GAME = 128, 64


@cache
def kernels(rules: Rules) -> tuple[Any, Any, Any, Any]:
    """The kernels of a game: step, random legal moves, legal masks, observations."""
    do = stepping(rules)
    play, choose, allow = do.step, do.sample, do.allow
    state_type = rules.STATE if config.ENABLE_CUDASIM else numba.from_dtype(rules.STATE)

    @cuda.jit
    def step(
        states: Any,
        begin: Any,
        generators: Any,
        seats: Any,
        actions: Any,
        turns: Any,
        rewards: Any,
        values: Any,
        ended: Any,
        illegal: Any,
        views: Any,
        last_views: Any,
    ) -> None:
        desk = cuda.local.array(1, state_type), cuda.local.array(1, numba.uint64)
        outcome = turns, rewards, values, ended, illegal
        first, stride = cuda.grid(1), cuda.gridsize(1)
        play(states, begin, generators, seats, actions, outcome, views, last_views, desk, first, stride)

    @cuda.jit
    def sample(states: Any, generators: Any, actions: Any) -> None:
        choose(states, generators, actions, cuda.grid(1), cuda.gridsize(1))

    @cuda.jit
    def mask(states: Any, legal: Any) -> None:
        game, first, stride = cuda.blockIdx.x, cuda.threadIdx.x, cuda.blockDim.x
        for move in range(first, legal.shape[1], stride):
            legal[game, move] = 0
        cuda.syncthreads()
        allow(states, legal, game, first, stride)

    @cuda.jit
    def observe(views: Any, seats: Any, places: Any, turn: int, rows: Any) -> None:
        game = cuda.blockIdx.x
        write_row(views[game], seats[game], places, turn, rows[game], cuda.threadIdx.x, cuda.blockDim.x)

    return step, sample, mask, observe


class CardBatch:
    """Games of one kind on a card, as ``batch.Batch`` has them on the CPU. What it returns are arrays that every step
    writes to again."""

    def __init__(self, game: str, players: int = 2, games: int = 65536, *, seats: Any = None, **options: Any) -> None:
        need_device()
        self.rules, begin, given = setup(game, players, games, seats, options)
        self.games, self.players = games, players
        # In the simulator everything is in the CPU's memory.
        self._device = (ON_CPU, 0) if config.ENABLE_CUDASIM else (ON_CUDA, int(cuda.get_current_device().id))
        self._row = row_of(self.rules, players)
        self._step, self._sample, self._mask, self._observe = kernels(self.rules)
        self._begin, self._seats = cuda.to_device(begin), cuda.to_device(given)
        self._places = cuda.to_device(self._row.places)
        self._states = cuda.to_device(np.repeat(begin, games))
        # The same bytes twice: as the rules write views, and as observations read them.
        self._raw_views = cuda.device_array((games, self.rules.STATE.itemsize), dtype=np.int8)
        self._views = self._raw_views.view(self.rules.STATE).reshape(games)
        self._last_views = cuda.to_device(np.repeat(begin, games))
        self._actions = cuda.device_array(games, dtype=np.int64)
        self.rows = self._new((games, self._row.size), np.int8)
        self.legal = self._new((games, self.rules.ACTIONS), np.int8)
        self.actions = self._shared(self._actions)
        self.outcome = Outcome(
            self._new(games, np.int8),
            self._new((games, players), np.float32),
            self._new((games, players, 6), np.int8),
            self._new(games, np.int8),
            self._new(games, np.int8),
        )

    def begin(self, seed: int) -> tuple[Shared, Outcome]:
        """Begin every game; the same seed begins the same games, also on the CPU."""
        self._generators = cuda.to_device(streams(seed, self.games))
        self._choosers = cuda.to_device(streams(seed, self.games, MOVES))
        return self.step(cuda.to_device(np.full(self.games, ANEW)))

    def step(self, actions: Any) -> tuple[Shared, Outcome]:
        """Play an action in each game, from any array on the card."""
        arrays = (self._states, self._begin, self._generators, self._seats, _on_card(actions))
        turns, *others = (shared.array for shared in self.outcome)
        with compiling():
            blocks = -(-self.games // THREADS)
            self._step[blocks, THREADS](*arrays, turns, *others, self._views, self._last_views)
            row = self._row
            rows = (self._raw_views, turns, self._places, row.turn, self.rows.array)
            self._observe[self.games, THREADS_OF_A_GAME](*rows)
        return self.rows, self.outcome

    def sample(self) -> Shared:
        """A random legal move for each game."""
        with compiling():
            blocks = -(-self.games // THREADS)
            self._sample[blocks, THREADS](self._states, self._choosers, self._actions)
        return self.actions

    def masks(self) -> Shared:
        """A 1 for every legal move of each game."""
        with compiling():
            self._mask[self.games, THREADS_OF_A_GAME](self._states, self.legal.array)
        return self.legal

    def _new(self, shape: Any, kind: Any) -> Any:
        return self._shared(cuda.device_array(shape, dtype=kind))

    def _shared(self, array: Any) -> Shared:
        return Shared(array, self._device, cuda.synchronize)


def _on_card(actions: Any) -> Any:
    if isinstance(actions, Shared):
        return actions.array
    if config.ENABLE_CUDASIM:
        return actions
    if not hasattr(actions, "__cuda_array_interface__"):
        raise SetupError(f"actions have to be an array on the card, not {type(actions).__name__}")
    return cuda.as_cuda_array(actions)

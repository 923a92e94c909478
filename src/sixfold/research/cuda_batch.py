"""Thousands of games in one batch on a GPU (CUDA): all arrays stay there and are shared without a copy.

The functions are those of ``step_kernels``, one game per thread; the same seed plays the same games as on the CPU.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np

from sixfold.engine.cuda import SIMULATED, cuda, launch, need_device, record_type
from sixfold.engine.steps import steps_of
from sixfold.errors import SetupError
from sixfold.games.contract import Rules
from sixfold.games.shared.compiler import compiled
from sixfold.research.batch import MOVE_STREAM, Outcome, setup, streams
from sixfold.research.dlpack import ON_CPU, ON_CUDA, Shared
from sixfold.research.observations import observation_layout, write_row
from sixfold.research.step_kernels import NEW_GAME, compile_steps

# In every kernel all threads of a block copy its states to shared memory, and then each thread works on one of them.
# A team of threads writes a row; for a mask, a block has only one game.
THREADS, TEAM = 64, 32
# The bytes of the words in which states are state_array, and in which masks are written.
_WORD, _LONG = 4, 8


def gpu_dtype(rules: Rules) -> Any:
    """The dtype of a state on the GPU: an odd number of words long, so that the same field of neighbouring states lies
    in different banks of shared memory."""
    fields: Any = rules.STATE.fields
    word = max(_WORD, *(kind.base.itemsize for kind, *_ in fields.values()))
    size = word * (-(-rules.STATE.itemsize // word) | 1)
    layout: Any = {
        "names": list(fields),
        "formats": [kind for kind, *_ in fields.values()],
        "offsets": [offset for _, offset, *_ in fields.values()],
        "itemsize": size,
    }
    return np.dtype((np.record, np.dtype(layout, align=True)))


@compiled
def copy_strided(source: Any, begin: int, target: Any, offset: int, number: int, first: int, stride: int) -> None:
    """Copy every ``stride``-th element from number ``first`` on."""
    for index in range(first, number, stride):
        target[offset + index] = source[begin + index]


@cache
def step_kernel(rules: Rules) -> Any:
    """Compile the kernel that steps every game and writes the observation of the next player to decide."""
    play, hide = compile_steps(rules).step, rules.hide
    dtype, size = record_type(gpu_dtype(rules)), gpu_dtype(rules).itemsize
    length, most_players = size // _WORD, max(rules.PLAYERS)

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
        places: Any,
        turn: int,
        rows: Any,
    ) -> None:
        # The same shared memory as states, words and bytes.
        workspace, words = cuda.shared.array(0, dtype), cuda.shared.array(0, numba.uint32)
        raw, generator = cuda.shared.array(0, numba.int8), cuda.local.array(1, numba.uint64)
        ranks = cuda.local.array(most_players, numba.int8)
        thread, width = cuda.threadIdx.x, cuda.blockDim.x
        first = cuda.blockIdx.x * width
        game, games = first + thread, min(width, seats.size - first)
        copy_strided(states, first * length, words, 0, games * length, thread, width)
        cuda.syncthreads()
        if thread < games:
            outcome, span = (turns, rewards, values, ended, illegal), (game, game + 1)
            play(
                None, workspace, thread, begin, generator, ranks, generators, seats, actions, outcome, None, None, span
            )  # fmt: skip
        cuda.syncthreads()
        copy_strided(words, 0, states, first * length, games * length, thread, width)
        cuda.syncthreads()
        if thread < games:
            hide(workspace[thread], turns[game])
        cuda.syncthreads()
        for index in range(thread // TEAM, games, width // TEAM):
            view, row = raw[index * size : (index + 1) * size], rows[first + index]
            write_row(view, turns[first + index], places, turn, row, thread % TEAM, TEAM)

    return step


@cache
def sample_kernel(rules: Rules) -> Any:
    """Compile the kernel that chooses a random legal move for every game."""
    random_move = steps_of(rules).random_move
    dtype, length = record_type(gpu_dtype(rules)), gpu_dtype(rules).itemsize // _WORD

    @cuda.jit
    def sample(states: Any, generators: Any, actions: Any) -> None:
        workspace, words = cuda.shared.array(0, dtype), cuda.shared.array(0, numba.uint32)
        generator = cuda.local.array(1, numba.uint64)
        thread, width = cuda.threadIdx.x, cuda.blockDim.x
        first = cuda.blockIdx.x * width
        game, games = first + thread, min(width, actions.size - first)
        copy_strided(states, first * length, words, 0, games * length, thread, width)
        cuda.syncthreads()
        if thread < games:
            generator[0] = generators[game]
            actions[game] = random_move(workspace[thread], generator)
            generators[game] = generator[0]

    return sample


@cache
def mask_kernel(rules: Rules) -> Any:
    """Compile the kernel that writes every game's mask of legal moves, built in shared memory after the state."""
    allow, dtype, length = compile_steps(rules).allow, record_type(gpu_dtype(rules)), gpu_dtype(rules).itemsize // _WORD
    actions, offset, memory = rules.ACTIONS, _mask_offset(rules), _mask_memory(rules)

    @cuda.jit
    def mask(states: Any, legal: Any, legal_words: Any) -> None:
        workspace, words = cuda.shared.array(0, dtype), cuda.shared.array(0, numba.uint32)
        raw, mask_words = cuda.shared.array(0, numba.int8), cuda.shared.array(0, numba.uint64)
        thread, width, game = cuda.threadIdx.x, cuda.blockDim.x, cuda.blockIdx.x
        copy_strided(states, game * length, words, 0, length, thread, width)
        for word in range(offset // _LONG + thread, memory // _LONG, width):
            mask_words[word] = 0
        cuda.syncthreads()
        allow(workspace[0], mask_words[offset // _LONG : memory // _LONG - 1], raw[offset:], thread, width)
        cuda.syncthreads()
        # A row may start inside a word: copy whole words in the middle, and bytes at both ends.
        begin = game * actions
        lead = min(-begin % _LONG, actions)
        number = (actions - lead) // _LONG
        for word in range(thread, number, width):
            at = offset // _LONG + word
            low = mask_words[at] >> np.uint64(8 * lead)
            high = mask_words[at + 1] << np.uint64(1) << np.uint64(63 - 8 * lead)
            legal_words[(begin + lead) // _LONG + word] = low | high
        rest = lead + number * _LONG
        copy_strided(raw, offset, legal, begin, lead, thread, width)
        copy_strided(raw, offset + rest, legal, begin + rest, actions - rest, thread, width)

    return mask


def _mask_offset(rules: Rules) -> int:
    """The offset of the mask after a state, in bytes."""
    return -(-gpu_dtype(rules).itemsize // _LONG) * _LONG


def _mask_memory(rules: Rules) -> int:
    """The bytes of a state, a mask, and one more word, which is read past the end."""
    return _mask_offset(rules) + (-(-rules.ACTIONS // _LONG) + 1) * _LONG


class CudaBatch:
    """Games of one kind on a GPU, like ``batch.Batch`` on the CPU. The returned arrays are overwritten by every
    step."""

    def __init__(self, game: str, players: int = 2, games: int = 65536, *, seats: Any = None, **options: Any) -> None:
        need_device()
        self.rules, begin, seat_array = setup(game, players, games, seats, options)
        self.games, self.players = games, players
        # In the simulator all arrays are in the CPU's memory.
        self._device = (ON_CPU, 0) if SIMULATED else (ON_CUDA, int(cuda.get_current_device().id))
        self._row, dtype = observation_layout(self.rules, players), gpu_dtype(self.rules)
        self._shared_memory = dtype.itemsize * THREADS
        self._begin, self._seats = cuda.to_device(begin.astype(dtype)), cuda.to_device(seat_array)
        self._places = cuda.to_device(self._row.places)
        self._states = cuda.device_array(games * dtype.itemsize // _WORD, dtype=np.uint32)
        self._actions = cuda.device_array(games, dtype=np.int64)
        self.rows = self._new((games, self._row.size), np.int8)
        # Two views of the same memory: words, and the bytes that are shared.
        self._legal_words = cuda.device_array(-(-games * self.rules.ACTIONS // _LONG), dtype=np.uint64)
        self._legal = self._legal_words.view(np.int8)[: games * self.rules.ACTIONS]
        self.legal = self._shared(self._legal.reshape(games, self.rules.ACTIONS))
        self.actions = self._shared(self._actions)
        self.outcome = Outcome(
            self._new(games, np.int8),
            self._new((games, players), np.float32),
            self._new((games, players, len(self.rules.VALUES)), np.int8),
            self._new(games, np.int8),
            self._new(games, np.int8),
        )

    def begin(self, seed: int) -> tuple[Shared, Outcome]:
        """Begin every game; the same seed gives the same games as on the CPU."""
        self._generators = cuda.to_device(streams(seed, self.games))
        self._move_generators = cuda.to_device(streams(seed, self.games, MOVE_STREAM))
        return self.step(cuda.to_device(np.full(self.games, NEW_GAME)))

    def step(self, actions: Any) -> tuple[Shared, Outcome]:
        """Play an action in each game, from any array on the GPU."""
        arrays = (self._states, self._begin, self._generators, self._seats, _device_array(actions))
        outcome = [shared.array for shared in self.outcome]
        self._run(step_kernel, *arrays, *outcome, self._places, self._row.turn, self.rows.array)
        return self.rows, self.outcome

    def sample(self) -> Shared:
        """A random legal move for each game."""
        self._run(sample_kernel, self._states, self._move_generators, self._actions)
        return self.actions

    def masks(self) -> Shared:
        """The mask of legal moves of each game."""
        arrays = self._states, self._legal, self._legal_words
        launch(mask_kernel(self.rules), self.games, TEAM, *arrays, shared_memory=_mask_memory(self.rules))
        return self.legal

    def _run(self, kernel: Callable[[Rules], Any], *arrays: Any) -> None:
        """Run a kernel with one thread per game."""
        blocks = -(-self.games // THREADS)
        launch(kernel(self.rules), blocks, THREADS, *arrays, shared_memory=self._shared_memory)

    def _new(self, shape: Any, dtype: Any) -> Any:
        return self._shared(cuda.device_array(shape, dtype=dtype))

    def _shared(self, array: Any) -> Shared:
        return Shared(array, self._device, cuda.synchronize)


def _device_array(actions: Any) -> Any:
    if isinstance(actions, Shared):
        return actions.array
    if SIMULATED:
        return actions
    if not hasattr(actions, "__cuda_array_interface__"):
        raise SetupError(f"actions have to be an array on the GPU, not {type(actions).__name__}")
    return cuda.as_cuda_array(actions)

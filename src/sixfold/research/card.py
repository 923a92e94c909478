"""Thousands of games side by side on a CUDA card: everything stays there, and others take it over without a copy.

The functions are those of ``stepping``, one game in every thread; the same seed plays the same games as on the CPU.
"""

import importlib
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from typing import Any

import numba
import numpy as np

from sixfold.engine.gpu import need_device
from sixfold.errors import SetupError
from sixfold.games.contract import Rules
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.generator import below
from sixfold.numba_internals import tables_in_global_memory
from sixfold.research.batch import MOVES, Outcome, setup, streams
from sixfold.research.dlpack import ON_CPU, ON_CUDA, Shared
from sixfold.research.observing import row_of, write_row
from sixfold.research.stepping import ANEW, stepping

config: Any = importlib.import_module("numba.core.config")
cuda: Any = importlib.import_module("numba.cuda")

# The simulator compiles nothing.
compiling: Any = nullcontext if config.ENABLE_CUDASIM else tables_in_global_memory

# In every kernel a block brings its states to shared memory with all its threads, and then works on them there, one in
# a thread. A team of threads writes a row, or a mask, for which a block has only one game.
THREADS, TEAM = 64, 32
# Bytes of what is brought at once, and of what masks are written in.
_WORD, _LONG = 4, 8


def kind_on_card(rules: Rules) -> Any:
    """The type of a state on the card: an odd number of words long, so that the same field of neighbouring states lies
    in different banks of shared memory."""
    fields: Any = rules.STATE.fields
    word = max(_WORD, *(kind.base.itemsize for kind, *_ in fields.values()))
    size = word * (-(-rules.STATE.itemsize // word) | 1)
    described: Any = {
        "names": list(fields),
        "formats": [kind for kind, *_ in fields.values()],
        "offsets": [offset for _, offset, *_ in fields.values()],
        "itemsize": size,
    }
    return np.dtype((np.record, np.dtype(described, align=True)))


def _compiled_kind(rules: Rules) -> Any:
    # The simulator runs plain Python, to which a state is a NumPy record.
    kind = kind_on_card(rules)
    return kind if config.ENABLE_CUDASIM else numba.from_dtype(kind)


@compiled
def carry(source: Any, begin: int, target: Any, at: int, number: int, first: int, stride: int) -> None:
    """Copy some numbers to another place: every ``stride``-th from number ``first`` on."""
    for which in range(first, number, stride):
        target[at + which] = source[begin + which]


@cache
def step_kernel(rules: Rules) -> Any:
    """A step of every game, and what the next to decide sees."""
    play, hide = stepping(rules).step, rules.hide
    kind, size = _compiled_kind(rules), kind_on_card(rules).itemsize
    length = size // _WORD

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
        # The same memory as states, words and bytes.
        desk, words = cuda.shared.array(0, kind), cuda.shared.array(0, numba.uint32)
        numbers, generator = cuda.shared.array(0, numba.int8), cuda.local.array(1, numba.uint64)
        here, width = cuda.threadIdx.x, cuda.blockDim.x
        first = cuda.blockIdx.x * width
        game, games = first + here, min(width, seats.size - first)
        carry(states, first * length, words, 0, games * length, here, width)
        cuda.syncthreads()
        if here < games:
            outcome, one = (turns, rewards, values, ended, illegal), (game, game + 1)
            play(None, desk, here, begin, generator, generators, seats, actions, outcome, None, None, one)
        cuda.syncthreads()
        carry(words, 0, states, first * length, games * length, here, width)
        cuda.syncthreads()
        if here < games:
            hide(desk[here], turns[game])
        cuda.syncthreads()
        for which in range(here // TEAM, games, width // TEAM):
            view, row = numbers[which * size : (which + 1) * size], rows[first + which]
            write_row(view, turns[first + which], places, turn, row, here % TEAM, TEAM)

    return step


@cache
def sample_kernel(rules: Rules) -> Any:
    """A random legal move of every game."""
    count, nth = rules.count, rules.nth
    kind, length = _compiled_kind(rules), kind_on_card(rules).itemsize // _WORD

    @cuda.jit
    def sample(states: Any, generators: Any, actions: Any) -> None:
        desk, words = cuda.shared.array(0, kind), cuda.shared.array(0, numba.uint32)
        generator = cuda.local.array(1, numba.uint64)
        here, width = cuda.threadIdx.x, cuda.blockDim.x
        first = cuda.blockIdx.x * width
        game, games = first + here, min(width, actions.size - first)
        carry(states, first * length, words, 0, games * length, here, width)
        cuda.syncthreads()
        if here < games:
            generator[0] = generators[game]
            actions[game] = nth(desk[here], below(generator, count(desk[here])))
            generators[game] = generator[0]

    return sample


@cache
def mask_kernel(rules: Rules) -> Any:
    """The legal mask of every game, made in shared memory behind the state."""
    allow, kind, length = stepping(rules).allow, _compiled_kind(rules), kind_on_card(rules).itemsize // _WORD
    actions, behind, room = rules.ACTIONS, _behind(rules), _mask_room(rules)

    @cuda.jit
    def mask(states: Any, legal: Any, legal_words: Any) -> None:
        desk, words = cuda.shared.array(0, kind), cuda.shared.array(0, numba.uint32)
        numbers, made = cuda.shared.array(0, numba.int8), cuda.shared.array(0, numba.uint64)
        here, width, game = cuda.threadIdx.x, cuda.blockDim.x, cuda.blockIdx.x
        carry(states, game * length, words, 0, length, here, width)
        for word in range(behind // _LONG + here, room // _LONG, width):
            made[word] = 0
        cuda.syncthreads()
        allow(desk[0], made[behind // _LONG : room // _LONG - 1], numbers[behind:], here, width)
        cuda.syncthreads()
        # The row begins anywhere in a word: whole words in the middle, bytes at both ends.
        begin = game * actions
        lead = min(-begin % _LONG, actions)
        number = (actions - lead) // _LONG
        for word in range(here, number, width):
            at = behind // _LONG + word
            low = made[at] >> np.uint64(8 * lead)
            high = made[at + 1] << np.uint64(1) << np.uint64(63 - 8 * lead)
            legal_words[(begin + lead) // _LONG + word] = low | high
        rest = lead + number * _LONG
        carry(numbers, behind, legal, begin, lead, here, width)
        carry(numbers, behind + rest, legal, begin + rest, actions - rest, here, width)

    return mask


def _behind(rules: Rules) -> int:
    """Where, behind a state, a mask begins."""
    return -(-kind_on_card(rules).itemsize // _LONG) * _LONG


def _mask_room(rules: Rules) -> int:
    """The bytes of a state and a mask, and of one word more, which is read along."""
    return _behind(rules) + (-(-rules.ACTIONS // _LONG) + 1) * _LONG


class CardBatch:
    """Games of one kind on a card, as ``batch.Batch`` has them on the CPU. What it returns are arrays that every step
    writes to again."""

    def __init__(self, game: str, players: int = 2, games: int = 65536, *, seats: Any = None, **options: Any) -> None:
        need_device()
        self.rules, begin, given = setup(game, players, games, seats, options)
        self.games, self.players = games, players
        # In the simulator everything is in the CPU's memory.
        self._device = (ON_CPU, 0) if config.ENABLE_CUDASIM else (ON_CUDA, int(cuda.get_current_device().id))
        self._row, kind = row_of(self.rules, players), kind_on_card(self.rules)
        self._shared_memory = kind.itemsize * THREADS
        self._begin, self._seats = cuda.to_device(begin.astype(kind)), cuda.to_device(given)
        self._places = cuda.to_device(self._row.places)
        self._states = cuda.device_array(games * kind.itemsize // _WORD, dtype=np.uint32)
        self._actions = cuda.device_array(games, dtype=np.int64)
        self.rows = self._new((games, self._row.size), np.int8)
        # The same bytes twice: words, and what is lent.
        self._legal_words = cuda.device_array(-(-games * self.rules.ACTIONS // _LONG), dtype=np.uint64)
        self._legal = self._legal_words.view(np.int8)[: games * self.rules.ACTIONS]
        self.legal = self._shared(self._legal.reshape(games, self.rules.ACTIONS))
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
        outcome = [shared.array for shared in self.outcome]
        self._everywhere(step_kernel, *arrays, *outcome, self._places, self._row.turn, self.rows.array)
        return self.rows, self.outcome

    def sample(self) -> Shared:
        """A random legal move for each game."""
        self._everywhere(sample_kernel, self._states, self._choosers, self._actions)
        return self.actions

    def masks(self) -> Shared:
        """A 1 for every legal move of each game."""
        with compiling():
            kernel = mask_kernel(self.rules)[self.games, TEAM, 0, _mask_room(self.rules)]
            kernel(self._states, self._legal, self._legal_words)
        return self.legal

    def _everywhere(self, kernel: Callable[[Rules], Any], *arrays: Any) -> None:
        """Run a kernel with a game in every thread."""
        with compiling():
            kernel(self.rules)[-(-self.games // THREADS), THREADS, 0, self._shared_memory](*arrays)

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

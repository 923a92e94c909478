"""Kernels over a batch of games, and the backends that run them on a CPU or on a GPU (CUDA).

A kernel processes one game, or one move of one game, by its index. Kernels are compiled from the rules and from the
nets' features; a GPU runs each index in a thread of its own, a CPU runs them in loops on all cores.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numba
import numpy as np
import torch
from numba import njit

from sixfold.bots.net import features_scratch
from sixfold.engine.cpu import Cores
from sixfold.engine.cuda import cuda, launch, record_type
from sixfold.engine.steps import steps_of
from sixfold.games.contract import Features
from sixfold.games.shared.compiler import compiled
from sixfold.games.shared.generator import stream
from sixfold.games.shared.ranking import margin
from sixfold.games.shared.symbols import NONE, OVER

THREADS_PER_BLOCK = 128
NOT_OVER = -1.0


@dataclass(frozen=True)
class Kernels:
    """The compiled kernels of a game, each taking an index into the batch."""

    begin: Callable[..., None]
    determinize: Callable[..., None]
    resolve_chance: Callable[..., None]
    prepare: Callable[..., None]
    candidates: Callable[..., None]
    candidate_inputs: Callable[..., None]
    act: Callable[..., None]
    views: Callable[..., None]
    results: Callable[..., None]


@cache
def compile_kernels(features: Features) -> Kernels:
    """Compile the kernels of a game."""
    rules, steps = features.rules, steps_of(features.rules)
    deal_hidden, resolve_pending, reward = steps.deal_hidden, steps.resolve_chance, steps.reward

    @compiled
    def begin(index: int, first: Any, states: Any, generators: Any, seed: np.uint64, number: Any) -> None:
        states[index] = first[0]
        generators[index] = stream(seed, number[index])

    @compiled
    def determinize(
        index: int,
        states: Any,
        generators: Any,
        source_states: Any,
        live: Any,
        moves: Any,
        worlds: int,
        seed: np.uint64,
        reveal: bool,
        seats: Any,
        kinds: Any,
    ) -> None:
        """Make a move in one determinization, which is the same for all moves: it fixes later draws, and the hidden
        information of the active player unless it is revealed."""
        game = live[index // worlds]
        states[index] = source_states[game]
        state = states[index]
        seat = int(state.turn)
        seats[index] = seat
        world = game * worlds + index % worlds
        generator = generators[index : index + 1]
        generator[0] = stream(seed, world)
        if not reveal:
            rules.hide(state, seat)
        deal_hidden(state, seat, kinds, generator)
        generator[0] = stream(~seed, world)
        rules.act(state, moves[index // worlds])

    @compiled
    def resolve_chance(index: int, states: Any, generators: Any, turns: Any) -> None:
        """Resolve chance events; writes the active player, or NONE if the game is over."""
        state = states[index]
        generator = generators[index : index + 1]
        resolve_pending(state, generator)
        turns[index] = NONE if state.phase == OVER else state.turn

    @compiled
    def prepare(index: int, states: Any, live: Any, board_features: Any) -> None:
        features.prepare(states[live[index]], board_features[index])

    @compiled
    def candidates(index: int, states: Any, live: Any, board_features: Any, moves: Any, values: Any) -> None:
        """A candidate move of a game, and its heuristic value."""
        game = index // moves.shape[1]
        move_index = index % moves.shape[1]
        move, value = features.candidate(states[live[game]], board_features[game], move_index)
        moves[game, move_index] = move
        values[game, move_index] = value if move != NONE else -np.inf

    @compiled
    def candidate_inputs(
        index: int,
        states: Any,
        live: Any,
        moves: Any,
        inputs: Any,
        final_rewards: Any,
        after: Any,
        scratch: Any,
        values: Any,
    ) -> None:
        """The net inputs of the position after a move, or the final reward if the move ends the game."""
        game = index // moves.shape[1]
        move_index = index % moves.shape[1]
        if moves[game, move_index] == NONE:
            return
        after[0] = states[live[game]]
        state = after[0]
        seat = int(state.turn)
        rules.act(state, moves[game, move_index])
        small, work, keys = scratch
        final_rewards[game, move_index] = NOT_OVER
        if state.phase == OVER:
            results, places, rewards = values
            reward(state, results, places, rewards)
            final_rewards[game, move_index] = rewards[seat]
        else:
            features.write_inputs(state, seat, inputs[index], small, work, keys)

    @compiled
    def act(index: int, states: Any, live: Any, moves: Any) -> None:
        rules.act(states[live[index]], moves[index])

    @compiled
    def views(index: int, states: Any, live: Any, seats: Any, inputs: Any, over: Any, scratch: Any) -> None:
        """The net inputs of a game from the perspective of a seat."""
        state = states[live[index]]
        small, work, keys = scratch
        over[index] = state.phase == OVER
        if state.phase != OVER:
            features.write_inputs(state, seats[index], inputs[index], small, work, keys)

    @compiled
    def results(index: int, states: Any, rewards: Any, margins: Any, values: Any) -> None:
        """The result of a game: each player's share of opponents beaten, and the margin of the lowest value."""
        state = states[index]
        results_table, places, shares = values
        players = int(state.players)
        reward(state, results_table, places, shares)
        for seat in range(players):
            margins[index, seat] = margin(results_table, players, seat)
            rewards[index, seat] = shares[seat]

    return Kernels(begin, determinize, resolve_chance, prepare, candidates, candidate_inputs, act, views, results)


class Backend:
    """The states of a batch of games, and the kernels that run on all of them."""

    device: torch.device
    states: Any
    generators: Any

    def _run(self, name: str, number: int, *arguments: Any) -> None:
        """Run a kernel for the first ``number`` indices."""
        raise NotImplementedError

    def begin(self, first: np.ndarray, seed: np.uint64, number: torch.Tensor) -> None:
        self._run("begin", len(number), first, self.states, self.generators, seed, number)

    def determinize(
        self,
        source: "Backend",
        live: torch.Tensor,
        moves: torch.Tensor,
        worlds: int,
        seed: np.uint64,
        reveal: bool,
        seats: torch.Tensor,
    ) -> None:
        arrays = (self.states, self.generators, source.states, live, moves, worlds, seed, reveal, seats)
        self._run("determinize", len(seats), *arrays)

    def resolve_chance(self, turns: torch.Tensor) -> None:
        self._run("resolve_chance", len(turns), self.states, self.generators, turns)

    def prepare(self, live: torch.Tensor, board_features: torch.Tensor) -> None:
        self._run("prepare", len(live), self.states, live, board_features)

    def candidates(
        self, live: torch.Tensor, board_features: torch.Tensor, moves: torch.Tensor, values: torch.Tensor
    ) -> None:
        self._run("candidates", moves.numel(), self.states, live, board_features, moves, values)

    def candidate_inputs(
        self, live: torch.Tensor, moves: torch.Tensor, inputs: torch.Tensor, final_rewards: torch.Tensor
    ) -> None:
        self._run("candidate_inputs", moves.numel(), self.states, live, moves, inputs, final_rewards)

    def act(self, live: torch.Tensor, moves: torch.Tensor) -> None:
        self._run("act", len(live), self.states, live, moves)

    def views(self, live: torch.Tensor, seats: torch.Tensor, inputs: torch.Tensor, over: torch.Tensor) -> None:
        self._run("views", len(live), self.states, live, seats, inputs, over)

    def results(self, rewards: torch.Tensor, margins: torch.Tensor) -> None:
        self._run("results", len(rewards), self.states, rewards, margins)


# The scratch arrays that kernels take on a CPU; on a GPU each thread has local arrays.
SCRATCH = {
    "determinize": ("kinds",),
    "candidate_inputs": ("after", "net", "values"),
    "views": ("net",),
    "results": ("values",),
}


class CpuBackend(Backend):
    """Runs kernels in loops on several cores."""

    def __init__(self, features: Features, games: int, cores: int) -> None:
        self.device = torch.device("cpu")
        self._features = features
        self._cores = Cores(cores)
        self._loops: dict[str, Any] = {}
        self._kernel_functions = compile_kernels(features)
        self.states = np.zeros(games, dtype=features.rules.STATE)
        self.generators = np.zeros(games, dtype=np.uint64)

    def _loop(self, name: str) -> Any:
        if name not in self._loops:
            kernel = getattr(self._kernel_functions, name)

            @njit(nogil=True, error_model="numpy")
            def loop(start: int, stop: int, *arguments: Any) -> None:
                for index in range(start, stop):
                    kernel(index, *arguments)

            self._loops[name] = loop
        return self._loops[name]

    def _run(self, name: str, number: int, *arguments: Any) -> None:
        loop = self._loop(name)
        arrays = [argument.numpy() if isinstance(argument, torch.Tensor) else argument for argument in arguments]

        def share(start: int, stop: int) -> None:
            loop(start, stop, *arrays, *(self._scratch(scratch) for scratch in SCRATCH.get(name, ())))

        self._cores.run(number, share)

    def _scratch(self, name: str) -> Any:
        features = self._features
        if name == "after":
            return np.zeros(1, dtype=features.rules.STATE)
        if name == "kinds":
            return np.zeros(len(features.rules.ITEMS), dtype=np.int8)
        if name == "values":
            players = max(features.rules.PLAYERS)
            shape = players, len(features.rules.VALUES)
            return np.zeros(shape, dtype=np.int8), np.zeros(players, dtype=np.int8), np.zeros(players)
        return features_scratch(features)


@cache
def cuda_kernels(features: Features) -> dict[str, Any]:
    """Compile the kernels for CUDA, with one thread per index."""
    kernels = compile_kernels(features)
    begin_one, determinize_one, resolve_chance_one = kernels.begin, kernels.determinize, kernels.resolve_chance
    prepare_one, candidates_one = kernels.prepare, kernels.candidates
    candidate_inputs_one, act_one = kernels.candidate_inputs, kernels.act
    views_one, results_one = kernels.views, kernels.results
    state_type = record_type(features.rules.STATE)
    small_size, work_size, items = features.SCRATCH8_SIZE, features.SCRATCH32_SIZE, len(features.rules.ITEMS)
    players = max(features.rules.PLAYERS)
    value_count = len(features.rules.VALUES)

    @cuda.jit
    def begin(number: int, first: Any, states: Any, generators: Any, seed: Any, numbers: Any) -> None:
        index = cuda.grid(1)
        if index < number:
            begin_one(index, first, states, generators, seed, numbers)

    @cuda.jit
    def determinize(
        number: int,
        states: Any,
        generators: Any,
        source_states: Any,
        live: Any,
        moves: Any,
        worlds: int,
        seed: Any,
        reveal: bool,
        seats: Any,
    ) -> None:
        index = cuda.grid(1)
        if index < number:
            kinds = cuda.local.array(items, numba.int8)
            determinize_one(index, states, generators, source_states, live, moves, worlds, seed, reveal, seats, kinds)

    @cuda.jit
    def resolve_chance(number: int, states: Any, generators: Any, turns: Any) -> None:
        index = cuda.grid(1)
        if index < number:
            resolve_chance_one(index, states, generators, turns)

    @cuda.jit
    def prepare(number: int, states: Any, live: Any, board_features: Any) -> None:
        index = cuda.grid(1)
        if index < number:
            prepare_one(index, states, live, board_features)

    @cuda.jit
    def candidates(number: int, states: Any, live: Any, board_features: Any, moves: Any, values: Any) -> None:
        index = cuda.grid(1)
        if index < number:
            candidates_one(index, states, live, board_features, moves, values)

    @cuda.jit
    def candidate_inputs(number: int, states: Any, live: Any, moves: Any, inputs: Any, final_rewards: Any) -> None:
        index = cuda.grid(1)
        if index < number:
            after = cuda.local.array(1, state_type)
            small = cuda.local.array(small_size, numba.int8)
            work = cuda.local.array(work_size, numba.int32)
            keys = cuda.local.array(6, numba.uint64)
            results_table = cuda.local.array((players, value_count), numba.int8)
            places = cuda.local.array(players, numba.int8)
            shares = cuda.local.array(players, numba.float64)
            scratch, values = (small, work, keys), (results_table, places, shares)
            candidate_inputs_one(index, states, live, moves, inputs, final_rewards, after, scratch, values)

    @cuda.jit
    def act(number: int, states: Any, live: Any, moves: Any) -> None:
        index = cuda.grid(1)
        if index < number:
            act_one(index, states, live, moves)

    @cuda.jit
    def views(number: int, states: Any, live: Any, seats: Any, inputs: Any, over: Any) -> None:
        index = cuda.grid(1)
        if index < number:
            small = cuda.local.array(small_size, numba.int8)
            work = cuda.local.array(work_size, numba.int32)
            keys = cuda.local.array(6, numba.uint64)
            views_one(index, states, live, seats, inputs, over, (small, work, keys))

    @cuda.jit
    def results(number: int, states: Any, rewards: Any, margins: Any) -> None:
        index = cuda.grid(1)
        if index < number:
            results_table = cuda.local.array((players, value_count), numba.int8)
            places = cuda.local.array(players, numba.int8)
            shares = cuda.local.array(players, numba.float64)
            results_one(index, states, rewards, margins, (results_table, places, shares))

    kernel_functions = begin, determinize, resolve_chance, prepare, candidates, candidate_inputs, act, views, results
    return dict(zip((field.name for field in fields(Kernels)), kernel_functions, strict=True))


class CudaBackend(Backend):
    """Runs kernels on a CUDA device; PyTorch tensors are passed without a copy."""

    def __init__(self, features: Features, games: int) -> None:
        # Small grids are normal towards the end of a round, when few games are left.
        warnings.filterwarnings("ignore", message=".*Grid size")
        self.device = torch.device("cuda")
        torch.zeros(1, device=self.device)  # creates PyTorch's CUDA context first, which Numba then uses too
        self._kernels = cuda_kernels(features)
        self.states = cuda.device_array(games, dtype=features.rules.STATE)
        self.generators = cuda.device_array(games, dtype=np.uint64)

    def _run(self, name: str, number: int, *arguments: Any) -> None:
        if number == 0:
            return
        blocks = (number + THREADS_PER_BLOCK - 1) // THREADS_PER_BLOCK
        launch(self._kernels[name], blocks, THREADS_PER_BLOCK, number, *arguments)

    def begin(self, first: np.ndarray, seed: np.uint64, number: torch.Tensor) -> None:
        super().begin(cuda.to_device(first), seed, number)

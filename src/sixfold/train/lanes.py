"""Many games side by side: what happens in one lane, and the same for all lanes on a CPU or on a CUDA device.

A lane is one game, or one move of one game. The functions are those of the rules and of the nets' features; a device
runs each lane in a thread of its own, a CPU runs them in loops on all cores.
"""

import importlib
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
import numpy as np
import torch
from numba import njit

from sixfold.bots.tree import by_place
from sixfold.engine.gpu import tables_in_global_memory
from sixfold.games.contract import Features
from sixfold.games.shared.compiling import compiled
from sixfold.games.shared.generator import below, picked, stream
from sixfold.games.shared.symbols import CHANCE, NONE, OVER, lowest

THREADS_PER_BLOCK = 128
NOT_OVER = -1.0


@dataclass(frozen=True)
class Lanes:
    """What happens in one lane, by the lane's number."""

    begin: Callable[..., None]
    imagine: Callable[..., None]
    settle: Callable[..., None]
    glance: Callable[..., None]
    slots: Callable[..., None]
    look: Callable[..., None]
    act: Callable[..., None]
    views: Callable[..., None]
    results: Callable[..., None]


@cache
def lanes(features: Features) -> Lanes:
    """Compile them for a game."""
    rules = features.rules

    @compiled
    def begin(lane: int, first: Any, states: Any, generators: Any, seed: np.uint64, number: Any) -> None:
        states[lane] = first[0]
        generators[lane] = stream(seed, number[lane])

    @compiled
    def imagine(
        lane: int,
        states: Any,
        generators: Any,
        given: Any,
        live: Any,
        moves: Any,
        worlds: int,
        seed: np.uint64,
        shown: bool,
        seats: Any,
        kinds: Any,
    ) -> None:
        """Make a move in one world, the same for all moves: a way to draw later on, and to deal what the player in turn
        cannot know, unless it is shown."""
        at = live[lane // worlds]
        states[lane] = given[at]
        state = states[lane]
        seat = int(state.turn)
        seats[lane] = seat
        world = at * worlds + lane % worlds
        generator = generators[lane : lane + 1]
        generator[0] = stream(seed, world)
        if not shown:
            rules.hide(state, seat)
        owner = rules.unknown(state, seat)
        while owner != NONE:
            rules.possible(state, owner, kinds)
            rules.fill(state, owner, picked(generator, kinds))
            owner = rules.unknown(state, seat)
        generator[0] = stream(~seed, world)
        rules.act(state, moves[lane // worlds])

    @compiled
    def settle(lane: int, states: Any, generators: Any, turns: Any) -> None:
        """Let chance speak; then who has to decide, or NONE."""
        state = states[lane]
        generator = generators[lane : lane + 1]
        while state.phase == CHANCE:
            rules.receive(state, rules.drawn(state, below(generator, rules.pool_size(state))))
        turns[lane] = NONE if state.phase == OVER else state.turn

    @compiled
    def glance(lane: int, states: Any, live: Any, sights: Any) -> None:
        features.glance(states[live[lane]], sights[lane])

    @compiled
    def slots(lane: int, states: Any, live: Any, sights: Any, moves: Any, values: Any) -> None:
        """One of the moves of a game, and what it looks like."""
        at = lane // moves.shape[1]
        which = lane % moves.shape[1]
        move, value = features.slot(states[live[at]], sights[at], which)
        moves[at, which] = move
        values[at, which] = value if move != NONE else -np.inf

    @compiled
    def look(
        lane: int, states: Any, live: Any, moves: Any, told: Any, ends: Any, after: Any, room: Any, values: Any
    ) -> None:
        """One move of a game: what a net is told of the position behind it, or how the game ends with it."""
        at = lane // moves.shape[1]
        which = lane % moves.shape[1]
        if moves[at, which] == NONE:
            return
        after[0] = states[live[at]]
        state = after[0]
        seat = int(state.turn)
        rules.act(state, moves[at, which])
        small, work, keys = room
        ends[at, which] = NOT_OVER
        if state.phase == OVER:
            results, rewards = values
            rules.values(state, results)
            by_place(results, int(state.players), rewards)
            ends[at, which] = rewards[seat]
        else:
            features.describe(state, seat, told[lane], small, work, keys)

    @compiled
    def act(lane: int, states: Any, live: Any, moves: Any) -> None:
        rules.act(states[live[lane]], moves[lane])

    @compiled
    def views(lane: int, states: Any, live: Any, seats: Any, told: Any, over: Any, room: Any) -> None:
        """What a net is told of a game by a seat."""
        state = states[live[lane]]
        small, work, keys = room
        over[lane] = state.phase == OVER
        if state.phase != OVER:
            features.describe(state, seats[lane], told[lane], small, work, keys)

    @compiled
    def results(lane: int, states: Any, rewards: Any, margins: Any, values: Any) -> None:
        """How a game ended: the share of the others that each is ahead of, and how far the lowest value is ahead."""
        state = states[lane]
        table, shares = values
        players = int(state.players)
        rules.values(state, table)
        for seat in range(players):
            least = -100
            for other in range(players):
                if other != seat:
                    least = max(least, lowest(table[other]))
            margins[lane, seat] = lowest(table[seat]) - least
        by_place(table, players, shares)
        for seat in range(players):
            rewards[lane, seat] = shares[seat]

    return Lanes(begin, imagine, settle, glance, slots, look, act, views, results)


class Games:
    """The states of many games, and what can be done with all of them at once."""

    device: torch.device
    states: Any
    generators: Any

    def _run(self, name: str, number: int, *arguments: Any) -> None:
        """Let something happen in the first so many lanes."""
        raise NotImplementedError

    def begin(self, first: np.ndarray, seed: np.uint64, number: torch.Tensor) -> None:
        self._run("begin", len(number), first, self.states, self.generators, seed, number)

    def imagine(
        self,
        given: "Games",
        live: torch.Tensor,
        moves: torch.Tensor,
        worlds: int,
        seed: np.uint64,
        shown: bool,
        seats: torch.Tensor,
    ) -> None:
        arrays = (self.states, self.generators, given.states, live, moves, worlds, seed, shown, seats)
        self._run("imagine", len(seats), *arrays)

    def settle(self, turns: torch.Tensor) -> None:
        self._run("settle", len(turns), self.states, self.generators, turns)

    def glance(self, live: torch.Tensor, sights: torch.Tensor) -> None:
        self._run("glance", len(live), self.states, live, sights)

    def slots(self, live: torch.Tensor, sights: torch.Tensor, moves: torch.Tensor, values: torch.Tensor) -> None:
        self._run("slots", moves.numel(), self.states, live, sights, moves, values)

    def look(self, live: torch.Tensor, moves: torch.Tensor, told: torch.Tensor, ends: torch.Tensor) -> None:
        self._run("look", moves.numel(), self.states, live, moves, told, ends)

    def act(self, live: torch.Tensor, moves: torch.Tensor) -> None:
        self._run("act", len(live), self.states, live, moves)

    def views(self, live: torch.Tensor, seats: torch.Tensor, told: torch.Tensor, over: torch.Tensor) -> None:
        self._run("views", len(live), self.states, live, seats, told, over)

    def results(self, rewards: torch.Tensor, margins: torch.Tensor) -> None:
        self._run("results", len(rewards), self.states, rewards, margins)


# What a lane needs besides on a CPU; on a device each thread has its own.
ROOMS = {"imagine": ("kinds",), "look": ("after", "room", "values"), "views": ("room",), "results": ("values",)}


class OnCpu(Games):
    """All lanes in loops, on some cores."""

    def __init__(self, features: Features, games: int, cores: int) -> None:
        self.device = torch.device("cpu")
        self._features = features
        self._cores = cores
        self._pool = ThreadPoolExecutor(cores)
        self._loops: dict[str, Any] = {}
        self._lanes = lanes(features)
        self.states = np.zeros(games, dtype=features.rules.STATE)
        self.generators = np.zeros(games, dtype=np.uint64)

    def _loop(self, name: str) -> Any:
        if name not in self._loops:
            lane = getattr(self._lanes, name)

            @njit(nogil=True, error_model="numpy")
            def loop(start: int, stop: int, *arguments: Any) -> None:
                for at in range(start, stop):
                    lane(at, *arguments)

            self._loops[name] = loop
        return self._loops[name]

    def _run(self, name: str, number: int, *arguments: Any) -> None:
        loop = self._loop(name)
        arrays = [one.numpy() if isinstance(one, torch.Tensor) else one for one in arguments]

        def share(start: int, stop: int) -> None:
            loop(start, stop, *arrays, *(self._room(room) for room in ROOMS.get(name, ())))

        edges = np.linspace(0, number, min(max(number, 1), self._cores) + 1, dtype=int)
        list(self._pool.map(share, edges[:-1], edges[1:]))

    def _room(self, room: str) -> Any:
        features = self._features
        if room == "after":
            return np.zeros(1, dtype=features.rules.STATE)
        if room == "kinds":
            return np.zeros(len(features.rules.ITEMS), dtype=np.int8)
        if room == "values":
            return np.zeros((4, 6), dtype=np.int8), np.zeros(4)
        return np.zeros(features.SMALL, np.int8), np.zeros(features.WORK, np.int32), np.zeros(6, np.uint64)


@cache
def kernels(features: Features) -> dict[str, Any]:
    """The same for a CUDA device: every lane is a thread."""
    cuda: Any = importlib.import_module("numba.cuda")
    one = lanes(features)
    begin_lane, imagine_lane, settle_lane = one.begin, one.imagine, one.settle
    glance_lane, slots_lane = one.glance, one.slots
    look_lane, act_lane, views_lane, results_lane = one.look, one.act, one.views, one.results
    state_type = numba.from_dtype(features.rules.STATE)
    small_size, work_size, items = features.SMALL, features.WORK, len(features.rules.ITEMS)

    @cuda.jit
    def begin(number: int, first: Any, states: Any, generators: Any, seed: Any, numbers: Any) -> None:
        lane = cuda.grid(1)
        if lane < number:
            begin_lane(lane, first, states, generators, seed, numbers)

    @cuda.jit
    def imagine(
        number: int,
        states: Any,
        generators: Any,
        given: Any,
        live: Any,
        moves: Any,
        worlds: int,
        seed: Any,
        shown: bool,
        seats: Any,
    ) -> None:
        lane = cuda.grid(1)
        if lane < number:
            kinds = cuda.local.array(items, numba.int8)
            imagine_lane(lane, states, generators, given, live, moves, worlds, seed, shown, seats, kinds)

    @cuda.jit
    def settle(number: int, states: Any, generators: Any, turns: Any) -> None:
        lane = cuda.grid(1)
        if lane < number:
            settle_lane(lane, states, generators, turns)

    @cuda.jit
    def glance(number: int, states: Any, live: Any, sights: Any) -> None:
        lane = cuda.grid(1)
        if lane < number:
            glance_lane(lane, states, live, sights)

    @cuda.jit
    def slots(number: int, states: Any, live: Any, sights: Any, moves: Any, values: Any) -> None:
        lane = cuda.grid(1)
        if lane < number:
            slots_lane(lane, states, live, sights, moves, values)

    @cuda.jit
    def look(number: int, states: Any, live: Any, moves: Any, told: Any, ends: Any) -> None:
        lane = cuda.grid(1)
        if lane < number:
            after = cuda.local.array(1, state_type)
            small = cuda.local.array(small_size, numba.int8)
            work = cuda.local.array(work_size, numba.int32)
            keys = cuda.local.array(6, numba.uint64)
            table = cuda.local.array((4, 6), numba.int8)
            shares = cuda.local.array(4, numba.float64)
            look_lane(lane, states, live, moves, told, ends, after, (small, work, keys), (table, shares))

    @cuda.jit
    def act(number: int, states: Any, live: Any, moves: Any) -> None:
        lane = cuda.grid(1)
        if lane < number:
            act_lane(lane, states, live, moves)

    @cuda.jit
    def views(number: int, states: Any, live: Any, seats: Any, told: Any, over: Any) -> None:
        lane = cuda.grid(1)
        if lane < number:
            small = cuda.local.array(small_size, numba.int8)
            work = cuda.local.array(work_size, numba.int32)
            keys = cuda.local.array(6, numba.uint64)
            views_lane(lane, states, live, seats, told, over, (small, work, keys))

    @cuda.jit
    def results(number: int, states: Any, rewards: Any, margins: Any) -> None:
        lane = cuda.grid(1)
        if lane < number:
            table = cuda.local.array((4, 6), numba.int8)
            shares = cuda.local.array(4, numba.float64)
            results_lane(lane, states, rewards, margins, (table, shares))

    names = ("begin", "imagine", "settle", "glance", "slots", "look", "act", "views", "results")
    return dict(zip(names, (begin, imagine, settle, glance, slots, look, act, views, results), strict=True))


class OnDevice(Games):
    """All lanes in threads of a CUDA device; PyTorch's tensors are handed over as they lie there."""

    def __init__(self, features: Features, games: int) -> None:
        self._cuda: Any = importlib.import_module("numba.cuda")
        # Towards the end of a round few games are left, and that is no fault.
        warnings.filterwarnings("ignore", message=".*Grid size")
        self.device = torch.device("cuda")
        torch.zeros(1, device=self.device)  # PyTorch's context comes first; Numba then uses the same one
        self._kernels = kernels(features)
        self.states = self._cuda.device_array(games, dtype=features.rules.STATE)
        self.generators = self._cuda.device_array(games, dtype=np.uint64)

    def _run(self, name: str, number: int, *arguments: Any) -> None:
        if number == 0:
            return
        blocks = (number + THREADS_PER_BLOCK - 1) // THREADS_PER_BLOCK
        with tables_in_global_memory():
            self._kernels[name][blocks, THREADS_PER_BLOCK](number, *arguments)

    def begin(self, first: np.ndarray, seed: np.uint64, number: torch.Tensor) -> None:
        super().begin(self._cuda.to_device(first), seed, number)

"""Monte Carlo tree search over information sets, by sampled determinizations."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from sixfold.bots import Budget
from sixfold.bots.greedy import OnePly, state_array
from sixfold.bots.selection import argsort_descending
from sixfold.bots.tree import NODE, build_search, init_node, make_workspace
from sixfold.engine import notation
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View, start
from sixfold.games import packages
from sixfold.games.shared.generator import stream
from sixfold.games.shared.symbols import NONE

# The default thinking time.
MILLISECONDS = 700.0
# Capacity of one tree; the search continues in a full tree without adding nodes.
MAX_NODES = 100_000
FIRST_CHUNK = 32
# How often the clock is checked.
CHUNK_SECONDS = 0.005


class Tree:
    """The search tree of one thread."""

    def __init__(self, game: str) -> None:
        self.nodes = np.empty(MAX_NODES, dtype=NODE)
        self._used = np.empty(1, dtype=np.int64)
        self._workspace = make_workspace(packages()[game].heuristics)
        self._generator = np.empty(1, dtype=np.uint64)
        self._explore = build_search(packages()[game].heuristics)

    def reset(self, seed: int, number: int) -> None:
        """Clear the tree and seed its generator."""
        init_node(self.nodes, 0, 0)
        self._used[0] = 1
        self._generator[0] = stream(seed, number)

    def explore(self, root: "Root", plan: np.ndarray, iterations: int) -> int:
        """Run some iterations; returns the number of plies played out."""
        root_args = (root.states, root.seat, root.moves, root.values)
        return self._explore(root_args, self.nodes, self._used, self._workspace, self._generator, plan, iterations)

    def explore_within(self, root: "Root", plan: np.ndarray, budget: Budget, budget_share: int) -> None:
        """Search until the time is up or this tree's share of the iterations is done."""
        left = budget_share if budget.iterations is not None else None
        milliseconds = budget.milliseconds
        if milliseconds is None:
            milliseconds = MILLISECONDS if left is None else float("inf")
        now = time.perf_counter()
        end = now + milliseconds / 1000
        chunk = FIRST_CHUNK
        while left is None or left > 0:
            size = chunk if left is None else min(chunk, left)
            self.explore(root, plan, size)
            previous, now = now, time.perf_counter()
            if now + (now - previous) > end:
                return
            left = None if left is None else left - size
            if now - previous < CHUNK_SECONDS / 2:
                chunk *= 2

    def root_stats(self) -> dict[int, tuple[int, float]]:
        """The visits and total reward of each root move."""
        stats = {}
        at = int(self.nodes[0]["child"])
        while at >= 0:
            node = self.nodes[at]
            stats[int(node["move"])] = (int(node["visits"]), float(node["total"]))
            at = int(node["sibling"])
        return stats


@dataclass(frozen=True)
class Root:
    """Where a search starts: the seat's view, and its moves with their one-ply values, best first."""

    states: np.ndarray
    seat: int
    moves: np.ndarray
    values: np.ndarray


class Search:
    """Information-set tree search. The same view, seed, iterations and threads give the same move."""

    def __init__(self, game: str, players: int, threads: int = 1, **changes: float) -> None:
        self.plan = replace(packages()[game].heuristics.PLAN, **changes)  # type: ignore[arg-type]
        self._one_ply = OnePly(game, foresight=True)
        self._trees = [Tree(game) for _ in range(threads)]

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        stats = self.think(view, budget, chance)
        best = max(stats, key=lambda move: (*stats[move], -move))
        return notation.write(view.rules, best)

    def think(self, view: View, budget: Budget, chance: Seeded) -> dict[int, tuple[int, float]]:
        """The visits and total reward of each move that was searched."""
        assert view.seat is not None
        seed = chance.below(2**32)
        states = state_array(view)
        moves, values = self._one_ply(states)
        if len(moves) == 1:
            return {int(moves[0]): (0, 0.0)}
        order = np.empty(len(moves), dtype=np.int32)
        argsort_descending(values, order)
        root = Root(states, view.seat, moves[order], values[order])
        plan = self.plan.record()
        threads = len(self._trees)
        share = max(1, (budget.iterations or 0) // threads)

        def run_tree(at: int) -> None:
            self._trees[at].reset(seed, at)
            self._trees[at].explore_within(root, plan, budget, share)

        if threads == 1:
            run_tree(0)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(run_tree, range(threads)))
        stats: dict[int, tuple[int, float]] = {}
        for tree in self._trees:
            for move, (visits, total) in tree.root_stats().items():
                previous = stats.get(move, (0, 0.0))
                stats[move] = (previous[0] + visits, previous[1] + total)
        return stats


# Benchmarks


def run_playouts(game: str, begin: np.ndarray, number: int) -> int:
    """Run only the playouts of a search from a position; returns their number."""
    tree = Tree(game)
    tree.reset(1, 0)
    no_root = Root(begin, NONE, np.empty(0, dtype=np.int16), np.empty(0))
    tree.explore(no_root, replace(packages()[game].heuristics.PLAN, depth=0).record(), number)
    return number


def run_iterations(game: str, players: int, number: int) -> int:
    """Run a whole search at a game's first decision; returns the number of iterations."""
    first = start(game, players, chance=Seeded(1))
    Search(game, players).think(first.view(first.turn), Budget(iterations=number), Seeded(1))
    return number

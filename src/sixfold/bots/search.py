"""Monte Carlo tree search over information sets: it deals what is hidden anew, lets chance speak, and plays on."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from sixfold.bots import Budget
from sixfold.bots.choosing import best_first
from sixfold.bots.greedy import Judge, copied
from sixfold.bots.tree import NODE, desk, explorer, new_node
from sixfold.engine import notation
from sixfold.engine.chance import Seeded
from sixfold.engine.game import View, start
from sixfold.games import packages
from sixfold.games.shared.generator import stream
from sixfold.games.shared.symbols import NONE

# Without any budget a search thinks this long.
MILLISECONDS = 700.0
# Nodes of one tree; a full tree goes on without growing.
ROOM = 100_000
FIRST_CHUNK = 32
# The clock is looked at about this often.
CHUNK_SECONDS = 0.005


class Tree:
    """One thread's share of a search."""

    def __init__(self, game: str) -> None:
        self.nodes = np.empty(ROOM, dtype=NODE)
        self._used = np.empty(1, dtype=np.int64)
        self._room = desk(packages()[game].judgement)
        self._generator = np.empty(1, dtype=np.uint64)
        self._explore = explorer(packages()[game].judgement)

    def plant(self, seed: int, number: int) -> None:
        """Forget everything, and take a generator of its own."""
        new_node(self.nodes, 0, 0)
        self._used[0] = 1
        self._generator[0] = stream(seed, number)

    def explore(self, root: "Root", plan: np.ndarray, iterations: int) -> int:
        """Search on; returns how many decisions were played out."""
        beginning = (root.states, root.seat, root.moves, root.values)
        return self._explore(beginning, self.nodes, self._used, self._room, self._generator, plan, iterations)

    def explore_within(self, root: "Root", plan: np.ndarray, budget: Budget, share: int) -> None:
        """Search until the time is up or a share of the iterations is done."""
        left = share if budget.iterations is not None else None
        milliseconds = budget.milliseconds
        if milliseconds is None:
            milliseconds = MILLISECONDS if left is None else float("inf")
        now = time.perf_counter()
        end = now + milliseconds / 1000
        chunk = FIRST_CHUNK
        while left is None or left > 0:
            size = chunk if left is None else min(chunk, left)
            self.explore(root, plan, size)
            before, now = now, time.perf_counter()
            if now + (now - before) > end:
                return
            left = None if left is None else left - size
            if now - before < CHUNK_SECONDS / 2:
                chunk *= 2

    def tried(self) -> dict[int, tuple[int, float]]:
        """How often each move at the root was tried, and what it brought in all."""
        found = {}
        at = int(self.nodes[0]["child"])
        while at >= 0:
            node = self.nodes[at]
            found[int(node["move"])] = (int(node["visits"]), float(node["total"]))
            at = int(node["sibling"])
        return found


@dataclass(frozen=True)
class Root:
    """Where a search begins: what the seat knows, and its moves with their values at one look ahead, best first."""

    states: np.ndarray
    seat: int
    moves: np.ndarray
    values: np.ndarray


class Search:
    """Information-set tree search. The same view, seed, iterations and threads give the same move."""

    def __init__(self, game: str, players: int, threads: int = 1, **changes: float) -> None:
        self.plan = replace(packages()[game].judgement.PLAN, **changes)  # type: ignore[arg-type]
        self._judge = Judge(game, foresight=True)
        self._trees = [Tree(game) for _ in range(threads)]

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        tried = self.think(view, budget, chance)
        best = max(tried, key=lambda move: (*tried[move], -move))
        return notation.write(view.rules, best)

    def think(self, view: View, budget: Budget, chance: Seeded) -> dict[int, tuple[int, float]]:
        """How often each of the moves that were looked at was tried, and what it brought in all."""
        assert view.seat is not None
        seed = chance.below(2**32)
        states = copied(view)
        moves, values = self._judge(states)
        if len(moves) == 1:
            return {int(moves[0]): (0, 0.0)}
        order = np.empty(len(moves), dtype=np.int32)
        best_first(values, order)
        root = Root(states, view.seat, moves[order], values[order])
        plan = self.plan.record()
        number = len(self._trees)
        share = max(1, (budget.iterations or 0) // number)

        def grow(at: int) -> None:
            self._trees[at].plant(seed, at)
            self._trees[at].explore_within(root, plan, budget, share)

        if number == 1:
            grow(0)
        else:
            with ThreadPoolExecutor(number) as pool:
                list(pool.map(grow, range(number)))
        tried: dict[int, tuple[int, float]] = {}
        for tree in self._trees:
            for move, (visits, total) in tree.tried().items():
                before = tried.get(move, (0, 0.0))
                tried[move] = (before[0] + visits, before[1] + total)
        return tried


# For measuring


def light_playouts(game: str, begin: np.ndarray, number: int) -> int:
    """Only the playouts of a search, from a position on; returns how many there were."""
    tree = Tree(game)
    tree.plant(1, 0)
    nothing = Root(begin, NONE, np.empty(0, dtype=np.int16), np.empty(0))
    tree.explore(nothing, replace(packages()[game].judgement.PLAN, depth=0).record(), number)
    return number


def iterations(game: str, players: int, number: int) -> int:
    """A whole search at a game's first decision; returns how many iterations it had."""
    first = start(game, players, chance=Seeded(1))
    Search(game, players).think(first.view(first.turn), Budget(iterations=number), Seeded(1))
    return number

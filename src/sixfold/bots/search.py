"""The bot that searches: it guesses what is hidden, lets chance speak, and plays on in its head."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass, replace

import numpy as np

from sixfold.bots import Budget
from sixfold.bots.greedy import Judge, copied
from sixfold.bots.judgement import JUDGEMENTS
from sixfold.bots.tree import NODE, PLAN, explorer, new_node
from sixfold.chance import Seeded, stream
from sixfold.games import GAMES, View

# Without any budget a search thinks this long.
DEFAULT = Budget(milliseconds=700)
ROOM = 200_000
FIRST_CHUNK = 64
# A clock is looked at about this often.
CHUNK_SECONDS = 0.01


@dataclass(frozen=True)
class Plan:
    """How a search goes about a game; the fields are those of ``tree.PLAN``."""

    depth: int = 2
    width: int = 12
    reply: int = 4
    growth: float = 0.3
    courage: float = 0.6
    trust: float = 0.25
    cut: int = 1000
    margin: float = 0.2

    def record(self) -> np.ndarray:
        return np.array([astuple(self)], dtype=PLAN)


PLANS = {
    "travel": Plan(depth=2, width=20, cut=1000),
    "cards": Plan(depth=2, width=12),
    "dice": Plan(depth=1, width=6),
}


class Tree:
    """One thread's share of a search."""

    def __init__(self, game: str, room: int) -> None:
        self.nodes = np.empty(room, dtype=NODE)
        self._used = np.empty(1, dtype=np.int64)
        self._scratch = np.zeros(1, dtype=GAMES[game].STATE)
        self._generator = np.empty(1, dtype=np.uint64)
        self._explore = explorer(JUDGEMENTS[game])

    def plant(self, seed: int, number: int) -> None:
        """Forget everything, and take a generator of its own."""
        new_node(self.nodes, 0, 0)
        self._used[0] = 1
        self._generator[0] = stream(seed, number)

    def explore(
        self, view: np.ndarray, seat: int, roots: np.ndarray, values: np.ndarray, plan: np.ndarray, n: int
    ) -> int:
        """Search on for ``n`` iterations; returns the decisions played out."""
        tree = (self.nodes, self._used, self._scratch, self._generator)
        return self._explore(view, seat, roots, values, *tree, plan, n)

    def visits(self) -> dict[int, tuple[int, float]]:
        """How often each move at the root was tried, and what it brought in all."""
        found = {}
        at = int(self.nodes[0]["child"])
        while at >= 0:
            node = self.nodes[at]
            found[int(node["move"])] = (int(node["visits"]), float(node["total"]))
            at = int(node["sibling"])
        return found


class Search:
    """Information-set tree search. The same view, seed, iterations and threads give the same move."""

    def __init__(self, game: str, players: int, threads: int = 1, **changes: float) -> None:
        known = Plan.__dataclass_fields__
        self.plan = replace(PLANS[game], **{key: type(getattr(PLANS[game], key))(changes[key]) for key in changes})
        self._judge = Judge(game)
        self._trees = [Tree(game, ROOM) for _ in range(threads)]

    def choose(self, view: View, budget: Budget, chance: Seeded) -> str:
        return view.rules and self.write(view, self.think(view, budget, chance))

    def write(self, view, number):
        from sixfold import notation

        return notation.write(view.rules, number)

    def think(self, view: View, budget: Budget, chance: Seeded) -> int:
        """The best move's number."""
        seed = chance.below(2**32)
        states = copied(view)
        moves, values = self._judge(states)
        order = np.argsort(-values, kind="stable")
        moves, values = moves[order], values[order]
        if len(moves) == 1:
            return int(moves[0])
        assert view.seat is not None
        self._grow(states, view.seat, moves, values, budget, seed)
        visits: dict[int, tuple[int, float]] = {}
        for tree in self._trees:
            for move, (tried, total) in tree.visits().items():
                before = visits.get(move, (0, 0.0))
                visits[move] = (before[0] + tried, before[1] + total)
        self.last = visits
        return max(visits, key=lambda move: (visits[move][0], visits[move][1], -move))

    def _grow(self, states, seat, moves, values, budget, seed) -> None:
        plan = self.plan.record()

        def share(number: int) -> None:
            tree = self._trees[number]
            tree.plant(seed, number)
            if budget.iterations is not None:
                tree.explore(states, seat, moves, values, plan, max(1, budget.iterations // len(self._trees)))
                return
            begin = time.perf_counter()
            end = begin + (budget.milliseconds or DEFAULT.milliseconds) / 1000
            chunk, now = FIRST_CHUNK, begin
            while True:
                tree.explore(states, seat, moves, values, plan, chunk)
                before, now = now, time.perf_counter()
                took = now - before
                if now + took > end:
                    return
                if took < CHUNK_SECONDS / 2:
                    chunk *= 2

        if len(self._trees) == 1:
            share(0)
        else:
            with ThreadPoolExecutor(len(self._trees)) as pool:
                list(pool.map(share, range(len(self._trees))))

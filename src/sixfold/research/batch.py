"""Thousands of games side by side on the CPU: one compiled call steps them all, a share on every core."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from sixfold.engine.game import full_options, rules_of
from sixfold.errors import SetupError
from sixfold.games.contract import Rules
from sixfold.games.shared.generator import seed_word
from sixfold.games.shared.symbols import NONE
from sixfold.research.observing import row_of, write_rows
from sixfold.research.stepping import ANEW, seed_streams, stepping
from sixfold.system import all_cores

# Moves are drawn from other streams than chance, so that asking for a random move changes no game.
MOVES = 1 << 32


class Outcome(NamedTuple):
    """What a step brought, in arrays with a row for each game: who decides next, everybody's reward, everybody's six
    values where a game ended, whether it did (then the next has begun), and whether the action was no legal move."""

    turns: Any
    rewards: Any
    values: Any
    ended: Any
    illegal: Any


def setup(game: str, players: int, games: int, seats: Any, options: dict[str, Any]) -> tuple[Rules, Any, Any]:
    """What a batch begins with: the rules, one state before anything is dealt, and every game's seat."""
    rules = rules_of(game, players)
    if games < 1:
        raise SetupError(f"a batch has at least one game, not {games}")
    begin = rules.start(players, **full_options(rules, options))
    given = np.full(games, NONE, dtype=np.int8) if seats is None else np.asarray(seats, dtype=np.int8)
    if given.shape != (games,) or given.min() < NONE or given.max() >= players:
        raise SetupError(f"every one of the {games} games needs a seat from 0 to {players - 1}")
    return rules, begin, given


def streams(seed: int, games: int, first: int = 0) -> np.ndarray:
    """The generators of many games of a seed."""
    generators = np.empty(games, dtype=np.uint64)
    seed_streams(seed_word(seed), first, generators)
    return generators


class Batch:
    """Games of one kind. With seats, each game stops at the decisions of its seat, and the others play random legal
    moves; without, it stops at everybody's. What a step returns is not written to again."""

    def __init__(
        self,
        game: str,
        players: int = 2,
        games: int = 1024,
        *,
        seats: Any = None,
        cores: int | None = None,
        **options: Any,
    ) -> None:
        self.rules, self._begin, self.seats = setup(game, players, games, seats, options)
        self.games, self.players = games, players
        self.states = np.repeat(self._begin, games)
        self._row = row_of(self.rules, players)
        self._do = stepping(self.rules)
        self._views, self._last_views = self.states.copy(), self.states.copy()
        # The same bytes twice: eight moves in a word, and a byte for each.
        self._words = np.empty((games, -(-self.rules.ACTIONS // 8)), dtype=np.uint64)
        self._legal = self._words.view(np.int8)
        cores = min(cores or all_cores(), games)
        edges = np.linspace(0, games, cores + 1, dtype=int).tolist()
        self._shares = [slice(*edge) for edge in pairwise(edges)]
        self._pool = ThreadPoolExecutor(cores) if cores > 1 else None

    def begin(self, seed: int) -> tuple[np.ndarray, Outcome]:
        """Begin every game; the same seed begins the same games."""
        self._generators = streams(seed, self.games)
        self._choosers = streams(seed, self.games, MOVES)
        return self.step(np.full(self.games, ANEW))

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, Outcome]:
        """Play an action in each game; what the next to decide sees, and what the step brought."""
        rows = np.empty((self.games, self._row.size), dtype=np.int8)
        outcome = Outcome(
            np.empty(self.games, dtype=np.int8),
            np.empty((self.games, self.players), dtype=np.float32),
            np.empty((self.games, self.players, 6), dtype=np.int8),
            np.empty(self.games, dtype=np.int8),
            np.empty(self.games, dtype=np.int8),
        )

        def share(of: slice) -> None:
            views = self._views[of]
            part = tuple(array[of] for array in outcome)
            desk, generator = np.empty(1, dtype=self.rules.STATE), np.empty(1, dtype=np.uint64)
            arrays = (self._generators[of], self.seats[of], actions[of], part, views, self._last_views[of])
            self._do.step(self.states[of], desk, 0, self._begin, generator, *arrays, (0, len(views)))
            self._write(views, part[0], rows[of])

        self._everywhere(share)
        return rows, outcome

    def last_rows(self, outcome: Outcome) -> np.ndarray:
        """What each game's seat, or else who played last, saw in the end; only for games that ended with this step."""
        rows = np.zeros((self.games, self._row.size), dtype=np.int8)
        over = outcome.ended.astype(bool)
        if over.any():
            views = self._last_views[over]
            seats = np.where(self.seats[over] == NONE, views["turn"], self.seats[over])
            found = np.empty((len(views), self._row.size), dtype=np.int8)
            self._write(views, seats, found)
            rows[over] = found
        return rows

    def sample(self) -> np.ndarray:
        """A random legal move for each game."""
        actions = np.empty(self.games, dtype=np.int64)
        self._everywhere(lambda of: self._do.sample(self.states[of], self._choosers[of], actions[of]))
        return actions

    def masks(self) -> np.ndarray:
        """A 1 for every legal move of each game; the next call writes into the same array."""

        def share(of: slice) -> None:
            moves = np.empty(self.rules.MOST_LEGAL, dtype=np.int16)
            self._do.allow_all(self.states[of], moves, self._words[of], self._legal[of])

        self._everywhere(share)
        return self._legal[:, : self.rules.ACTIONS]

    def _write(self, views: np.ndarray, seats: np.ndarray, rows: np.ndarray) -> None:
        raw = views.view(np.int8).reshape(len(views), self.rules.STATE.itemsize)
        write_rows(raw, seats, self._row.places, self._row.turn, rows)

    def _everywhere(self, work: Callable[[slice], None]) -> None:
        if self._pool is None:
            work(self._shares[0])
        else:
            list(self._pool.map(work, self._shares))

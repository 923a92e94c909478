"""Thousands of games in one batch on the CPU: one call steps them all, distributed over the cores."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sixfold.engine.cpu import Cores
from sixfold.engine.game import full_options, rules_of
from sixfold.errors import SetupError
from sixfold.games.contract import Rules
from sixfold.games.shared.generator import seed_word
from sixfold.games.shared.symbols import NONE
from sixfold.research.observations import observation_layout, write_rows
from sixfold.research.step_kernels import NEW_GAME, compile_steps, seed_streams
from sixfold.system import available_cores

# Random moves use other streams than chance, so that sampling a move does not change a game.
MOVE_STREAM = 1 << 32


class Outcome(NamedTuple):
    """The outcome of a step, in arrays with a row for each game: the next player to decide, the rewards, each player's
    six values if the game ended, whether it ended (then the next has begun), and whether the action was illegal."""

    turns: Any
    rewards: Any
    values: Any
    ended: Any
    illegal: Any


def setup(game: str, players: int, games: int, seats: Any, options: dict[str, Any]) -> tuple[Rules, Any, Any]:
    """The rules, the initial state, and the array of each game's seat."""
    rules = rules_of(game, players)
    if games < 1:
        raise SetupError(f"a batch has at least one game, not {games}")
    initial = rules.start(players, **full_options(rules, options))
    seat_array = np.full(games, NONE, dtype=np.int8) if seats is None else np.asarray(seats, dtype=np.int8)
    if seat_array.shape != (games,) or seat_array.min() < NONE or seat_array.max() >= players:
        raise SetupError(f"every one of the {games} games needs a seat from 0 to {players - 1}")
    return rules, initial, seat_array


def streams(seed: int, games: int, first: int = 0) -> np.ndarray:
    """The random generators of many games for a seed."""
    generators = np.empty(games, dtype=np.uint64)
    seed_streams(seed_word(seed), first, generators)
    return generators


class Batch:
    """Games of one kind. With seats, each game stops at the decisions of its seat, and the opponents play random legal
    moves; without, it stops at every decision. The arrays returned by a step are not reused."""

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
        self._row = observation_layout(self.rules, players)
        self._functions = compile_steps(self.rules)
        self._views, self._last_views = self.states.copy(), self.states.copy()
        # Two views of the same memory: words of eight moves, and a byte for each move.
        self._words = np.empty((games, -(-self.rules.ACTIONS // 8)), dtype=np.uint64)
        self._legal = self._words.view(np.int8)
        self._cores = Cores(cores or available_cores())

    def begin(self, seed: int) -> tuple[np.ndarray, Outcome]:
        """Begin every game; the same seed gives the same games."""
        self._generators = streams(seed, self.games)
        self._move_generators = streams(seed, self.games, MOVE_STREAM)
        return self.step(np.full(self.games, NEW_GAME))

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, Outcome]:
        """Play an action in each game; returns the observations of the next players to decide, and the outcome."""
        rows = np.empty((self.games, self._row.size), dtype=np.int8)
        outcome = Outcome(
            np.empty(self.games, dtype=np.int8),
            np.empty((self.games, self.players), dtype=np.float32),
            np.empty((self.games, self.players, len(self.rules.VALUES)), dtype=np.int8),
            np.empty(self.games, dtype=np.int8),
            np.empty(self.games, dtype=np.int8),
        )

        def share(games: slice) -> None:
            views = self._views[games]
            part = tuple(array[games] for array in outcome)
            workspace, generator = np.empty(1, dtype=self.rules.STATE), np.empty(1, dtype=np.uint64)
            scratch = generator, np.empty(self.players, dtype=np.int8)
            arrays = (self._generators[games], self.seats[games], actions[games], part, views, self._last_views[games])
            self._functions.step(self.states[games], workspace, 0, self._begin, *scratch, *arrays, (0, len(views)))
            self._write(views, part[0], rows[games])

        self._run(share)
        return rows, outcome

    def last_rows(self, outcome: Outcome) -> np.ndarray:
        """The final observations, for each game that ended in this step, of its seat or else of the last player."""
        rows = np.zeros((self.games, self._row.size), dtype=np.int8)
        over = outcome.ended.astype(bool)
        if over.any():
            views = self._last_views[over]
            seats = np.where(self.seats[over] == NONE, views["turn"], self.seats[over])
            last = np.empty((len(views), self._row.size), dtype=np.int8)
            self._write(views, seats, last)
            rows[over] = last
        return rows

    def sample(self) -> np.ndarray:
        """A random legal move for each game."""
        actions = np.empty(self.games, dtype=np.int64)
        self._run(lambda part: self._functions.sample(self.states[part], self._move_generators[part], actions[part]))
        return actions

    def masks(self) -> np.ndarray:
        """The mask of legal moves of each game; the next call writes into the same array."""

        def share(games: slice) -> None:
            moves = np.empty(self.rules.MAX_LEGAL, dtype=np.int16)
            self._functions.allow_all(self.states[games], moves, self._words[games], self._legal[games])

        self._run(share)
        return self._legal[:, : self.rules.ACTIONS]

    def _write(self, views: np.ndarray, seats: np.ndarray, rows: np.ndarray) -> None:
        raw = views.view(np.int8).reshape(len(views), self.rules.STATE.itemsize)
        write_rows(raw, seats, self._row.places, self._row.turn, rows)

    def _run(self, work: Callable[[slice], None]) -> None:
        self._cores.run(self.games, lambda start, stop: work(slice(start, stop)))

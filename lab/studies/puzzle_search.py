"""The resumable search for puzzles: strong games are searched in parallel processes until there are enough."""

import json
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import msgspec

from lab.studies.spread import spread
from sixfold.bots.greedy import OnePly
from sixfold.engine.chance import Seeded
from sixfold.engine.game import start
from sixfold.errors import SetupError
from sixfold.review.puzzles import (
    LATEST_START,
    PLAYERS,
    DeterminizationSolver,
    ExactSolver,
    Puzzle,
    as_puzzle,
    scores_most,
    solver,
)
from sixfold.review.solution import values_of
from sixfold.system import atomic_file


@dataclass(frozen=True)
class Search:
    """The parameters of a search: the game and the number of puzzles."""

    game: str
    number: int
    seed: int
    values: Path | None = None


@dataclass(frozen=True)
class SearchJob:
    """A strong game to search, by its number; ``wanted`` are the accepted kinds of answer: scoring most, or not."""

    search: Search
    number: int
    wanted: frozenset[bool]


@cache
def solvers(game: str, values: Path | None) -> tuple[DeterminizationSolver | ExactSolver, OnePly]:
    """The solver of a game's puzzles, and the one-ply evaluator that rates their difficulty."""
    return solver(game, values_of({"game": game, "players": PLAYERS}, values)), OnePly(game)


def warm(search: Search) -> None:
    """Compile everything that a search needs."""
    puzzle_solver, judge = solvers(search.game, search.values)
    game = start(search.game, PLAYERS, chance=Seeded(1))
    assert game.turn is not None
    view = game.view(game.turn)
    puzzle_solver.screen(view)
    puzzle_solver.answer(view, 0)
    judge(view.states)


def search_game(place: SearchJob) -> Puzzle | None:
    """The first wanted puzzle of a strong game after a randomly chosen event, or None."""
    puzzle_solver, judge = solvers(place.search.game, place.search.values)
    chance = Seeded(place.search.seed, place.number)
    game = start(place.search.game, PLAYERS, chance=chance)
    first_event = chance.below(LATEST_START)
    while game.turn is not None:
        view = game.view(game.turn)
        move, promising = puzzle_solver.screen(view)
        if promising and len(game.events) >= first_event and scores_most(view, move) in place.wanted:
            answer = puzzle_solver.answer(view, len(game.events))
            if answer is not None and scores_most(view, answer.move) in place.wanted:
                return as_puzzle(game, view, answer, judge)
        game.play_number(move)
    return None


class SearchState:
    """The state of a search: the result of each game, and the puzzles accepted so far.

    Results are accepted in the order of the games, so the same search ends with the same puzzles on any number of
    processes; half of them are not solved by the move that scores most. A game whose puzzle is of a kind that is
    already complete is searched again for the other kind.
    """

    def __init__(self, search: Search) -> None:
        self.search = search
        self.puzzles: list[Puzzle] = []
        self.left = {True: search.number // 2, False: search.number - search.number // 2}
        self._results: dict[int, Puzzle | None] = {}
        self._next = self._settled = 0
        self._retry: list[int] = []

    @property
    def wanted(self) -> frozenset[bool]:
        return frozenset(most for most, missing in self.left.items() if missing)

    @property
    def games_searched(self) -> int:
        return len(self._results)

    def jobs(self) -> Iterator[SearchJob]:
        """The games to search next, until there are enough puzzles."""
        while self.wanted:
            if self._retry:
                yield SearchJob(self.search, self._retry.pop(0), self.wanted)
                continue
            while self._next in self._results:
                self._next += 1
            self._next += 1
            yield SearchJob(self.search, self._next - 1, self.wanted)

    def record(self, number: int, puzzle: Puzzle | None) -> None:
        """Record the result of a game."""
        self._results[number] = puzzle
        while self._settled in self._results and self.wanted and self._settle(self._results[self._settled]):
            self._settled += 1

    def _settle(self, puzzle: Puzzle | None) -> bool:
        """Accept a puzzle that is wanted; returns False if the game has to be searched again."""
        if puzzle is None:
            return True
        if puzzle.most in self.wanted:
            self.left[puzzle.most] -= 1
            self.puzzles.append(puzzle)
            return True
        del self._results[self._settled]
        self._retry.append(self._settled)
        return False


class Journal:
    """The results of a search so far, one line per game, so that it can resume after an interruption."""

    def __init__(self, path: Path, search: Search) -> None:
        self._path = path
        self._head = json.dumps({name: value for name, value in vars(search).items() if name != "values"})

    def read(self) -> list[tuple[int, Puzzle | None]]:
        """All recorded results; an incomplete last line is dropped."""
        text = self._path.read_text() if self._path.exists() else f"{self._head}\n"
        head, *lines = text[: text.rfind("\n") + 1].splitlines()
        if head != self._head:
            raise SetupError(f"{self._path} is what another search has found so far; remove it or write elsewhere")
        with atomic_file(self._path) as file:
            file.writelines(f"{line}\n" for line in (head, *lines))
        return [msgspec.json.decode(line, type=tuple[int, Puzzle | None]) for line in lines]

    def write(self, number: int, puzzle: Puzzle | None) -> None:
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode((number, puzzle)) + b"\n")

    def remove(self) -> None:
        self._path.unlink()


def run_search(state: SearchState, journal: Journal, workers: int) -> Generator[None, None, None]:
    """Run or resume a search to its end, yielding after every game."""
    for number, puzzle in journal.read():
        state.record(number, puzzle)
    with closing(spread(search_game, state.jobs(), workers, partial(warm, state.search))) as results:
        while state.wanted:
            place, puzzle = next(results)
            journal.write(place.number, puzzle)
            state.record(place.number, puzzle)
            yield

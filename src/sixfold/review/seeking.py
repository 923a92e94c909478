"""The search for puzzles, in many processes and in parts: strong games are looked through until there are enough."""

import json
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import msgspec

from sixfold.bots.greedy import Judge
from sixfold.engine.chance import Seeded
from sixfold.engine.game import start
from sixfold.errors import SetupError
from sixfold.review.puzzles import (
    LATEST,
    PLAYERS,
    BySolution,
    ByWorlds,
    Puzzle,
    as_puzzle,
    scores_most,
    solver,
)
from sixfold.review.solution import values_of
from sixfold.review.spread import spread
from sixfold.system import whole_file


@dataclass(frozen=True)
class Search:
    """What is looked for: so many puzzles of a game."""

    game: str
    number: int
    seed: int
    values: Path | None = None


@dataclass(frozen=True)
class Place:
    """Where to look: a strong game by its number; and whether for an answer that scores most, for one that does not, or
    for either."""

    search: Search
    number: int
    wanted: frozenset[bool]


@cache
def minds(game: str, values: Path | None) -> tuple[ByWorlds | BySolution, Judge]:
    """Who finds the puzzles of a game, and who knows which are easy."""
    return solver(game, values_of({"game": game, "players": PLAYERS}, values)), Judge(game)


def warm(search: Search) -> None:
    """Compile what looking for puzzles needs."""
    by, judge = minds(search.game, search.values)
    current = start(search.game, PLAYERS, chance=Seeded(1))
    assert current.turn is not None
    view = current.view(current.turn)
    by.look(view)
    by.answer(view, 0)
    judge(view.states)


def looked(place: Place) -> Puzzle | None:
    """The first puzzle of a strong game that is wanted, from some event on that is drawn by lot."""
    by, judge = minds(place.search.game, place.search.values)
    chance = Seeded(place.search.seed, place.number)
    current = start(place.search.game, PLAYERS, chance=chance)
    begin = chance.below(LATEST)
    while current.turn is not None:
        view = current.view(current.turn)
        move, promising = by.look(view)
        if promising and len(current.events) >= begin and scores_most(view, move) in place.wanted:
            answer = by.answer(view, len(current.events))
            if answer is not None and scores_most(view, answer.move) in place.wanted:
                return as_puzzle(current, view, answer, judge)
        current.play_number(move)
    return None


class Found:
    """What was found where, and the puzzles that come of it.

    Places count in their order, so the same search ends with the same puzzles on however many processes: half of them
    are not solved by the move that scores most. A place whose puzzle is of a kind of which there are enough by then is
    looked at once more for the other kind.
    """

    def __init__(self, search: Search) -> None:
        self.search = search
        self.puzzles: list[Puzzle] = []
        self.left = {True: search.number // 2, False: search.number - search.number // 2}
        self._found: dict[int, Puzzle | None] = {}
        self._given = self._settled = 0
        self._once_more: list[int] = []

    @property
    def wanted(self) -> frozenset[bool]:
        return frozenset(most for most, missing in self.left.items() if missing)

    @property
    def looked_at(self) -> int:
        return len(self._found)

    def places(self) -> Iterator[Place]:
        """Where to look next, until there are enough."""
        while self.wanted:
            if self._once_more:
                yield Place(self.search, self._once_more.pop(0), self.wanted)
                continue
            while self._given in self._found:
                self._given += 1
            self._given += 1
            yield Place(self.search, self._given - 1, self.wanted)

    def tell(self, number: int, puzzle: Puzzle | None) -> None:
        """What was found at a place."""
        self._found[number] = puzzle
        while self._settled in self._found and self.wanted and self._settle(self._found[self._settled]):
            self._settled += 1

    def _settle(self, puzzle: Puzzle | None) -> bool:
        """Take a puzzle that is wanted; false where the place has to be looked at once more."""
        if puzzle is None:
            return True
        if puzzle.most in self.wanted:
            self.left[puzzle.most] -= 1
            self.puzzles.append(puzzle)
            return True
        del self._found[self._settled]
        self._once_more.append(self._settled)
        return False


class Journal:
    """What a search has found so far, a line for each place, so that it can go on after an interruption."""

    def __init__(self, path: Path, search: Search) -> None:
        self._path = path
        self._head = json.dumps({name: value for name, value in vars(search).items() if name != "values"})

    def read(self) -> list[tuple[int, Puzzle | None]]:
        """All that is known; a last line that was cut off is left away."""
        known = self._path.read_text() if self._path.exists() else f"{self._head}\n"
        head, *lines = known[: known.rfind("\n") + 1].splitlines()
        if head != self._head:
            raise SetupError(f"{self._path} is what another search has found so far; remove it or write elsewhere")
        with whole_file(self._path) as file:
            file.writelines(f"{line}\n" for line in (head, *lines))
        return [msgspec.json.decode(line, type=tuple[int, Puzzle | None]) for line in lines]

    def write(self, number: int, puzzle: Puzzle | None) -> None:
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode((number, puzzle)) + b"\n")

    def remove(self) -> None:
        self._path.unlink()


def seek(found: Found, journal: Journal, workers: int) -> Generator[None, None, None]:
    """Go on with a search to its end, step by step."""
    for number, puzzle in journal.read():
        found.tell(number, puzzle)
    with closing(spread(looked, found.places(), workers, partial(warm, found.search))) as results:
        while found.wanted:
            place, puzzle = next(results)
            journal.write(place.number, puzzle)
            found.tell(place.number, puzzle)
            yield

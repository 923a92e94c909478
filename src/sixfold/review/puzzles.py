"""Puzzles: decisions from strong games with one right answer, found by the review and confirmed by another method."""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec
import numpy as np

from sixfold.bots.greedy import Judge, copied
from sixfold.engine import notation, record
from sixfold.engine.game import Game, View, start
from sixfold.errors import SetupError, UserError
from sixfold.review.estimating import POINTS
from sixfold.review.reviewing import ITERATIONS
from sixfold.review.solution import Solution, solves
from sixfold.review.worlds import TO_THE_END, Worlds
from sixfold.solve.values.file import Values
from sixfold.system import whole_file

FORMAT = "sixfold/puzzles/1"
PLAYERS = 2
# The right answer is ahead of every other by at least so many points, with a certainty of 99.9%.
LEAD = 5.0
CERTAIN = 3.09
# The game must still be open (points).
LEAST, MOST = 10.0, 90.0
# What the net says at once, and then a first look of so many iterations, have to hint at a lead (points): what is
# close takes too long to be certain about.
HINT, FIRST_LOOK = 7.0, 200
# The search for a puzzle begins at any of so many events.
LATEST = 60
# Moves that come to the same are the same to a net.
SAME = 1e-6
# Worlds for each move: to begin with, and at most.
FEW, MANY = 32, 1024
# Confirmed with ten times the thinking of a review: so many games for each of two moves, so many at a time.
GAMES, SOME_GAMES = 10 * ITERATIONS // 2, 500


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position as the events that led to it, the answer, and what is best besides."""

    events: list[str]
    player: int
    answers: list[str]  # moves that come to the same
    chance: float  # of the answer, in points
    other: str  # the best of the others
    lead: float
    confirmed: float  # the lead by the other method
    most: bool  # is it a move that scores most at once?
    strength: int  # 1 scores most, 2 a look ahead finds it, 3 neither


class Collection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's puzzles, all with the printed rules."""

    format: str
    game: str
    players: int
    confirmed_by: str
    puzzles: list[Puzzle]


def path_of(game: str) -> Path:
    """Where the puzzles that come with the package are."""
    return Path(str(resources.files("sixfold.review").joinpath(f"puzzles-{game}.json")))


@cache
def shipped(game: str) -> Collection:
    """A game's puzzles."""
    path = path_of(game)
    if not path.exists():
        raise SetupError(f"there are no puzzles for {game}")
    try:
        return msgspec.json.decode(path.read_bytes(), type=Collection)
    except msgspec.DecodeError as error:
        raise UserError(f"{path} holds no puzzles: {error}") from None


def position(collection: Collection, puzzle: Puzzle) -> Game:
    """The game at a puzzle's decision."""
    beginning = record.of(start(collection.game, collection.players))
    return record.replay({**beginning, "events": puzzle.events}).game


def save(path: Path, collection: Collection) -> None:
    """Write puzzles, one to a line."""
    whole = msgspec.to_builtins(collection)
    lines = ",\n".join(json.dumps(puzzle) for puzzle in whole.pop("puzzles"))
    head = json.dumps(whole)[:-1]
    with whole_file(path) as file:
        file.write(f'{head}, "puzzles": [\n{lines}\n]}}\n')


@dataclass(frozen=True)
class Answer:
    """The best move of a position and the best of the others, with the lead and a second opinion on it."""

    move: int
    other: int
    chance: float
    lead: float
    confirmed: float


class ByWorlds:
    """Travel and cards: worlds judged by the net first, then games played to their end."""

    confirmed_by = "games played to their end"

    def __init__(self, game: str) -> None:
        self.worlds = Worlds(game, PLAYERS)
        self._sampler = self.worlds.sampler

    def look(self, view: View) -> tuple[int, bool]:
        """The move that the net likes best, and whether it may be the one right answer."""
        moves, chances = self._sampler.look(copied(view))
        others = chances[chances < chances[0] - SAME]
        ahead = bool(others.size) and chances[0] - others[0] >= HINT
        return int(moves[0]), ahead and LEAST <= float(chances[0]) <= MOST

    def answer(self, view: View, seed: int) -> Answer | None:
        """The one right answer, if there is one."""
        assert view.seat is not None
        options = self.worlds.weigh(view, int(view.legal().numbers[0]), FIRST_LOOK, seed).options
        if options[0].chance - options[1].chance < HINT:
            return None
        states = copied(view)
        moves = np.array([option.move for option in options], dtype=np.int16)
        found = self._certain(states, view.seat, moves, seed)
        if found is None or not LEAST <= found[1] <= MOST:
            return None
        other, chance, lead = found
        two = np.array([moves[0], other], dtype=np.int16)
        confirmed = self.confirm(states, view.seat, two, seed)
        return None if confirmed is None else Answer(int(moves[0]), other, chance, lead, confirmed)

    def _certain(self, states: np.ndarray, seat: int, moves: np.ndarray, seed: int) -> tuple[int, float, float] | None:
        """Is the first move certainly ahead of each other one? The best other, the first one's chance, and the lead."""
        alive = np.ones(len(moves), dtype=np.bool_)
        leads = np.full(len(moves), POINTS)
        worlds, more = 0, FEW
        while alive[1:].any():
            if worlds + more > MANY:
                return None
            self._sampler.play_on(
                states, seat, moves, alive, (worlds, worlds + more), ~seed & 0xFFFF, self._sampler.depth
            )
            worlds += more
            more = worlds
            found = POINTS * self._sampler.found[:worlds, : len(moves)]
            ahead = found[:, :1] - found
            error = ahead.std(0, ddof=1) / np.sqrt(worlds)
            mean = ahead.mean(0)
            if mean[1:][alive[1:]].min() < LEAD:
                return None
            leads = np.where(alive, mean, leads)
            alive &= mean - CERTAIN * error < LEAD
            alive[0] = True
        leads[0] = POINTS
        best = int(np.argmin(leads))
        return int(moves[best]), float(found[:, 0].mean()), float(leads[best])

    def confirm(self, states: np.ndarray, seat: int, moves: np.ndarray, seed: int) -> float | None:
        """Played to the end, is the first move certainly better, and by about as much? The lead found. What is certain
        already is not played on."""
        alive = np.ones(2, dtype=np.bool_)
        for worlds in range(0, GAMES, SOME_GAMES):
            played = min(worlds + SOME_GAMES, GAMES)
            self._sampler.play_on(states, seat, moves, alive, (worlds, played), seed, TO_THE_END)
            found = POINTS * self._sampler.found[:played, :2]
            ahead = found[:, 0] - found[:, 1]
            mean, doubt = float(ahead.mean()), CERTAIN * float(ahead.std(ddof=1)) / played**0.5
            if mean + doubt < LEAD:
                return None
            if mean - doubt >= LEAD:
                return mean
        return mean if mean >= LEAD and mean > doubt else None

    def check(self, view: View, puzzle: Puzzle) -> float | None:
        """The lead of a puzzle's answer over the best of the others, confirmed anew."""
        assert view.seat is not None
        moves = [notation.read(view.rules, move) for move in (puzzle.answers[0], puzzle.other)]
        return self.confirm(copied(view), view.seat, np.array(moves, dtype=np.int16), len(puzzle.events))


class BySolution:
    """Dice: the approximation first, then the exact values."""

    confirmed_by = "exact values"

    def __init__(self, values: Values) -> None:
        self._guess, self._exact = Solution(False), Solution(False, values)

    def look(self, view: View) -> tuple[int, bool]:
        """The best move, and whether it may be the one right answer."""
        options = self._exact.weigh(view, int(view.legal().numbers[0])).options
        return options[0].move, len(options) > 1 and LEAST <= options[0].chance <= MOST

    def answer(self, view: View, seed: int) -> Answer | None:
        """The one right answer, if there is one."""
        first = int(view.legal().numbers[0])
        guess, exact = (by.weigh(view, first).options for by in (self._guess, self._exact))
        guessed, lead = (options[0].chance - options[1].chance for options in (guess, exact))
        if guess[0].move != exact[0].move or min(guessed, lead) < LEAD:
            return None
        return Answer(exact[0].move, exact[1].move, exact[0].chance, guessed, lead)

    def check(self, view: View, puzzle: Puzzle) -> float | None:
        """The lead of a puzzle's answer over every other move, by the exact values."""
        answer = self.answer(view, 0)
        right = answer is not None and notation.write(view.rules, answer.move) in puzzle.answers
        return answer.confirmed if answer is not None and right else None


def solver(game: str, values: Values | None) -> ByWorlds | BySolution:
    """Who finds the puzzles of a game."""
    if method(game, values) is ByWorlds:
        return ByWorlds(game)
    assert values is not None
    return BySolution(values)


def method(game: str, values: Values | None) -> type[ByWorlds] | type[BySolution]:
    """How the puzzles of a game are found; refused where nothing is there to confirm them by."""
    if not solves(game, PLAYERS):
        return ByWorlds
    if values is None:
        raise SetupError(f"puzzles of {game} are confirmed by the value file: sixfold solve {game}")
    return BySolution


def scores_most(view: View, move: int) -> bool:
    """Does no other move score more at once?"""
    moves = view.legal()
    gains = view.previews(moves)[:, :6].sum(1)
    return bool(gains[moves.numbers == move][0] == gains.max())


def as_puzzle(game: Game, view: View, answer: Answer, judge: Judge) -> Puzzle:
    """A puzzle as it is kept."""
    assert view.seat is not None
    same = same_moves(view, answer.move)
    numbers, looks = judge(copied(view))
    most = scores_most(view, answer.move)
    strength = 1 if most else 2 if int(numbers[int(np.argmax(looks))]) in same else 3
    return Puzzle(
        list(game.events),
        view.seat,
        [notation.write(view.rules, move) for move in same],
        round(answer.chance, 2),
        notation.write(view.rules, answer.other),
        round(answer.lead, 2),
        round(answer.confirmed, 2),
        most,
        strength,
    )


def same_moves(view: View, move: int) -> list[int]:
    """All moves that come to the same as one."""

    def behind(one: int) -> bytes:
        then = Game(view.rules, copied(view))
        then.play_number(one)
        return then.states.tobytes()

    wanted = behind(move)
    return [int(one) for one in view.legal().numbers if behind(int(one)) == wanted]

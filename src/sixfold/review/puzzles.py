"""Puzzles: decisions from strong games with one right answer, found by review and confirmed by another method."""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec
import numpy as np

from sixfold.bots.greedy import OnePly, state_array
from sixfold.engine import notation, record
from sixfold.engine.game import Game, View, start
from sixfold.errors import SetupError, UserError
from sixfold.review.determinization import TO_THE_END, DeterminizationEvaluator
from sixfold.review.model import POINTS
from sixfold.review.report import ITERATIONS
from sixfold.review.solution import Solution, solves
from sixfold.solve.values.file import Values
from sixfold.system import atomic_file

FORMAT = "sixfold/puzzles/1"
PLAYERS = 2
# The right answer leads every other by at least this many points, at a confidence of 99.9%.
LEAD = 5.0
Z_SCORE = 3.09
# The game must still be open (points).
LEAST, MOST = 10.0, 90.0
# The net's immediate evaluation, and then a short review of a few iterations, must show at least this lead (points):
# close decisions take too long to confirm.
MIN_HINT, HINT_ITERATIONS = 7.0, 200
# The search for a puzzle starts at a random event before this one.
LATEST_START = 60
# Equivalent moves have the same value for a net, up to rounding.
EQUAL_TOLERANCE = 1e-6
# Worlds (determinizations) for each move: initially, and at most.
FIRST_WORLDS, MOST_WORLDS = 32, 1024
# Answers are confirmed with ten times the iterations of a review: games for each of two moves, and games per batch.
GAMES, GAMES_PER_BATCH = 10 * ITERATIONS // 2, 500


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position as the events that led to it, the answer, and the best of the other moves."""

    events: list[str]
    player: int
    answers: list[str]  # equivalent moves
    chance: float  # of the answer, in points
    other: str  # the best of the others
    lead: float
    confirmed: float  # the lead by the other method
    most: bool  # whether the answer scores most immediately
    strength: int  # 1: it scores most, 2: one-ply lookahead finds it, 3: neither


class Collection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The puzzles of a game, all with the printed rules."""

    format: str
    game: str
    players: int
    confirmed_by: str
    puzzles: list[Puzzle]


def path_of(game: str) -> Path:
    """The path of the puzzles shipped with the package."""
    return Path(str(resources.files("sixfold.review").joinpath(f"puzzles-{game}.json")))


@cache
def shipped(game: str) -> Collection:
    """The puzzles of a game that are shipped with the package."""
    path = path_of(game)
    if not path.exists():
        raise SetupError(f"there are no puzzles for {game}")
    try:
        return msgspec.json.decode(path.read_bytes(), type=Collection)
    except msgspec.DecodeError as error:
        raise UserError(f"{path} holds no puzzles: {error}") from None


def position(collection: Collection, puzzle: Puzzle) -> Game:
    """The game at a puzzle's decision."""
    initial = record.of(start(collection.game, collection.players))
    return record.replay({**initial, "events": puzzle.events}).game


def save(path: Path, collection: Collection) -> None:
    """Write puzzles, one per line."""
    contents = msgspec.to_builtins(collection)
    lines = ",\n".join(json.dumps(puzzle) for puzzle in contents.pop("puzzles"))
    head = json.dumps(contents)[:-1]
    with atomic_file(path) as file:
        file.write(f'{head}, "puzzles": [\n{lines}\n]}}\n')


@dataclass(frozen=True)
class Answer:
    """The best move of a position and the second best, with the lead and its confirmation by another method."""

    move: int
    other: int
    chance: float
    lead: float
    confirmed: float


class DeterminizationSolver:
    """Solver for travel and cards: determinizations evaluated by the net first, then games played to their end."""

    confirmed_by = "games played to their end"

    def __init__(self, game: str) -> None:
        self.worlds = DeterminizationEvaluator(game, PLAYERS)
        self._sampler = self.worlds.sampler

    def screen(self, view: View) -> tuple[int, bool]:
        """The net's favourite move, and whether it may be the only right answer."""
        moves, chances = self._sampler.rank_moves(state_array(view))
        others = chances[chances < chances[0] - EQUAL_TOLERANCE]
        leads = bool(others.size) and chances[0] - others[0] >= MIN_HINT
        return int(moves[0]), leads and LEAST <= float(chances[0]) <= MOST

    def answer(self, view: View, seed: int) -> Answer | None:
        """The only right answer, or None."""
        assert view.seat is not None
        options = self.worlds.evaluate_moves(view, int(view.legal().numbers[0]), HINT_ITERATIONS, seed).options
        if options[0].chance - options[1].chance < MIN_HINT:
            return None
        states = state_array(view)
        moves = np.array([option.move for option in options], dtype=np.int16)
        certain = self._certain(states, view.seat, moves, seed)
        if certain is None or not LEAST <= certain[1] <= MOST:
            return None
        other, chance, lead = certain
        pair = np.array([moves[0], other], dtype=np.int16)
        confirmed = self.confirm(states, view.seat, pair, seed)
        return None if confirmed is None else Answer(int(moves[0]), other, chance, lead, confirmed)

    def _certain(self, states: np.ndarray, seat: int, moves: np.ndarray, seed: int) -> tuple[int, float, float] | None:
        """If the first move certainly leads all others: the second best, the first one's chance, and the lead."""
        active = np.ones(len(moves), dtype=np.bool_)
        leads = np.full(len(moves), POINTS)
        worlds, more = 0, FIRST_WORLDS
        while active[1:].any():
            if worlds + more > MOST_WORLDS:
                return None
            self._sampler.play_on(
                states, seat, moves, active, (worlds, worlds + more), ~seed & 0xFFFF, self._sampler.depth
            )
            worlds += more
            more = worlds
            chances = POINTS * self._sampler.results[:worlds, : len(moves)]
            ahead = chances[:, :1] - chances
            error = ahead.std(0, ddof=1) / np.sqrt(worlds)
            mean = ahead.mean(0)
            if mean[1:][active[1:]].min() < LEAD:
                return None
            leads = np.where(active, mean, leads)
            active &= mean - Z_SCORE * error < LEAD
            active[0] = True
        leads[0] = POINTS
        best = int(np.argmin(leads))
        return int(moves[best]), float(chances[:, 0].mean()), float(leads[best])

    def confirm(self, states: np.ndarray, seat: int, moves: np.ndarray, seed: int) -> float | None:
        """The lead of the first of two moves in games played to the end, or None if it is not confirmed.

        Stops early when the result is certain.
        """
        active = np.ones(2, dtype=np.bool_)
        for worlds in range(0, GAMES, GAMES_PER_BATCH):
            played = min(worlds + GAMES_PER_BATCH, GAMES)
            self._sampler.play_on(states, seat, moves, active, (worlds, played), seed, TO_THE_END)
            chances = POINTS * self._sampler.results[:played, :2]
            leads = chances[:, 0] - chances[:, 1]
            mean, half_width = float(leads.mean()), Z_SCORE * float(leads.std(ddof=1)) / played**0.5
            if mean + half_width < LEAD:
                return None
            if mean - half_width >= LEAD:
                return mean
        return mean if mean >= LEAD and mean > half_width else None

    def check(self, view: View, puzzle: Puzzle) -> float | None:
        """Confirm a puzzle again: the lead of its answer over the best other move, or None."""
        assert view.seat is not None
        moves = [notation.read(view.rules, move) for move in (puzzle.answers[0], puzzle.other)]
        return self.confirm(state_array(view), view.seat, np.array(moves, dtype=np.int16), len(puzzle.events))


class ExactSolver:
    """Solver for dice: the approximation first, then the exact values."""

    confirmed_by = "exact values"

    def __init__(self, values: Values) -> None:
        self._guess, self._exact = Solution(False), Solution(False, values)

    def screen(self, view: View) -> tuple[int, bool]:
        """The best move, and whether it may be the only right answer."""
        options = self._exact.evaluate_moves(view, int(view.legal().numbers[0])).options
        return options[0].move, len(options) > 1 and LEAST <= options[0].chance <= MOST

    def answer(self, view: View, seed: int) -> Answer | None:
        """The only right answer, or None."""
        first = int(view.legal().numbers[0])
        guess, exact = (evaluator.evaluate_moves(view, first).options for evaluator in (self._guess, self._exact))
        guessed, lead = (options[0].chance - options[1].chance for options in (guess, exact))
        if guess[0].move != exact[0].move or min(guessed, lead) < LEAD:
            return None
        return Answer(exact[0].move, exact[1].move, exact[0].chance, guessed, lead)

    def check(self, view: View, puzzle: Puzzle) -> float | None:
        """Confirm a puzzle again: the exact lead of its answer over every other move, or None."""
        answer = self.answer(view, 0)
        matches = answer is not None and notation.write(view.rules, answer.move) in puzzle.answers
        return answer.confirmed if answer is not None and matches else None


def solver(game: str, values: Values | None) -> DeterminizationSolver | ExactSolver:
    """The solver for the puzzles of a game."""
    if method(game, values) is DeterminizationSolver:
        return DeterminizationSolver(game)
    assert values is not None
    return ExactSolver(values)


def method(game: str, values: Values | None) -> type[DeterminizationSolver] | type[ExactSolver]:
    """The solver class for a game; raises if the value file needed for confirmation is missing."""
    if not solves(game, PLAYERS):
        return DeterminizationSolver
    if values is None:
        raise SetupError(f"puzzles of {game} are confirmed by the value file: sixfold solve {game}")
    return ExactSolver


def scores_most(view: View, move: int) -> bool:
    """Whether no other move scores more immediately."""
    moves = view.legal()
    gains = view.previews(moves)[:, :6].sum(1)
    return bool(gains[moves.numbers == move][0] == gains.max())


def as_puzzle(game: Game, view: View, answer: Answer, judge: OnePly) -> Puzzle:
    """Build the stored form of a puzzle."""
    assert view.seat is not None
    answers = same_moves(view, answer.move)
    numbers, values = judge(state_array(view))
    most = scores_most(view, answer.move)
    strength = 1 if most else 2 if int(numbers[int(np.argmax(values))]) in answers else 3
    return Puzzle(
        list(game.events),
        view.seat,
        [notation.write(view.rules, move) for move in answers],
        round(answer.chance, 2),
        notation.write(view.rules, answer.other),
        round(answer.lead, 2),
        round(answer.confirmed, 2),
        most,
        strength,
    )


def same_moves(view: View, move: int) -> list[int]:
    """All moves that lead to the same position as the given one."""

    def state_after(candidate: int) -> bytes:
        game = Game(view.rules, state_array(view))
        game.play_number(candidate)
        return game.states.tobytes()

    target = state_after(move)
    return [int(candidate) for candidate in view.legal().numbers if state_after(int(candidate)) == target]

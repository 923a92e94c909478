"""The review of a record: every step judged, and each player's sums."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from math import sqrt

import numpy as np

from sixfold.bots.tree import by_place
from sixfold.engine import notation
from sixfold.engine.game import Game, View, rules_of
from sixfold.engine.record import begin as first_position
from sixfold.engine.record import replay, steps
from sixfold.review.estimating import POINTS, Estimator, added
from sixfold.review.shapes import MARKS, STEPS, Account, Candidate, Decision, Draw, Review, Step, mark_of
from sixfold.review.solution import Solution, solves
from sixfold.review.worlds import Worlds
from sixfold.solve.values.file import Values

# How long a decision is thought about unless somebody says otherwise: one move in one world is one iteration.
ITERATIONS = 1600
# Draws and the curve take these shares of it.
DRAW_SHARE, CURVE_SHARE = 0.25, 0.08

Told = Callable[[int, int, Step], None]


@dataclass(frozen=True)
class Task:
    """One event of a record: what its player saw before and after it, and what everybody saw after it."""

    number: int
    event: str
    player: int
    move: int | None  # none where chance spoke
    choices: int
    before: View
    after: Sequence[View]


def tasks(record: object) -> tuple[list[Task], Sequence[View], Game]:
    """The events of a record, what everybody saw before the first, and the game after the last."""
    game = first_position(record)
    everybody = range(game.players)
    opening = [game.view(seat) for seat in everybody]
    assert isinstance(record, dict)
    found: list[Task] = []
    before = opening
    words = {occasion.word for occasion in game.rules.OCCASIONS}
    for number, (event, after, choices) in enumerate(steps(record), start=1):
        game = after
        head, *rest = event.split(" ")
        of_chance = head in words
        player = int(rest[0] if of_chance else head)
        move = None if of_chance else notation.read(game.rules, " ".join(rest))
        now = [game.view(seat) for seat in everybody]
        found.append(Task(number, event, player, move, choices or 0, before[player], now))
        before = now
    return found, opening, game


def estimator(record: dict[str, object], values: Values | None = None) -> Estimator:
    """Who judges a game best: its solution, its net, or playouts."""
    name, players, options = str(record["game"]), int(str(record["players"])), record["options"]
    assert isinstance(options, dict)
    rules_of(name, players)
    if solves(name, players):
        return Solution(options["split_jokers"] is True, values)
    return Worlds(name, players)


class Reviewing:
    """The review of a record in pieces: one event after another or on many threads, the numbers are the same."""

    def __init__(
        self, record: object, iterations: int = ITERATIONS, seed: int = 1, values: Values | None = None
    ) -> None:
        replay(record)
        assert isinstance(record, dict)
        self.tasks, self._opening, self._game = tasks(record)
        self._record, self._iterations, self._seed, self._values = record, iterations, seed, values

    def estimator(self) -> Estimator:
        """Who judges; for one thread at a time."""
        return estimator(self._record, self._values)

    def begin(self, by: Estimator) -> list[float]:
        """Everybody's chance before the first event."""
        return by.chances(self._opening, self._iterations, seed_of(self._seed, 0))

    def judge(self, by: Estimator, number: int) -> tuple[Step, list[float]]:
        """An event, counted from 1, and everybody's chance after it."""
        return judged(by, self.tasks[number - 1], self._iterations, seed_of(self._seed, number))

    def review(self, by: Estimator, begin: list[float], results: Sequence[tuple[Step, list[float]]]) -> Review:
        """All events, put together."""
        game, judged_steps = self._game, [step for step, _ in results]
        return Review(
            game.name,
            game.players,
            game.options,
            self._record.get("names"),
            by.name,
            self._iterations,
            self._seed,
            begin,
            [chances for _, chances in results],
            judged_steps,
            [account(player, judged_steps, begin, game) for player in range(game.players)],
        )


def review(
    record: object,
    iterations: int = ITERATIONS,
    seed: int = 1,
    threads: int = 1,
    values: Values | None = None,
    tell: Told = lambda done, total, step: None,
) -> Review:
    """Review a record. The same record, iterations and seed give the same review, on however many threads; ``tell``
    hears of every step when it is judged, with how many of how many that makes; what it raises ends the review."""
    pieces = Reviewing(record, iterations, seed, values)
    own = threading.local()

    def judge(number: int) -> tuple[Step, list[float]]:
        if not hasattr(own, "estimator"):
            own.estimator = pieces.estimator()
        return pieces.judge(own.estimator, number)

    first = pieces.estimator()
    begin = pieces.begin(first)
    results: dict[int, tuple[Step, list[float]]] = {}
    pool = ThreadPoolExecutor(threads)
    try:
        waiting = {pool.submit(judge, task.number): task.number for task in pieces.tasks}
        for done in as_completed(waiting):
            step, chances = done.result()
            results[waiting[done]] = step, chances
            tell(len(results), len(pieces.tasks), step)
    finally:
        # Who has enough of it does not wait for the rest.
        pool.shutdown(cancel_futures=True)
    return pieces.review(first, begin, [results[task.number] for task in pieces.tasks])


def seed_of(seed: int, number: int) -> int:
    """Every event has luck of its own."""
    return (seed * 1_000_003 + number) & 0x7FFFFFFF


def judged(by: Estimator, task: Task, iterations: int, seed: int) -> tuple[Step, list[float]]:
    """One event, and everybody's chance after it."""
    over = task.after[0].over
    chances = ended(task.after[0]) if over else by.chances(task.after, int(iterations * CURVE_SHARE), seed)
    if task.move is None:
        drawn = by.draw(task.before, task.after[task.player], int(iterations * DRAW_SHARE), seed)
        luck = drawn.chance - drawn.average
        return Draw(task.number, task.player, task.event, drawn.chance, drawn.average, luck, drawn.error), chances
    return decision(by, task, iterations, seed, chances[task.player]), chances


def decision(by: Estimator, task: Task, iterations: int, seed: int, chance: float) -> Decision:
    """What a decision cost. A forced one costs nothing, and needs no thinking."""
    assert task.move is not None
    move = notation.write(task.before.rules, task.move)
    if task.choices == 1:
        return Decision(task.number, task.player, move, move, True, chance, chance, 0.0, 0.0, None, None, [])
    weighed = by.weigh(task.before, task.move, iterations, seed)
    options, cost = weighed.options, weighed.cost
    candidates = [Candidate(notation.write(task.before.rules, one.move), one.chance, one.error) for one in options]
    played = options[weighed.played]
    margin, mark, best = None, mark_of(cost), candidates[0].move if cost > 0.0 else move
    if weighed.margins is not None:
        margin = weighed.margins[weighed.widest] - weighed.margins[weighed.played]
        mark = "slip" if margin >= STEPS else None
        best = candidates[weighed.widest].move if mark else move
    return Decision(
        task.number,
        task.player,
        move,
        best,
        False,
        played.chance,
        options[0].chance,
        cost,
        played.error,
        mark,
        margin,
        candidates,
    )


def ended(view: View) -> list[float]:
    """What everybody has in the end, in points."""
    rewards = np.zeros(view.players)
    by_place(np.array(view.values, dtype=np.int8), view.players, rewards)
    return [POINTS * float(reward) for reward in rewards]


def account(player: int, judged_steps: Sequence[Step], begin: Sequence[float], game: Game) -> Account:
    """A player's sums. What others gain and lose by luck and mistakes is shared by all whom they play against."""
    others = game.players - 1
    decisions = [step for step in judged_steps if isinstance(step, Decision)]
    draws = [step for step in judged_steps if isinstance(step, Draw)]
    own = [step for step in decisions if step.player == player]
    free = [step for step in own if not step.forced]
    lost = added(step.cost for step in own)
    others_lost = added(step.cost for step in decisions if step.player != player) / others
    luck = added(step.luck if step.player == player else -step.luck / others for step in draws)
    weights = [1.0 if step.player == player else 1.0 / others for step in draws]
    error = sqrt(
        added((weight * step.error) * (weight * step.error) for weight, step in zip(weights, draws, strict=True))
    )
    result = ended(game.open_view())[player] if game.over else None
    return Account(
        player,
        begin[player],
        result,
        luck,
        error,
        lost,
        others_lost,
        None if result is None else result - begin[player] - luck + lost - others_lost,
        min(max(begin[player] - lost + others_lost, 0.0), POINTS),
        len(free),
        lost / len(free) if free else 0.0,
        {mark: sum(step.mark == mark for step in own) for mark in MARKS},
    )

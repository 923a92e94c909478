"""The review of a record: an evaluation of every step, and each player's totals."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from math import sqrt

from sixfold.engine import notation
from sixfold.engine.game import Game, View, rules_of
from sixfold.engine.record import replay
from sixfold.review.determinization import DeterminizationEvaluator
from sixfold.review.evaluator import Evaluator, final_rewards, sequential_sum
from sixfold.review.model import (
    CONSTANTS,
    MARKS,
    POINTS,
    SLIP_MARGIN,
    Account,
    Candidate,
    Decision,
    Draw,
    Review,
    Step,
    mark_of,
)
from sixfold.review.solution import Solution, solves
from sixfold.solve.values.file import Values

# The default number of iterations for a decision; an iteration is one move in one world (determinization).
ITERATIONS: int = CONSTANTS["iterations"]
# The shares of it that are spent on a draw, and on a point of the curve.
DRAW_SHARE: float = CONSTANTS["draw_share"]
CURVE_SHARE: float = CONSTANTS["curve_share"]

Progress = Callable[[int, int, Step], None]


@dataclass(frozen=True)
class Task:
    """One event of a record: its player's view before it, and every player's view after it."""

    number: int
    event: str
    player: int
    move: int | None  # None for a chance event
    choices: int
    before: View
    after: Sequence[View]


def tasks(record: object) -> tuple[list[Task], Sequence[View], Game]:
    """The events of a record, every player's view before the first, and the game after the last."""
    views: list[list[View]] = []
    tasks: list[Task] = []

    def add_task(event: str, game: Game, choices: int | None) -> None:
        views.append([game.view(seat) for seat in range(game.players)])
        if event:
            is_chance = choices is None
            head, *rest = event.split(" ")
            player = int(rest[0] if is_chance else head)
            move = None if is_chance else notation.read(game.rules, " ".join(rest))
            tasks.append(Task(len(tasks) + 1, event, player, move, choices or 0, views[-2][player], views[-1]))

    game = replay(record, add_task).game
    return tasks, views[0], game


def evaluator_for(record: dict[str, object], values: Values | None = None) -> Evaluator:
    """The strongest evaluator for a game: its solution, its net, or playouts."""
    name, players, options = str(record["game"]), int(str(record["players"])), record["options"]
    assert isinstance(options, dict)
    rules_of(name, players)
    if solves(name, players):
        return Solution(options["split_jokers"] is True, values)
    return DeterminizationEvaluator(name, players)


class ReviewBuilder:
    """Builds the review of a record event by event; the order and the number of threads do not change the result."""

    def __init__(
        self, record: object, iterations: int = ITERATIONS, seed: int = 1, values: Values | None = None
    ) -> None:
        self.tasks, self._opening, self._game = tasks(record)
        assert isinstance(record, dict)
        self._record, self._iterations, self._seed, self._values = record, iterations, seed, values

    def evaluator(self) -> Evaluator:
        """A new evaluator, to be used by one thread at a time."""
        return evaluator_for(self._record, self._values)

    def initial_chances(self, evaluator: Evaluator) -> list[float]:
        """Every player's chance before the first event."""
        return evaluator.chances(self._opening, self._iterations, seed_of(self._seed, 0))

    def evaluate(self, evaluator: Evaluator, number: int) -> tuple[Step, list[float]]:
        """Evaluate an event, counted from 1; returns the step and every player's chance after it."""
        return evaluate_event(evaluator, self.tasks[number - 1], self._iterations, seed_of(self._seed, number))

    def review(self, evaluator: Evaluator, begin: list[float], results: Sequence[tuple[Step, list[float]]]) -> Review:
        """Assemble the review from the results of all events."""
        game, steps = self._game, [step for step, _ in results]
        return Review(
            game.name,
            game.players,
            game.options,
            self._record.get("names"),
            evaluator.name,
            self._iterations,
            self._seed,
            begin,
            [chances for _, chances in results],
            steps,
            [account(player, steps, begin, game) for player in range(game.players)],
        )


def review(
    record: object,
    iterations: int = ITERATIONS,
    seed: int = 1,
    threads: int = 1,
    values: Values | None = None,
    tell: Progress = lambda done, total, step: None,
) -> Review:
    """Review a record; the result depends on the record, the iterations and the seed, but not on the threads.

    ``tell`` is called for every evaluated step with the number of steps done and in total; an exception that it raises
    ends the review.
    """
    builder = ReviewBuilder(record, iterations, seed, values)
    local = threading.local()

    def evaluate(number: int) -> tuple[Step, list[float]]:
        if not hasattr(local, "evaluator"):
            local.evaluator = builder.evaluator()
        return builder.evaluate(local.evaluator, number)

    main_evaluator = builder.evaluator()
    begin = builder.initial_chances(main_evaluator)
    results: dict[int, tuple[Step, list[float]]] = {}
    pool = ThreadPoolExecutor(threads)
    try:
        pending = {pool.submit(evaluate, task.number): task.number for task in builder.tasks}
        for future in as_completed(pending):
            step, chances = future.result()
            results[pending[future]] = step, chances
            tell(len(results), len(builder.tasks), step)
    finally:
        # After an exception the remaining events are not evaluated.
        pool.shutdown(cancel_futures=True)
    return builder.review(main_evaluator, begin, [results[task.number] for task in builder.tasks])


def seed_of(seed: int, number: int) -> int:
    """The seed of an event."""
    return (seed * 1_000_003 + number) & 0x7FFFFFFF


def evaluate_event(evaluator: Evaluator, task: Task, iterations: int, seed: int) -> tuple[Step, list[float]]:
    """Evaluate an event; returns the step and every player's chance after it."""
    is_over = task.after[0].over
    chances = (
        final_points(task.after[0]) if is_over else evaluator.chances(task.after, int(iterations * CURVE_SHARE), seed)
    )
    if task.move is None:
        draw = evaluator.evaluate_draw(task.before, task.after[task.player], int(iterations * DRAW_SHARE), seed)
        luck = draw.chance - draw.average
        return Draw(task.number, task.player, task.event, draw.chance, draw.average, luck, draw.error), chances
    return decision(evaluator, task, iterations, seed, chances[task.player]), chances


def decision(evaluator: Evaluator, task: Task, iterations: int, seed: int, chance: float) -> Decision:
    """Evaluate a decision; a forced one costs nothing and is not searched."""
    assert task.move is not None
    move = notation.write(task.before.rules, task.move)
    if task.choices == 1:
        return Decision(task.number, task.player, move, move, True, chance, chance, 0.0, 0.0, None, None, [])
    evaluations = evaluator.evaluate_moves(task.before, task.move, iterations, seed)
    options, cost = evaluations.options, evaluations.cost
    candidates = [
        Candidate(notation.write(task.before.rules, option.move), option.chance, option.error) for option in options
    ]
    played = options[evaluations.played]
    margin, mark, best = None, mark_of(cost), candidates[0].move if cost > 0.0 else move
    if evaluations.margins is not None:
        margin = evaluations.margins[evaluations.largest_margin] - evaluations.margins[evaluations.played]
        mark = "slip" if margin >= SLIP_MARGIN else None
        best = candidates[evaluations.largest_margin].move if mark else move
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


def final_points(view: View) -> list[float]:
    """Every player's final result, in points."""
    return [POINTS * float(reward) for reward in final_rewards(view)]


def account(player: int, steps: Sequence[Step], begin: Sequence[float], game: Game) -> Account:
    """A player's totals; what others gain or lose by luck and mistakes is shared equally among their opponents."""
    others = max(game.players - 1, 1)
    decisions = [step for step in steps if isinstance(step, Decision)]
    draws = [step for step in steps if isinstance(step, Draw)]
    own = [step for step in decisions if step.player == player]
    unforced = [step for step in own if not step.forced]
    lost = sequential_sum(step.cost for step in own)
    others_lost = sequential_sum(step.cost for step in decisions if step.player != player) / others
    luck = sequential_sum(step.luck if step.player == player else -step.luck / others for step in draws)
    weights = [1.0 if step.player == player else 1.0 / others for step in draws]
    error = sqrt(
        sequential_sum(
            (weight * step.error) * (weight * step.error) for weight, step in zip(weights, draws, strict=True)
        )
    )
    result = final_points(game.open_view())[player] if game.over else None
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
        len(unforced),
        lost / len(unforced) if unforced else 0.0,
        {mark: sum(step.mark == mark for step in own) for mark in MARKS},
    )

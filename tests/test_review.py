"""Looking back: costs and luck from what each player knew, books that balance, and puzzles with one right answer."""

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from sixfold import Seeded, start
from sixfold.cli import main
from sixfold.engine import notation, record
from sixfold.engine.game import Game
from sixfold.errors import SetupError
from sixfold.games import packages
from sixfold.games.dice import rules as dice
from sixfold.review import puzzles, review
from sixfold.review.determinization import DeterminizationEvaluator
from sixfold.review.evaluator import MoveEvaluations, Option
from sixfold.review.model import GAME_END_MARGIN, Decision, Review, mark_of
from sixfold.review.report import Task, account, evaluate_event
from sixfold.review.sequential_halving import BEST, NUMBER, PLAYED, STATS_SIZE, WORLDS, Race, next_batch_size
from sixfold.review.solution import Solution
from sixfold.review.text import chart
from sixfold.solve.positions.sheets import Variant
from sixfold.solve.values import solver
from sixfold.solve.values.file import Values, default_path, open_values

pytestmark = pytest.mark.xdist_group("solve")


def played(name: str, players: int = 2, seed: int = 1, **options: bool) -> dict[str, Any]:
    """The record of a random game: full of mistakes."""
    chance = Seeded(seed)
    game = start(name, players, chance=chance, **options)
    while game.turn is not None:
        moves = game.legal()
        game.play(moves[chance.below(len(moves))])
    return record.of(game)


@pytest.fixture(scope="module")
def end_values(tmp_path_factory: pytest.TempPathFactory) -> Values:
    """The exact values of the end game in which every row has a box left at most."""
    path = tmp_path_factory.mktemp("values") / "end.values"
    solver.solve(Variant(boxes=1), path, "cpu", lambda stage, done, number: None)
    return Values(path)


def end_game(chance: Seeded) -> Game:
    """A dice game near its end: one box or two are left on each sheet."""
    begin = dice.start(2)
    begin[0].marks[:2] = dice.BOXES
    for player in range(2):
        for _ in range(1 + chance.below(2)):
            begin[0].marks[player, chance.below(6)] = dice.BOXES - 1
    return Game(dice, begin, chance)


def gap_of(by: Solution, chance: Seeded) -> float:
    """Play an end game with some mistakes: what the books of its first player leave unexplained."""
    game = end_game(chance)
    begin = by.chance(game.view(0), 0)
    explained = 0.0
    while not game.over:
        before, sign = game.view(0), 1 if game.active_player == 0 else -1
        if game.turn is None:
            game.resolve_chance()
            drawn = by.evaluate_draw(before, game.view(0))
            explained += sign * (drawn.chance - drawn.average)
            continue
        moves = before.legal().numbers
        weighed = by.evaluate_moves(before, int(moves[chance.below(len(moves))]))
        # One in two is the best move, which costs nothing.
        move = weighed.options[weighed.played if chance.below(2) else 0].move
        if move == weighed.options[weighed.played].move:
            assert weighed.cost >= 0.0
            explained -= sign * weighed.cost
        game.chance = None
        game.play_number(move)
        game.chance = chance
    return by.chance(game.view(0), 0) - begin - explained


def test_the_books_balance_to_the_last_digit(end_values: Values) -> None:
    by = Solution(False, end_values)
    assert {gap_of(by, Seeded(5, number)) for number in range(10_000)} == {0.0}


def test_the_approximation_balances_its_books_as_well() -> None:
    by = Solution(False)
    assert {gap_of(by, Seeded(6, number)) for number in range(500)} == {0.0}


@pytest.mark.parametrize("options", [{}, {"hidden_start": True}, {"split_jokers": True}], ids=str)
def test_whole_dice_games_balance_too(options: dict[str, bool]) -> None:
    whole = played("dice", seed=3, **options)
    split = options.get("split_jokers", False)
    values = open_values(split) if default_path(split).exists() else None
    for by in {None, values}:
        found = review(whole, values=by)
        assert [one.gap for one in found.accounts] == [0.0, 0.0]
        assert found.curve[-1] == [100.0 * (2 - place) for place in whole["result"]["places"]]
        assert found.accounts[0].luck == -found.accounts[1].luck
        assert min(step.cost for step in found.steps if isinstance(step, Decision)) >= 0.0


def test_luck_is_nothing_on_average(end_values: Values) -> None:
    by = Solution(False, end_values)
    begin = dice.start(2, hidden_start=True)
    begin[0].marks[:2] = dice.BOXES - 1
    game = Game(dice, begin)
    for event in ("roll 0 R G B O", "0 score"):
        game.apply(event)
    luck = 0.0
    for roll, likely in zip(end_values.numbering.rolls.tolist(), end_values.numbering.chance, strict=True):
        then = game.copy()
        items = [letter for symbol, letter in enumerate(dice.ITEMS) for _ in range(roll >> 3 * symbol & 7)]
        then.apply(f"roll {game.active_player} {' '.join(items)}")
        drawn = by.evaluate_draw(game.view(0), then.view(0))
        luck += likely * (drawn.chance - drawn.average)
    assert luck == pytest.approx(0.0, abs=1e-4)


def test_not_taking_the_win_is_a_blunder() -> None:
    begin = dice.start(2)
    begin[0].marks[:2] = dice.BOXES
    begin[0].marks[0, 0] -= 3
    begin[0].marks[1, 0] -= 1
    game = Game(dice, begin)
    for event in ("roll 1 R R R G", "roll 0 R B O Y"):
        game.apply(event)
    before = game.view(0)
    game.apply("0 reroll")
    task = Task(1, "0 reroll", 0, dice.REROLL, 2, before, [game.view(0), game.view(1)])
    step, _ = evaluate_event(Solution(False), task, 1, 1)
    assert isinstance(step, Decision)
    assert step.best_chance == 100.0
    assert step.cost == 100.0 - step.chance > 15.0
    assert step.mark == "blunder"
    assert step.best.startswith("score")
    lost = account(0, [step], [60.0, 40.0], game)
    assert (lost.lost, lost.decisions, lost.marks["blunder"], lost.result) == (step.cost, 1, 1, None)


@pytest.mark.parametrize(
    ("cost", "mark"), [(2.99, None), (3.0, "slip"), (7.0, "mistake"), (14.9, "mistake"), (15.0, "blunder")]
)
def test_marks(cost: float, mark: str | None) -> None:
    assert mark_of(cost) == mark


def test_a_review_by_a_net_is_the_same_on_any_number_of_threads_and_tells_of_every_step() -> None:
    whole = played("cards", seed=4)
    told: list[tuple[int, int]] = []
    one = review(whole, iterations=60, seed=9)
    two = review(whole, iterations=60, seed=9, threads=2, tell=lambda done, total, step: told.append((done, total)))
    assert one == two
    assert told == [(number, len(whole["events"])) for number in range(1, len(whole["events"]) + 1)]
    assert one.judged_by == "net"
    assert any(step.mark in ("mistake", "blunder") for step in one.steps if isinstance(step, Decision))
    for chances in one.curve:
        assert sum(chances) == pytest.approx(100.0)
    for step in one.steps:
        assert step.error > 0.0 or isinstance(step, Decision)
    check_books(one)


def check_books(found: Review) -> None:
    """Sums say what the steps say, and the gap is what is left."""
    for one in found.accounts:
        assert one.result is not None
        assert one.gap is not None
        assert one.result - one.begin == pytest.approx(one.luck - one.lost + one.others_lost + one.gap)
        costs = [step.cost for step in found.steps if isinstance(step, Decision) and step.player == one.player]
        assert one.lost == pytest.approx(sum(costs))


def test_three_players_share_what_is_gained_and_lost() -> None:
    found = review(played("cards", 3, seed=5), iterations=24)
    check_books(found)
    assert sum(one.luck for one in found.accounts) == pytest.approx(0.0)
    assert sum(found.begin) == pytest.approx(150.0)


def test_what_is_hidden_from_a_player_changes_nothing() -> None:
    game = start("travel", chance=Seeded(3))
    view = game.view(0)
    other = view.guess(Seeded(8))
    assert other != game
    move = int(view.legal().numbers[0])
    by = DeterminizationEvaluator("travel", 2)
    assert by.evaluate_moves(view, move, 30, 1) == by.evaluate_moves(other.view(0), move, 30, 1)


def test_the_command_reports_and_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["sixfold", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        return int(end.value.code or 0), *capsys.readouterr()

    path = tmp_path / "game.sixfold.jsonl"
    whole = played("dice", seed=6)
    path.write_text(json.dumps({**whole, "names": ["Ann", "Ben"]}) + "\n", encoding="utf-8")
    code, out, _ = run("review", path)
    assert code == 0
    for words in ("Ann's chance, event by event", "blunder", "with even luck", "+0.00 unexplained"):
        assert words in out
    code, out, _ = run("review", path, "--json")
    assert msgspec.json.decode(out, type=Review).names == ["Ann", "Ben"]
    unfinished = {**whole, "events": whole["events"][:9], "result": None}
    path.write_text(json.dumps(unfinished) + "\n" + json.dumps({**whole, "game": "chess"}) + "\n", encoding="utf-8")
    code, out, message = run("review", path)
    assert (code, "ends before the game" in out) == (2, True)
    assert f"{path} line 2: there is no game 'chess'" in message
    code, out, _ = run("puzzles", "show", "dice", 1, "--answer")
    assert (code, "ahead of" in out) == (0, True)
    assert "there are puzzles 1 to 100" in run("puzzles", "show", "dice", 101)[2]
    assert "there are puzzles 1 to 100" in run("puzzles", "check", "cards", 0)[2]


def test_the_curve_is_drawn() -> None:
    drawn = chart([0.0, 50.0, 100.0], 2)
    assert [line[-3:] for line in drawn] == ["  █", " ██"]


# Puzzles


@pytest.mark.parametrize("name", list(packages()))
def test_every_game_has_its_puzzles(name: str) -> None:
    found = puzzles.shipped(name)
    assert len(found.puzzles) == 100
    assert sum(puzzle.most for puzzle in found.puzzles) == 50
    assert {puzzle.strength for puzzle in found.puzzles} == {1, 2, 3}
    assert len({tuple(puzzle.events) for puzzle in found.puzzles}) == 100
    for puzzle in found.puzzles:
        assert puzzles.LEAST <= puzzle.chance <= puzzles.MOST
        assert min(puzzle.lead, puzzle.confirmed) >= puzzles.LEAD


def test_dice_puzzles_are_right() -> None:
    found = puzzles.shipped("dice")
    by = [Solution(False)] + ([Solution(False, open_values(False))] if default_path(False).exists() else [])
    for puzzle in found.puzzles[:: 1 if len(by) > 1 else 5]:
        game = puzzles.position(found, puzzle)
        assert game.turn == puzzle.player
        move = notation.read(dice, puzzle.answers[0])
        for one in by:
            weighed = one.evaluate_moves(game.view(puzzle.player), move)
            assert weighed.played == 0
            assert weighed.options[0].chance - weighed.options[1].chance >= puzzles.LEAD
        assert [notation.write(dice, same) for same in puzzles.same_moves(game.view(puzzle.player), move)] == list(
            puzzle.answers
        )


@pytest.mark.parametrize("name", ["travel", "cards"])
def test_a_sample_of_the_other_puzzles_is_right(name: str) -> None:
    found = puzzles.shipped(name)
    by = DeterminizationEvaluator(name, 2)
    for puzzle in found.puzzles[7::31]:
        game = puzzles.position(found, puzzle)
        view = game.view(puzzle.player)
        moves = np.array([notation.read(game.rules, one) for one in (puzzle.answers[0], puzzle.other)], dtype=np.int16)
        candidates = by.compare(view.states, puzzle.player, moves, 0, 400, 17)
        assert candidates.best == 0
        assert candidates.chances[0] - candidates.chances[1] > 2.0


@pytest.mark.parametrize(
    ("behind", "error", "goes_on"),
    [(0.0, 0.2, False), (0.0, 0.5, True), (1.0, 0.5, False), (1.0, 1.0, True)],
)
def test_moves_that_are_as_good_as_the_best_are_not_thought_about_any_longer(
    behind: float, error: float, goes_on: bool
) -> None:
    stats = np.zeros(STATS_SIZE, dtype=np.int32)
    stats[NUMBER], stats[WORLDS], stats[BEST], stats[PLAYED] = 2, 100, 0, 0
    chances, errors = np.array([60.0, 60.0 - behind]), np.array([0.01, error])
    more = next_batch_size(Race(stats, np.ones(2, dtype=np.bool_), chances, errors), 1600, 1 << 14)
    assert (more > 0) == goes_on


def test_puzzles_are_confirmed_anew(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(puzzles, "GAMES", 200)
    collection = puzzles.shipped("travel")
    easiest = max(range(100), key=lambda at: collection.puzzles[at].confirmed)
    monkeypatch.setattr("sys.argv", ["sixfold", "puzzles", "check", "travel", str(easiest + 1)])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code
    assert "1 of 1 confirmed by games played to their end" in capsys.readouterr().out
    # The other way round, the answer is not the better one.
    puzzle = collection.puzzles[easiest]
    swapped = msgspec.structs.replace(puzzle, answers=[puzzle.other], other=puzzle.answers[0])
    view = puzzles.position(collection, puzzle).view(puzzle.player)
    assert puzzles.DeterminizationSolver("travel").check(view, swapped) is None


def test_dice_puzzles_need_the_exact_values() -> None:
    with pytest.raises(SetupError, match="value file"):
        puzzles.solver("dice", None)


def test_a_move_that_ends_a_decided_game_is_no_measure_for_others() -> None:
    options = [Option(move, 100.0, 0.0) for move in range(3)]
    assert MoveEvaluations(options, 1, [GAME_END_MARGIN, 3.0, 6.0]).largest_margin == 2
    assert MoveEvaluations(options, 0, [GAME_END_MARGIN, 3.0, 6.0]).largest_margin == 0
    assert MoveEvaluations(options, 1, [GAME_END_MARGIN, 3.0, GAME_END_MARGIN]).largest_margin == 1

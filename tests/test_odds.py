"""Exact odds for people, and the bots that know the solution."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from sixfold.arena.schedule import Settings
from sixfold.bots import Budget, make
from sixfold.cli import app
from sixfold.engine.chance import Seeded
from sixfold.engine.game import Game, start
from sixfold.errors import SetupError
from sixfold.games.dice import rules as dice
from sixfold.solve.play import players
from sixfold.solve.play.approximation import FILE, guess_chance, shipped, shipped_digest
from sixfold.solve.play.odds import Odds, dice_text, read_dice, read_sheet
from sixfold.solve.positions.outcomes import scoring_state
from sixfold.solve.positions.sheets import Variant, row
from sixfold.solve.values import file, solver
from sixfold.solve.values.file import Values

pytestmark = pytest.mark.xdist_group("solve")

ROOT = Path(__file__).parents[1]
END_GAME = Variant(boxes=2)


@pytest.fixture(scope="module")
def end_game(tmp_path_factory: pytest.TempPathFactory) -> Values:
    """The values of the end game: every row has five marks at least."""
    path = tmp_path_factory.mktemp("values") / "end.values"
    solver.solve(END_GAME, path, "cpu", lambda stage, done, number: None)
    return Values(path)


@pytest.fixture
def known(end_game: Values, monkeypatch: pytest.MonkeyPatch) -> Values:
    """The end game's values stand where those of the whole game would."""
    monkeypatch.setattr(players, "open_values", lambda split_jokers, path=None: end_game)
    monkeypatch.setattr(file, "open_values", lambda split_jokers, path=None: end_game)
    return end_game


def odds(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["odds", "dice", *words])
    if isinstance(done.exception, SetupError):
        return 2, str(done.exception)
    return done.exit_code, done.output


@pytest.mark.parametrize(("mine", "theirs", "shown"), [("556677", "567567", "RRBP"), ("777776", "555555", "GGGG")])
def test_choices_add_up_to_the_chance_of_the_position(end_game: Values, mine: str, theirs: str, shown: str) -> None:
    asked = Odds(
        end_game,
        read_sheet(end_game, mine, "ME"),
        read_sheet(end_game, theirs, "OPPONENT"),
        read_dice(end_game, shown, "DICE"),
    )
    numbering = end_game.numbering
    best = [asked.choices(roll, 2)[0].chance for roll in numbering.rolls.tolist()]
    assert np.dot(numbering.chance, best) == pytest.approx(asked.chance(), abs=2e-6)


def test_every_choice_is_listed_with_its_loss(known: Values) -> None:
    code, said = odds("556677", "567567", "RRBP", "--roll", "RRGG", "--rolls-left", "1", "--json")
    assert code == 0
    answer = json.loads(said)
    choices = answer["choices"]
    assert len(choices) == 1 + 7 * 7
    assert {choice["move"] for choice in choices} >= {"reroll", "score", "score R2>G G2>R"}
    chances = [choice["chance"] for choice in choices]
    assert chances == sorted(chances, reverse=True)
    assert all(choice["loss"] == pytest.approx(max(chances) - choice["chance"]) for choice in choices)
    plain = next(choice for choice in choices if choice["move"] == "score")
    assert plain["sheet"] == "756677"


def test_odds_for_people(known: Values) -> None:
    code, said = odds("556677", "567567", "RRBP")
    assert code == 0
    chance = known.chance(
        read_sheet(known, "556677", ""), read_sheet(known, "567567", ""), read_dice(known, "RRBP", "")
    )
    assert f"{chance:.4%}" in said
    assert "reroll" in odds("556677", "567567", "RRBP", "--roll", "RRGG")[1]
    assert "reroll" not in odds("556677", "567567", "RRBP", "--roll", "RRGG", "--rolls-left", "0")[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("55667", "567567", "RRBP"), "six digits"),
        (("55667x", "567567", "RRBP"), "six digits"),
        (("556678", "567567", "RRBP"), "six digits"),
        (("000004", "567567", "RRBP"), "D11"),
        (("777777", "567567", "RRBP"), "D13"),
        (("556677", "567567", "RRB"), "four of the letters"),
        (("556677", "567567", "RRBX"), "four of the letters"),
        (("000000", "000000", "-"), "D15"),
        (("000001", "000000", "-", "--option", "hidden_start=true"), "D15"),
        (("000000", "000001", "-", "--option", "hidden_start=true"), "D15"),
        (("556677", "567567", "RRBP", "--roll", "RRRRR"), "--roll"),
        (("556677", "567567", "RRBP", "--rolls-left", "1"), "needs --roll"),
        (("556677", "567567", "RRBP", "--option", "open_racks=true"), "no option"),
    ],
)
def test_wrong_questions_get_one_clear_line(known: Values, words: tuple[str, ...], said: str) -> None:
    code, line = odds(*words)
    assert code == 2
    assert said in line


def test_without_values_the_command_that_makes_them_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    code, line = odds("331021", "123002", "RRBP", "--option", "split_jokers=true")
    assert code == 2
    assert "sixfold solve dice --option split_jokers=true" in line
    game = start("dice", chance=Seeded(1))
    with pytest.raises(SetupError, match="sixfold solve dice"):
        make("perfect", "dice", 2).choose(game.view(0), Budget(), Seeded(1))


def test_another_games_values_are_refused(end_game: Values) -> None:
    code, line = odds("331021", "123002", "RRBP", "--values", str(end_game.path))
    assert code == 2
    assert "another game: split_jokers=false, 6 symbols, 2 boxes, 4 dice" in line


def test_the_arena_names_the_values_that_perfect_plays_by(known: Values) -> None:
    settings = Settings("dice", ("perfect", "random")).checked()
    assert settings.bots_and_rules["end.values"] == known.identity
    assert settings.identity()["bots_and_rules"] == settings.bots_and_rules


def late_game(mine: str, theirs: str, shown: str, roll: str, rolls: int) -> Game:
    states = scoring_state(False)
    state = states[0]
    state.marks[0], state.marks[1] = [int(digit) for digit in mine], [int(digit) for digit in theirs]
    state.dice[0] = [roll.count(letter) for letter in dice.ITEMS]
    state.dice[1] = [shown.count(letter) for letter in dice.ITEMS]
    state.rolls = rolls
    return Game(dice, states)


@pytest.mark.parametrize("rolls", [1, 2, 3])
@pytest.mark.parametrize("roll", ["RRGG", "RGBO", "PPPP", "GGBY"])
def test_perfect_loses_nothing(known: Values, roll: str, rolls: int) -> None:
    game = late_game("556677", "567567", "RRBP", roll, rolls)
    move = make("perfect", "dice", 2).choose(game.view(0), Budget(), Seeded(1))
    mine, theirs = (read_sheet(known, text, "") for text in ("556677", "567567"))
    asked = Odds(known, mine, theirs, read_dice(known, "RRBP", ""))
    choices = {choice.move: choice for choice in asked.choices(read_dice(known, roll, ""), dice.ROLLS - rolls)}
    assert choices[move].loss < 1e-6


@pytest.mark.parametrize("options", [{}, {"split_jokers": True}, {"hidden_start": True}])
def test_solved_plays_whole_games(options: dict[str, bool]) -> None:
    bot = make("solved", "dice", 2)
    game = start("dice", chance=Seeded(5), **options)
    while not game.over:
        seat = game.turn
        assert seat is not None
        move = bot.choose(game.view(seat), Budget(iterations=1), Seeded(1))
        assert move in game.legal()
        game.play(move)
    assert game.result is not None


@pytest.mark.parametrize("name", ["perfect", "solved"])
def test_the_solution_is_for_two_players_of_the_dice_game(name: str) -> None:
    for game, number in (("dice", 3), ("travel", 2)):
        with pytest.raises(SetupError, match="only the dice game with two players"):
            make(name, game, number)


def test_the_approximation_is_small_and_near_the_truth() -> None:
    assert (ROOT / "src" / "sixfold" / "solve" / "play" / FILE).stat().st_size <= 2_000_000
    numbering, guess = shipped()
    errors = []
    for one in recorded()["examples"]:
        mine, theirs = (sum(int(digit) << 3 * at for at, digit in enumerate(one[name])) for name in ("mine", "theirs"))
        shown = sum(one["shown"].count(letter) << 3 * at for at, letter in enumerate(dice.ITEMS))
        assert dice_text(shown) == one["shown"]
        assert row(mine, 0) == int(one["mine"][0])
        errors.append(guess_chance(numbering, guess, mine, theirs, int(numbering.roll_of[shown])) - one["chance"])
    assert np.abs(errors).max() < 0.01


def recorded() -> dict[str, Any]:
    """The numbers of the last report on the game as printed."""
    path = ROOT / "docs" / "dice-solved" / "dice-solved.json"
    numbers: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return numbers


def test_the_approximation_that_ships_is_the_one_that_was_judged() -> None:
    """Whole games need the whole table, so the report judges them; it says which file it judged."""
    judged = recorded()["habits"]["approximation"]
    assert judged["digest"] == shipped_digest()
    assert judged["games"] >= 100_000
    assert judged["loss"] + 1.96 * judged["error"] < 0.005


def test_the_approximation_loses_little_along_end_games(end_game: Values) -> None:
    """At every decision: the chance of the best move less that of the move made, by the exact values."""
    bot, games = make("solved", "dice", 2), 40
    lost = 0.0
    for seed in range(games):
        game = start("dice", chance=Seeded(seed))
        game.state.marks[:2] = dice.BOXES - END_GAME.boxes
        while game.turn is not None:
            view = game.view(game.turn)
            mine, theirs, shown, roll, rolls = players.encode_view(view)
            move = bot.choose(view, Budget(), Seeded(1))
            choices = Odds(end_game, mine, theirs, shown).choices(roll, dice.ROLLS - rolls)
            lost += next(choice.loss for choice in choices if choice.move == move)
            game.play(move)
    assert lost / games / 2 < 0.0015

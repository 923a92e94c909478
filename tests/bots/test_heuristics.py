"""What the bots see and say: the spots of the board, the turns of a sheet, levels and hints."""

import json
from collections.abc import Iterator

import numpy as np
import pytest
from typer.testing import CliRunner

from sixfold import GAMES, Game, Seeded, start
from sixfold.bots import Budget, make
from sixfold.bots.hints import Hint, hint, reason
from sixfold.bots.levels import LEVELS, LevelBot, level_of
from sixfold.bots.net import NET_CANDIDATES
from sixfold.games import packages
from sixfold.games.dice import race
from sixfold.games.dice import rules as dice
from sixfold.games.dice import turns_needed as turns
from sixfold.games.travel import rules, score_map
from sixfold.games.travel.board import CELLS, EMPTY, PAIRS
from sixfold.games.travel.moves import KEEP, pair_of
from sixfold.language import LANGUAGES, say, sentences


def random_game(name: str, seed: int, players: int = 2) -> Iterator[Game]:
    chance = Seeded(seed)
    game = start(name, players, chance=chance)
    while game.turn is not None:
        yield game
        moves = game.legal()
        game.play(moves[chance.below(len(moves))])


def test_spots_kept_up_to_date_are_the_points_of_the_rules() -> None:
    kept = np.empty(score_map.BOARD_FEATURES_SHAPE, dtype=np.int8)
    afresh = np.empty(score_map.BOARD_FEATURES_SHAPE, dtype=np.int8)
    game = start("travel", chance=Seeded(6))
    score_map.compute_board_features(game.state, kept)
    chance = Seeded(7)
    while game.turn is not None:
        number = int(game.legal().numbers[chance.below(game.choices())])
        state = game.copy()
        score_map.act(state.state, kept, number)
        if number < KEEP:
            for cell in PAIRS[pair_of(number)]:
                score_map.bury_around(state.state, kept, cell)
        game.play_number(number)
        score_map.compute_board_features(game.state, afresh)
        free = afresh[:, : len(CELLS)] != score_map.TAKEN
        assert (kept[:, : len(CELLS)][free] == afresh[:, : len(CELLS)][free]).all()
        assert (kept[:, : len(CELLS) + 1][~np.pad(free, ((0, 0), (0, 1)))] < 0).all()
    for cell in range(len(CELLS)):
        for symbol in range(6):
            if afresh[symbol, cell] != score_map.TAKEN:
                assert game.state.board[cell] == EMPTY
                assert afresh[symbol, cell] == rules.points(game.state, cell, -1, symbol)


def test_the_best_cell_is_where_a_symbol_scores_most() -> None:
    sight = np.empty(score_map.BOARD_FEATURES_SHAPE, dtype=np.int8)
    for game in random_game("travel", 2):
        score_map.compute_board_features(game.state, sight)
        for symbol in range(6):
            best = score_map.best_cell(sight, symbol, 3)
            assert sight[symbol, best] == sight[symbol, : len(CELLS)].max()


@pytest.mark.parametrize("players", dice.PLAYERS)
def test_the_turns_of_a_sheet_can_be_counted_out_again(players: int) -> None:
    table = turns.read()[players - 2]
    trial = dice.start(2)
    trial[0].phase, trial[0].turn, trial[0].rolls = dice.DECIDE, 0, dice.ROLLS
    own, shown = turns.rolls(6 - players), turns.rolls((6 - players) * (players - 1))
    for rows in ([0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6], [6, 7, 7, 7, 7, 7]):
        sheet = np.array(rows, dtype=np.int8)
        counted = turns.turns_from(sheet, trial, *own, *shown, table)
        assert counted == pytest.approx(table[turns.place(turns.word_of(sheet))], abs=0.005)
        assert counted == pytest.approx(race.turns_of(turns.word_of(sheet[::-1].copy()), players), abs=0.005)


def test_every_sheet_has_a_place_of_its_own() -> None:
    places = {turns.place(turns.word_of(sheet)) for sheet in turns._sheets()}
    assert len(places) == len(turns._sheets()) == 574
    assert all(0 <= place < turns.PLACES for place in places)


def test_judgements_name_their_terms() -> None:
    for name, package in packages().items():
        heuristics = package.heuristics
        assert heuristics.rules is GAMES[name]
        assert len(heuristics.TERMS) == len(heuristics.WEIGHTS) == len(heuristics.SEARCH_WEIGHTS)


def test_every_game_has_five_levels_with_names() -> None:
    for name, rules_of_game in GAMES.items():
        assert len(packages()[name].levels.LEVELS) == len(LEVELS) == 5
        for players in rules_of_game.PLAYERS:
            levels = [level_of(name, players, number) for number in LEVELS]
            slips = [level.slips for level in levels]
            assert slips == sorted(slips, reverse=True)
            # Who is shown more moves is the better one, and of two who are shown as many, who overlooks fewer.
            sights = [(level.habits.get("looks", NET_CANDIDATES), -level.habits.get("blind", 0)) for level in levels]
            assert sights == sorted(sights)
            assert (slips[-1], sights[-1]) == (0, (NET_CANDIDATES, 0))
    for language in LANGUAGES:
        assert len({say(f"level_{number}", language) for number in LEVELS}) == 5


def test_the_master_of_the_dice_game_between_two_plays_by_its_solution() -> None:
    assert [level_of("dice", players, 5).bot for players in (2, 3, 4)] == ["solved", "netrolls", "netrolls"]
    bots = [make(bot, "dice", 2) for bot in ("level5", "solved")]
    for game in random_game("dice", 4):
        master, solved = (bot.choose(game.view(game.turn), Budget(), Seeded(1)) for bot in bots)
        assert master == solved


def test_a_level_keeps_to_its_own_budget() -> None:
    fifth = LevelBot(5, "travel", 2)
    assert fifth._budget(Budget(milliseconds=5000)).milliseconds == fifth.level.milliseconds
    assert fifth._budget(Budget(milliseconds=1)).milliseconds == 1
    assert fifth._budget(Budget()).iterations == fifth.level.iterations
    assert fifth._budget(Budget(iterations=7)) == Budget(iterations=7)


@pytest.mark.parametrize("name", GAMES)
def test_a_hint_is_a_legal_move_with_a_sentence_in_three_languages(name: str) -> None:
    for number, game in enumerate(random_game(name, 13)):
        if number % 12 == 0:
            view = game.view(game.turn)
            found = hint(view, Seeded(1), Budget(iterations=20))
            assert found.move in view.legal()
            said = {found.sentence(language) for language in LANGUAGES}
            assert len(said) == 3
            assert not any("{" in sentence for sentence in said)


def test_reasons_name_what_a_move_does() -> None:
    game = start("dice", chance=Seeded(3))
    game.state.dice[0] = [2, 0, 0, 0, 1, 1]
    game.state.dice[1] = [0, 0, 0, 0, 2, 2]
    game.state.marks[0] = [2, 1, 2, 2, 2, 2]
    view = game.view(0)
    assert reason(view, "reroll") == ("hint_reroll", {})
    assert reason(view, "score R2>G") == ("hint_joker", {"symbol": "G", "before": "1", "after": "2"})
    assert reason(view, "score") == ("hint_raise", {"symbol": "Y", "before": "2", "after": "4"})
    game.state.marks[0] = [2] * 6
    assert reason(game.view(0), "score R2>G") == ("hint_joker", {"symbol": "G", "before": "2", "after": "3"})
    game.state.marks[0] = [2, 2, 2, 2, 1, 2]
    assert reason(game.view(0), "score R2>G") == ("hint_lowest", {"symbol": "Y", "before": "1", "after": "3"})
    game.state.marks[0] = [7, 7, 7, 7, 6, 6]
    assert reason(game.view(0), "score") == ("hint_goal", {})
    joker = Hint("score R2>G", "hint_joker", {"symbol": "G", "before": "1", "after": "2"})
    assert joker.sentence("nl").endswith("groen, je laagste symbool, van 1 naar 2")


def test_a_bonus_turn_is_a_reason() -> None:
    game = next(iter(random_game("travel", 1)))
    game.state.score[0] = 17
    scoring = [move for move in game.legal() if reason(game.view(0), move)[0] == "hint_bonus"]
    assert scoring
    assert reason(game.view(0), scoring[0])[1]["goal"] == "18"


def test_all_languages_know_the_same_hints() -> None:
    keys = [{key for key in sentences(language) if key.startswith("hint")} for language in LANGUAGES]
    assert keys[0] == keys[1] == keys[2]


def test_bench_bots_reports_a_ratio_from_the_same_run() -> None:
    from lab.cli import app

    done = CliRunner().invoke(app, ["bench", "bots", "--repeats", "1", "--json"])
    assert done.exit_code == 0
    rows = json.loads(done.stdout)["games"]
    assert {(row["game"], row["players"]) for row in rows} == {(g, p) for g in GAMES for p in GAMES[g].PLAYERS}
    assert all(row["ratio"] == pytest.approx(row["in_search"] / row["plain"]) for row in rows)


def test_play_gives_a_hint_and_meets_a_level() -> None:
    from sixfold.cli import app

    done = CliRunner().invoke(app, ["play", "dice", "--against", "1", "--seed", "3"], input="??\nq\n")
    assert done.exit_code == 0
    assert "hint: " in done.stdout
    assert ", because it " in done.stdout

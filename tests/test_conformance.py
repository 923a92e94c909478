"""What every game of the registry must keep, whatever its rules; a new game is found by itself."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sixfold import GAMES, Game, Refused, Seeded, SetupError, start
from sixfold.engine import notation, record
from sixfold.engine.playouts import play_games
from sixfold.engine.random_records import random_records
from tests.tables import TABLES, Table, at_every_table, play_on, random_game

ROOT = Path(__file__).parents[1]
in_every_game = pytest.mark.parametrize("name", GAMES)


def positions(table: Table, seed: int, every: int = 1) -> Iterator[Game]:
    """The decisions of a random game, each or every so many of them."""
    chance = Seeded(seed)
    game = table.start(chance)
    number = 0
    while not game.over:
        if number % every == 0:
            yield game
        play_on(game, chance, 1)
        number += 1


def test_every_game_is_known_by_its_name_and_has_a_version() -> None:
    assert all(name == rules.NAME and rules.VERSION >= 1 for name, rules in GAMES.items())
    assert {table.game for table in TABLES} == set(GAMES)


@at_every_table
def test_random_play_comes_to_an_end(table: Table) -> None:
    for seed in range(20):
        game = random_game(table, seed)
        assert game.over
        assert game.turn is None
        assert list(game.legal()) == []
        assert game.choices() == 0
        assert game.result is not None
        assert game.result.values == game.values
        assert len(game.result.places) == table.players
        assert min(game.result.places) == 1


@at_every_table
def test_a_finished_game_refuses_everything(table: Table) -> None:
    game = random_game(table, 1)
    before = game.copy()
    for event in game.events[-3:]:
        with pytest.raises(Refused, match=rf"the game is over \({table.rules.END_CLAUSE}\)"):
            game.apply(event)
        with pytest.raises(Refused, match="the game is over"):
            game.play(event)
    assert (game, game.events) == (before, before.events)


@at_every_table
def test_a_copy_is_independent(table: Table) -> None:
    game = random_game(table, 2, decisions=5)
    twin = game.copy(Seeded(9))
    state, events, text = game.copy(), list(game.events), str(game)
    assert twin == game
    play_on(twin, Seeded(9), 3)
    assert twin != game
    assert (game, game.events, str(game)) == (state, events, text)
    assert twin.events[: len(events)] == events
    assert len(twin.events) > len(events)


@at_every_table
def test_equal_games_are_equal_and_hash_equal(table: Table) -> None:
    one, same, other = (random_game(table, seed, decisions=6) for seed in (3, 3, 4))
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert len({one, same, other}) == 2
    assert one != str(one)
    assert one.view(0) == same.view(0)
    assert hash(one.view(0)) == hash(same.view(0))
    assert one.view(0) != one.view(None)


def test_games_with_other_rules_players_or_options_are_never_equal() -> None:
    assert len({table.start() for table in TABLES}) == len(TABLES)


@in_every_game
def test_every_move_has_one_spelling(name: str) -> None:
    rules = GAMES[name]
    spelled = {number: text for number, text in enumerate(notation.move_texts(rules)) if text is not None}
    assert len(set(spelled.values())) == len(spelled)
    for number, text in spelled.items():
        assert notation.write(rules, number) == text
        assert notation.read(rules, text) == number
    for number in set(range(rules.ACTIONS)) - set(spelled):
        with pytest.raises(ValueError, match=f"{name} has no move {number}"):
            notation.write(rules, number)


@at_every_table
def test_legal_count_nth_and_allowed_agree(table: Table) -> None:
    rules = table.rules
    for game in positions(table, 5, every=12):
        numbers = [int(number) for number in game.legal().numbers]
        assert game.choices() == rules.count(game.state) == len(numbers) == len(set(numbers))
        assert len(numbers) <= rules.MAX_LEGAL
        assert [rules.nth(game.state, which) for which in range(len(numbers))] == numbers
        assert [move for move in range(rules.ACTIONS) if rules.allowed(game.state, move)] == sorted(numbers)


@at_every_table
def test_moves_are_a_sequence_of_texts(table: Table) -> None:
    moves = random_game(table, 6, decisions=4).legal()
    texts = list(moves)
    assert (len(moves), moves[0], moves[-1], moves[:2]) == (len(texts), texts[0], texts[-1], texts[:2])
    assert repr(moves) == repr(texts)
    assert texts[0] in moves
    assert "nonsense" not in moves


@at_every_table
def test_an_illegal_move_changes_nothing_and_is_refused_with_a_clause(table: Table) -> None:
    rules = table.rules
    for game in positions(table, 7, every=15):
        legal = set(game.legal())
        before = game.copy()
        others = [text for text in notation.move_texts(rules) if text is not None and text not in legal]
        for text in others[:: max(1, len(others) // 40)]:
            with pytest.raises(Refused) as refused:
                game.play(text)
            assert refused.value.refusal.clause[0] == rules.END_CLAUSE[0]
            assert str(refused.value).startswith(f'"{text}": ')
        assert (game, game.events) == (before, before.events)


@at_every_table
def test_a_record_round_trips_through_json(table: Table) -> None:
    for seed in range(5):
        chance = Seeded(seed)
        game = table.start(chance)
        legal = play_on(game, chance)
        names = [f"player {number}" for number in range(table.players)]
        written = record.of(game, names=names, legal=legal)
        read = json.loads(json.dumps(written))
        assert read == written
        replayed = record.replay(read)
        assert replayed.game == game
        assert replayed.legal == legal
        assert replayed.game.events == game.events
        assert record.of(replayed.game, names=names, legal=replayed.legal) == written


@at_every_table
def test_an_unfinished_game_round_trips_after_every_event(table: Table) -> None:
    whole = record.of(random_game(table, 8))
    for number, (event, game, _) in enumerate(record.steps(whole), start=1):
        assert event == whole["events"][number - 1]
        if number % 7 == 0 and not game.over:
            part = record.of(game)
            assert part["result"] is None
            assert record.replay(json.loads(json.dumps(part))).game == game


@at_every_table
def test_a_position_prints_itself(table: Table) -> None:
    whole = record.of(random_game(table, 9))
    for _, game, _ in record.steps(whole):
        for shown in (game, game.view(None), game.view(table.players - 1)):
            lines = str(shown).splitlines()
            assert lines[0].startswith(f"{table.game}: ")
            for player, values in enumerate(game.values):
                (line,) = [line for line in lines if line.startswith(f"  player {player} ")]
                assert all(f"{letter}{value}" in line for letter, value in zip(table.rules.VALUES, values, strict=True))
    assert "??" not in str(game)
    assert "the game is over" in str(game)
    assert table.game in repr(game)


@at_every_table
@pytest.mark.parametrize("seed", [10, -1, 2**63 + 5])
def test_the_compiled_batch_plays_the_same_games_as_the_object(seed: int, table: Table) -> None:
    games = play_games(table.rules, table.rules.start(table.players, **table.options), seed, first=3, games=12)
    for row in range(12):
        chance = Seeded(seed, 3 + row)
        game = table.start(chance)
        assert len(play_on(game, chance)) == games.lengths[row]
        assert game.values == games.values[row].tolist()


@at_every_table
@pytest.mark.parametrize("seed", [10, -1])
def test_noted_games_are_the_same_as_the_objects(seed: int, table: Table) -> None:
    begin = table.rules.start(table.players, **table.options)
    for number, noted in enumerate(random_records(table.rules, begin, seed, games=4)):
        chance = Seeded(seed, number)
        game = table.start(chance)
        legal = play_on(game, chance)
        assert noted == record.of(game, legal=legal)


@at_every_table
def test_cores_do_not_change_the_games(table: Table) -> None:
    begin = table.rules.start(table.players, **table.options)
    one = play_games(table.rules, begin, 11, first=0, games=300, cores=1)
    two = play_games(table.rules, begin, 11, first=0, games=300, cores=2)
    later = play_games(table.rules, begin, 11, first=100, games=200, cores=1)
    for found, rest in ((one.lengths, later.lengths), (one.values, later.values)):
        assert np.array_equal(found[100:], rest)
    assert np.array_equal(one.lengths, two.lengths)
    assert np.array_equal(one.values, two.values)


INTERPRETED = """
import json, sys, warnings
warnings.simplefilter("ignore", RuntimeWarning)  # 64-bit words overflow on purpose
from sixfold.engine import record
from tests.tables import TABLES, random_game
print(json.dumps([record.of(random_game(table, 12)) for table in TABLES]))
"""


def test_interpreted_rules_play_the_same_games_as_compiled_ones() -> None:
    environment = {
        **os.environ,
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT), *sys.path]),
    }
    done = subprocess.run([sys.executable, "-c", INTERPRETED], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [record.of(random_game(table, 12)) for table in TABLES]


@pytest.mark.parametrize(
    ("name", "players", "options", "message"),
    [
        ("chess", 2, {}, "there is no game 'chess'; choose one of travel, cards, dice"),
        ("travel", 3, {}, "travel is for 2 players, not 3"),
        ("cards", 5, {}, "cards is for 2 or 3 or 4 players, not 5"),
        ("dice", True, {}, "dice is for 2 or 3 or 4 players, not True"),
        ("dice", 2, {"open_racks": True}, "dice has no option 'open_racks'; it has: split_jokers, hidden_start"),
        ("cards", 2, {"open_racks": True}, "cards has no option 'open_racks'; it has: none"),
        ("travel", 2, {"open_racks": 1}, "option open_racks of travel is true or false, not 1"),
    ],
)
def test_what_cannot_be_set_up_says_what_is_allowed(
    name: str, players: int, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(SetupError) as refused:
        start(name, players, **options)
    assert str(refused.value) == message


@in_every_game
def test_there_is_no_view_of_a_seat_that_is_not_there(name: str) -> None:
    game = start(name, 2, chance=Seeded(1))
    for seat in (-1, 2):
        with pytest.raises(SetupError, match=f"there is no seat {seat}; seats are 0 to 1"):
            game.view(seat)

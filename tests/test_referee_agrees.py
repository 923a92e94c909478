"""The independent referee of tests/referee and the rules agree on every record, move count and set of moves."""

import json
import random

import pytest

from sixfold import Game, Seeded
from sixfold.engine import record
from tests.referee import check_record, play_eager, play_random, start
from tests.tables import Table, at_every_table, play_on, random_game

OURS = {"travel": 25, "cards": 40, "dice": 30}
THEIRS = {"travel": 6, "cards": 12, "dice": 8}


@at_every_table
def test_the_referee_accepts_our_records_with_their_move_counts(table: Table) -> None:
    for seed in range(OURS.get(table.game, 10)):
        chance = Seeded(20, seed)
        game = table.start(chance)
        legal = play_on(game, chance)
        verdict = check_record(json.loads(json.dumps(record.of(game, legal=legal))))
        assert verdict.legal == legal
        assert verdict.next == []


@at_every_table
@pytest.mark.parametrize("play", [play_random, play_eager])
def test_we_accept_the_referees_records_with_their_move_counts(play: object, table: Table) -> None:
    assert callable(play)
    for seed in range(THEIRS.get(table.game, 10)):
        theirs = play(table.game, table.players, table.options, random.Random(seed))
        replayed = record.replay(json.loads(json.dumps(theirs)))
        assert replayed.legal == theirs["legal"]
        assert replayed.game.result is not None
        assert replayed.game.result.values == theirs["result"]["values"]


def choices_of_the_referee(game: Game) -> list[str]:
    return check_record({**record.of(game), "result": None}).next


@at_every_table
def test_the_sets_of_moves_are_equal(table: Table) -> None:
    for seed in range(3):
        for decisions in (0, 1, 2, 3, 8, 15, 24):
            game = random_game(table, seed, decisions)
            if game.over:
                break
            ours = [f"{game.turn} {move}" for move in game.legal()]
            theirs = choices_of_the_referee(game)
            assert sorted(ours) == sorted(theirs)


@at_every_table
def test_the_sets_of_moves_are_equal_all_along_an_eager_game(table: Table) -> None:
    """Greedy games reach the rare clauses: bonus turns, swaps, new cards."""
    flags = {name: value is True for name, value in table.options.items()}
    theirs = play_eager(table.game, table.players, flags, random.Random(99))
    referee = start({key: theirs[key] for key in ("format", "game", "players", "options")})
    for number, (event, game, _) in enumerate(record.steps(theirs)):
        referee.apply(event)
        assert referee.over == game.over
        if number % 5 == 0 or game.turn is None:
            ours = [] if game.turn is None else [f"{game.turn} {move}" for move in game.legal()]
            assert sorted(ours) == sorted(referee.choices())

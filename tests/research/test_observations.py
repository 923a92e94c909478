"""Observations show what a seat may know and nothing more, and are the same in all interfaces."""

import numpy as np
import pytest

from sixfold import GAMES, Game, Seeded
from sixfold.research.observations import mask, observation, observation_layout
from tests.tables import Table, at_every_table, play_on, random_game


@at_every_table
def test_two_games_that_differ_in_hidden_things_only_look_the_same(table: Table) -> None:
    hidden = 0
    chance = Seeded(7)
    game = table.start(chance)
    while not game.over:
        for seat in range(table.players):
            view = game.view(seat)
            guess = view.guess(Seeded(8, len(game.events)))
            hidden += guess != game
            assert np.array_equal(observation(guess.view(seat)), observation(view))
        play_on(game, chance, 9)
    assert (hidden > 0) == any(occasion.hidden for occasion in table.rules.OCCASIONS) or table.options.get("open_racks")


@at_every_table
def test_what_is_open_is_seen(table: Table) -> None:
    """Every fact of the view stands in the row: changing any changes it."""
    game = random_game(table, 9, decisions=6)
    view = game.view(0)
    row = observation(view)
    facts = observation_layout(table.rules, table.players)
    for name, field in facts.fields.items():
        changed = game.view(0)
        held = changed.states[name]
        held[0] = (held[0] + 1) % 100 if name != "turn" else (held[0] + 1) % table.players
        different = np.flatnonzero(observation(changed) != row)
        assert len(different)
        assert set(different) <= set(range(facts.size)[field.numbers])


def test_one_comes_first() -> None:
    chance = Seeded(3)
    game = Table("dice", 3, {}).start(chance)
    play_on(game, chance, 20)
    fields = observation_layout(game.rules, 3).fields
    for seat in range(3):
        row = observation(game.view(seat))
        marks = row[fields["marks"].numbers].reshape(fields["marks"].shape)
        assert marks.tolist() == [game.values[(seat + at) % 3] for at in range(3)]
        assert row[fields["turn"].begin] == ((game.turn or 0) - seat) % 3


@pytest.mark.parametrize("name", GAMES)
def test_the_mask_has_the_legal_moves(name: str) -> None:
    game: Game = random_game(Table(name, 2, {}), 4, decisions=7)
    assert sorted(np.flatnonzero(mask(game))) == sorted(game.legal().numbers)

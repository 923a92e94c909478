"""Several rounds at one table (C17, D14), played with real games."""

import pytest

from sixfold import GAMES, Result, Seeded, Series, SetupError, start
from tests.clauses import clause
from tests.tables import play_on


@clause("C17", "D14")
@pytest.mark.parametrize("name", [name for name, rules in GAMES.items() if rules.ROUNDS])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_series(name: str, seats: int) -> None:
    series = Series(name, seats, rounds=seats)
    for number in range(seats):
        chance = Seeded(60, number)
        game = start(name, seats, chance=chance)
        play_on(game, chance)
        assert game.result is not None
        row = series.add(game.result)
        winner = game.result.places.index(1)
        # The winner ends with at least 7 in the shortest row, and nobody has more.
        assert row[(winner + number) % seats] == max(row) >= 7
        assert row == [min(game.values[(seat - number) % seats]) for seat in range(seats)]
    assert series.over
    assert series.totals == [sum(points) for points in zip(*series.points, strict=True)]
    assert all(series.totals[seat] == max(series.totals) for seat in series.winners)


@clause("C17", "D14")
@pytest.mark.parametrize(("name", "rounds"), [("cards", (1, 1, 1)), ("dice", (2, 3, 4))])
def test_where_nothing_is_agreed_everybody_starts_once_with_dice_and_cards_are_one_round(
    name: str, rounds: tuple[int, ...]
) -> None:
    assert tuple(Series(name, seats).rounds for seats in (2, 3, 4)) == rounds
    series = Series("dice", 3)
    starters = []
    while not series.over:
        starters.append(series.seat_of(0))
        series.add(Result([1, 2, 2], [[7] * 6, [3] * 6, [0] * 6], [7, 3, 0]))
    assert starters == [0, 1, 2]


@pytest.mark.parametrize(
    ("name", "seats", "rounds", "message"),
    [
        ("travel", 2, 2, "travel is played in single games"),
        ("dice", 5, 5, "dice is for 2 or 3 or 4 players, not 5"),
        ("chess", 2, 2, "there is no game 'chess'"),
        ("cards", 2, 0, "a series has at least one round"),
    ],
)
def test_what_cannot_be_a_series(name: str, seats: int, rounds: int, message: str) -> None:
    with pytest.raises(SetupError, match=message):
        Series(name, seats, rounds)


def test_no_round_after_the_last() -> None:
    chance = Seeded(61)
    game = start("dice", 2, chance=chance)
    play_on(game, chance)
    assert game.result is not None
    series = Series("dice", 2, rounds=1)
    series.add(game.result)
    with pytest.raises(SetupError, match="all rounds of the series are played"):
        series.add(game.result)

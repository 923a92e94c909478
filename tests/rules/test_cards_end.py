"""The card game: the end, the places and several rounds (C15 to C17)."""

import pytest

from sixfold import Refused, Result, Series
from sixfold.games.cards import rules
from tests.clauses import clause
from tests.positions import cards, numbers


@clause("C15")
def test_all_six_chips_in_column_7_end_the_game_and_win_it() -> None:
    game = cards(["RG", "RB", "OP"], hand="RG OP", chips=["6 7 7 7 7 7", "9 9 9 9 9 6", "0 0 0 0 0 0"])
    game.play("play RG")
    assert game.over
    assert game.result is not None
    assert game.result.places == [1, 2, 3]
    with pytest.raises(Refused, match=r"the game is over \(C15\)"):
        game.play("play OP")
    with pytest.raises(Refused, match=r"the game is over \(C15\)"):
        game.apply("draw 0 OP")


@clause("C15")
def test_both_symbols_are_scored_first() -> None:
    game = cards(["RG", "RB", "GP"], hand="RG OP", chips=["6 7 7 7 7 7"])
    game.play("play RG")
    assert (game.over, game.values[0]) == (True, numbers("8 9 7 7 7 7"))


@clause("C15")
def test_bonus_turns_still_due_are_dropped() -> None:
    game = cards(["RG", "RB", "GP"], hand="RG OP", chips=["6 9 7 7 7 7"])
    game.play("play GR")
    assert (game.over, game.values[0]) == (True, numbers("8 10 7 7 7 7"))


@clause("C15")
def test_one_chip_in_column_6_keeps_the_game_going() -> None:
    game = cards(["RG", "RB", "GP"], hand="RG OP", chips=["9 9 7 7 7 6"])
    game.play("play RG")
    assert not game.over


@clause("C16")
def test_the_others_are_ranked_by_their_lowest_chip_then_the_next() -> None:
    chips = ["6 7 7 7 7 7", "3 6 6 6 6 6", "4 4 4 4 4 4", "6 6 6 6 4 3"]
    game = cards(["RG", "RB", "OP", "OP"], hand="RG OP", chips=chips)
    game.play("play RG")
    assert game.result is not None
    assert game.result.places == [1, 3, 2, 4]


@clause("C16")
def test_equal_lists_share_a_place_and_the_next_is_skipped() -> None:
    chips = ["6 7 7 7 7 7", "1 2 3 3 2 1", "3 2 1 1 2 3", "0 3 3 3 3 3"]
    game = cards(["RG", "RB", "OP", "OP"], hand="RG OP", chips=chips)
    game.play("play RG")
    assert game.result is not None
    assert game.result.places == [1, 2, 2, 4]


def round_of(*lowest: int) -> Result:
    """A round in which the players, in playing order, end with these lowest chips."""
    values = [[10, 10, low, 10, 10, 10] for low in lowest]
    states = rules.start(len(lowest))
    states["chip"][0, : len(lowest)] = values
    return Result([1] * len(lowest), values, [rules.points(states[0], player) for player in range(len(lowest))])


@clause("C17")
def test_victory_points_are_the_columns_of_the_lowest_chips() -> None:
    series = Series("cards", seats=3, rounds=2)
    assert series.add(round_of(7, 3, 5)) == [7, 3, 5]
    assert (series.totals, series.over, series.winners) == ([7, 3, 5], False, [])


@clause("C17")
def test_the_deal_passes_to_the_left_each_round() -> None:
    series = Series("cards", seats=3, rounds=4)
    begins = []
    while not series.over:
        begins.append(series.seat_of(0))
        series.add(round_of(7, 2, 1))
    assert begins == [0, 1, 2, 0]
    # In the second round seat 1 began and won, seat 2 was player 1, seat 0 player 2.
    assert series.points[1] == [1, 7, 2]
    assert series.totals == [7 + 1 + 2 + 7, 2 + 7 + 1 + 2, 1 + 2 + 7 + 1]
    assert series.winners == [0]


@clause("C17")
def test_equal_totals_share_the_victory() -> None:
    series = Series("cards", seats=2, rounds=2)
    series.add(round_of(7, 4))
    series.add(round_of(7, 4))
    assert (series.totals, series.winners) == ([11, 11], [0, 1])

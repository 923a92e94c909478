"""The dice game: marking, the end, several games and the hidden start (D10 to D15)."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixfold import Refused, Result, Series, start
from sixfold.games.dice import rules
from tests.clauses import clause
from tests.positions import dice, numbers


def mark(sheet: str, due: str) -> list[int]:
    """A sheet after marks are due for each symbol."""
    game = dice(["R R R R", "O O O O"], sheets=[sheet])
    game.state.due[:] = numbers(due)
    rules.mark(game.state)
    return game.values[0]


@clause("D10")
def test_boxes_are_marked_from_left_to_right() -> None:
    game = dice(["R R G", "R O O", "G G P"], sheets=["1 1 1 1 1 1"])
    game.play("score")
    assert game.values[0] == numbers("3 3 1 1 1 1")


@clause("D11")
def test_the_middle_strip_stays_barred_while_one_row_is_empty() -> None:
    assert mark("3 1 0 1 1 1", "2 0 0 0 0 0") == numbers("3 1 0 1 1 1")
    assert mark("3 1 1 1 1 1", "2 0 0 0 0 0") == numbers("5 1 1 1 1 1")


@clause("D11")
def test_box_7_stays_barred_while_one_row_has_fewer_than_four_marks() -> None:
    assert mark("6 4 3 4 4 4", "2 0 0 0 0 0") == numbers("6 4 3 4 4 4")
    assert mark("6 4 4 4 4 4", "2 0 0 0 0 0") == numbers("7 4 4 4 4 4")


@clause("D11", "D12")
def test_green_and_yellow_stop_at_3_while_blue_is_empty() -> None:
    assert mark("1 0 0 1 2 1", "0 4 0 0 2 0") == numbers("1 3 0 1 3 1")


@clause("D11", "D12")
def test_green_first_then_yellow_to_the_end() -> None:
    assert mark("4 3 4 5 2 7", "0 1 0 0 6 0") == numbers("4 4 4 5 7 7")


@clause("D12")
def test_marks_for_a_full_row_are_lost() -> None:
    assert mark("7 4 4 4 4 4", "3 0 0 0 0 0") == numbers("7 4 4 4 4 4")


@clause("D12")
def test_the_order_opens_strips_on_the_way() -> None:
    # Only the fourth marks of red and of purple open box 7 for green.
    assert mark("3 6 4 4 4 1", "1 1 0 0 0 3") == numbers("4 7 4 4 4 4")
    # Purple's first mark opens the middle strip for the others.
    assert mark("3 3 3 3 3 0", "1 1 0 0 0 1") == numbers("4 4 3 3 3 1")


def fits(sheet: list[int], symbol: int) -> bool:
    """Whether the next box of a row may be marked: D11, box by box."""
    box = sheet[symbol] + 1
    return box <= 3 or (box <= 6 and min(sheet) >= 1) or (box == 7 and min(sheet) >= 4)


@clause("D12")
@given(
    st.lists(st.sampled_from([0, 1, 2, 3, 4, 5, 6, 7]), min_size=6, max_size=6).filter(
        lambda sheet: max(sheet) <= (3 if min(sheet) < 1 else 6 if min(sheet) < 4 else 7)
    ),
    st.lists(st.integers(0, 5), min_size=1, max_size=5),
)
def test_marking_until_nothing_fits_gives_the_same_sheet_in_every_order(sheet: list[int], marks: list[int]) -> None:
    due = [marks.count(symbol) for symbol in range(6)]
    expected = mark(" ".join(map(str, sheet)), " ".join(map(str, due)))
    for order in set(permutations(marks)):
        done, left = list(sheet), list(order)
        while able := [symbol for symbol in left if fits(done, symbol)]:
            done[able[0]] += 1
            left.remove(able[0])
        assert done == expected


@clause("D12")
def test_a_mark_in_a_barred_box_is_lost_for_good() -> None:
    game = dice(["R R O", "R R G", "R G B"], sheets=["3 0 0 0 0 0"])
    game.play("score")
    assert game.values[0] == numbers("3 0 0 0 0 0")
    assert not game.state.due.any()


@clause("D13")
def test_42_marks_win_at_once_in_mid_round() -> None:
    game = dice(["R R G", "R O O", "B B B"], sheets=["6 7 7 7 7 7", "0 0 0 0 0 0", "7 7 7 7 7 6"])
    game.play("score")
    assert game.result is not None
    assert game.result.places == [1, 3, 2]
    with pytest.raises(Refused, match=r"the game is over \(D13\)"):
        game.apply("roll 1 R R R")
    with pytest.raises(Refused, match=r"the game is over \(D13\)"):
        game.play("score")


@clause("D13")
def test_the_others_are_ranked_by_their_shortest_row_and_equal_lists_share_a_place() -> None:
    sheets = ["6 7 7 7 7 7", "2 3 3 3 3 3", "3 3 3 3 2 3", "2 3 3 4 3 3"]
    game = dice(["R R", "R O", "B B", "G G"], sheets=sheets)
    game.play("score")
    assert game.result is not None
    assert game.result.places == [1, 3, 3, 2]


@clause("D13")
def test_41_marks_do_not_win() -> None:
    game = dice(["R R G", "R O O", "B B B"], sheets=["6 7 7 7 7 6"])
    game.play("score")
    assert not game.over


def round_of(*values: list[int]) -> Result:
    """A round in which the players, in playing order, end with these marks; the first has won."""
    states = rules.start(len(values))
    states["marks"][0, : len(values)] = values
    places = [1, *[2] * (len(values) - 1)]
    return Result(places, list(values), [rules.points(states[0], player) for player in range(len(values))])


@clause("D14")
def test_the_winner_gets_7_points_and_the_others_their_shortest_row() -> None:
    series = Series("dice", seats=3, rounds=3)
    # Marc's shortest row, yellow, has two marks: two points.
    assert series.add(round_of([7] * 6, numbers("3 4 4 4 2 5"), numbers("0 1 2 3 3 3"))) == [7, 2, 0]


@clause("D14")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_as_many_games_as_players_each_starts_one(players: int) -> None:
    series = Series("dice", seats=players, rounds=players)
    begins = []
    while not series.over:
        begins.append(series.seat_of(0))
        assert sorted(series.seat_of(player) for player in range(players)) == list(range(players))
        series.add(round_of([7] * 6, *[[4] * 6] * (players - 1)))
    assert begins == list(range(players))
    # Whoever began won, so everybody won once: equal totals share the victory.
    assert series.totals == [7 + 4 * (players - 1)] * players
    assert series.winners == list(range(players))


@clause("D15")
def test_with_a_hidden_start_the_start_player_can_score_only_jokers() -> None:
    game = start("dice", 3, hidden_start=True)
    for event in ("roll 0 R R G", "0 score R2>B", "roll 1 R G G", "1 score", "roll 2 R G G", "2 score"):
        game.apply(event)
    assert game.values == [numbers("0 0 1 0 0 0"), numbers("2 2 0 0 0 0"), numbers("3 3 0 0 0 0")]


@clause("D15")
def test_without_it_the_opening_dice_can_be_matched() -> None:
    game = start("dice", 3)
    for event in ("roll 1 R G G", "roll 2 O O O", "roll 0 R R G", "0 score"):
        game.apply(event)
    assert game.values[0] == numbers("2 2 0 0 0 0")


@clause("D15")
def test_nobodys_opening_dice_are_shown() -> None:
    game = start("dice", 4, hidden_start=True)
    with pytest.raises(Refused, match=r"first roll 0 with 2 of them \(D4\)"):
        game.apply("roll 1 R R")
    assert not game.state.dice.any()

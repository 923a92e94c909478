"""The card game: scoring, areas, new cards and bonus turns (C7 to C10, C13, C14, C18)."""

from collections import Counter

import pytest

from sixfold import Refused
from tests.clauses import clause
from tests.positions import cards, discarded, face_up, hand, numbers


def after(face_up: list[str], move: str, chips: str = "0 0 0 0 0 0") -> list[int]:
    """Player 0's chips after playing a card."""
    card = "".join(sorted(move, key="RGBOYP".index))
    game = cards(face_up, hand=f"{card} OP", chips=[chips])
    game.play(f"play {move}")
    return game.values[0]


@clause("C7")
def test_two_yellow_cards_and_a_blue_one() -> None:
    assert after(["RY", "BY", "OP"], "BY") == numbers("0 0 1 0 2 0")


@clause("C7")
def test_the_cards_of_all_players_count_and_the_own_earlier_ones_too() -> None:
    assert after(["RG", "RB", "RO", "RY"], "RP") == numbers("3 0 0 0 0 0")
    assert after(["RG", "BO", "BO", "BO"], "RP") == numbers("1 0 0 0 0 0")
    assert after(["BO", "BO", "BO", "RG"], "RP") == numbers("1 0 0 0 0 0")


@clause("C7")
def test_the_card_just_played_does_not_count() -> None:
    assert after(["BO", "BO", "BO"], "RP") == numbers("0 0 0 0 0 0")


@clause("C8")
def test_the_order_of_scoring_can_matter() -> None:
    # Blue is the last chip at 0; once it has left, red may enter column 4.
    before = "3 1 0 1 1 1"
    assert after(["RG", "RO", "BO"], "BR", before) == numbers("5 1 1 1 1 1")
    assert after(["RG", "RO", "BO"], "RB", before) == numbers("3 1 1 1 1 1")


@clause("C8")
def test_both_orders_of_every_card_are_offered() -> None:
    assert list(cards(["RG", "RB", "OP"], hand="RG RG YP").legal()) == ["play RG", "play GR", "play YP", "play PY"]


@clause("C9")
def test_a_chip_never_passes_column_10() -> None:
    assert after(["RG RB", "RO RY"], "RP", "8 7 7 7 7 4") == numbers("10 7 7 7 7 4")
    assert after(["RG RB", "RO RY"], "RP", "10 7 7 7 7 4") == numbers("10 7 7 7 7 4")


@clause("C10")
def test_red_enters_the_third_area_and_purple_is_barred_from_the_fourth() -> None:
    assert after(["RG RO", "BP GP"], "RP", "2 4 3 4 4 5") == numbers("4 4 3 4 4 6")
    assert after(["RG RO", "BP GP"], "PR", "2 4 3 4 4 5") == numbers("4 4 3 4 4 6")


@clause("C10")
def test_no_chip_passes_column_3_while_one_stands_at_0() -> None:
    assert after(["RG RO", "RB RY"], "RP", "1 1 0 1 1 1") == numbers("3 1 0 1 1 1")
    assert after(["RG RO", "RB RY"], "RP", "1 1 1 1 1 1") == numbers("5 1 1 1 1 1")


@clause("C10")
def test_no_chip_passes_column_6_while_one_stands_below_4() -> None:
    assert after(["RG RO", "RB RY"], "RP", "5 4 3 4 4 4") == numbers("6 4 3 4 4 4")
    assert after(["RG RO", "RB RY"], "RP", "5 4 4 4 4 4") == numbers("9 4 4 4 4 4")


@clause("C10")
def test_the_moving_chip_counts() -> None:
    # The last chip to reach 4 goes on to 7 in the same move, and the last to leave 0 on to 4.
    assert after(["RG RO", "RB RY"], "RP", "3 4 4 4 4 4") == numbers("7 4 4 4 4 4")
    assert after(["RG RO", "RB RY"], "RP", "0 1 1 1 1 1") == numbers("4 1 1 1 1 1")


@clause("C10")
def test_barred_steps_are_lost_even_if_the_second_symbol_opens_the_area() -> None:
    assert after(["RB RO", "RG RY"], "RB", "3 1 0 1 1 1") == numbers("3 1 1 1 1 1")


LOW_PURPLE = "5 5 5 5 5 4"


@clause("C13")
def test_new_cards_are_offered_when_no_card_shows_the_lowest_symbol() -> None:
    game = cards(["RG", "RB", "OP"], hand="RG RB RO", chips=[LOW_PURPLE])
    game.play("play RG")
    assert list(game.legal()) == ["keep", "renew"]
    with pytest.raises(Refused, match=r"keep, renew \(C13\)"):
        game.play("play RB")


@clause("C13")
def test_one_card_with_a_lowest_symbol_bars_them() -> None:
    for held, chips in (("RG RB OP", LOW_PURPLE), ("RG RB OY", "5 5 5 5 4 4"), ("RG RB BO", "5 5 4 5 5 4")):
        game = cards(["RG", "RB", "OP"], hand=held, chips=[chips])
        game.play("play RG")
        assert game.turn is None
        with pytest.raises(Refused, match=r"no card in hand shows a lowest symbol \(C13\)"):
            game.apply("0 keep")
    game = cards(["RG", "RB", "OP"], hand="RG RB OP", chips=[LOW_PURPLE])
    with pytest.raises(Refused, match=r"keep or renew is offered only at the end of a turn.*\(C13\)"):
        game.play("renew")


@clause("C13")
def test_the_lowest_chip_is_looked_at_after_the_scoring() -> None:
    # Purple leaves the lowest column by this play, and green is then lowest.
    game = cards(["RP", "BP", "OP"], hand="OP RB RY", chips=["6 5 6 6 6 4"])
    game.play("play PO")
    assert list(game.legal()) == ["keep", "renew"]


@clause("C13")
def test_a_renewed_hand_is_discarded_before_drawing_six() -> None:
    game = cards(["RG", "RB", "OP"], hand="RG RB RO GB GO BO", chips=[LOW_PURPLE])
    game.play("play RG")
    game.play("renew")
    assert (hand(game, 0), discarded(game)) == ("", Counter(["RB", "RO", "GB", "GO", "BO", "RG"]))
    with pytest.raises(Refused, match=r"draw 0 needs 6, not 1 \(C11\)"):
        game.apply("draw 0 YP")
    game.apply("draw 0 GY GY OY OY YP YP")
    assert (hand(game, 0), game.turn) == ("GY GY OY OY YP YP", 1)


@clause("C13")
def test_the_offer_may_be_declined() -> None:
    game = cards(["RG", "RB", "OP"], hand="RG RB RO GB GO BO", chips=[LOW_PURPLE])
    game.play("play RG")
    game.play("keep")
    game.apply("draw 0 YP")
    assert hand(game, 0) == "RB RO GB GO BO YP"


@clause("C13", "C14")
def test_the_offer_comes_once_after_the_last_bonus_turn() -> None:
    game = cards(["RG", "RB", "OP"], hand="RG RO BO GY", chips=["9 6 6 6 6 4"])
    game.play("play RG")
    with pytest.raises(Refused, match="C13"):
        game.play("keep")
    game.play("play RO")
    assert list(game.legal()) == ["keep", "renew"]
    game.play("keep")
    assert game.turn is None


@clause("C14")
def test_a_chip_that_arrives_in_column_10_gives_a_bonus_turn_without_drawing() -> None:
    game = cards(["RG YP", "RB OY"], hand="RO GB BY OP", chips=["9 6 6 6 6 5"])
    game.play("play RO")
    assert (game.turn, hand(game, 0)) == (0, "GB BY OP")
    # The nearest card is gone, the others have moved up, and the new one lies below.
    assert (face_up(game, 0), discarded(game)) == ("YP RO", Counter(RG=1))
    game.play("play BY")
    assert game.values[0] == numbers("10 6 7 7 8 5")
    assert game.turn is None
    assert (face_up(game, 0), discarded(game)) == ("RO BY", Counter(RG=1, YP=1))


@clause("C14")
def test_two_chips_can_arrive_in_one_scoring() -> None:
    game = cards(["RG", "RB", "OP"], hand="RG BY BY OP", chips=["9 9 6 6 6 5"])
    game.play("play RG")
    assert game.values[0][:2] == [10, 10]
    game.play("play BY")
    assert game.turn == 0
    game.play("play BY")
    assert game.turn is None
    assert hand(game, 0) == "OP"


@clause("C14")
def test_a_chip_that_already_stands_at_10_gives_nothing_more() -> None:
    game = cards(["RG", "RB", "OP"], hand="RY OP", chips=["10 6 6 6 6 5"])
    game.play("play RY")
    assert game.turn is None


@clause("C14")
def test_bonus_turns_can_give_further_ones() -> None:
    game = cards(["RY", "GB", "GP"], hand="RY GY BO OP", chips=["9 9 6 6 6 5"])
    game.play("play RY")
    game.play("play GY")
    assert (game.values[0][1], game.turn) == (10, 0)
    game.play("play BO")
    assert game.turn is None


@clause("C18")
def test_with_two_players_four_cards_lie_open_to_match_against() -> None:
    assert after(["RG RB", "RO RY"], "RP", "3 3 3 3 3 3") == numbers("6 3 3 3 3 3")
    assert after(["RG RB", "RO RY"], "RP", "2 3 3 3 3 3") == numbers("6 3 3 3 3 3")
    game = cards(["RG RB", "RO RY"])
    game.play("play RP")
    assert [len(face_up(game, player).split()) for player in (0, 1)] == [2, 2]

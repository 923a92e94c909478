"""The travel edition: drawing, swapping and the end (T15 to T20)."""

from collections import Counter

import pytest

from sixfold import Refused, Result, Scripted, Seeded, start
from sixfold.engine.game import GAMES
from sixfold.engine.playouts import play_games
from sixfold.games.travel.rules import ITEMS
from tests.clauses import clause
from tests.positions import crowded, in_bag, items, rack, travel
from tests.tables import play_on

NOTHING = "0 0 0 0 0 0"


@clause("T15")
def test_the_player_draws_until_the_rack_holds_six() -> None:
    game = travel(rack="RG RB RO RY RP GB", bag="OO OO YY", chance=Scripted(items(ITEMS, "YY")))
    assert game.play("place RG f5 f6") == ["0 place RG f5 f6", "draw 0 YY"]
    assert rack(game, 0) == "RB RO RY RP GB YY"
    assert in_bag(game) == Counter(OO=2)
    assert game.turn == 1


@clause("T15")
def test_after_a_bonus_turn_two_tiles_are_drawn() -> None:
    game = travel("c . . R . . . . .", scores=("17 0 0 0 0 0", NOTHING), bag="OO OO YY")
    game.play("place RG c4 c5")
    game.play("place RB f5 f6")
    with pytest.raises(Refused, match=r"draw 0 needs 2, not 1 \(T15\)"):
        game.apply("draw 0 YY")
    with pytest.raises(Refused, match=r"no PP is left to draw \(T15\)"):
        game.apply("draw 0 YY PP")
    game.apply("draw 0 OO YY")
    assert rack(game, 0) == "RO RY RP GB OO YY"


def swapping(scores: str = "5 5 0 0 3 3", bag: str = "OO OO YY YY PP PP", rack: str = "RR RG RG RG GG GG") -> list[str]:
    """What the player may do after placing the first tile of the rack."""
    game = travel(rack=rack, other="BO", bag=bag, scores=(scores, NOTHING))
    game.play(f"place {rack[:2]} f5 f6")
    return list(game.legal())


@clause("T16")
def test_a_swap_is_offered_when_no_tile_shows_the_lowest_symbol() -> None:
    assert swapping() == ["keep", "swap"]


@clause("T16")
def test_one_of_several_lowest_symbols_in_the_rack_bars_the_swap() -> None:
    assert swapping("5 5 0 0 5 5", rack="RR RG RG RG GG BY") == []
    assert swapping("5 5 0 0 5 5", rack="RR RG RG RG GG YP") == ["keep", "swap"]


@clause("T16")
def test_the_rack_is_looked_at_after_scoring_and_before_drawing() -> None:
    # The tile just placed shows the lowest symbol; it is no longer in the rack.
    assert swapping("5 5 0 5 5 5", rack="BB RG RG RG GG GG") == ["keep", "swap"]
    # What would be drawn shows it; that does not matter.
    assert swapping("5 5 5 0 5 5", bag="OO OO RO RO GO GO") == ["keep", "swap"]
    # Scoring lifts red from the lowest place, so the green tiles count now.
    game = travel("c . . R . . . . .", rack="RR GG RO", scores=("4 5 9 9 9 9", NOTHING))
    game.play("place RR c4 c5")
    assert game.values[0][0] == 5
    assert game.turn is None


@clause("T16")
def test_a_swap_needs_six_tiles_in_the_bag() -> None:
    assert swapping(bag="OO OO YY YY PP PP") == ["keep", "swap"]
    assert swapping(bag="OO OO YY YY PP") == []
    game = travel(rack="RR RG RG RG GG GG", bag="OO OO YY YY PP", scores=("5 5 0 0 3 3", NOTHING))
    game.play("place RR f5 f6")
    with pytest.raises(Refused, match=r"and the bag holds six tiles \(T16\)"):
        game.apply("0 swap")


@clause("T16")
def test_a_swap_draws_six_new_tiles_before_the_old_ones_return() -> None:
    game = travel(rack="RR RG RG RG GG GG", other="BO", bag="OO OO YY YY PP PP", scores=("5 5 0 0 3 3", NOTHING))
    game.play("place RR f5 f6")
    game.play("swap")
    with pytest.raises(Refused, match=r"no RG is left to draw \(T16\)"):
        game.apply("draw 0 RG OO OO YY YY PP")
    with pytest.raises(Refused, match=r"draw 0 needs 6, not 1 \(T16\)"):
        game.apply("draw 0 OO")
    game.apply("draw 0 OO OO YY YY PP PP")
    assert rack(game, 0) == "OO OO YY YY PP PP"
    assert in_bag(game) == Counter(RG=3, GG=2)
    assert game.turn == 1


@clause("T16")
def test_a_swap_may_be_declined() -> None:
    game = travel(rack="RR RG RG RG GG GG", bag="OO OO YY YY PP PP", scores=("5 5 0 0 3 3", NOTHING))
    game.play("place RR f5 f6")
    with pytest.raises(Refused, match=r"first decide what happens to the rest: keep, swap \(T16\)"):
        game.play("place RG h5 h6")
    game.play("keep")
    game.apply("draw 0 OO")
    assert rack(game, 0) == "RG RG RG GG GG OO"


@clause("T17")
def test_drawing_never_fails() -> None:
    """85 free cells take at most 42 tiles, and 45 are in the bag after the deal."""
    for seed in range(30):
        chance = Seeded(seed)
        game = start("travel", chance=chance)
        assert in_bag(game).total() == 45
        play_on(game, chance)
        placed = sum(" place " in event for event in game.events)
        assert placed <= 42
        assert in_bag(game).total() >= 45 - placed


@clause("T17")
def test_no_random_game_has_more_than_42_placements() -> None:
    rules = GAMES["travel"]
    games = play_games(rules, rules.start(2), seed=3, first=0, games=2000)
    assert games.lengths.min() >= 21
    # Every decision beyond 42 is one between keep and swap, and each turn has at most one of those.
    assert games.lengths.max() <= 84


@clause("T18")
def test_the_game_ends_before_drawing_when_no_two_adjacent_cells_are_free() -> None:
    game = travel(crowded("c4 c5 e1 h2"), rack="RG OO", chance=Seeded(1))
    assert game.play("place RG c4 c5") == ["0 place RG c4 c5"]
    assert game.over
    assert rack(game, 0) == "OO"
    with pytest.raises(Refused, match=r"the game is over \(T18\)"):
        game.play("place OO e1 h2")
    with pytest.raises(Refused, match=r"the game is over \(T18\)"):
        game.apply("draw 0 RR")


@clause("T18")
def test_the_game_goes_on_while_one_pair_is_free() -> None:
    game = travel(crowded("c4 c5 h2 h3"), rack="RG OO")
    game.play("place RG c4 c5")
    assert not game.over


@clause("T19")
def test_six_scores_of_18_win_at_once() -> None:
    game = travel("c . . R . . . . .", rack="RG OO", scores=("17 18 18 18 18 18", "18 18 18 18 18 17"))
    game.play("place RG c4 c5")
    assert game.result == Result([1, 2], [[18] * 6, [18, 18, 18, 18, 18, 17]])


@clause("T19")
def test_five_scores_of_18_do_not() -> None:
    game = travel("c . . R . . . . .", rack="RG OO", scores=("17 17 18 18 18 18", "18 18 18 18 18 17"))
    game.play("place RG c4 c5")
    assert game.result is None


def end_with(first: str, second: str) -> list[int]:
    """The places when the last tile brings nothing and the scores are these."""
    game = travel(crowded("c4 c5"), rack="RG", scores=(first, second))
    game.play("place RG c4 c5")
    assert game.result is not None
    return game.result.places


@clause("T20")
def test_the_higher_lowest_score_wins_whatever_the_others_are() -> None:
    assert end_with("10 10 10 10 10 10", "18 18 9 18 18 18") == [1, 2]
    assert end_with("18 18 9 18 18 18", "10 10 10 10 10 10") == [2, 1]


@clause("T20")
def test_the_third_lowest_decides_when_two_are_equal() -> None:
    assert end_with("12 18 9 18 13 18", "9 14 14 14 12 14") == [2, 1]


@clause("T20")
def test_two_equal_lists_are_a_draw() -> None:
    assert end_with("9 10 11 12 13 14", "14 13 12 11 10 9") == [1, 1]


@clause("T20")
def test_who_has_more_pegs_on_the_tied_value_loses() -> None:
    assert end_with("9 9 18 18 18 18", "9 10 10 10 10 10") == [2, 1]

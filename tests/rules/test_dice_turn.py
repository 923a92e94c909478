"""The dice game: material, start, rolling and scoring (D1 to D9)."""

import pytest

from sixfold import Refused, Scripted, Seeded, start
from tests.clauses import clause
from tests.positions import dice, numbers

BLANK = "0 0 0 0 0 0"


def marked(shown: list[str], move: str, sheet: str = BLANK, split_jokers: bool = False) -> list[int]:
    """Player 0's sheet after scoring in some way."""
    game = dice(shown, sheets=[sheet], split_jokers=split_jokers)
    game.play(move)
    return game.values[0]


@clause("D1")
@pytest.mark.parametrize(("players", "each"), [(2, 4), (3, 3), (4, 2)])
def test_each_player_has_their_share_of_the_dice(players: int, each: int) -> None:
    game = start("dice", players, chance=Seeded(1))
    assert [int(number) for number in game.state.dice.sum(axis=1)[:players]] == [each] * players
    assert all(len(event.split()) == 2 + each for event in game.events)
    assert players * each <= 9


@clause("D1")
def test_a_die_shows_each_of_the_six_symbols() -> None:
    game = start("dice", 2)
    with pytest.raises(Refused, match="there is no W"):
        game.apply("roll 1 R G B W")
    game.apply("roll 1 R G B O")
    game.apply("roll 0 R G Y P")
    with pytest.raises(Refused, match=r"roll 1 needs 4, not 3 \(D3\)"):
        start("dice", 2).apply("roll 1 R G B")


@clause("D1")
def test_all_symbols_are_rolled() -> None:
    game = start("dice", 2, chance=Seeded(2))
    letters: list[str] = []
    for _ in range(60):
        game.play("score")
        if game.over:
            break
        letters += game.events[-1].split()[2:]
    assert set(letters) == set("RGBOYP")


@clause("D2")
def test_a_sheet_has_six_rows_of_seven_boxes() -> None:
    game = start("dice", 3, chance=Seeded(1))
    assert game.values == [[0] * 6] * 3
    full = dice(["R R R R", "R R R R"], sheets=["4 7 7 7 7 7"])
    full.play("score")
    assert full.values[0] == [7] * 6


@clause("D3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_but_the_start_player_rolls_and_leaves_the_dice_in_view(players: int) -> None:
    game = start("dice", players, chance=Seeded(3))
    assert [event.split()[:2] for event in game.events] == [["roll", str(player)] for player in [*range(1, players), 0]]
    assert game.turn == 0
    for seat in [None, *range(players)]:
        assert str(game.view(seat)) == str(game)


@clause("D3")
def test_the_opening_rolls_come_in_order() -> None:
    game = start("dice", 3)
    with pytest.raises(Refused, match=r"first roll 1 with 3 of them \(D3\)"):
        game.apply("roll 0 R G B")
    with pytest.raises(Refused, match=r"first roll 1 with 3 of them \(D3\)"):
        game.apply("0 score")


@clause("D4")
def test_all_dice_may_be_rolled_a_second_and_a_third_time() -> None:
    game = start("dice", 3, chance=Scripted([0, 0, 0, 1, 1, 1, 0, 1, 2, 0, 3, 4, 5, 5, 5]))
    assert game.play("reroll") == ["0 reroll", "roll 0 R O Y"]
    assert game.play("reroll") == ["0 reroll", "roll 0 P P P"]
    with pytest.raises(Refused, match=r"all three rolls have been made \(D4\)"):
        game.play("reroll")
    assert "reroll" not in game.legal()
    assert "score" in game.legal()


@clause("D4")
def test_no_die_may_be_kept_aside() -> None:
    game = dice(["R R G B", "R R R R"])
    game.play("reroll")
    with pytest.raises(Refused, match=r"roll 0 needs 4, not 2 \(D4\)"):
        game.apply("roll 0 O Y")
    assert game.state.dice[0].sum() == 0


@clause("D4")
def test_rolling_comes_before_scoring() -> None:
    game = start("dice", 2)
    game.apply("roll 1 R R G B")
    with pytest.raises(Refused, match=r"first roll 0 with 4 of them \(D4\)"):
        game.apply("0 score")


@clause("D5")
def test_the_last_roll_is_scored_and_stays_in_view() -> None:
    game = dice(["R R R", "G G G", "B B B"])
    game.play("reroll")
    game.apply("roll 0 G B B")
    game.play("score")
    assert game.values[0] == numbers("0 3 3 0 0 0")
    assert (game.turn, list(game.state.dice[0])) == (None, [0, 1, 2, 0, 0, 0])
    game.apply("roll 1 B B O")
    game.play("score")
    # Two blue dice against three of player 2 and two of player 0; the strip ends at 3.
    assert game.values[1] == numbers("0 0 3 0 0 0")


@clause("D5")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_play_goes_around(players: int) -> None:
    game = start("dice", players, chance=Seeded(4))
    turns = []
    for _ in range(2 * players):
        turns.append(game.turn)
        game.play("score")
    assert turns == list(range(players)) * 2


CARLS_OPPONENTS = ["B Y Y", "R B Y"]


@clause("D6")
def test_carls_first_roll_brings_one_red_mark() -> None:
    assert marked(["R G O", *CARLS_OPPONENTS], "score") == numbers("1 0 0 0 0 0")


@clause("D6")
def test_carls_second_roll_brings_three_yellow_and_four_blue_marks() -> None:
    assert marked(["B B Y", *CARLS_OPPONENTS], "score", "1 1 0 1 0 1") == numbers("1 1 4 1 3 1")


@clause("D6")
def test_annes_rolls_against_marc_and_carl() -> None:
    # Only the two purple dice are of use, as a joker.
    assert marked(["G P P", "R B Y", "B B Y"], "score") == numbers(BLANK)
    assert marked(["G P P", "R B Y", "B B Y"], "score P2>O") == numbers("0 0 0 1 0 0")
    assert marked(["R B O", "R B Y", "B B Y"], "score") == numbers("1 0 3 0 0 0")


@clause("D6")
def test_two_blue_dice_against_three_are_six_marks() -> None:
    assert marked(["R B B", "B B O", "B O O"], "score", "1 1 0 1 1 1") == numbers("1 1 6 1 1 1")


@clause("D6")
def test_matches_among_the_own_dice_count_nothing() -> None:
    assert marked(["R R R R", "G G G G"], "score") == numbers(BLANK)


@clause("D7")
@pytest.mark.parametrize(
    ("shown", "move", "sheet"),
    [
        (["R R G B", "O O O O"], "score R2>Y", "0 0 0 0 1 0"),
        (["R R R G", "O O O O"], "score R3>Y", "0 0 0 0 2 0"),
        (["R R R R", "O O O O"], "score R4>Y", "0 0 0 0 3 0"),
        (["R R R R", "O O O O"], "score R4>R", "3 0 0 0 0 0"),
        (["R R G G", "O O O O"], "score R2>Y G2>P", "0 0 0 0 1 1"),
        (["R R G G", "O O O O"], "score R2>Y G2>Y", "0 0 0 0 2 0"),
    ],
)
def test_equal_dice_set_apart_give_one_mark_less_than_they_are(shown: list[str], move: str, sheet: str) -> None:
    assert marked(shown, move) == numbers(sheet)


@clause("D7")
def test_a_joker_needs_the_dice() -> None:
    game = dice(["R R G B", "O O O O"])
    with pytest.raises(Refused, match=r"there are not 3 dice with R in this roll \(D7\)"):
        game.play("score R3>Y")
    with pytest.raises(Refused, match=r"there are not 2 dice with G in this roll \(D7\)"):
        game.play("score R2>Y G2>Y")


@clause("D7")
def test_every_group_and_every_target_is_offered() -> None:
    moves = set(dice(["R R G G", "O O O O"]).legal())
    targets = "RGBOYP"
    one = {f"score {group}2>{target}" for group in "RG" for target in targets}
    two = {f"score R2>{first} G2>{second}" for first in targets for second in targets}
    assert moves == {"reroll", "score"} | one | two


@clause("D8")
def test_dice_set_apart_do_not_match_as_well() -> None:
    # Carl's other way: the two blue dice as a joker, and three marks for yellow.
    assert marked(["B B Y", *CARLS_OPPONENTS], "score B2>P") == numbers("0 0 0 0 3 1")
    assert marked(["B B Y", *CARLS_OPPONENTS], "score B2>B") == numbers("0 0 1 0 3 0")


@clause("D9")
def test_a_group_is_set_apart_whole_or_not_at_all() -> None:
    game = dice(["R R R G", "O O O O"])
    assert set(game.legal()) == {"reroll", "score", *(f"score R3>{target}" for target in "RGBOYP")}
    with pytest.raises(Refused, match=r"equal dice become a joker all together or not at all \(D9\)"):
        game.play("score R2>Y")
    four = dice(["R R R R", "O O O O"])
    with pytest.raises(Refused, match=r"all together or not at all \(D9\)"):
        four.play("score R2>Y R2>Y")


@clause("D9")
def test_with_split_jokers_the_rest_of_the_group_still_matches() -> None:
    assert marked(["R R R G", "R R O O"], "score R2>Y", split_jokers=True) == numbers("2 0 0 0 1 0")
    assert marked(["R R R R", "R O O O"], "score R3>Y", split_jokers=True) == numbers("1 0 0 0 2 0")


@clause("D9")
def test_with_split_jokers_four_dice_may_be_two_pairs() -> None:
    assert marked(["R R R R", "R O O O"], "score R2>Y R2>P", split_jokers=True) == numbers("0 0 0 0 1 1")
    moves = dice(["R R R R", "O O O O"], split_jokers=True).legal()
    # Rolling again, no joker, two to four dice for each target, two pairs for each two targets in order.
    assert len(moves) == 1 + 1 + 18 + 21
    assert len(set(moves)) == len(moves)
    assert "score R2>P R2>Y" not in moves

"""The card game: material, start and the order of play (C1 to C6, C11, C12)."""

from collections import Counter
from itertools import combinations

import pytest

from sixfold import Refused, Scripted, Seeded, start
from sixfold.games.cards.rules import ITEMS
from tests.clauses import clause
from tests.positions import cards, discarded, face_up, hand, in_pile, items
from tests.tables import play_on

HANDS = ["deal 0 RG RG RG RB RB RO", "deal 1 GB GB GB GB GO GO"]


@clause("C1")
def test_every_pair_of_different_symbols_is_there_four_times() -> None:
    pile = in_pile(start("cards"))
    assert pile.total() == 60
    assert pile == Counter({a + b: 4 for a, b in combinations("RGBOYP", 2)})


@clause("C1")
def test_there_is_no_card_with_one_symbol_twice() -> None:
    game = cards(["RG", "RB", "OP"])
    with pytest.raises(Refused, match=r"a card has two different symbols \(C1\)"):
        game.play("play RR")


@clause("C2", "C3")
def test_everybody_has_six_chips_in_column_0_and_six_hidden_cards() -> None:
    for players in (2, 3, 4):
        game = start("cards", players, chance=Seeded(2))
        assert game.values == [[0] * 6] * players
        assert [len(hand(game, player).split()) for player in range(players)] == [6] * players
        assert game.events[:players] == [f"deal {player} {hand(game, player)}" for player in range(players)]
        for seat in range(players):
            hands = [line.split("hand ")[1] for line in str(game.view(seat)).splitlines() if "hand" in line]
            hidden = " ".join(["??"] * 6)
            assert hands == [hand(game, player) if player == seat else hidden for player in range(players)]


@clause("C2")
def test_the_columns_run_from_0_to_10() -> None:
    game = cards(["RG RB", "RO RY"], hand="RP", chips=["7 7 7 7 7 4"])
    game.play("play RP")
    assert max(game.values[0]) == 10
    assert not game.over


@clause("C3")
def test_a_hand_has_exactly_six_cards() -> None:
    game = start("cards")
    with pytest.raises(Refused, match=r"deal 0 needs 6, not 5 \(C3\)"):
        game.apply("deal 0 RG RG RG RB RB")
    with pytest.raises(Refused, match=r"no RG is left to draw \(C3\)"):
        game.apply("deal 0 RG RG RG RG RG RB")
    assert game == start("cards")


@clause("C4", "C18")
def test_two_players_get_two_face_up_cards_the_first_nearer_the_middle() -> None:
    game = start("cards", 2)
    for event in [*HANDS, "open 0 YP RG", "open 1 OY OY"]:
        game.apply(event)
    assert (face_up(game, 0), face_up(game, 1)) == ("YP RG", "OY OY")
    assert game.turn == 0


@clause("C4")
@pytest.mark.parametrize("players", [3, 4])
def test_more_players_get_one(players: int) -> None:
    game = start("cards", players, chance=Seeded(4))
    assert [len(face_up(game, player).split()) for player in range(players)] == [1] * players
    opened = [event for event in game.events if event.startswith("open")]
    assert opened == [f"open {player} {face_up(game, player)}" for player in range(players)]
    assert in_pile(game).total() == 60 - 7 * players


@clause("C4")
def test_the_number_of_face_up_cards_is_checked() -> None:
    game = start("cards", 2)
    for event in HANDS:
        game.apply(event)
    with pytest.raises(Refused, match=r"open 0 needs 2, not 1 \(C4\)"):
        game.apply("open 0 YP")
    with pytest.raises(Refused, match=r"first open 0 with 2 of them \(C4\)"):
        game.apply("open 1 YP YP")


@clause("C5")
def test_the_rest_is_the_pile_and_nothing_is_discarded_yet() -> None:
    game = start("cards", 4, chance=Seeded(5))
    seen = Counter(word for player in range(4) for word in f"{hand(game, player)} {face_up(game, player)}".split())
    assert in_pile(game) + seen == in_pile(start("cards"))
    assert discarded(game).total() == 0


@clause("C5")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_player_0_begins_and_play_goes_around(players: int) -> None:
    chance = Seeded(6)
    game = start("cards", players, chance=chance)
    turns: list[int] = []
    while len(turns) < 3 * players:
        if not turns or turns[-1] != game.turn:
            assert game.turn is not None
            turns.append(game.turn)
        play_on(game, chance, 1)
    assert turns == list(range(players)) * 3


@clause("C5")
def test_nobody_plays_out_of_turn() -> None:
    game = cards(["RG", "RB", "OP"])
    with pytest.raises(Refused, match="it is player 0's turn"):
        game.play("1 play RG")


@clause("C6")
def test_a_card_is_played_from_the_hand_below_the_face_up_ones() -> None:
    game = cards(["YP RG", "OY OY"], hand="RG RG BO")
    assert list(game.legal()) == ["play RG", "play GR", "play BO", "play OB"]
    with pytest.raises(Refused, match=r"RY is not in the hand \(C6\)"):
        game.play("play YR")
    game.play("play BO")
    # The nearest one went to the discards at the end of the turn.
    assert face_up(game, 0) == "RG BO"
    assert hand(game, 0) == "RG RG"


@clause("C11")
def test_at_the_end_of_the_turn_the_nearest_card_is_discarded_and_one_drawn() -> None:
    game = cards(["RG", "RB", "OP"], hand="RG RB RO RY RP GB", chance=Scripted(items(ITEMS, "YP")))
    assert game.play("play RB") == ["0 play RB", "draw 0 YP"]
    assert face_up(game, 0) == "RB"
    assert discarded(game) == Counter(RG=1)
    assert hand(game, 0) == "RG RO RY RP GB YP"
    assert game.turn == 1


@clause("C11")
def test_the_hand_is_drawn_back_to_exactly_six() -> None:
    game = cards(["RG", "RB", "OP"])
    game.play("play RG")
    with pytest.raises(Refused, match=r"draw 0 needs 1, not 2 \(C11\)"):
        game.apply("draw 0 YP YP")


@clause("C12")
def test_the_discards_become_the_pile_when_its_last_card_is_taken() -> None:
    game = cards(["RG", "RB", "OP"], pile="YP", discards="GO GO BY")
    game.play("play RB")
    game.apply("draw 0 YP")
    # The card discarded in this turn is shuffled in as well.
    assert in_pile(game) == Counter(RG=1, GO=2, BY=1)
    assert discarded(game).total() == 0


@clause("C12")
def test_drawing_goes_on_from_the_new_pile() -> None:
    game = cards(["GO", "RB", "OP"], hand="RG RB RG", chips=["1 1 0 1 1 1"], pile="YP OP OP", discards="BY BO OY OY")
    game.play("play RB")
    # Four are drawn: the three of the pile and one of the discards, wherever they stand in the event.
    with pytest.raises(Refused, match=r"OP is still in the pile and comes before what is shuffled \(C12\)"):
        game.apply("draw 0 BY OY OY YP")
    with pytest.raises(Refused, match=r"no RP is left to draw \(C11\)"):
        game.apply("draw 0 RP OP OP YP")
    game.apply("draw 0 BO OP OP YP")
    assert in_pile(game) == Counter(GO=1, BY=1, OY=2)
    assert discarded(game).total() == 0


@clause("C12")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_pile_is_never_left_empty(players: int) -> None:
    turned = 0
    for seed in range(10):
        chance = Seeded(seed)
        game = start("cards", players, chance=chance)
        while not game.over:
            before = in_pile(game).total()
            play_on(game, chance, 1)
            assert in_pile(game).total() > 0
            turned += in_pile(game).total() > before
    assert turned > 0

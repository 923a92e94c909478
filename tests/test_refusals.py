"""Every reason for which a move or an event is refused, in every game where it can come up, with its clause."""

from collections.abc import Callable

import pytest

from sixfold import Game, Refused, start
from sixfold.language import LANGUAGES
from tests.positions import cards, crowded, dice, travel
from tests.test_languages import keys_in_source

Position = Callable[[], Game]


def after(name: str, *events: str) -> Position:
    """A game from its start after some events."""

    def game() -> Game:
        begun = start(name)
        for event in events:
            begun.apply(event)
        return begun

    return game


TRAVEL = after("travel", "deal 0 RG RG RG RB RB RB", "deal 1 RR RR GG GG BB BB")
SECOND = after("travel", "deal 0 RG RG RG RB RB RB", "deal 1 RR RR GG GG BB BB", "0 place RG a2 a3", "draw 0 OO")
CARDS = after("cards", "deal 0 RG RG RG RB RB RO", "deal 1 GB GB GB GB GO GO", "open 0 YP RG", "open 1 OY OY")
DICE = after("dice", "roll 1 R R G B", "roll 0 R R G G")


def swap_offered() -> Game:
    game = travel(rack="RR RG GG", scores=("5 5 0 0 3 3", "0 0 0 0 0 0"))
    game.play("place RR f5 f6")
    return game


def renewal_offered() -> Game:
    game = cards(["RG", "RB", "OP"], hand="RG RB RO", chips=["5 5 5 5 5 4"])
    game.play("play RG")
    return game


def finished(position: Game, move: str) -> Position:
    def game() -> Game:
        ended = position.copy()
        ended.play(move)
        return ended

    return game


OVER = {
    "travel": finished(travel(crowded("c4 c5"), rack="RG"), "place RG c4 c5"),
    "cards": finished(cards(["RG", "RB", "OP"], hand="RG", chips=["6 7 7 7 7 7"]), "play RG"),
    "dice": finished(dice(["R R R R", "R R R R"], sheets=["6 7 7 7 7 7"]), "score"),
}

# A position, an event, and why it is refused: the key of the sentence and the clause.
REFUSALS: list[tuple[Position, str, str, str]] = [
    (TRAVEL, "0 place RG a1 a2", "taken", "T5"),
    (TRAVEL, "0 place RY a2 a3", "not_in_rack", "T5"),
    (TRAVEL, "0 place RG f5 f6", "touch_corner", "T6"),
    (SECOND, "1 place RR a4 b4", "touch_corner", "T6"),
    (SECOND, "1 place RR b1 b2", "other_corner", "T6"),
    (TRAVEL, "0 keep", "no_swap", "T16"),
    (TRAVEL, "0 swap", "no_swap", "T16"),
    (swap_offered, "0 place RG h5 h6", "choose_first", "T16"),
    (swap_offered, "draw 0 RG", "choose_first", "T16"),
    (TRAVEL, "0 place RG a2 b4", "not_adjacent", "T5"),
    (TRAVEL, "0 place RG a2 z9", "no_cell", "T1"),
    (TRAVEL, "0 place RG a7 a8", "no_cell", "T1"),
    (TRAVEL, "0 place RG a3 a2", "cell_order", "record"),
    (TRAVEL, "0 place RX a2 a3", "no_symbol", "record"),
    (TRAVEL, "0 place RGB a2 a3", "no_item", "record"),
    (TRAVEL, "0 place RG", "not_a_move", "record"),
    (TRAVEL, "0 pass", "not_a_move", "record"),
    (TRAVEL, "place RG a2 a3", "not_a_move", "record"),
    (TRAVEL, "1 place RR a2 a3", "not_your_turn", "record"),
    (TRAVEL, "draw 0 RG", "no_chance", "record"),
    (OVER["travel"], "0 place RG c4 c5", "over", "T18"),
    (after("travel"), "0 place RG a2 a3", "chance_first", "T4"),
    (after("travel"), "deal 1 RG RG RG RB RB RB", "chance_first", "T4"),
    (after("travel"), "deal 0 RG RG RG RB RB", "wrong_number", "T4"),
    (after("travel"), "deal 0 RG RG RG RR RR RR", "item_order", "record"),
    (after("travel"), "deal 0 RR RR RR RG RG RG", "not_there", "T4"),
    (after("travel"), "deal 0 RR RR GR RG RG RG", "no_item", "record"),
    (CARDS, "0 play GB", "not_in_hand", "C6"),
    (CARDS, "0 keep", "no_renew", "C13"),
    (CARDS, "0 renew", "no_renew", "C13"),
    (renewal_offered, "0 play RB", "choose_first", "C13"),
    (renewal_offered, "draw 0 RG", "choose_first", "C13"),
    (CARDS, "0 play RR", "no_double", "C1"),
    (CARDS, "0 play RX", "no_symbol", "record"),
    (CARDS, "0 play R", "no_item", "record"),
    (CARDS, "0 place RG a2 a3", "not_a_move", "record"),
    (CARDS, "1 play GB", "not_your_turn", "record"),
    (CARDS, "draw 0 RP", "no_chance", "record"),
    (OVER["cards"], "0 play RG", "over", "C15"),
    (after("cards"), "open 0 RG RG", "chance_first", "C3"),
    (after("cards"), "deal 0 RG", "wrong_number", "C3"),
    (after("cards"), "deal 0 RB RG RG RG RG RO", "item_order", "record"),
    (after("cards"), "deal 0 RG RG RG RG RG RO", "not_there", "C3"),
    (after("cards"), "deal 0 RR RG RG RG RG RO", "no_item", "record"),
    (finished(cards(["RG", "RB", "OP"]), "play RG"), "draw 0 RG RG", "wrong_number", "C11"),
    (
        finished(cards(["RG", "RB", "OP"], hand="RG RB RO RY RP", pile="YP"), "play RG"),
        "draw 0 GB GB",
        "pile_first",
        "C12",
    ),
    (DICE, "0 score B2>Y", "no_group", "D7"),
    (DICE, "0 score R3>Y", "no_group", "D7"),
    (lambda: dice(["R R R G", "O O O O"]), "0 score R2>Y", "whole_group", "D9"),
    (lambda: dice(["R R R G", "O O O O"], rolls=3), "0 reroll", "no_reroll", "D4"),
    (DICE, "0 score G2>Y R2>Y", "joker_order", "record"),
    (DICE, "0 score R2>W", "not_a_move", "record"),
    (DICE, "0 score R1>B", "joker_dice", "D7"),
    (DICE, "0 score R2>B G2>B B2>Y", "joker_dice", "D7"),
    (DICE, "00 score", "not_a_move", "record"),
    (DICE, "1 score", "not_your_turn", "record"),
    (DICE, "roll 0 R R R R", "no_chance", "record"),
    (OVER["dice"], "1 score", "over", "D13"),
    (after("dice"), "roll 0 R R R R", "chance_first", "D3"),
    (after("dice", "roll 1 R R R R"), "0 score", "chance_first", "D4"),
    (after("dice"), "roll 1 R R R", "wrong_number", "D3"),
    (after("dice"), "roll 1 R G R G", "item_order", "record"),
    (after("dice"), "roll 1 R R R X", "no_item", "record"),
]


@pytest.mark.parametrize(
    ("position", "event", "key", "clause"), REFUSALS, ids=[f"{row[2]}: {row[1]}" for row in REFUSALS]
)
def test_an_event_is_refused_for_this_reason_by_this_clause(
    position: Position, event: str, key: str, clause: str
) -> None:
    game = position()
    before = game.copy()
    with pytest.raises(Refused) as refused:
        game.apply(event)
    assert (refused.value.refusal.key, refused.value.refusal.clause) == (key, clause)
    assert str(refused.value) == f'"{event}": {refused.value.reason()} ({clause})'
    assert len({refused.value.sentence(language) for language in LANGUAGES}) == len(LANGUAGES)
    assert (game, game.events) == (before, before.events)


@pytest.mark.parametrize(
    ("position", "event", "key", "clause"),
    [row for row in REFUSALS if row[1][0].isdigit() and row[2] != "chance_first"],
    ids=[f"{row[2]}: {row[1]}" for row in REFUSALS if row[1][0].isdigit() and row[2] != "chance_first"],
)
def test_a_move_that_somebody_types_is_refused_alike(position: Position, event: str, key: str, clause: str) -> None:
    game = position()
    before = game.copy()
    with pytest.raises(Refused) as refused:
        game.play(event)
    assert (refused.value.refusal.key, refused.value.refusal.clause) == (key, clause)
    assert (game, game.events) == (before, before.events)


def test_no_reason_is_without_a_test() -> None:
    reasons = {key for function in ("Refusal", "Reason") for _, key in keys_in_source(function)}
    assert {key for key in reasons if not key.startswith("hint_")} == {key for _, _, key, _ in REFUSALS}


def test_the_right_spelling_is_offered() -> None:
    with pytest.raises(Refused, match="the cells are written in board order: place GR a2 a3"):
        TRAVEL().play("place RG a3 a2")
    with pytest.raises(Refused, match="jokers are written in order: score R2>Y G2>B"):
        DICE().play("score G2>B R2>Y")
    with pytest.raises(Refused, match="they are written in the order roll 1 R R G G"):
        after("dice")().apply("roll 1 R G R G")
    TRAVEL().play("place GR a2 a3")
    DICE().play("score R2>Y G2>B")


@pytest.mark.parametrize("text", ["score", "0 score"])
def test_a_player_may_leave_the_own_number_out(text: str) -> None:
    game = DICE()
    assert game.play(text)[0] == "0 score"

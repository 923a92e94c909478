"""The referee on its own: clause by clause, with the worked examples of the specification."""

from __future__ import annotations

import copy
import random
from collections import Counter
from itertools import permutations

import pytest

from .referee import Refusal
from .referee.cards import Cards, advance
from .referee.common import SYMBOLS, places, zeros
from .referee.dice import Dice, fits, mark, marks_for, scorings
from .referee.travel import CELL_OF, CELLS, CORNERS, NAMES, PAIRS, Travel, neighbours, points


def values(text: str) -> dict[str, int]:
    """Six numbers for R G B O Y P."""
    return dict(zip(SYMBOLS, map(int, text.split()), strict=True))


def words(text: str) -> Counter[str]:
    """Tiles or cards, counted."""
    return Counter(text.split())


def in_play(own: str, *scores: str, bag: str = "", board: str = "") -> Travel:
    """A travel game in mid-play: player 0's rack and scores, the bag, and cells such as c4R."""
    game = Travel(2, {"open_racks": False})
    game.racks = [words(own), Counter()]
    game.scores = [values(score) for score in scores] + [zeros()] * (2 - len(scores))
    game.board.update({CELL_OF[word[:-1]]: word[-1] for word in board.split()})
    game.bag = words(bag)
    game.turn = 8
    game.phase = "place"
    return game


def test_t1_t2_material() -> None:
    assert (len(CELLS), len(PAIRS), Travel(2, {"open_racks": False}).bag.total()) == (91, 240, 57)
    assert sorted(map(len, map(neighbours, CELLS))) == [3] * 6 + [4] * 24 + [6] * 61
    assert all(len(neighbours(corner)) == 3 for corner in CORNERS)
    assert neighbours(CELL_OF["f11"]) == {CELL_OF[name] for name in ("e10", "f10", "g10")}


def test_t6_first_round() -> None:
    game = Travel(2, {"open_racks": False})
    game.apply("deal 0 RG RG RG RB RB RB")
    game.apply("deal 1 RR RR GG GG BB BB")
    first = {event.split(" ", 3)[3] for event in game.choices()}
    near = set().union(*map(neighbours, CORNERS))
    assert len(first) == sum(not {a, b} & set(CORNERS) and bool({a, b} & near) for a, b in PAIRS)
    assert len(game.choices()) == len(first) * 4
    game.apply("0 place RB e9 e10")
    assert game.scores[0] == values("0 0 1 0 0 0")
    game.apply("draw 0 OY")
    with pytest.raises(Refusal, match="T6"):
        game.apply("1 place RR f10 g10")
    game.apply("1 place RR a2 b2")
    assert game.scores[1]["R"] == 2


def test_t9_to_t11_a_double_brings_twelve() -> None:
    game = in_play("GG", "0 1 0 0 0 0", board="f3G f4G f7G f8G f10G e4G d4G e5G g5G e6G g6G c5R")
    game.apply("0 place GG f5 f6")
    f5, f6 = CELL_OF["f5"], CELL_OF["f6"]
    assert points(game.board, f5, f6) == 5  # f4 f3, e4, e5, g5
    assert points(game.board, f6, f5) == 7  # f7 f8, e5 d4, e6, g5, g6
    assert game.scores[0]["G"] == 13


def test_t12_t13_two_bonus_turns_and_no_third() -> None:
    game = in_play("RG RG RG BB", "17 17 0 0 0 0", bag="OO OO YY YY PP", board="c3R c6G")
    game.apply("0 place RG c4 c5")
    assert (game.scores[0]["R"], game.scores[0]["G"], game.bonus_turn) == (18, 18, True)
    with pytest.raises(Refusal, match="T13"):
        game.apply("draw 0 OO")
    game.apply("0 place RG d4 d5")
    game.apply("0 place RG b4 b5")
    assert game.choices() == []
    game.apply("draw 0 OO OO YY YY PP")
    assert (game.player, game.racks[0]) == (1, words("OO OO YY YY PP BB"))


def test_t14_t18_t19_ends() -> None:
    others = set(CELLS) - set(CORNERS) - {CELL_OF["c4"], CELL_OF["c5"]}
    full = " ".join(f"{NAMES[cell]}Y" for cell in others)
    game = in_play("YY YY", "0 0 0 0 17 0", board=full)
    game.apply("0 place YY c4 c5")
    assert (game.over, game.ended_by, game.scores[0]["Y"]) == (True, "T18", 18)
    game = in_play("YY YY", "18 18 18 18 17 18", board="c3Y")
    game.apply("0 place YY c4 c5")
    assert (game.over, game.ended_by) == (True, "T19")


def test_t16_swap() -> None:
    rack, bag = "RR RG RG RG GG GG", "OO OO YY YY PP PP"
    game = in_play(rack, "5 5 0 0 3 3", bag=bag)
    game.apply("0 place RR c4 c5")
    assert game.choices() == ["0 keep", "0 swap"]
    keeping = copy.deepcopy(game)
    game.apply("0 swap")
    with pytest.raises(Refusal, match="T2"):
        game.apply("draw 0 RG OO OO YY YY PP")
    game.apply("draw 0 OO OO YY YY PP PP")
    assert (game.bag, game.player) == (words("RG RG RG GG GG"), 1)
    keeping.apply("0 keep")
    keeping.apply("draw 0 OO")
    assert keeping.racks[0].total() == 6
    # not offered: a lowest symbol in the rack, or only five tiles in the bag
    for scores, left in (("0 5 0 0 3 3", bag), ("5 5 0 0 3 3", bag[3:])):
        game = in_play(rack, scores, bag=left)
        game.apply("0 place RR c4 c5")
        with pytest.raises(Refusal, match="T16"):
            game.apply("0 keep")


def test_t20_c16_places() -> None:
    assert places([[10, 18, 18, 18, 18, 18], [18, 18, 9, 18, 18, 18]]) == [1, 2]
    assert places([[9, 12, 13, 18, 18, 18], [14, 12, 9, 14, 14, 14]]) == [2, 1]
    assert places([[1, 2, 3, 4, 5, 6], [7] * 6, [6, 5, 4, 3, 2, 1], [0] * 6]) == [2, 1, 2, 4]


def test_c7_c10_worked_examples() -> None:
    game = Cards(3, {})
    game.phase, game.faces, game.hands[0] = "play", [["RY"], ["BY"], ["OP"]], Counter(["BY"])
    game.apply("0 play YB")
    assert game.chips[0] == values("0 0 1 0 2 0")
    game = Cards(2, {})
    game.phase, game.faces, game.hands[0] = "play", [["RG", "RO"], ["BP", "GP"]], Counter(["RP"])
    game.chips[0] = values("2 4 3 4 4 5")
    game.apply("0 play RP")
    assert game.chips[0] == values("4 4 3 4 4 6")


def test_c10_the_moving_chip_counts() -> None:
    chips = values("3 4 4 4 4 4")
    assert (advance(chips, "R", 5), chips["R"]) == (False, 8)
    chips = values("0 1 1 1 1 1")
    assert (advance(chips, "R", 9), chips["R"]) == (False, 6)
    chips = values("9 6 6 6 6 6")
    assert (advance(chips, "R", 3), chips["R"]) == (True, 10)
    assert not advance(chips, "R", 3)


def test_c12_across_the_end_of_the_pile() -> None:
    game = Cards(2, {})
    game.pile, game.discards = Counter(["RG", "RB"]), Counter(["RO", "RO", "RY"])
    for wrong in (["RG", "RO", "RY"], ["RG", "RB", "RP"]):
        with pytest.raises(Refusal):
            copy.deepcopy(game).take(Counter(wrong), "C12")
    exact = copy.deepcopy(game)
    exact.take(Counter(["RG", "RB"]), "C12")
    assert (exact.pile, exact.discards.total()) == (Counter(["RO", "RO", "RY"]), 0)
    game.take(Counter(["RG", "RB", "RO"]), "C12")
    assert (game.pile, game.discards.total()) == (Counter(["RO", "RY"]), 0)


def test_c13_c14_bonus_turn_then_one_offer() -> None:
    game = Cards(3, {})
    game.phase, game.faces, game.pile = "play", [["RG"], ["RB"], ["OP"]], Counter({"YP": 10})
    game.chips[0], game.hands[0] = values("9 6 6 6 6 4"), words("RG RO BO GY GY GY")
    game.apply("0 play RG")  # red arrives; no offer in between although no card shows purple
    assert (game.choices()[0], game.faces[0], game.discards) == ("0 play BO", ["RG"], Counter(["RG"]))
    with pytest.raises(Refusal, match="C14"):
        game.apply("0 keep")
    game.apply("0 play RO")
    assert game.choices() == ["0 keep", "0 renew"]
    with pytest.raises(Refusal, match="C13"):
        game.apply("draw 0 YP YP")
    game.apply("0 renew")
    assert game.discards == words("RG RG BO GY GY GY")
    with pytest.raises(Refusal, match="C13"):
        game.apply("draw 0 YP YP")
    game.apply("draw 0 YP YP YP YP YP YP")
    assert (game.faces[0], game.player) == (["RO"], 1)


def test_c15_both_symbols_first() -> None:
    game = Cards(3, {})
    game.phase, game.faces, game.hands[0] = "play", [["RG"], ["RB"], ["GP"]], Counter(["RG"])
    game.chips[0] = values("6 9 7 7 7 7")
    game.apply("0 play RG")
    assert (game.chips[0], game.ended_by) == (values("8 10 7 7 7 7"), "C15")


def test_d6_to_d9_scoring() -> None:
    roll, others = Counter("BBY"), Counter("BYY") + Counter("RBY")
    assert +marks_for(roll, others, []) == Counter(B=4, Y=3)
    assert +marks_for(roll, others, [("B", 2, "P")]) == Counter(P=1, Y=3)
    assert +marks_for(Counter("BBB"), others, [("B", 2, "P")]) == Counter(P=1, B=2)
    sizes = {"RRRR": (7, 40), "RRRG": (7, 13), "RRGG": (49, 49), "RRGB": (7, 7), "RGBO": (1, 1)}
    for dice, (whole, split) in sizes.items():
        found = [scorings(Counter(dice), way) for way in (False, True)]
        assert [len({str(way) for way in ways}) for ways in found] == [whole, split]
        assert [len(ways) for ways in found] == [whole, split]


def test_d11_d12_worked_examples_and_any_order() -> None:
    sheet = values("4 0 0 4 2 4")
    mark(sheet, Counter(G=4, Y=2))
    assert (sheet["G"], sheet["Y"]) == (3, 3)
    sheet = values("4 3 4 5 2 7")
    mark(sheet, Counter(G=1, Y=6))
    assert (sheet["G"], sheet["Y"]) == (4, 7)


@pytest.mark.parametrize("seed", range(30))
def test_d12_every_order_until_nothing_fits(seed: int) -> None:
    rng = random.Random(seed)
    before = {symbol: rng.choice((0, 1, 3, 4, 6)) for symbol in SYMBOLS}
    marks = Counter(rng.choices(SYMBOLS, k=5))
    expected = dict(before)
    mark(expected, marks)
    for order in set(permutations(marks.elements())):
        sheet, left = dict(before), list(order)
        while able := [symbol for symbol in left if fits(sheet, symbol)]:
            sheet[able[0]] += 1
            left.remove(able[0])
        assert sheet == expected


def test_d15_only_players_who_had_a_turn() -> None:
    game = Dice(3, {"split_jokers": False, "hidden_start": True})
    for event in ("roll 0 R R G", "0 score R2>B", "roll 1 R G G", "1 score", "roll 2 R G G", "2 score"):
        game.apply(event)
    assert game.sheets == [values("0 0 1 0 0 0"), values("2 2 0 0 0 0"), values("3 3 0 0 0 0")]

"""The travel edition: scoring and bonus turns (T9 to T14)."""

import pytest

from sixfold import Refused
from tests.clauses import clause
from tests.positions import crowded, rack, travel


def scored(board: str, move: str, rack: str = "RG GB BB RB GG YP") -> dict[str, int]:
    """What a placement brings to a player who has nothing yet."""
    game = travel(board, rack=rack)
    game.play(move)
    return {symbol: value for symbol, value in zip("RGBOYP", game.values[0], strict=True) if value}


@clause("T9")
def test_a_blue_half_next_to_a_printed_blue_corner_brings_one_point() -> None:
    assert scored("", "place GB e9 e10") == {"B": 1}


@clause("T9")
def test_a_line_runs_on_beyond_the_neighbour() -> None:
    assert scored("c . . . . . B B B", "place GB c4 c5") == {"B": 3}


@clause("T9")
@pytest.mark.parametrize(
    ("row", "points"),
    [
        ("c . . . . . B . B", 1),  # an empty cell
        ("c . . . . . B R B", 1),  # another symbol
        ("c . . . . . . B B", 0),  # not even begun
        ("c . . . . . B B B", 3),  # the edge
    ],
)
def test_a_line_ends_at_an_empty_cell_another_symbol_or_the_edge(row: str, points: int) -> None:
    assert scored(row, "place GB c4 c5").get("B", 0) == points


@clause("T9")
def test_a_line_that_runs_into_the_printed_corner_counts_it() -> None:
    assert scored("f P . . . . . . . . B B", "place RB f8 f9") == {"B": 2}


@clause("T9")
def test_lines_run_in_all_directions() -> None:
    board = """
        e . . . B B . . . . .
        f P . . . . . B . . . B
        g . . . B B . . . . .
    """
    # f6 sees f7, e5 and g5; f5 sees e4, e5, g4 and g5.
    assert scored(board, "place GB f5 f6") == {"B": 3}
    assert scored(board, "place BG f5 f6") == {"B": 4}


@clause("T9")
def test_the_line_into_the_tiles_other_half_does_not_count() -> None:
    # Beyond the green half lie three blue cells in a line with the blue one.
    assert scored("c B B B . . . . .", "place GB c4 c5") == {}
    assert scored("c B B B . . . . .", "place BG c4 c5") == {"B": 3}


@clause("T9")
def test_both_symbols_of_the_tile_score() -> None:
    board = """
        c . . R . . B B .
        d . . . . . . . . .
    """
    assert scored(board, "place RB c4 c5") == {"R": 1, "B": 2}


@clause("T9")
@pytest.mark.parametrize("cells", ["f6 f7", "f6 g5", "f6 g6", "f5 f6", "e5 f6", "e6 f6"])
def test_five_lines_whichever_way_the_tile_lies(cells: str) -> None:
    """A blue half on f6, two blue cells in each of the six directions: ten points, and nothing for yellow."""
    board = """
        d . . . B . B . . .
        e . . . . B B . . . .
        f P . . B B . B B . . B
        g . . . . B B . . . .
        h . . . B . B . . .
    """
    tile = "BY" if cells.startswith("f6") else "YB"
    # The other half takes the place of a neighbour, so that cell must be free.
    taken = cells.replace("f6", "").strip()
    rows = [line.split() for line in board.strip().splitlines()]
    for row in rows:
        if row[0] == taken[0]:
            row[int(taken[1:])] = "."
    cleared = "\n".join(" ".join(row) for row in rows)
    assert scored(cleared, f"place {tile} {cells}", rack="BY") == {"B": 10}


@clause("T10")
def test_the_sum_over_the_lines_is_added_to_the_score() -> None:
    game = travel("c . . . . . B B B", rack="GB", scores=("1 2 3 4 5 6", "0 0 0 0 0 0"))
    game.play("place GB c4 c5")
    assert game.values == [[1, 2, 6, 4, 5, 6], [0] * 6]


@clause("T10")
def test_the_new_tile_never_counts_itself() -> None:
    assert scored("", "place BB f5 f6") == {}
    assert scored("f P . . . . . B . . . B", "place BB f5 f6") == {"B": 1}


@clause("T11")
def test_a_double_scores_from_both_cells() -> None:
    board = """
        f P . . B . . B B . . B
        g . . . B . . . . . .
    """
    # f5 sees f4 and g4, f6 sees f7 and f8.
    assert scored(board, "place BB f5 f6") == {"B": 4}


@clause("T11")
def test_a_double_can_bring_twelve_points() -> None:
    board = """
        d . . . G . G . . .
        e . . . G G G . . . .
        f P . G G . . G . . . B
        g . . . . G G . . . .
    """
    # f5 sees f4 and f3, e4, e5, g5: five; f6 sees f7, e5 and d4, e6 and d6, g5, g6: seven.
    assert scored(board, "place GG f5 f6") == {"G": 12}


@clause("T12")
def test_a_score_stops_at_18() -> None:
    game = travel("c . . . . . B B B", rack="GB RR", scores=("0 0 17 0 0 0", "0 0 0 0 0 0"))
    game.play("place GB c4 c5")
    assert game.values[0] == [0, 0, 18, 0, 0, 0]
    later = travel("c . . . . . B B B", rack="GB RR", scores=("0 0 18 0 0 0", "0 0 0 0 0 0"))
    later.play("place GB c4 c5")
    assert later.values[0] == [0, 0, 18, 0, 0, 0]


@clause("T13")
def test_a_score_that_arrives_at_18_gives_a_bonus_turn_before_any_drawing() -> None:
    game = travel("c . . . . . B B B", rack="GB RR GG", scores=("0 0 15 0 0 0", "0 0 0 0 0 0"))
    assert game.play("place GB c4 c5") == ["0 place GB c4 c5"]
    assert (game.turn, rack(game, 0)) == (0, "RR GG")
    game.play("place RR f5 f6")
    assert game.turn is None
    with pytest.raises(Refused, match=r"first draw 0 with 5 of them \(T15\)"):
        game.apply("1 place GO h2 h3")


@clause("T13")
def test_a_score_already_at_18_gives_no_bonus_turn() -> None:
    game = travel("c . . . . . B B B", rack="GB RR GG", scores=("0 0 18 0 0 0", "0 0 0 0 0 0"))
    game.play("place GB c4 c5")
    assert game.turn is None


@clause("T13")
def test_one_tile_can_give_two_bonus_turns() -> None:
    game = travel("c . . R . . B . .", rack="RB OO OO YY", scores=("17 5 17 0 0 0", "0 0 0 0 0 0"))
    game.play("place RB c4 c5")
    assert game.values[0] == [18, 5, 18, 0, 0, 0]
    game.play("place OO f5 f6")
    assert game.turn == 0
    game.play("place OO h5 h6")
    assert game.turn is None
    assert rack(game, 0) == "YY"


@clause("T13")
def test_a_double_that_arrives_at_18_gives_only_one() -> None:
    game = travel("c . . B . . B . .", rack="BB OO OO YY", scores=("5 5 17 0 0 0", "0 0 0 0 0 0"))
    game.play("place BB c4 c5")
    game.play("place OO f5 f6")
    assert game.turn is None


@clause("T13")
def test_a_bonus_turn_can_give_further_ones() -> None:
    board = """
        c . . R . . . . .
        g . . B . . . . . . .
    """
    game = travel(board, rack="RO BY GG PP", scores=("17 0 17 0 0 0", "0 0 0 0 0 0"))
    game.play("place RO c4 c5")
    game.play("place BY g4 g5")
    assert game.turn == 0
    game.play("place GG f8 f9")
    assert game.turn is None
    assert rack(game, 0) == "PP"


@clause("T13")
def test_a_bonus_turn_may_not_be_declined() -> None:
    # No tile shows a lowest symbol, but keep or swap come only after the bonus turn.
    game = travel("c . . R . . . . .", rack="RG GG GG", scores=("17 3 0 0 0 0", "0 0 0 0 0 0"))
    game.play("place RG c4 c5")
    for word in ("keep", "swap"):
        with pytest.raises(Refused, match="T16"):
            game.play(word)
    with pytest.raises(Refused, match=r"nothing is drawn or rolled here; player 0 is to move"):
        game.apply("draw 0 OO OO OO OO")
    assert all(move.startswith("place GG") for move in game.legal())
    game.play("place GG f5 f6")
    assert list(game.legal()) == ["keep", "swap"]


@clause("T14", "T18")
def test_a_bonus_turn_that_finds_no_free_pair_ends_the_game() -> None:
    game = travel(crowded("c4 c5 h2", "R"), rack="RG OO", scores=("17 0 0 0 0 0", "0 0 0 0 0 0"))
    game.play("place RG c4 c5")
    assert game.values[0] == [18, 0, 0, 0, 0, 0]
    assert game.over
    assert list(game.legal()) == []

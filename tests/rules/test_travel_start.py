"""The travel edition: material, start and where a tile may go (T1 to T8)."""

from collections import Counter

import pytest

from sixfold import Refused, Seeded, start
from sixfold.games.travel.board import CELLS, CORNERS, LENGTHS, NEIGHBOUR, OFF_BOARD, PAIRS
from tests.clauses import clause
from tests.positions import CORNER_CELLS, cells_of, crowded, in_bag, rack, symbol_on, travel

DEALS = ("deal 0 RG RG RG RB RB RB", "deal 1 RR RR GG GG BB BB")


def place_of(cell: str) -> tuple[int, int]:
    """A cell's row, and how far to the right it lies in half cells."""
    row = "abcdefghijk".index(cell[0])
    return row, abs(row - 5) + 2 * int(cell[1:])


def next_to(first: str, second: str) -> bool:
    """Adjacent by geometry alone, without the tables of the rules."""
    (row, along), (other_row, other_along) = place_of(first), place_of(second)
    return (abs(row - other_row), abs(along - other_along)) in ((0, 2), (1, 1))


@clause("T1")
def test_the_board_is_a_hexagon_with_six_cells_to_a_side() -> None:
    assert LENGTHS == [6, 7, 8, 9, 10, 11, 10, 9, 8, 7, 6]
    assert len(CELLS) == 91
    assert (CELLS[0], CELLS[45], CELLS[-1]) == ("a1", "f6", "k6")


@clause("T1")
def test_neighbours_are_the_cells_that_touch() -> None:
    for at, cell in enumerate(CELLS):
        told = {CELLS[other] for other in NEIGHBOUR[at] if other != OFF_BOARD}
        assert told == {other for other in CELLS if next_to(cell, other)}, cell


@clause("T1")
def test_directions_are_straight_lines() -> None:
    line, at = ["k1"], CELLS.index("k1")
    while NEIGHBOUR[at, 5] != OFF_BOARD:
        at = NEIGHBOUR[at, 5]
        line.append(CELLS[at])
    assert line == ["k1", "j2", "i3", "h4", "g5", "f6", "e6", "d6", "c6", "b6", "a6"]
    for at in range(91):
        for direction in range(6):
            other = NEIGHBOUR[at, direction]
            assert other == OFF_BOARD or NEIGHBOUR[other, (direction + 3) % 6] == at


@clause("T1")
def test_the_corners_are_printed_clockwise_and_the_rest_is_free() -> None:
    game = start("travel")
    assert [symbol_on(game, cell) for cell in ("a1", "a6", "f11", "k6", "k1", "f1")] == list("RGBOYP")
    assert [symbol_on(game, cell) for cell in CELLS].count(".") == 85


@clause("T2")
def test_the_bag_holds_57_tiles() -> None:
    bag = in_bag(start("travel"))
    assert bag.total() == 57
    assert {tile: number for tile, number in bag.items() if tile[0] == tile[1]} == dict.fromkeys(
        ("RR", "GG", "BB", "OO", "YY", "PP"), 2
    )
    mixed = Counter({tile: number for tile, number in bag.items() if tile[0] != tile[1]})
    assert (len(mixed), set(mixed.values()), mixed.total()) == (15, {3}, 45)


@clause("T3", "T4")
def test_each_player_draws_six_tiles_and_scores_nothing_yet() -> None:
    game = start("travel", chance=Seeded(1))
    assert [len(rack(game, player).split()) for player in range(2)] == [6, 6]
    assert in_bag(game).total() == 45
    assert game.values == [[0] * 6, [0] * 6]
    assert game.turn == 0


@clause("T4")
def test_a_tile_can_be_dealt_only_as_often_as_there_is_one() -> None:
    game = start("travel")
    with pytest.raises(Refused, match=r"no BB is left to draw \(T4\)"):
        game.apply("deal 0 RG RG RG BB BB BB")
    assert game == start("travel")
    with pytest.raises(Refused, match=r"deal 0 needs 6, not 5 \(T4\)"):
        game.apply("deal 0 RG RG RG BB BB")


@clause("T4")
def test_a_rack_is_hidden_from_the_opponent() -> None:
    game = travel(rack="RR GG BB", other="OO YY PP")
    for seat, shown in ((0, ["RR GG BB", "?? ?? ??"]), (1, ["?? ?? ??", "OO YY PP"]), (None, ["?? ?? ??", "?? ?? ??"])):
        assert [line.split("rack ")[1] for line in str(game.view(seat)).splitlines() if "rack" in line] == shown


@clause("T4")
def test_with_open_racks_everybody_sees_them() -> None:
    game = travel(rack="RR GG BB", other="OO YY PP", open_racks=True)
    for seat in (0, 1, None):
        assert "rack RR GG BB" in str(game.view(seat))
        assert "rack OO YY PP" in str(game.view(seat))


@clause("T5")
def test_a_tile_goes_on_two_adjacent_free_cells_either_way_round() -> None:
    game = travel(crowded("c4 c5 d5 h2"), rack="RG BB RG RG")
    assert sorted(game.legal()) == [
        "place BB c4 c5",
        "place BB c4 d5",
        "place BB c5 d5",
        "place GR c4 c5",
        "place GR c4 d5",
        "place GR c5 d5",
        "place RG c4 c5",
        "place RG c4 d5",
        "place RG c5 d5",
    ]
    game.play("place GR c4 c5")
    assert (symbol_on(game, "c4"), symbol_on(game, "c5")) == ("G", "R")
    assert rack(game, 0) == "RG RG BB"


@clause("T5")
@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("place RG c3 c4", r"c3 is taken \(T5\)"),
        ("place RG c2 c3", r"c3 is taken \(T5\)"),
        ("place RG a1 a2", r"a1 is taken \(T5\)"),
        ("place RG c4 c6", r"c4 and c6 are not next to each other \(T5\)"),
        ("place RG c4 c4", r"c4 and c4 are not next to each other \(T5\)"),
        ("place OO c4 c5", r"OO is not in the rack \(T5\)"),
        ("place GO c4 c5", r"GO is not in the rack \(T5\)"),
    ],
)
def test_a_tile_may_not_go_elsewhere(move: str, reason: str) -> None:
    game = travel("c . . R . . . . .")
    before = game.copy()
    with pytest.raises(Refused, match=reason):
        game.play(move)
    assert game == before


def touching(corner: str) -> set[str]:
    """The pairs of free cells of which one is next to a corner, by geometry alone."""
    return {
        f"{CELLS[here]} {CELLS[there]}"
        for here, there in PAIRS
        if not {CELLS[here], CELLS[there]} & set(CORNER_CELLS)
        and (next_to(CELLS[here], corner) or next_to(CELLS[there], corner))
    }


@clause("T6")
def test_the_first_tile_touches_a_corner_and_its_symbols_need_not_match() -> None:
    game = start("travel")
    for deal in DEALS:
        game.apply(deal)
    near = set().union(*map(touching, CORNER_CELLS))
    ways = ("RG", "GR", "RB", "BR")
    assert set(game.legal()) == {f"place {way} {cells}" for cells in near for way in ways}
    with pytest.raises(Refused, match=r"in the first round a tile must touch a printed corner \(T6\)"):
        game.play("place RG f5 f6")


@clause("T6")
@pytest.mark.parametrize("corner", CORNER_CELLS)
def test_the_second_player_touches_another_corner(corner: str) -> None:
    game = start("travel")
    for deal in DEALS:
        game.apply(deal)
    game.play(f"place RG {min(touching(corner))}")
    game.apply("draw 0 OO")
    others = set().union(*(touching(other) for other in CORNER_CELLS if other != corner))
    taken = {cell for cell in CELLS if symbol_on(game, cell) != "."}
    assert cells_of(game.legal()) == {cells for cells in others if not set(cells.split()) & taken}
    again = next(cells for cells in sorted(touching(corner)) if not set(cells.split()) & taken)
    with pytest.raises(Refused, match=rf"the first player has touched the corner {corner}.*\(T6\)"):
        game.play(f"place RR {again}")
    with pytest.raises(Refused, match=r"must touch a printed corner \(T6\)"):
        game.play("place RR f5 f6")


@clause("T6")
def test_no_tile_touches_two_corners() -> None:
    every = [cells for corner in CORNER_CELLS for cells in touching(corner)]
    assert len(every) == len(set(every))
    assert len(CORNERS) == 6


@clause("T7")
def test_from_the_second_round_on_any_two_free_cells_will_do() -> None:
    game = start("travel")
    for event in (*DEALS, "0 place RG a2 a3", "draw 0 OO", "1 place RR k2 k3", "draw 1 OO"):
        game.apply(event)
    free = [cell for cell in CELLS if symbol_on(game, cell) == "."]
    pairs = {f"{a} {b}" for at, a in enumerate(free) for b in free[at + 1 :] if next_to(a, b)}
    assert cells_of(game.legal()) == pairs
    game.play("place RB f5 f6")


@clause("T7")
def test_cells_may_become_isolated() -> None:
    game = travel(crowded("c3 c4 c5 f6 f7"), rack="RG BB")
    game.play("place RG c4 c5")
    assert not game.over
    assert symbol_on(game, "c3") == "."
    assert cells_of(travel(crowded("c3 f6 f7")).legal()) == {"f6 f7"}


@clause("T8")
def test_passing_is_not_allowed_even_if_nothing_scores() -> None:
    game = travel(rack="RG")
    assert all(move.startswith(("place RG", "place GR")) for move in game.legal())
    with pytest.raises(Refused, match="this is not a move"):
        game.play("pass")
    with pytest.raises(Refused, match=r"keep or swap is offered only at the end of a turn.*\(T16\)"):
        game.play("keep")
    game.play("place RG f5 f6")
    assert game.values[0] == [0] * 6

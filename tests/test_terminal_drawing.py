"""Every position can be drawn in a terminal of 80 columns, without colours, and every move can be picked there."""

from collections.abc import Iterator

import pytest

from sixfold import Game, Seeded
from sixfold.games import packages
from sixfold.games.contract import Span
from sixfold.games.shared.symbols import SYMBOLS
from sixfold.games.shared.terminal import SHAPES, columns, columns_of, cut
from sixfold.table import Setup
from sixfold.table.positions import value
from sixfold.table.views import table_view
from sixfold.terminal import log_text, scene_builder
from sixfold.terminal.board_view import LOOKS
from sixfold.terminal.input_match import candidates, match_move
from sixfold.terminal.local_table import LocalTable, make_seats, secret_from_seed
from sixfold.terminal.move_builder import MoveBuilder
from sixfold.terminal.table_client import View
from tests.tables import Table, at_every_table

WIDE, HIGH = 79, 15


def views(table: Table, seed: int, decisions: int) -> Iterator[View]:
    """What the seat in turn sees, decision by decision, of people who play any moves."""
    chance = Seeded(seed)
    names = [f"person {number}, rather long" for number in range(table.players)]
    setup = Setup(table.game, table.players, table.options, rounds=1, takeover=None, first=0)
    client = LocalTable(setup, make_seats(names, ["person"] * table.players, b"x"), secret_from_seed(seed), "de")
    for _ in range(decisions):
        if client.table.turn is None:
            return
        view = table_view(client.table, client.table.turn)
        yield view
        client.play(view["legal"][chance.below(len(view["legal"]))])


def spots(lines: list[list[Span]]) -> set[str]:
    return {span.pick for line in lines for span in line}


@at_every_table
def test_every_move_can_be_picked_from_what_is_drawn(table: Table) -> None:
    for view in views(table, seed=3, decisions=6):
        builder = MoveBuilder(view)
        assert {move for _, move in builder.sequences} == set(view["legal"])
        for way, move in builder.sequences[:: max(1, len(builder.sequences) // 10)]:
            builder.picked = ()
            for pick in way:
                assert pick in builder.offers
                assert pick in spots(scene_builder.from_view(view, builder, None, "de"))
                builder.pick(pick)
            assert builder.move == move


@pytest.mark.parametrize(
    "game",
    [pytest.param("travel", marks=pytest.mark.clause("T16")), pytest.param("cards", marks=pytest.mark.clause("C13"))],
)
def test_the_choice_at_a_turns_end_has_its_buttons(game: str) -> None:
    every = (view for seed in range(50) for view in views(Table(game, 2, {}), seed, 60))
    view = next(view for view in every if view["position"]["phase"] == "choose")
    builder = MoveBuilder(view)
    assert set(view["legal"]) <= spots(scene_builder.from_view(view, builder, None, "nl"))
    builder.pick(view["legal"][0])
    assert builder.ends_with_verb


@at_every_table
def test_a_drawing_fits_a_small_terminal_and_needs_no_colour(table: Table) -> None:
    for view in views(table, seed=4, decisions=40):
        lines = scene_builder.from_view(view, MoveBuilder(view), None, "de")
        assert len(lines) <= HIGH
        assert max(columns(line) for line in lines) <= WIDE
        for span in (span for line in lines for span in line):
            assert span.look in LOOKS
            # A colour is never the only sign: its letter stands there too.
            if span.look in SYMBOLS and span.look:
                assert span.text == f"{SHAPES[span.look]}{span.look}"


def test_no_two_shapes_are_the_same() -> None:
    assert len(set(SHAPES.values())) == len(SYMBOLS)
    assert all(columns_of(shape) == 1 for shape in SHAPES.values())


def test_a_sheet_shows_what_a_move_would_add() -> None:
    table = Table("cards", 2, {})
    view = next(views(table, seed=1, decisions=1))
    builder = MoveBuilder(view)
    best = max(builder.offers, key=lambda pick: builder.offers[pick])
    without = _text(view, builder)
    builder.pick(best)
    assert _text(view, builder).count("▣") == builder.offers.get(best, 0) + sum(builder.gained(None)) > 0
    assert "▣" not in without


def _text(view: View, builder: MoveBuilder) -> str:
    return "".join(span.text for line in scene_builder.from_view(view, builder, None, "en") for span in line)


def test_another_piece_begins_another_move_and_back_goes_one_step() -> None:
    view = next(views(Table("travel", 2, {"open_racks": False}), seed=1, decisions=1))
    builder = MoveBuilder(view)
    first, other = list(builder.offers)[:2]
    builder.pick(first)
    cell = next(iter(builder.offers))
    builder.pick(cell)
    builder.pick(other)
    assert builder.picked == (other,)
    assert builder.back()
    assert not builder.back()
    builder.show(view["legal"][0])
    assert builder.move == view["legal"][0]


def test_a_game_without_a_drawing_is_shown_as_text_with_its_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    package = packages()["cards"]
    monkeypatch.setitem(package.__dict__, "terminal", None)
    view = next(views(Table("cards", 2, {}), seed=1, decisions=1))
    builder = MoveBuilder(view)
    lines = scene_builder.from_view(view, builder, None, "en")
    assert spots(lines) - {""} == set(view["legal"])
    assert max(columns(line) for line in lines) <= WIDE + 1


def test_names_are_cut_by_columns() -> None:
    assert cut("Anne", 4) == "Anne"
    assert cut("Annemarie", 5) == "Anne…"
    assert columns_of(cut("日本語の名前", 7)) <= 7


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("play rg", "play RG"), ("GR", "play GR"), ("k", "keep"), ("  play   GR ", "play GR"), ("play", "play")],
)
def test_moves_are_understood_as_people_type_them(typed: str, meant: str) -> None:
    assert match_move(["play RG", "play GR", "keep"], typed) == meant


def test_what_may_mean_several_moves_is_not_played() -> None:
    assert candidates(["place RG c4 c5", "place RG c5 c6"], "rg c") == ["place RG c4 c5", "place RG c5 c6"]
    assert candidates(["score"], "x") == []


def test_a_finished_game_can_be_drawn() -> None:
    for name in packages():
        table = Table(name, 2, {})
        game: Game = table.start(Seeded(1))
        while game.turn is not None:
            game.play_number(int(game.legal().numbers[0]))
        lines = scene_builder.from_position(value(game.open_view()), names=["a", "b"], reach=[7, 7], language="nl")
        assert columns(max(lines, key=columns)) <= WIDE


@pytest.mark.clause("C13")
def test_a_renewed_hand_is_told_to_everybody() -> None:
    view = {"order": [0, 1], "seats": [{"name": "Anne"}, {"name": "Mira"}]}
    event = {"events": ["1 renew"], "shown": ["RG", "BO"]}
    assert log_text.table_event_lines(event, view, [0], "en") == ["Mira takes a new hand. The old one was: RG BO."]

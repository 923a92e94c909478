"""The table by itself: seats, clocks, leaving, undo, resigning, rounds and rematch."""

import random
from typing import Any

import pytest
from msgspec import structs

from sixfold.engine.notation import Refused
from sixfold.errors import SetupError
from sixfold.table import Actor, Setup, Table, TableRefused, due, event_view, table_view, tick, transfer
from tests.clauses import clause
from tests.test_table_random import SECRET, act, happen, open_table, play_round, random_move, started


def refused(table: Table, who: int | Actor, do: str, at: int = 0, **more: Any) -> str:
    """The key of the reason why an action is refused; the table stays as it was."""
    before = table.version
    with pytest.raises((TableRefused, Refused)) as caught:
        act(table, who, do, at, **more)
    assert table.version == before
    why = caught.value
    assert isinstance(why, TableRefused | Refused)
    assert why.reason("de") != why.reason("en") != ""
    return why.refusal.key


def test_seats_are_taken_once_and_start_needs_all() -> None:
    table = open_table("cards", 3)
    act(table, 0, "sit", name="  Anne \n Marie ")
    assert table.seats[0].name == "Anne Marie"
    assert refused(table, 1, "sit", seat=0, name="Carl") == "no_open_seat"
    assert refused(table, 1, "sit", seat=9, name="Carl") == "no_open_seat"
    assert refused(table, 1, "sit", name="\x1b[31m") == "bad_name"
    assert refused(table, 1, "start") == "no_seat_yours"
    assert refused(table, 0, "start") == "seats_open"
    assert refused(table, 0, "move", move="play RG") == "stage_open"
    act(table, 0, "bot", seat=1, level="random")
    act(table, 0, "open", seat=1)
    act(table, 0, "bot", seat=2, level="random")
    act(table, 1, "sit", seat=1, name="Carl")
    act(table, 1, "leave")
    assert table.seats[1].kind == "open"
    act(table, 1, "sit", seat=1, name="Carl")
    act(table, 0, "start")
    assert table.stage == "playing"
    assert refused(table, 2, "sit", name="Late") == "stage_playing"
    assert refused(table, 2, "dance") == "no_action"


def test_several_people_on_one_device() -> None:
    table = open_table("dice", 2)
    act(table, 0, "sit", name="Anne")
    act(table, 0, "sit", name="Carl")
    act(table, 0, "start")
    assert table.held_by("g0") == [0, 1]
    dice = random.Random(5)
    for _ in range(10):
        act(table, 0, "move", move=random_move(table, dice))
    assert refused(table, 0, "move", seat=1 - (table.turn or 0), move="score") == "other_turn"


@clause("T4")
def test_a_move_is_refused_with_its_clause() -> None:
    table = started("travel", 2, first=1)
    assert table.turn == 1
    assert refused(table, 0, "move", move="place RG c4 c5") == "other_turn"
    with pytest.raises(Refused, match=r"\(T\d+\)"):
        act(table, 1, "move", move="place RR c4 c5")
    assert refused(table, 1, "move", move="fly") == "not_a_move"


def test_a_setup_that_cannot_be_played_is_refused() -> None:
    for wrong in (
        {"rounds": 2},
        {"clock": "sand"},
        {"clock": "move"},
        {"seconds": 5},
        {"takeover": 0},
        {"first": 2},
        {"players": 3},
        {"options": {"joker": True}},
    ):
        with pytest.raises(SetupError):
            Setup(**{"game": "travel", "players": 2, **wrong})  # type: ignore[arg-type]


def until_undoable(game: str, seed: int) -> Table:
    """A table right after a decision that neither drew nor ended the turn, so that a bonus turn is next."""
    table, dice = started(game, 2), random.Random(seed)
    while table.stage == "playing" and not table.bonus:
        act(table, table.turn or 0, "move", move=rich_move(table, dice))
    return table


def rich_move(table: Table, dice: random.Random) -> str:
    """A move that earns much; random ones seldom bring anything to its end."""
    told = table_view(table, table.turn)
    gains = [sum(preview[:6]) for preview in told["previews"]]
    best: list[str] = [move for move, gain in zip(told["legal"], gains, strict=True) if gain == max(gains)]
    return dice.choice(best)


@pytest.mark.parametrize("game", ["travel", "cards"])
def test_undo_takes_back_what_revealed_nothing(game: str) -> None:
    table = next(table for seed in range(50) if (table := until_undoable(game, seed)).bonus)
    seat = table.turn
    assert seat is not None
    assert table.game is not None
    events = list(table.game.events)
    assert refused(table, 1 - seat, "undo") == "no_undo"
    assert table_view(table, seat)["undo"]
    act(table, seat, "undo")
    assert table.game.events == events[:-1]
    assert table.turn == seat
    assert refused(table, seat, "undo") == "undo_nothing"
    assert table_view(table, seat)["undo_why"] == {"key": "undo_nothing", "words": {}}
    act(table, seat, "move", move=events[-1].partition(" ")[2])
    assert table.game.events == events


def test_undo_is_refused_once_something_was_revealed() -> None:
    table = started("dice", 2)
    seat = table.turn or 0
    act(table, seat, "move", move="reroll")
    assert refused(table, seat, "undo") == "undo_revealed"
    act(table, seat, "move", move="score")
    assert table_view(table, seat)["undo_why"]["key"] == "undo_revealed"
    assert table_view(table, 1 - seat)["undo_why"]["key"] == "undo_nothing"


def test_undo_gives_no_time_back() -> None:
    table = next(table for seed in range(50) if (table := until_undoable("cards", seed)).bonus)
    table.setup = structs.replace(table.setup, clock="move", seconds=30)
    seat = table.turn or 0
    assert table.decisions[-1].began == 0
    act(table, seat, "undo", 20_000)
    assert due(table) == 30_000


@pytest.mark.parametrize("clock", ["none", "move", "game"])
def test_a_clock_runs_for_the_seat_in_turn(clock: str) -> None:
    seconds = 0 if clock == "none" else 30
    table = started("dice", 2, clock=clock, seconds=seconds, takeover=None, first=0)
    if clock == "none":
        assert due(table) is None
        return
    act(table, 0, "move", 12_000, move="reroll")
    assert due(table) == (42_000 if clock == "move" else 30_000)
    when = due(table)
    assert when is not None
    assert tick(table, when - 1, SECRET) == []
    happen(table, tick(table, when, SECRET))
    if clock == "move":
        assert table.seats[0].relieved
        assert table.bot_to_move() == (0, "random")
    else:
        assert table.stage == "over"
        assert table.result is not None
        assert table.result["winners"] == [1]
        assert table.result["why"] == "time"
        assert table.records[0]["resigned"] == [0]


def test_a_bot_takes_over_after_the_agreed_time_and_hands_back() -> None:
    table = started("dice", 3, takeover=60, first=0)
    assert due(table) == 60_000
    happen(table, tick(table, 60_000, SECRET))
    assert refused(table, 0, "move", 61_000, move="score") == "relieved"
    act(table, Actor(bot_seat=0), "move", 61_000, move="reroll")
    act(table, 0, "back", 62_000)
    assert table.bot_to_move() is None
    assert refused(table, 0, "back", 62_000) == "not_away"
    act(table, 0, "move", 63_000, move="score")


def test_who_leaves_is_relieved_and_a_deserted_table_rests() -> None:
    table = started("dice", 2, takeover=None, first=0)
    act(table, 0, "leave")
    assert table.bot_to_move() == (0, "random")
    assert refused(table, 0, "leave") == "left_already"
    act(table, 1, "leave")
    assert table.bot_to_move() is None
    assert due(table) is None
    act(table, 1, "back")
    assert table.bot_to_move() == (0, "random")


def test_resigning_ends_a_game_for_two() -> None:
    table = started("cards", 2, rounds=3)
    act(table, 1, "resign")
    assert table.stage == "over"
    assert table.result is not None
    assert table.result["winners"] == [0]
    assert table.records[0]["result"] is None
    assert refused(table, 1, "resign") == "stage_over"


def test_with_three_the_others_play_on() -> None:
    table = started("cards", 3, first=0)
    act(table, 0, "resign")
    assert table.stage == "playing"
    assert table.bot_to_move() == (0, "random")
    assert refused(table, 0, "move", move="play RG") == "resigned"
    dice = random.Random(9)
    while table.stage == "playing":
        turn = table.turn or 0
        act(table, Actor(bot_seat=0) if turn == 0 else turn, "move", move=random_move(table, dice))
    assert table.result is not None
    assert table.result["places"][0] == 3


@clause("C17")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_series_of_cards_passes_the_deal_and_adds_points(players: int) -> None:
    table, dice = started("cards", players, rounds=3, first=1), random.Random(players)
    for number in range(3):
        assert table.turn == (1 + number) % players
        play_round(table, dice)
        assert table.result is not None
        assert table.result["points"][number] == [min(row) for row in table.result["values"]]
        assert table.stage == ("between" if number < 2 else "over")
        if number < 2:
            assert refused(table, 0, "start") == "stage_between"
            totals = table.result["totals"]
            for seat in range(players):
                act(table, seat, "ready")
            assert table_view(table, 0)["totals"] == totals
    assert table.result is not None
    totals = [sum(row[seat] for row in table.result["points"]) for seat in range(players)]
    assert table.result["totals"] == totals
    assert table.result["winners"] == [seat for seat in range(players) if totals[seat] == max(totals)]
    assert len({made["shuffle"]["key"] for made in table.records}) == 3


@clause("D14")
def test_a_series_of_dice_gives_the_winner_seven() -> None:
    table, dice = started("dice", 3, rounds=3, first=0), random.Random(3)
    play_round(table, dice)
    assert table.result is not None
    assert max(table.result["points"][0]) == 7
    act(table, 0, "ready")
    assert refused(table, 0, "ready") == "ready_already"
    act(table, 1, "ready")
    act(table, 2, "leave")
    assert table.stage == "playing"
    assert table.turn == 1
    assert table.seats[2].relieved


def test_a_rematch_is_begun_by_the_next_seat() -> None:
    table, dice = started("travel", 2, first=0), random.Random(8)
    play_round(table, dice)
    act(table, 1, "ready")
    act(table, 0, "ready")
    assert (table.stage, table.turn) == ("playing", 1)
    assert table.result is None
    play_round(table, dice)
    assert [made["seats"] for made in table.records] == [[0, 1], [1, 0]]


def test_a_seat_is_carried_to_another_device_once() -> None:
    table = started("dice", 2)
    happen(table, transfer(table, 0, "g0", "phone", 5))
    assert table.held_by("phone") == [0]
    assert table.held_by("g0") == []
    with pytest.raises(TableRefused, match="link"):
        transfer(table, 0, "g0", "third", 6)


def test_reactions_are_fixed_and_few() -> None:
    table = started("dice", 2)
    act(table, 0, "react", 5000, reaction="hello")
    assert refused(table, 0, "react", 5500, reaction="hello") == "too_many_reactions"
    assert refused(table, 0, "react", 7000, reaction="buy my things") == "no_reaction"
    act(table, 0, "react", 7000, reaction="oops")
    assert event_view(table, table.version, None)["line"]["words"] == {"name": "Guest 0", "reaction": "oops"}


@pytest.mark.parametrize(("game", "players"), [("travel", 2), ("cards", 2), ("cards", 4), ("dice", 4)])
def test_nobody_hears_what_others_draw(game: str, players: int) -> None:
    table = started(game, players)
    play_round(table, random.Random(6))
    for seat in [*range(players), None]:
        for version in range(1, table.version + 1):
            told = event_view(table, version, seat)
            for text in [*told.get("deal", []), *told.get("events", [])]:
                words = text.split(" ")
                if words[0] in ("deal", "draw"):
                    own = seat is not None and table.player_of(seat) == int(words[1])
                    assert ("??" in words) == (not own)

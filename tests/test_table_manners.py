"""Manners at the table: clocks that cannot be cheated, take-backs, private choices, limits, names, faces and hints."""

import json
import random
from typing import Any

import pytest
from msgspec import structs

from sixfold.engine import record, shuffle
from sixfold.table import Actor, Seat, Table, credit, due, event_view, table_view, tick
from sixfold.table.actions import LEAVING_PAUSE, MOST_ASIDE
from sixfold.table.setup import PERSONAS, PORTRAITS, bot, person
from tests.clauses import clause
from tests.test_table import refused, until_undoable
from tests.test_table_random import SECRET, act, happen, open_table, play_round, random_move, started


def until_choosing(game: str, players: int = 2, **more: Any) -> Table:
    """A table where somebody has a choice (T16, C13)."""
    for seed in range(100):
        table, dice = started(game, players, **more), random.Random(seed)
        while table.stage == "playing":
            assert table.game is not None
            if table.game.choosing:
                return table
            act(table, table.turn or 0, "move", move=random_move(table, dice))
    raise AssertionError("nobody ever had a choice")


# Clocks


@pytest.mark.parametrize("takeover", [None, 60])
def test_leaving_and_coming_back_gives_no_time(takeover: int | None) -> None:
    """Sixteen seconds of thought on a clock of five are not to be had."""
    table = started("dice", 2, clock="game", seconds=5, takeover=takeover, first=0)
    act(table, 0, "leave", 4000)
    act(table, 0, "back", 4001)
    if takeover is None:
        # A bot sat in meanwhile: that time is not charged, what went before is.
        assert table.seats[0].time_left == 1000
        assert due(table) == 5001
    else:
        assert due(table) == 5000
    (step,) = tick(table, 5001, SECRET)
    assert step.event.type == "time"


def test_a_clock_for_each_move_is_not_reset_by_leaving() -> None:
    table = started("dice", 2, clock="move", seconds=30, takeover=120, first=0)
    act(table, 0, "leave", 20_000)
    act(table, 0, "back", 21_000)
    assert due(table) == 30_000


def test_a_relieved_seat_gets_one_new_beginning_for_each_decision() -> None:
    table = started("dice", 2, clock="move", seconds=30, takeover=None, first=0)
    happen(table, tick(table, 30_000, SECRET))
    act(table, 0, "back", 31_000)
    assert due(table) == 61_000
    happen(table, tick(table, 61_000, SECRET))
    act(table, 0, "back", 62_000)
    # Whoever plays for time is relieved again at once, until somebody has decided.
    (again,) = tick(table, 62_000, SECRET)
    assert again.event.type == "takeover"
    happen(table, [again])
    act(table, Actor(bot_seat=0), "move", 62_500, move="reroll")
    act(table, 0, "back", 63_000)
    assert due(table) == 93_000


def test_a_takeover_charges_the_clock() -> None:
    table = started("dice", 2, clock="game", seconds=100, takeover=60, first=0)
    happen(table, tick(table, 60_000, SECRET))
    assert table.seats[0].time_left == 40_000
    act(table, 0, "back", 90_000)
    act(table, 0, "move", 95_000, move="score")
    assert table.seats[0].time_left == 35_000


@pytest.mark.parametrize(("clock", "seconds"), [("game", 10), ("move", 10), ("none", 0)])
def test_time_without_a_server_is_given_back(clock: str, seconds: int) -> None:
    table = started("dice", 2, clock=clock, seconds=seconds, takeover=20, first=0)
    limit = 10_000 if seconds else 20_000
    outages = [(4000, 64_000), (4500, 63_000), (68_000, 69_000)]
    (step,) = credit(table, outages, 66_000)
    happen(table, [step])
    assert due(table) == limit + 60_000
    assert credit(table, outages, 67_000) == []
    assert tick(table, 66_000, SECRET) == []
    assert table.changed < table.version, "nobody's move is stale by it"
    (again,) = credit(table, outages, 70_000)
    assert again.event.milliseconds == 1000  # type: ignore[attr-defined]
    happen(table, [again])
    act(table, 0, "move", 70_000, move="score")
    if clock == "game":
        assert table.seats[0].time_left == 10_000 - (70_000 - 61_000)
    assert event_view(table, table.version - 1, None)["line"]["key"] == "log_pause"


def test_nothing_is_given_back_where_no_clock_ran() -> None:
    assert credit(open_table("dice", 2), [(0, 10_000)], 20_000) == []
    table = started("dice", 2, takeover=None, first=0)
    assert credit(table, [(0, 10_000)], 20_000) == []
    table = started("dice", 2, takeover=60, first=0)
    assert credit(table, [(-5000, 0), (30_000, 40_000)], 20_000) == []


@clause("T16", "C13")
@pytest.mark.parametrize("game", ["travel", "cards"])
def test_who_lets_a_choice_pass_draws_as_usual(game: str) -> None:
    """A bot that took over just then would tell that there was a choice."""
    table = until_choosing(game, takeover=60)
    seat, before = table.turn or 0, table.version
    happen(table, tick(table, 60_000, SECRET))
    assert table.version == before + 1
    assert not table.seats[seat].relieved
    assert table.turn != seat
    assert event_view(table, table.version, 1 - seat)["type"] == "draw"
    assert event_view(table, table.version, seat)["events"][0].endswith("keep")


# What makes an action stale


def test_only_what_changes_a_decision_makes_actions_stale() -> None:
    table = started("dice", 3, first=0)
    changed = table.changed
    act(table, 1, "leave", 1000)
    act(table, 1, "back", 1100)
    act(table, 2, "react", 2000, reaction="hello")
    assert table.changed == changed
    act(table, 0, "move", 3000, move="reroll")
    assert table.changed == table.version
    assert refused(table, 1, "leave", 3000) == "left_just_now"
    act(table, 1, "leave", 1000 + LEAVING_PAUSE)


def test_what_is_no_move_is_limited_and_a_move_and_resigning_always_fit() -> None:
    table, at = started("dice", 2, first=0), 0
    for _ in range(MOST_ASIDE):
        at += 1000
        act(table, 1, "react", at, reaction="hurry")
    for do in ("react", "leave", "undo", "take_back", "back"):
        assert refused(table, 1, do, at + 2000, reaction="hurry") == "too_much_aside"
    act(table, 0, "react", at + 2000, reaction="oops")
    act(table, 0, "move", at + 2000, move="score")
    act(table, 1, "move", at + 2000, move="score")
    act(table, 1, "resign", at + 2000)
    for seat in (0, 1):
        act(table, seat, "ready", at + 3000)
    act(table, 1, "react", at + 3000, reaction="thanks")


# Taking back


def test_against_bots_a_decision_is_taken_back_at_once_and_the_same_chance_comes_again() -> None:
    table = open_table("travel", 2, first=0)
    act(table, 0, "sit", name="Anne")
    act(table, 0, "bot", level="random")
    act(table, 0, "start")
    assert table_view(table, 0)["take_back_why"] == {"key": "back_nothing", "words": {}}
    move = table_view(table, 0)["legal"][7]
    assert table.game is not None
    position = table.game.states.tobytes()
    first = act(table, 0, "move", move=move)
    act(table, Actor(bot_seat=1), "move", move=random_move(table, random.Random(1)))
    assert table_view(table, 0)["take_back_why"] is None
    act(table, 0, "take_back")
    assert table.game.states.tobytes() == position
    assert (table.turn, table.changed) == (0, table.version)
    assert act(table, 0, "move", move=move)[-1].events == first[-1].events  # type: ignore[attr-defined]
    play_with_bot(table)
    assert refused(table, 0, "take_back") == "stage_over"


def play_with_bot(table: Table) -> None:
    dice = random.Random(3)
    while table.stage == "playing":
        turn = table.turn or 0
        act(table, turn if turn == 0 else Actor(bot_seat=turn), "move", move=random_move(table, dice))


def test_people_are_asked_before_anything_is_taken_back() -> None:
    table = started("cards", 3, first=0)
    position = json.dumps(table_view(table, None)["position"])
    act(table, 0, "move", move=random_move(table, random.Random(1)))
    act(table, 1, "move", move=random_move(table, random.Random(2)))
    version, changed = table.version, table.changed
    assert refused(table, 1, "agree") == "back_not_asked"
    act(table, 0, "take_back")
    assert table.version == version + 1
    assert table_view(table, 2)["take_back"] == {"seat": 0, "agreed": []}
    assert table_view(table, 1)["take_back_why"]["key"] == "back_asked"
    assert refused(table, 0, "agree") == "back_not_yours"
    act(table, 1, "agree")
    assert refused(table, 1, "agree") == "back_not_yours"
    assert table_view(table, None)["take_back"] == {"seat": 0, "agreed": [1]}
    assert table.changed == changed, "asking makes nobody's move stale"
    act(table, 2, "decline")
    assert table_view(table, 0)["take_back"] is None
    act(table, 0, "take_back")
    act(table, 2, "agree")
    act(table, 1, "agree")
    assert table.turn == 0
    assert json.dumps(table_view(table, None)["position"]) == position
    assert table_view(table, 0)["take_back"] is None


def test_a_move_ends_the_request_and_who_leaves_is_not_waited_for() -> None:
    table = started("cards", 3, first=0, takeover=None)
    act(table, 0, "move", move=random_move(table, random.Random(1)))
    act(table, 0, "take_back")
    act(table, 1, "move", move=random_move(table, random.Random(2)))
    assert table.request is None
    act(table, 0, "take_back")
    act(table, 1, "agree")
    assert refused(table, 0, "take_back") == "back_asked"
    act(table, 2, "leave")
    # Everybody who still plays has agreed; asking once more does it, and asks nobody twice.
    act(table, 0, "take_back")
    assert table.turn == 0


def test_people_on_one_device_need_not_ask_themselves() -> None:
    table = open_table("dice", 2, first=0)
    for name in ("Anne", "Carl"):
        act(table, 0, "sit", name=name)
    act(table, 0, "start")
    act(table, 0, "move", move="score")
    act(table, 0, "take_back", seat=0)
    assert table.turn == 0


@pytest.mark.parametrize(("game", "players"), [("travel", 2), ("cards", 3), ("dice", 2)])
def test_a_game_with_take_backs_still_follows_from_its_key(game: str, players: int) -> None:
    table, dice = started(game, players), random.Random(4)
    while table.stage == "playing":
        act(table, table.turn or 0, "move", move=random_move(table, dice))
        seat = dice.randrange(players)
        if dice.random() < 0.2 and table.stage == "playing" and table.own_last(seat) is not None:
            act(table, seat, "take_back")
            for other in table.other_people(seat):
                act(table, other, "agree")
    for made in table.records:
        record.replay(made)
        assert shuffle.verify(made)


# Private choices


@clause("T16", "C13")
@pytest.mark.parametrize("game", ["travel", "cards"])
def test_undo_would_tell_of_a_choice(game: str) -> None:
    table = until_choosing(game)
    seat = table.turn or 0
    assert table_view(table, seat)["undo_why"] == {"key": "undo_tells", "words": {}}
    assert not table_view(table, seat)["undo"]
    assert refused(table, seat, "undo") == "undo_tells"
    # Where only bots would learn of it, it is possible.
    table.seats = [other if at == seat else Seat("bot", "Otto", level="random") for at, other in enumerate(table.seats)]
    assert table_view(table, seat)["undo"]
    act(table, seat, "undo")
    assert table.game is not None
    assert table.game.turn is not None
    assert not table.game.choosing


@clause("T16", "C13")
@pytest.mark.parametrize(("game", "taken"), [("travel", "swap"), ("cards", "renew")])
def test_what_is_taken_back_is_never_a_choice_that_nobody_heard_of(game: str, taken: str) -> None:
    table = until_choosing(game)
    seat, before = table.turn or 0, len(table.decisions) - 1
    act(table, seat, "move", move="keep")
    assert table.own_last(seat) == before
    table = until_choosing(game)
    act(table, table.turn or 0, "move", move=taken)
    assert table.own_last(seat) == len(table.decisions) - 1


@clause("C13")
def test_a_renewed_hand_is_shown_to_everybody() -> None:
    table = until_choosing("cards", 3)
    seat = table.turn or 0
    assert table.game is not None
    player = table.player_of(seat)
    hand = table_view(table, seat)["position"]["hands"][player]
    discards = table_view(table, None)["position"]["discards"]
    act(table, seat, "move", move="renew")
    for other in [0, 1, 2, None]:
        told = event_view(table, table.version - 1, other)
        assert told["shown"] == hand
        assert told["events"] == [f"{player} renew"]
        assert event_view(table, table.version, other)["type"] == "draw"
    now = table_view(table, None)["position"]["discards"]
    added = [card for card, number in now.items() for _ in range(number - discards.get(card, 0))]
    assert sorted([*hand, *added]) == sorted([*added, *hand])
    assert set(hand) <= set(added)


@clause("T16")
def test_a_swapped_rack_is_shown_to_nobody() -> None:
    table = until_choosing("travel")
    act(table, table.turn or 0, "move", move="swap")
    assert "shown" not in event_view(table, table.version - 1, None)


@clause("T16", "C13")
@pytest.mark.parametrize(("game", "taken"), [("travel", "swap"), ("cards", "renew")])
def test_a_choice_may_be_made_together_with_the_move(game: str, taken: str) -> None:
    table = until_choosing(game)
    seat = table.turn or 0
    table.seats = [structs.replace(other, guest="g9") for other in table.seats]
    act(table, 9, "undo")
    assert table.game is not None
    move = next(
        move
        for move, preview in zip(table_view(table, seat)["legal"], table_view(table, seat)["previews"], strict=True)
        if preview[6] == 3
    )
    assert refused(table, 9, "move", move=move, then="fly") == "not_a_move"
    assert [event.type for event in act(table, 9, "move", move=move, then=taken)] == ["move", "move", "draw"]
    plain = started(game, 2)
    move, wrong = random_move(plain, random.Random(1)), plain.turn or 0
    assert refused(plain, wrong, "move", move=move, then=taken) in ("no_swap", "no_renew")
    assert [event.type for event in act(plain, wrong, "move", move=move, then="keep")] == ["move", "draw"]


@pytest.mark.parametrize(("game", "players"), [("travel", 2), ("cards", 3), ("dice", 2)])
def test_what_is_drawn_at_the_end_of_a_turn_is_an_event_of_its_own(game: str, players: int) -> None:
    table = started(game, players)
    play_round(table, random.Random(5))
    types = [entry.event.type for entry in table.log]
    assert ("draw" in types) == (game != "dice")
    for version, entry in enumerate(table.log, start=1):
        lines = event_view(table, version, 0).get("events", [])
        if entry.event.type == "move":
            assert not any(line.startswith("draw") for line in lines)
            assert event_view(table, version, 0)["bonus"] in (True, False)
        if entry.event.type == "draw":
            assert entry.event.at == table.log[version - 2].event.at


@clause("T18", "T19", "C15", "D13")
@pytest.mark.parametrize(("game", "why"), [("travel", "no_room"), ("cards", "chips_home"), ("dice", "boxes_full")])
def test_the_last_move_says_why_the_game_is_over(game: str, why: str) -> None:
    table = started(game, 2, rounds=1)
    play_round(table, random.Random(6))
    assert event_view(table, table.version, None)["over_why"] == why
    assert table.result is not None
    assert table.result["over_why"] == why
    assert all("over_why" not in event_view(table, version, None) for version in range(1, table.version))


@clause("T13", "C14")
@pytest.mark.parametrize("game", ["travel", "cards"])
def test_a_bonus_turn_is_announced(game: str) -> None:
    table = next(table for seed in range(50) if (table := until_undoable(game, seed)).bonus)
    assert event_view(table, table.version, None)["bonus"]
    assert all(table_view(table, seat)["bonus"] for seat in (0, 1, None))
    act(table, table.turn or 0, "undo")
    assert not table_view(table, None)["bonus"]


# Names, faces, hints, rounds


def test_everybody_has_a_name_and_a_face_of_their_own() -> None:
    table = open_table("cards", 4)
    act(table, 0, "sit", name="Mira", portrait="owl")
    act(table, 1, "sit", name="mira")
    act(table, 0, "bot", level="level3")
    act(table, 0, "bot", level="level3")
    names = [seat.name for seat in table.seats]
    assert names[:2] == ["Mira", "mira 2"]
    assert len({name.casefold() for name in names}) == 4
    assert set(names[2:]) <= set(PERSONAS) - {"Mira"}
    assert table.seats[0].portrait == "owl"
    assert table.seats[1].portrait in set(PORTRAITS) - {"owl"}
    assert [seat.portrait for seat in table.seats[2:]] == [name.lower() for name in names[2:]]
    assert refused(open_table("cards", 4), 0, "sit", name="Anne", portrait="dragon") == "no_portrait"
    assert len({bot("level1", str(seed), []).name for seed in range(200)}) == len(PERSONAS)
    long = "x" * 24
    assert person(long, "g", "", [person(long, "h", "", [])]).name == "x" * 22 + " 2"


def test_hints_are_for_those_who_play_against_bots_unless_agreed() -> None:
    table = open_table("dice", 2)
    act(table, 0, "sit", name="Anne")
    assert not table_view(table, 0)["setup"]["hints"], "somebody may still sit down"
    act(table, 0, "bot", level="random")
    assert table_view(table, 0)["setup"]["hints"]
    assert not table_view(started("dice", 2), 0)["setup"]["hints"]
    assert table_view(started("dice", 2, hints=True), 0)["setup"]["hints"]
    table = open_table("dice", 2, hints=False)
    act(table, 0, "sit", name="Anne")
    act(table, 0, "bot", level="random")
    assert not table_view(table, 0)["setup"]["hints"]


@clause("D14", "C17")
@pytest.mark.parametrize(
    ("game", "players", "rounds"), [("dice", 2, 2), ("dice", 4, 4), ("cards", 3, 1), ("travel", 2, 1)]
)
def test_without_an_agreement_dice_are_played_until_everybody_has_begun(game: str, players: int, rounds: int) -> None:
    table = open_table(game, players)
    assert table.setup.rounds == rounds
    assert table_view(table, None)["starters"] == []
    table = started(game, players, first=1)
    assert table_view(table, None)["starters"] == [(1 + number) % players for number in range(rounds)]
    assert table_view(open_table(game, players, first=1), None)["starters"] == table_view(table, None)["starters"]


@clause("D13")
def test_the_others_are_ranked_by_their_shortest_rows() -> None:
    table = started("dice", 4, rounds=1)
    play_round(table, random.Random(8))
    assert table.result is not None
    rows = [sorted(row) for row in table.result["values"]]
    assert table.result["places"] == [1 + sum(other > mine for other in rows) for mine in rows]
    assert [rows[seat] for seat in table.result["winners"]] == [[7] * 6]


@clause("D14")
def test_the_starters_are_those_who_really_begin() -> None:
    table, dice = started("dice", 3), random.Random(7)
    begun = []
    while table.stage != "over":
        begun.append(table.turn)
        play_round(table, dice)
        if table.stage == "between":
            for seat in range(3):
                act(table, seat, "ready")
    assert begun == table_view(table, None)["starters"]

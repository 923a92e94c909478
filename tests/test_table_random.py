"""Whole random tables: what a seat sees and hears, the shuffle's proof, and rebuilding from the events."""

import json
import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.json import encode

from sixfold.engine import record, shuffle
from sixfold.server.table_session import TableSession
from sixfold.table import (
    Actor,
    Event,
    Seat,
    Setup,
    Step,
    Table,
    TableRefused,
    decide,
    event_view,
    make,
    table_view,
    tick,
    view_of,
)
from sixfold.table.events import read, write

SECRET = bytes(range(32))
KINDS = [
    ("travel", 2, {}),
    ("travel", 2, {"open_racks": True}),
    ("cards", 2, {}),
    ("cards", 3, {}),
    ("cards", 4, {}),
    ("dice", 2, {"split_jokers": True}),
    ("dice", 3, {"hidden_start": True}),
    ("dice", 4, {}),
]


def open_table(game: str, players: int, **more: Any) -> Table:
    setup = Setup(game, players, **more)
    return Table([make(setup, [Seat() for _ in range(players)], SECRET, 0, "g0")])


def act(table: Table, who: int | Actor, do: str, at: int = 0, **more: Any) -> list[Event]:
    actor = Actor(f"g{who}") if isinstance(who, int) else who
    return happen(table, decide(table, actor, {"do": do, **more}, at, SECRET))


def happen(table: Table, steps: list[Step]) -> list[Event]:
    """Let what was decided happen, half of the time from what is stored: it must come to the same."""
    for step in steps:
        (stored,) = read([write(step.event)], table.version + 1, table.format)
        assert stored == step.event
        table.apply(*((stored,) if table.version % 2 else (step.event, step.game)))
    return [step.event for step in steps]


def started(game: str, players: int, **more: Any) -> Table:
    table = open_table(game, players, **more)
    for seat in range(players):
        act(table, seat, "sit", seat=seat, name=f"Guest {seat}")
    act(table, 0, "start")
    return table


def random_move(table: Table, dice: random.Random) -> str:
    assert table.turn is not None
    moves: list[str] = table_view(table, table.turn)["legal"]
    return dice.choice(moves)


def play_round(table: Table, dice: random.Random) -> None:
    while table.stage == "playing":
        assert table.turn is not None
        act(table, table.turn, "move", move=random_move(table, dice))


@pytest.mark.parametrize(("game", "players", "options"), KINDS)
def test_a_view_comes_back_from_its_value_exactly(game: str, players: int, options: dict[str, bool]) -> None:
    table, dice = started(game, players, options=options), random.Random(1)
    while table.stage == "playing":
        assert table.game is not None
        for seat in [*range(players), None]:
            told = json.loads(json.dumps(table_view(table, seat)))["position"]
            assert view_of(told) == table.game.view(None if seat is None else table.player_of(seat))
        act(table, table.turn or 0, "move", move=random_move(table, dice))


@pytest.mark.parametrize(("game", "players", "options"), KINDS)
def test_previews_say_what_the_moves_do(game: str, players: int, options: dict[str, bool]) -> None:
    table, dice = started(game, players, options=options), random.Random(2)
    while table.stage == "playing":
        assert table.turn is not None
        assert table.game is not None
        told = table_view(table, table.turn)
        which = dice.randrange(len(told["legal"]))
        player = table.game.turn
        assert player is not None
        before = table.game.values[player]
        preview = told["previews"][which]
        act(table, table.turn, "move", move=told["legal"][which])
        gained = [after - old for after, old in zip(table.game.values[player], before, strict=True)]
        assert preview[:6] == gained
        assert (preview[6] == 1) == table.game.over
        assert (preview[6] >= 2) == (not table.game.over and not table.decisions[-1].final)


@pytest.mark.parametrize(("game", "players", "options"), KINDS)
def test_a_finished_game_can_be_checked_with_its_key(game: str, players: int, options: dict[str, bool]) -> None:
    table = started(game, players, options=options)
    before = table.commitment
    play_round(table, random.Random(3))
    (made,) = table.records
    record.replay(made)
    assert shuffle.verify(made)
    assert made["shuffle"]["commitment"] == before != table.commitment
    changed = {**made, "shuffle": {**made["shuffle"], "key": "00" * 32}}
    with pytest.raises(record.RecordError, match="committed"):
        shuffle.verify(changed)


def test_another_deal_than_the_keys_is_found() -> None:
    table = started("dice", 2)
    play_round(table, random.Random(4))
    made = json.loads(json.dumps(table.records[0]))
    word, player, *rolled = made["events"][0].split(" ")
    other = ["R", "R", "R", "R"] if rolled != ["R"] * 4 else ["G"] * 4
    made["events"][0] = " ".join([word, player, *other])
    with pytest.raises(record.RecordError, match=r"event 1: .* does not follow from the key"):
        shuffle.verify(made)
    made = json.loads(json.dumps(table.records[0]))
    made["shuffle"]["start"]["seat"] = 1 - made["shuffle"]["start"]["seat"]
    with pytest.raises(record.RecordError, match="begins"):
        shuffle.verify(made)


def test_numbers_below_a_limit_are_fair() -> None:
    counts = [0] * 6
    for number in range(6000):
        counts[shuffle.below(SECRET, "draw", number, 6)] += 1
    # Chi squared with five degrees of freedom; fixed key, so this either holds or does not.
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 20.5
    assert {shuffle.below(SECRET, "draw", number, 1) for number in range(10)} == {0}


@given(seed=st.integers(0, 10**6), kind=st.sampled_from(KINDS))
@settings(max_examples=25)
def test_whatever_happens_the_table_is_told_as_it_is_and_rebuilt_from_its_events(
    seed: int, kind: tuple[str, int, dict[str, bool]]
) -> None:
    game, players, options = kind
    dice = random.Random(seed)
    rounds = 1 if game == "travel" else 2
    table = started(game, players, options=options, rounds=rounds, clock="game", seconds=300, takeover=20)
    at, live = 0, TableSession("table", table, SECRET, True)
    for _ in range(60):
        at += dice.choice([10, 500, 4000])
        while steps := tick(table, at, SECRET):
            happen(table, steps)
        _something(table, dice, at)
        live.forget_views()
        for seat in [*range(players), None]:
            # What a server keeps of it between two events is never stale.
            light = json.loads(encode(table_view(table, seat, light=True)))
            assert json.loads(bytes(live._view(seat, light=True))) == light
            assert bytes(live._encode_event(table.version, seat)) == encode(event_view(table, table.version, seat))
    again = Table(read([write(entry.event) for entry in table.log]))
    for seat in [*range(players), None]:
        assert table_view(again, seat) == table_view(table, seat)
        for version in range(1, table.version + 1):
            assert event_view(again, version, seat) == event_view(table, version, seat)
    for made in again.records:
        record.replay(made)
        assert shuffle.verify(made)


def _something(table: Table, dice: random.Random, at: int) -> None:
    """One action that some seat may do, mostly a move."""
    bot = table.bot_to_move()
    if bot is not None:
        act(table, Actor(bot_seat=bot[0]), "move", at, move=random_move(table, dice))
    elif table.turn is not None and table.seats[table.turn].plays and dice.random() < 0.9:
        act(table, table.turn, "move", at, move=random_move(table, dice))
    else:
        seat = dice.randrange(len(table.seats))
        do = dice.choice(["leave", "back", "undo", "take_back", "agree", "decline", "resign", "ready", "react"])
        with suppress(TableRefused):
            act(table, seat, do, at, reaction="hello")

"""Damaged moves, events and records: refused with event and clause or harmless, and never anything worse."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sixfold import Refused
from sixfold.engine import record
from sixfold.engine.notation import quoted
from sixfold.engine.record import RecordError
from tests.referee import Refusal, check_record
from tests.tables import TABLES, Table, random_game
from tests.test_clauses import specified

CLAUSES = {*specified(), "record"}
LETTERS = "RGBOYPabcdefghijk0123456789> dealdrawopenrollplacekeepswaprenewscorererollplay"

tables = st.sampled_from(TABLES)
seeds = st.integers(0, 7)


def whole(table: Table, seed: int) -> dict[str, Any]:
    """The record of a finished random game."""
    return record.of(random_game(table, seed))


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """A text with a letter lost, doubled, exchanged or put in, a word moved, or something else altogether."""
    at = draw(st.integers(0, max(0, len(text) - 1)))
    kind = draw(st.sampled_from(["lose", "double", "exchange", "put in", "words", "other"]))
    if kind == "lose":
        return text[:at] + text[at + 1 :]
    if kind == "double":
        return text[:at] + text[at : at + 1] + text[at:]
    if kind == "exchange":
        return text[:at] + draw(st.sampled_from(LETTERS)) + text[at + 1 :]
    if kind == "put in":
        return text[:at] + draw(st.characters()) + text[at:]
    if kind == "words":
        return " ".join(draw(st.permutations(text.split(" "))))
    return draw(st.text(max_size=40))


def refusal_of(action: Callable[[Any], object], given: object) -> ValueError | None:
    """The refusal that something meets; any other exception goes through and fails the test."""
    try:
        action(given)
    except (Refused, RecordError) as refusal:
        return refusal
    return None


def names_clause(message: str) -> bool:
    found = re.search(r"\((\w+)\)$", message)
    return found is not None and found[1] in CLAUSES


@settings(max_examples=150)
@given(data=st.data(), table=tables, seed=seeds, decisions=st.integers(0, 12))
def test_a_damaged_move_is_legal_or_refused_and_changes_nothing(
    data: st.DataObject, table: Table, seed: int, decisions: int
) -> None:
    game = random_game(table, seed, decisions)
    game.chance = None
    moves = list(game.legal())
    if not moves:
        return
    text = data.draw(damaged(data.draw(st.sampled_from([*moves[:40], *moves[-40:]]))))
    said = data.draw(st.sampled_from([text, f"{game.turn} {text}"]))
    before = game.copy()
    refused = refusal_of(game.play, said)
    if refused is not None:
        assert str(refused).startswith(f"{quoted(said)}: ")
        assert names_clause(str(refused))
        assert (game, game.events) == (before, before.events)
    else:
        assert said.removeprefix(f"{before.turn} ") in moves
        assert game.events[-1] == f"{before.turn} {said.removeprefix(f'{before.turn} ')}"


@settings(max_examples=100)
@given(data=st.data(), table=tables, seed=seeds)
def test_a_refused_event_leaves_the_game_as_it_was(data: st.DataObject, table: Table, seed: int) -> None:
    events = list(whole(table, seed)["events"])
    at = data.draw(st.integers(0, len(events) - 1))
    events[at] = data.draw(damaged(events[at]))
    game = table.start()
    for number, event in enumerate(events):
        before = game.copy()
        refused = refusal_of(game.apply, event)
        if refused is not None:
            assert number >= at
            assert str(refused).startswith(f"{quoted(event)}: ")
            assert names_clause(str(refused))
            assert (game, game.events) == (before, before.events)
            return
    assert game.events == events


def wrong_event(change: dict[str, Any]) -> int | None:
    """The number of the event at which a record is refused, or None when all events hold."""
    refused = refusal_of(record.replay, change)
    if refused is None:
        return None
    assert names_clause(str(refused))
    found = re.match(r'event (\d+): "', str(refused))
    return int(found[1]) if found else None


def wrong_event_of_the_referee(change: dict[str, Any]) -> int | None:
    try:
        check_record({key: value for key, value in change.items() if key != "result"})
    except Refusal as refusal:
        return None if refusal.event is None else refusal.event + 1
    return None


@settings(max_examples=120)
@given(data=st.data(), table=tables, seed=seeds)
def test_damaged_records_are_refused_where_the_referee_refuses_them(
    data: st.DataObject, table: Table, seed: int
) -> None:
    change = whole(table, seed)
    events: list[str] = change["events"]
    at = data.draw(st.integers(0, len(events) - 1))
    kind = data.draw(st.sampled_from(["drop", "double", "swap", "text", "move"]))
    if kind == "drop":
        del events[at]
    elif kind == "double":
        events.insert(at, events[at])
    elif kind == "swap":
        events[at - 1], events[at] = events[at], events[at - 1]
    elif kind == "text":
        events[at] = data.draw(damaged(events[at]))
    else:
        events[at] = data.draw(st.sampled_from(events))
    assert wrong_event(change) == wrong_event_of_the_referee(change)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(
    table=tables,
    key=st.sampled_from(["format", "game", "players", "options", "names", "events", "legal", "result"]),
    value=json_values,
)
def test_any_value_under_any_key_is_refused_or_harmless(table: Table, key: str, value: object) -> None:
    change = {**whole(table, 1), key: value}
    refused = refusal_of(record.replay, change)
    assert str(refused) if refused is not None else record.replay(change).game == random_game(table, 1)


@given(json_values)
def test_any_json_value_is_refused(value: object) -> None:
    with pytest.raises(RecordError):
        record.replay(value)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_events_in_a_wrong_order_are_refused(table: Table) -> None:
    good = whole(table, 2)
    rng = random.Random(70)
    for _ in range(10):
        events = list(good["events"])
        rng.shuffle(events)
        assert wrong_event({**good, "events": events}) is not None

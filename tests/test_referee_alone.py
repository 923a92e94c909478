"""The referee on its own: whole games at every table, and records that must be refused."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from .referee import Refusal, check_record, play_eager, play_random

PLAIN = {"split_jokers": False, "hidden_start": False}
TABLES: list[tuple[str, int, dict[str, bool]]] = [
    *(("travel", 2, {"open_racks": shown}) for shown in (False, True)),
    *(("cards", players, {}) for players in (2, 3, 4)),
    *(
        ("dice", players, {"split_jokers": split, "hidden_start": hidden})
        for players, split, hidden in product((2, 3, 4), (False, True), (False, True))
    ),
]


def refused(record: Any, clause: str, event: int | None = None) -> None:
    """The referee refuses the record, by this clause, at this event."""
    with pytest.raises(Refusal) as caught:
        check_record(record)
    assert (caught.value.clause, caught.value.event) == (clause, event), str(caught.value)


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
@pytest.mark.parametrize("play", [play_random, play_eager])
def test_whole_games(play: Any, game: str, players: int, options: dict[str, bool]) -> None:
    for seed in range(3):
        record = play(game, players, options, random.Random(seed))
        verdict = check_record(record)
        assert (verdict.legal, verdict.result, verdict.next) == (record["legal"], record["result"], [])
        half = {**record, "events": record["events"][: len(record["events"]) // 2], "result": None}
        del half["legal"]
        assert check_record(half).result is None
        refused({**record, "result": None}, "record")
        refused({**record, "legal": [*record["legal"][:-1], 0]}, "record", len(record["events"]) - 1)
        clause = {"cards": "C15", "dice": "D13"}.get(game, "T18")
        refused({**record, "events": record["events"] + record["events"][:1]}, clause, len(record["events"]))


DEALS = ["deal 0 RG RG RG RB RB RB", "deal 1 RR RR GG GG BB BB"]
TRAVEL = {"format": "sixfold/1", "game": "travel", "players": 2, "options": {"open_racks": False}}
DICE = {"format": "sixfold/1", "game": "dice", "players": 2, "options": PLAIN}
CARDS = {"format": "sixfold/1", "game": "cards", "players": 2, "options": {}}
HANDS = ["deal 0 RG RG RG RB RB RO", "deal 1 GB GB GB GB GO GO", "open 0 YP RG", "open 1 OY OY"]
FOUR = {**DICE, "options": {"split_jokers": True, "hidden_start": True}}


@pytest.mark.parametrize(
    ("head", "events", "clause", "event"),
    [
        ({**TRAVEL, "players": 3}, [], "record", None),
        ({**TRAVEL, "options": {}}, [], "record", None),
        ({**TRAVEL, "options": {"open_racks": 0}}, [], "record", None),
        ({**TRAVEL, "game": "chess"}, [], "record", None),
        ({**TRAVEL, "result": {"places": [1, 2], "values": []}}, DEALS, "record", None),
        (TRAVEL, DEALS[1:], "record", 0),
        (TRAVEL, ["deal 0 RB RG RG RG RB RB"], "record", 0),
        (TRAVEL, ["deal 0 GR RG RG RB RB RB"], "record", 0),
        (TRAVEL, ["deal 0 RG RG RG RB RB"], "T4", 0),
        (TRAVEL, ["deal 0 RG RG RG RG RB RB"], "T2", 0),
        (TRAVEL, [*DEALS, "0 place RG c4 c5"], "T6", 2),
        (TRAVEL, [*DEALS, "0 place RG a1 a2"], "T5", 2),
        (TRAVEL, [*DEALS, "0 place RG a3 a2"], "record", 2),
        (TRAVEL, [*DEALS, "0 place RY a2 a3"], "T5", 2),
        (TRAVEL, [*DEALS, "1 place RR a2 a3"], "record", 2),
        (TRAVEL, [*DEALS, "0 place RG a2 a3", "0 keep"], "T16", 3),
        (TRAVEL, [*DEALS, "0 place RG a2 a3", "draw 0 OO OO"], "T15", 3),
        (CARDS, HANDS[1:], "record", 0),
        (CARDS, ["deal 0 RG RG RG RB RB RR"], "record", 0),
        (CARDS, ["deal 0 RG RG RG RB RB"], "C3", 0),
        (CARDS, [HANDS[0], "deal 1 RG RG GB GB GO GO"], "C1", 1),
        (CARDS, [*HANDS[:2], "open 0 YP"], "C4", 2),
        (CARDS, [*HANDS, "0 play GB"], "C6", 4),
        (CARDS, [*HANDS, "0 play RR"], "record", 4),
        (CARDS, [*HANDS, "1 play GB"], "C5", 4),
        (CARDS, [*HANDS, "0 play GR", "0 keep"], "C13", 5),
        (CARDS, [*HANDS, "0 play GR", "draw 0 RP RY"], "C11", 5),
        (CARDS, [*HANDS, "0 play GR", "draw 0 GB"], "C12", 5),
        (CARDS, [*HANDS, "0 play GR", "draw  0 RP"], "record", 5),
        (DICE, ["roll 0 R R G B"], "record", 0),
        (DICE, ["roll 1 R R G B", "0 score"], "D4", 1),
        (DICE, ["roll 1 R R G B", "roll 0 R R R R", "1 score"], "D4", 2),
        (DICE, ["roll 1 R R G"], "D1", 0),
        (DICE, ["roll 1 R G R B"], "record", 0),
        (DICE, ["roll 1 R R G B", "roll 0 R R R R", "0 score R2>B"], "D9", 2),
        (DICE, ["roll 1 R R G B", "roll 0 R R G G", "0 score G2>B R2>B"], "record", 2),
        (DICE, ["roll 1 R R G B", "roll 0 R R G G", "0 score R3>B"], "D7", 2),
        (FOUR, ["roll 0 R R R R", "0 score R2>B R2>G"], "record", 1),
        (FOUR, ["roll 0 R R R R", *["0 reroll", "roll 0 R R R R"] * 2, "0 reroll"], "D4", 5),
    ],
)
def test_refusals(head: dict[str, Any], events: list[str], clause: str, event: int | None) -> None:
    refused({**head, "events": events}, clause, event)


def test_two_pairs_and_the_choices_now() -> None:
    verdict = check_record({**FOUR, "events": ["roll 0 R R R R"]})
    assert len(verdict.next) == 41
    assert "0 score R2>G R2>B" in verdict.next


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_damage_is_refused_or_harmless(game: str, players: int, options: dict[str, bool]) -> None:
    rng = random.Random(5)
    record = play_eager(game, players, options, rng)
    for _ in range(25):
        events: list[str] = list(record["events"])
        index = rng.randrange(len(events))
        kind = rng.choice(("drop", "double", "swap", "letter"))
        if kind == "drop":
            del events[index]
        elif kind == "double":
            events.insert(index, events[index])
        elif kind == "swap":
            events[index - 1], events[index] = events[index], events[index - 1]
        else:
            place = rng.randrange(len(events[index]))
            events[index] = events[index][:place] + rng.choice("RP0 ") + events[index][place + 1 :]
        try:
            verdict = check_record({**record, "events": events})
        except Refusal:
            continue
        assert (verdict.legal, verdict.result) == (record["legal"], record["result"])

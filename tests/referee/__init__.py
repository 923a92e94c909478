"""A slow and obvious referee for the three games, written from the specification alone.

`check_record` checks a whole record. `play_random` generates one with random choices; `play_eager` generates one
with greedy choices, which reaches the rare clauses (bonus turns, swaps, new cards) more often.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .cards import Cards
from .common import SYMBOLS, Referee, Refusal, places
from .dice import Dice
from .travel import Travel

__all__ = ["GAMES", "Refusal", "Verdict", "check_record", "play_eager", "play_random", "start"]

FORMAT = "sixfold/1"
GAMES: dict[str, type[Referee]] = {"travel": Travel, "cards": Cards, "dice": Dice}

Record = dict[str, Any]


@dataclass
class Verdict:
    """The outcome of a record that breaks no rule."""

    legal: list[int]
    """For each event of a player, the number of events that could have been chosen."""
    result: dict[str, Any] | None
    """Places and values, or None when the game is not finished."""
    next: list[str]
    """All events the player to move could choose now; empty before a chance event and at the end."""


def start(record: Record) -> Referee:
    """Check everything before the events, and set up the game."""
    if not isinstance(record, dict):
        raise Refusal("record", "a record is one object")
    if record.get("format") != FORMAT:
        raise Refusal("record", f"the format is not {FORMAT}")
    game = record.get("game")
    if not isinstance(game, str) or game not in GAMES:
        raise Refusal("record", "unknown game")
    kind = GAMES[game]
    players = record.get("players")
    if type(players) is not int or players not in kind.PLAYERS:
        raise Refusal("record", "wrong number of players")
    options = record.get("options")
    if not isinstance(options, dict) or set(options) != set(kind.OPTIONS):
        raise Refusal("record", f"options must name exactly: {', '.join(kind.OPTIONS) or 'nothing'}")
    if any(type(value) is not bool for value in options.values()):
        raise Refusal("record", "an option is true or false")
    return kind(players, options)


def result_of(game: Referee) -> dict[str, Any] | None:
    """Places and values of a finished game, in the order R G B O Y P."""
    if not game.over:
        return None
    values = [[own[symbol] for symbol in SYMBOLS] for own in game.all_values()]
    return {"places": places(values), "values": values}


def same(written: object, expected: object) -> bool:
    """Equal as JSON, so that true is not 1 and 1.0 is not 1."""
    return json.dumps(written, default=repr) == json.dumps(expected)


def check_record(record: Record) -> Verdict:
    """Check a whole record; raise Refusal at the first thing that breaks a rule or the format."""
    game = start(record)
    events = record.get("events")
    if not isinstance(events, list):
        raise Refusal("record", "events must be a list")
    legal: list[int] = []
    choice_indices: list[int] = []
    for index, event in enumerate(events):
        if not isinstance(event, str):
            raise Refusal("record", "an event is a line of text", index, repr(event))
        choices = game.choices()
        try:
            game.apply(event)
        except Refusal as refusal:
            raise Refusal(refusal.clause, refusal.reason, index, event) from None
        if choices:
            legal.append(len(choices))
            choice_indices.append(index)
    if "legal" in record:
        check_legal(record["legal"], legal, choice_indices, events)
    if "result" in record:
        check_result(record["result"], result_of(game))
    return Verdict(legal, result_of(game), game.choices())


def check_legal(written: object, legal: list[int], choice_indices: list[int], events: list[str]) -> None:
    """Record: one number for each event of a player, and the right one."""
    if not isinstance(written, list) or len(written) != len(legal):
        raise Refusal("record", "legal must be a list with one number for each event of a player")
    for number, expected, index in zip(written, legal, choice_indices, strict=True):
        if not same(number, expected):
            raise Refusal("record", f"{expected} choices, not {number}", index, events[index])


def check_result(written: object, expected: dict[str, Any] | None) -> None:
    """Record: null while the game goes on, afterwards the correct places and values."""
    if expected is None:
        if written is not None:
            raise Refusal("record", "a result is written, but the game is not finished")
        return
    if not isinstance(written, dict):
        raise Refusal("record", "the game is finished, but no result is written")
    for key in ("places", "values"):
        if not same(written.get(key), expected[key]):
            raise Refusal("record", f"{key} must be {expected[key]}")


Pick = Callable[[Referee, list[str]], str]


def play(game: str, players: int, options: dict[str, bool], rng: random.Random, pick: Pick) -> Record:
    """Play a whole game, chance by `rng` and choices by `pick`, and record it."""
    record: Record = {"format": FORMAT, "game": game, "players": players, "options": dict(options)}
    referee = start(record)
    events: list[str] = []
    legal: list[int] = []
    while not referee.over:
        choices = referee.choices()
        if choices:
            legal.append(len(choices))
        event = pick(referee, choices) if choices else referee.random_chance(rng)
        referee.apply(event)
        events.append(event)
    return {**record, "events": events, "result": result_of(referee), "legal": legal}


def play_random(game: str, players: int, options: dict[str, bool], rng: random.Random) -> Record:
    """A whole game in which every choice is uniformly random."""
    return play(game, players, options, rng, lambda _, choices: rng.choice(choices))


def play_eager(game: str, players: int, options: dict[str, bool], rng: random.Random) -> Record:
    """A whole game in which the best of a few random choices is taken.

    Best is what leads to an offer of a swap or of new cards, then what adds most to the own values.
    """

    def gain(referee: Referee, event: str) -> tuple[bool, int]:
        after = copy.deepcopy(referee)
        after.move(event.split(" ")[1:])
        return after.phase == "choice", sum(after.all_values()[referee.player].values())

    def pick(referee: Referee, choices: list[str]) -> str:
        sampled = rng.sample(choices, min(len(choices), 24))
        return max(sampled, key=lambda event: gain(referee, event))

    return play(game, players, options, rng, pick)

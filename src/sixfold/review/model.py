"""The data model of a review. Chances, costs and luck are in points: hundredths of the winning chance, or,
with more than two players, of the share of the others that a player finishes ahead of."""

import json
from pathlib import Path
from typing import Any

import msgspec

# The page reads the same file.
DATA_FILES = ("constants.json",)
CONSTANTS: dict[str, Any] = json.loads(Path(__file__).with_name(*DATA_FILES).read_text(encoding="utf-8"))
POINTS: float = CONSTANTS["points"]
# A cost of this many points gets this mark.
MARKS: dict[str, float] = CONSTANTS["marks"]
# Two moves that differ by less than this are considered equal.
MIN_DIFFERENCE: float = CONSTANTS["min_difference"]
# A cost of fewer standard errors than this counts as zero.
CONFIDENCE: float = CONSTANTS["confidence"]
# Above and below these points a game is decided, and a loss of this much margin is marked as a slip instead.
WON: float = CONSTANTS["won"]
LOST: float = CONSTANTS["lost"]
SLIP_MARGIN: float = CONSTANTS["slip_margin"]
# The margin of a move that ends a decided game; such a move is not compared with others.
GAME_END_MARGIN: float = CONSTANTS["game_end_margin"]


class Candidate(msgspec.Struct, frozen=True):
    """An evaluated move: its chance, and the standard error of its distance to the best."""

    move: str
    chance: float
    error: float


class Odds(msgspec.Struct, frozen=True):
    """The exact odds of a position: every player's chance, and every move of the active player."""

    chances: list[float]
    candidates: list[Candidate]  # best first


class Decision(msgspec.Struct, frozen=True, tag_field="kind", tag="decision"):
    """A decision: the best move, and the cost of the one that was played."""

    number: int  # of the event, from 1
    player: int
    move: str
    best: str  # the played move if no better one is known
    forced: bool  # there was only one move
    chance: float  # after the move, given what the player knew
    best_chance: float
    cost: float  # 0 if the difference is within the error
    error: float  # the standard error of the cost
    mark: str | None
    margin: float | None  # in a decided game: how many steps of the lowest symbol's margin were lost
    candidates: list[Candidate]  # best first


class Draw(msgspec.Struct, frozen=True, tag_field="kind", tag="draw"):
    """A draw or roll: the player's chance after it, the average over all possible ones, and the difference."""

    number: int
    player: int
    event: str
    chance: float
    average: float
    luck: float
    error: float


Step = Decision | Draw


class Account(msgspec.Struct, frozen=True):
    """A player's totals: result - begin = luck - lost + others_lost + gap, where the gap is 0 for exact values."""

    player: int
    begin: float  # before anything was dealt or rolled
    result: float | None  # None if the record ends before the game does
    luck: float  # of the player's own draws and rolls, minus the others'
    luck_error: float
    lost: float  # by the player's own mistakes
    others_lost: float
    gap: float | None
    even: float  # the expected result with even luck
    decisions: int  # that were not forced
    mean_cost: float  # of these
    marks: dict[str, int]


class Review(msgspec.Struct, frozen=True):
    """The review of a record."""

    game: str
    players: int
    options: dict[str, Any]
    names: list[str] | None
    judged_by: str
    iterations: int
    seed: int
    begin: list[float]
    curve: list[list[float]]  # every player's chance after each event
    steps: list[Step]  # one for each event
    accounts: list[Account]


def mark_of(cost: float) -> str | None:
    """The mark for a cost, or None."""
    names = [name for name, threshold in MARKS.items() if cost >= threshold]
    return names[-1] if names else None

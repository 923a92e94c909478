"""What a review says, as plain messages. Chances, costs and luck are in points: hundredths of the winning chance, or,
with more than two players, of the share of the others that a player finishes ahead of."""

from typing import Any

import msgspec

MARKS = {"slip": 3.0, "mistake": 7.0, "blunder": 15.0}
# Less than this is no difference between two moves.
NOTHING = 0.25
# A cost that is not so many standard errors from 0 counts as none.
SURE = 2.0
# Above and below these points a game is decided, and the margin speaks instead: a slip from so many steps on.
WON, LOST = 99.5, 0.5
STEPS = 2.0


class Candidate(msgspec.Struct, frozen=True):
    """A move that was looked at: its chance, and the standard error of how far it is behind the best."""

    move: str
    chance: float
    error: float


class Odds(msgspec.Struct, frozen=True):
    """What is known for certain of a position: everybody's chance, and every choice of whoever is in turn."""

    chances: list[float]
    candidates: list[Candidate]  # the best first


class Decision(msgspec.Struct, frozen=True, tag_field="kind", tag="decision"):
    """A decision: the best move, and what the one that was played cost."""

    number: int  # of the event, from 1
    player: int
    move: str
    best: str  # the same as the move where nothing better is known
    forced: bool  # there was only one move
    chance: float  # after the move, from what the player knew
    best_chance: float
    cost: float  # 0 where it is less than its error explains
    error: float  # the standard error of the cost
    mark: str | None
    margin: float | None  # where all was decided: how many steps of the lowest symbol's margin were lost
    candidates: list[Candidate]  # the best first


class Draw(msgspec.Struct, frozen=True, tag_field="kind", tag="draw"):
    """A draw or roll: the player's chance after it, the average over all that could have come, and the difference."""

    number: int
    player: int
    event: str
    chance: float
    average: float
    luck: float
    error: float


Step = Decision | Draw


class Account(msgspec.Struct, frozen=True):
    """A player's sums. result - begin = luck - lost + others_lost + gap; the gap is 0 where the values are exact."""

    player: int
    begin: float  # before anything was dealt or rolled
    result: float | None  # none where the record ends before the game
    luck: float  # of the own draws and rolls, less the others'
    luck_error: float
    lost: float  # to own mistakes
    others_lost: float
    gap: float | None
    even: float  # the result as it would have been with even luck
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
    curve: list[list[float]]  # everybody's chance after each event
    steps: list[Step]  # one for each event
    accounts: list[Account]


def mark_of(cost: float) -> str | None:
    """The name for a cost, or none."""
    names = [name for name, least in MARKS.items() if cost >= least]
    return names[-1] if names else None

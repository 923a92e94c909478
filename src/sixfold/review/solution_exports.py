"""Judging the two-player dice game by the shipped approximation, as functions over buffers for a browser."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sixfold.engine.wasm import Argument, Buffer, Export
from sixfold.games.dice import rules as dice
from sixfold.games.shared.compiling import compiled, compiled_with_arrays
from sixfold.games.shared.symbols import CHANCE, OVER
from sixfold.review.estimating import POINTS, WIDTH
from sixfold.review.racing import GOING, MINE, NUMBER
from sixfold.review.solution import (
    NO_ROLL,
    before_opening,
    before_turn,
    best_ways,
    every_way,
    keep_some,
    margin,
    whole,
)
from sixfold.solve.browser import DATA as DATA
from sixfold.solve.browser import approximation, guess_of
from sixfold.solve.play.choosing import GUESS, dice_of, look_ahead, sheet_of
from sixfold.solve.positions.book import Numbering


@compiled
def again_worth(
    numbering: Numbering, block: np.ndarray, guess: Any, trial: np.ndarray, seen: Any, rolls: int, worths: np.ndarray
) -> float:
    """What the next roll of a turn is worth before it is made."""
    mine, theirs, shown, _ = seen
    if rolls >= dice.ROLLS:
        return NO_ROLL
    look_ahead(numbering, block, guess, GUESS, trial, mine, theirs, shown, worths)
    return float(worths[rolls])


@compiled
def codes(state: np.record) -> tuple[int, int, int, int]:
    """Both sheets, the opponent's dice and the roll of the player in turn."""
    me = int(np.int64(state.turn))
    return sheet_of(state, me), sheet_of(state, 1 - me), dice_of(state, 1 - me), dice_of(state, me)


@compiled_with_arrays
def weigh(
    states: Any, trials: Any, block: Any, numbers: Any, guesses: Any, ending: Any, ways: Any, taken: Any, chances: Any,
    errors: Any, margins: Any, going: Any, played: int,
) -> None:  # fmt: skip
    """What ``Solution.weigh`` says: the moves, their chances and margins, and where the played one stands."""
    numbering, guess = Numbering(*numbers), guess_of(guesses, ending)
    moves, sheets, order, found, worths = ways
    split = int(np.int64(states[0].split_jokers))
    trial, seen = trials[split : split + 1], codes(states[0])
    mine, theirs, shown, roll = seen
    again = again_worth(numbering, block, guess, trial, seen, int(np.int64(states[0].rolls)), worths)
    number = every_way(numbering, block, guess, GUESS, trial, mine, theirs, shown, roll, again, moves, sheets, found)
    many = best_ways(sheets[:number], found[:number], order)
    where = keep_some(moves[:number], sheets[:number], order, played)
    kept = max(min(many, WIDTH), where + 1)
    for at in range(kept):
        taken[at] = moves[order[at]]
        chances[at] = found[order[at]]
        errors[at] = 0.0
        margins[at] = margin(sheets[:number], order[at], theirs)
    going[NUMBER] = kept
    going[MINE] = where


@compiled_with_arrays
def chance(
    states: Any, trials: Any, block: Any, numbers: Any, guesses: Any, ending: Any, ways: Any, player: int
) -> float:
    """What ``Solution.chance`` says: a player's chance in any position, in points."""
    numbering, guess = Numbering(*numbers), guess_of(guesses, ending)
    moves, sheets, order, found, worths = ways
    state = states[0]
    turn, rolls, split = int(np.int64(state.turn)), int(np.int64(state.rolls)), int(np.int64(state.split_jokers))
    if state.phase == OVER:
        return POINTS if turn == player else 0.0
    trial, seen = trials[split : split + 1], codes(state)
    mine, theirs, shown, roll = seen
    if state.opening:
        turn = 0
        own = whole(before_opening(numbering, block, guess, GUESS, theirs, mine))
    elif state.phase != CHANCE:
        again = again_worth(numbering, block, guess, trial, seen, rolls, worths)
        number = every_way(
            numbering, block, guess, GUESS, trial, mine, theirs, shown, roll, again, moves, sheets, found
        )
        best_ways(sheets[:number], found[:number], order)
        own = float(found[order[0]])
    elif rolls > 0 or shown == 0:
        own = whole(again_worth(numbering, block, guess, trial, seen, rolls, worths))
    else:
        own = whole(before_turn(numbering, block, guess, GUESS, mine, theirs, shown))
    return own if turn == player else POINTS - own


def exports(state: Buffer, given: Mapping[str, Buffer]) -> list[Export]:
    """``approximation_weigh`` and ``approximation_chance``."""
    tables = approximation(state, given)
    whole_numbers = np.dtype(np.int64)
    ways = (
        *(Buffer(f"_way_{name}", whole_numbers, (dice.MOST_LEGAL,)) for name in ("moves", "sheets", "order")),
        Buffer("_way_chances", np.dtype(np.float64), (dice.MOST_LEGAL,)),
        Buffer("_way_worths", np.dtype(np.float64), (dice.ROLLS,)),
    )
    numbers = np.dtype(np.float64)
    shown: dict[str, Argument] = {
        "taken": Buffer("raced", np.dtype(np.int16), (WIDTH + 1,)),
        "chances": Buffer("chances", numbers, (WIDTH + 1,)),
        "errors": Buffer("errors", numbers, (WIDTH + 1,)),
        "margins": Buffer("margins", numbers, (WIDTH + 1,)),
        "going": Buffer("going", np.dtype(np.int32), (GOING,)),
    }
    return [
        Export("approximation_weigh", weigh, {**tables, "ways": ways, **shown, "played": np.int64}),
        Export("approximation_chance", chance, {**tables, "ways": ways, "player": np.int64}),
    ]

"""Evaluation of the two-player dice game by the shipped approximation, as WebAssembly exports over buffers."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sixfold.engine.wasm import Argument, Buffer, Export
from sixfold.games.dice import rules as dice
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.games.shared.symbols import CHANCE, OVER
from sixfold.review.evaluator import POINTS, WIDTH
from sixfold.review.sequential_halving import NUMBER, PLAYED, STATS_SIZE
from sixfold.review.solution import (
    NO_ROLL,
    before_opening,
    before_turn,
    list_options,
    margin,
    place_played,
    rank_options,
    round_to_unit,
)
from sixfold.solve.play.expectimax import GUESS, dice_of, look_ahead, sheet_of
from sixfold.solve.positions.state_space import Numbering
from sixfold.solve.solved_exports import DATA as DATA
from sixfold.solve.solved_exports import approximation, guess_of


@compiled
def reroll_value(
    numbering: Numbering,
    block: np.ndarray,
    guess: Any,
    trial: np.ndarray,
    codes: Any,
    rolls: int,
    roll_values: np.ndarray,
) -> float:
    """The value of the next roll of a turn before it is made."""
    mine, theirs, shown, _ = codes
    if rolls >= dice.ROLLS:
        return NO_ROLL
    look_ahead(numbering, block, guess, GUESS, trial, mine, theirs, shown, roll_values)
    return float(roll_values[rolls])


@compiled
def codes_of(state: np.record) -> tuple[int, int, int, int]:
    """Both sheets, the opponent's dice and the active player's roll, as codes."""
    seat = int(np.int64(state.turn))
    return sheet_of(state, seat), sheet_of(state, 1 - seat), dice_of(state, 1 - seat), dice_of(state, seat)


@compiled_with_arrays
def evaluate_moves(
    states: Any, trials: Any, block: Any, numbers: Any, guesses: Any, ending: Any, options: Any, candidates: Any,
    chances: Any, errors: Any, margins: Any, stats: Any, played: int,
) -> None:  # fmt: skip
    """Like ``Solution.evaluate_moves``: the moves, their chances and margins, and the index of the played one."""
    numbering, guess = Numbering(*numbers), guess_of(guesses, ending)
    moves, sheets, order, option_chances, roll_values = options
    split = int(np.int64(states[0].split_jokers))
    trial, codes = trials[split : split + 1], codes_of(states[0])
    mine, theirs, shown, roll = codes
    value_of_reroll = reroll_value(numbering, block, guess, trial, codes, int(np.int64(states[0].rolls)), roll_values)
    number = list_options(
        numbering, block, guess, GUESS, trial, mine, theirs, shown, roll, value_of_reroll, moves, sheets, option_chances
    )
    ranked = rank_options(sheets[:number], option_chances[:number], order)
    played_at = place_played(moves[:number], sheets[:number], order, played)
    selected = max(min(ranked, WIDTH), played_at + 1)
    for at in range(selected):
        candidates[at] = moves[order[at]]
        chances[at] = option_chances[order[at]]
        errors[at] = 0.0
        margins[at] = margin(sheets[:number], order[at], theirs)
    stats[NUMBER] = selected
    stats[PLAYED] = played_at


@compiled_with_arrays
def chance(
    states: Any, trials: Any, block: Any, numbers: Any, guesses: Any, ending: Any, options: Any, player: int
) -> float:
    """Like ``Solution.chance``: a player's chance in any position, in points."""
    numbering, guess = Numbering(*numbers), guess_of(guesses, ending)
    moves, sheets, order, option_chances, roll_values = options
    state = states[0]
    turn, rolls, split = int(np.int64(state.turn)), int(np.int64(state.rolls)), int(np.int64(state.split_jokers))
    if state.phase == OVER:
        return POINTS if turn == player else 0.0
    trial, codes = trials[split : split + 1], codes_of(state)
    mine, theirs, shown, roll = codes
    if state.opening:
        turn = 0
        active_chance = round_to_unit(before_opening(numbering, block, guess, GUESS, theirs, mine))
    elif state.phase != CHANCE:
        value_of_reroll = reroll_value(numbering, block, guess, trial, codes, rolls, roll_values)
        number = list_options(
            numbering,
            block,
            guess,
            GUESS,
            trial,
            mine,
            theirs,
            shown,
            roll,
            value_of_reroll,
            moves,
            sheets,
            option_chances,
        )
        rank_options(sheets[:number], option_chances[:number], order)
        active_chance = float(option_chances[order[0]])
    elif rolls > 0 or shown == 0:
        active_chance = round_to_unit(reroll_value(numbering, block, guess, trial, codes, rolls, roll_values))
    else:
        active_chance = round_to_unit(before_turn(numbering, block, guess, GUESS, mine, theirs, shown))
    return active_chance if turn == player else POINTS - active_chance


def exports(state: Buffer, buffers: Mapping[str, Buffer]) -> list[Export]:
    """The exports ``approximation_weigh`` and ``approximation_chance``."""
    tables = approximation(state, buffers)
    int64 = np.dtype(np.int64)
    options = (
        *(Buffer(f"_way_{name}", int64, (dice.MAX_LEGAL,)) for name in ("moves", "sheets", "order")),
        Buffer("_way_chances", np.dtype(np.float64), (dice.MAX_LEGAL,)),
        Buffer("_way_worths", np.dtype(np.float64), (dice.ROLLS,)),
    )
    float64 = np.dtype(np.float64)
    results: dict[str, Argument] = {
        "taken": Buffer("raced", np.dtype(np.int16), (WIDTH + 1,)),
        "chances": Buffer("chances", float64, (WIDTH + 1,)),
        "errors": Buffer("errors", float64, (WIDTH + 1,)),
        "margins": Buffer("margins", float64, (WIDTH + 1,)),
        "going": Buffer("going", np.dtype(np.int32), (STATS_SIZE,)),
    }
    return [
        Export("approximation_weigh", evaluate_moves, {**tables, "ways": options, **results, "played": np.int64}),
        Export("approximation_chance", chance, {**tables, "ways": options, "player": np.int64}),
    ]

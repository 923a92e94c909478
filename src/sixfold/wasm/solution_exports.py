"""The shipped approximation of the two-player dice game, as WebAssembly exports over buffers: its bot, and its reviews.

The tables of the approximation are loaded as data, not linked.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from sixfold.engine.wasm import Buffer, Export
from sixfold.games.dice import rules as dice
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.games.shared.symbols import CHANCE, OVER
from sixfold.review.evaluator import WIDTH
from sixfold.review.model import POINTS
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
from sixfold.solve.play.approximation import Ending, shipped
from sixfold.solve.play.expectimax import GUESS, NO_BLOCK, Guess, best_move, dice_of, look_ahead, sheet_of
from sixfold.solve.positions.outcomes import scoring_state
from sixfold.solve.positions.state_space import Numbering

# The name of the data file.
DATA = "solved"
# The fields of the numbering that the approximation uses; the others are for the value file and stay empty.
_NUMBERING_FIELDS = ("classes", "class_of", "rolls", "roll_of", "chance", "rank_of", "renamed")
_EMPTY = {
    "sheets": Buffer("_sheets", np.dtype(np.int32)),
    "sheet_of": Buffer("_sheet_of", np.dtype(np.int32)),
    "column": Buffer("_column", np.dtype(np.uint8), (1, 1)),
    "columns": Buffer("_columns", np.dtype(np.int32)),
    "place": Buffer("_place", np.dtype(np.int32), (1, 1)),
    "base": Buffer("_base", np.dtype(np.int64)),
}
_GUESS_FIELDS = tuple(name for name in Guess._fields if name != "ending")


class Approximation(NamedTuple):
    """The arguments of a function that uses the approximation."""

    states: Any
    trials: Any  # a state to score in, without and with split jokers
    block: Any
    numbering: Any
    guess: Any


class Options(NamedTuple):
    """Scratch for the options of a decision: moves, the sheets after them, their order and chances, and the values of
    the rolls of a turn."""

    moves: Any
    sheets: Any
    order: Any
    chances: Any
    roll_values: Any


class Evaluations(NamedTuple):
    """The buffers in which a page finds the evaluated moves."""

    moves: Any
    chances: Any
    errors: Any
    margins: Any
    stats: Any


def tables() -> dict[str, np.ndarray]:
    """The arrays of the approximation, in file order."""
    numbering, guess = shipped()
    arrays = {name: getattr(numbering, name) for name in _NUMBERING_FIELDS}
    arrays |= {f"guess_{name}": getattr(guess, name) for name in _GUESS_FIELDS}
    arrays |= {f"ending_{name}": getattr(guess.ending, name) for name in Ending._fields}
    return arrays


def _approximation(state: Buffer, buffers: Mapping[str, Buffer]) -> Approximation:
    trials = np.concatenate([scoring_state(split) for split in (False, True)])
    ending: Any = Ending(*(buffers[f"ending_{name}"] for name in Ending._fields))  # type: ignore[arg-type]
    guess: Any = {name: buffers[f"guess_{name}"] for name in _GUESS_FIELDS}
    numbering: Any = {name: buffers.get(name) or _EMPTY[name] for name in Numbering._fields}
    return Approximation(
        states=state,
        trials=Buffer("_trials", dice.STATE, (2,), trials.tobytes()),
        block=Buffer("_block", NO_BLOCK.dtype, NO_BLOCK.shape),
        numbering=Numbering(**numbering),
        guess=Guess(ending=ending, **guess),
    )


def exports(state: Buffer, buffers: Mapping[str, Buffer]) -> list[Export]:
    """Export the move of the bot that plays by the approximation."""

    @compiled_with_arrays
    def solved(tables: Any) -> int:
        mine, theirs, shown, roll = codes_of(tables.states[0])
        split, rolls = int(np.int64(tables.states[0].split_jokers)), int(np.int64(tables.states[0].rolls))
        trial = tables.trials[split : split + 1]
        return best_move(tables.numbering, tables.block, tables.guess, GUESS, trial, mine, theirs, shown, roll, rolls)

    return [Export("solved", solved, {"tables": _approximation(state, buffers)})]


@compiled
def codes_of(state: np.record) -> tuple[int, int, int, int]:
    """Both sheets, the opponent's dice and the active player's roll, as codes."""
    seat = int(np.int64(state.turn))
    return sheet_of(state, seat), sheet_of(state, 1 - seat), dice_of(state, 1 - seat), dice_of(state, seat)


@compiled
def reroll_value(tables: Any, codes: Any, rolls: int, roll_values: np.ndarray) -> float:
    """The value of the next roll of a turn before it is made."""
    mine, theirs, shown, _ = codes
    if rolls >= dice.ROLLS:
        return NO_ROLL
    split = int(np.int64(tables.states[0].split_jokers))
    trial = tables.trials[split : split + 1]
    look_ahead(tables.numbering, tables.block, tables.guess, GUESS, trial, mine, theirs, shown, roll_values)
    return float(roll_values[rolls])


@compiled_with_arrays
def list_ranked(tables: Any, options: Any, codes: Any) -> tuple[int, int]:
    """List and rank the options of a decision; returns their number, and how many of them differ."""
    mine, theirs, shown, roll = codes
    split = int(np.int64(tables.states[0].split_jokers))
    value_of_reroll = reroll_value(tables, codes, int(np.int64(tables.states[0].rolls)), options.roll_values)
    trial = tables.trials[split : split + 1]
    number = list_options(
        tables.numbering, tables.block, tables.guess, GUESS, trial, mine, theirs, shown, roll, value_of_reroll,
        options.moves, options.sheets, options.chances,
    )  # fmt: skip
    return number, rank_options(options.sheets[:number], options.chances[:number], options.order)


@compiled_with_arrays
def evaluate_moves(tables: Any, options: Any, evaluations: Any, played: int) -> None:
    """Like ``Solution.evaluate_moves``: the moves, their chances and margins, and the index of the played one."""
    codes = codes_of(tables.states[0])
    number, ranked = list_ranked(tables, options, codes)
    played_at = place_played(options.moves[:number], options.sheets[:number], options.order, played)
    selected = max(min(ranked, WIDTH), played_at + 1)
    for at in range(selected):
        option = options.order[at]
        evaluations.moves[at] = options.moves[option]
        evaluations.chances[at] = options.chances[option]
        evaluations.errors[at] = 0.0
        evaluations.margins[at] = margin(options.sheets[:number], option, codes[1])
    evaluations.stats[NUMBER] = selected
    evaluations.stats[PLAYED] = played_at


@compiled_with_arrays
def chance(tables: Any, options: Any, player: int) -> float:
    """Like ``Solution.chance``: a player's chance in any position, in points."""
    state = tables.states[0]
    turn, rolls = int(np.int64(state.turn)), int(np.int64(state.rolls))
    if state.phase == OVER:
        return POINTS if turn == player else 0.0
    codes = codes_of(state)
    mine, theirs, shown, _ = codes
    numbering, block, guess = tables.numbering, tables.block, tables.guess
    if state.opening:
        turn = 0
        active_chance = round_to_unit(before_opening(numbering, block, guess, GUESS, theirs, mine))
    elif state.phase != CHANCE:
        list_ranked(tables, options, codes)
        active_chance = float(options.chances[options.order[0]])
    elif rolls > 0 or shown == 0:
        active_chance = round_to_unit(reroll_value(tables, codes, rolls, options.roll_values))
    else:
        active_chance = round_to_unit(before_turn(numbering, block, guess, GUESS, mine, theirs, shown))
    return active_chance if turn == player else POINTS - active_chance


def review_exports(state: Buffer, buffers: Mapping[str, Buffer]) -> list[Export]:
    """The exports ``approximation_weigh`` and ``approximation_chance``."""
    int64, float64 = np.dtype(np.int64), np.dtype(np.float64)
    arguments = {
        "tables": _approximation(state, buffers),
        "options": Options(
            moves=Buffer("_way_moves", int64, (dice.MAX_LEGAL,)),
            sheets=Buffer("_way_sheets", int64, (dice.MAX_LEGAL,)),
            order=Buffer("_way_order", int64, (dice.MAX_LEGAL,)),
            chances=Buffer("_way_chances", float64, (dice.MAX_LEGAL,)),
            roll_values=Buffer("_way_worths", float64, (dice.ROLLS,)),
        ),
    }
    evaluations = Evaluations(
        moves=Buffer("raced", np.dtype(np.int16), (WIDTH + 1,)),
        chances=Buffer("chances", float64, (WIDTH + 1,)),
        errors=Buffer("errors", float64, (WIDTH + 1,)),
        margins=Buffer("margins", float64, (WIDTH + 1,)),
        stats=Buffer("going", np.dtype(np.int32), (STATS_SIZE,)),
    )
    return [
        Export("approximation_weigh", evaluate_moves, {**arguments, "evaluations": evaluations, "played": np.int64}),
        Export("approximation_chance", chance, {**arguments, "player": np.int64}),
    ]

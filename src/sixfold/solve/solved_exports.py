"""WebAssembly exports for the shipped approximation of the solved game; its tables are loaded as data, not linked."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sixfold.engine.wasm import Argument, Buffer, Export
from sixfold.games.dice import rules as dice
from sixfold.games.shared.compiler import compiled, compiled_with_arrays
from sixfold.solve.play.approximation import Ending, shipped
from sixfold.solve.play.expectimax import GUESS, NO_BLOCK, Guess, best_move, dice_of, sheet_of
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
_GUESS_FIELDS = ("pairs", "slope", "dice", "rows", "order_of")


def tables() -> dict[str, np.ndarray]:
    """The arrays of the approximation, in file order."""
    numbering, guess = shipped()
    arrays = {name: getattr(numbering, name) for name in _NUMBERING_FIELDS}
    arrays |= {f"guess_{name}": getattr(guess, name) for name in _GUESS_FIELDS}
    arrays |= {f"ending_{name}": getattr(guess.ending, name) for name in Ending._fields}
    return arrays


@compiled
def guess_of(guess: Any, ending: Any) -> Guess:
    """Assemble the approximation from its arrays."""
    pairs, slope, dice_seen, rows, order_of = guess
    return Guess(pairs, slope, dice_seen, rows, Ending(*ending), order_of)


def approximation(state: Buffer, buffers: Mapping[str, Buffer]) -> dict[str, Argument]:
    """The arguments of an exported function that uses the approximation."""
    trials = np.concatenate([scoring_state(split) for split in (False, True)])
    return {
        "states": state,
        "trials": Buffer("_trials", dice.STATE, (2,), trials.tobytes()),
        "block": Buffer("_block", NO_BLOCK.dtype, NO_BLOCK.shape),
        "numbering": tuple(buffers.get(name) or _EMPTY[name] for name in Numbering._fields),
        "guess": tuple(buffers[f"guess_{name}"] for name in _GUESS_FIELDS),
        "ending": tuple(buffers[f"ending_{name}"] for name in Ending._fields),
    }


def exports(state: Buffer, buffers: Mapping[str, Buffer]) -> list[Export]:
    """Export the move of the bot that plays by the approximation."""

    @compiled_with_arrays
    def solved(states: Any, trials: Any, block: Any, numbering: Any, guess: Any, ending: Any) -> int:
        state = states[0]
        me = int(np.int64(state.turn))
        split = int(np.int64(state.split_jokers))
        return best_move(
            Numbering(*numbering),
            block,
            guess_of(guess, ending),
            GUESS,
            trials[split : split + 1],
            sheet_of(state, me),
            sheet_of(state, 1 - me),
            dice_of(state, 1 - me),
            dice_of(state, me),
            int(np.int64(state.rolls)),
        )

    return [Export("solved", solved, approximation(state, buffers))]

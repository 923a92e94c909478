"""Solving on an NVIDIA GPU with the same functions: one thread block per pair of sheets."""

import importlib
from typing import Any

import numba
import numpy as np

from sixfold.errors import SetupError
from sixfold.solve.positions.sheets import canonical
from sixfold.solve.positions.state_space import TIES, Numbering, StateSpace, TurnTables, locate
from sixfold.solve.values.equation import UNIT, Side, choose_outcomes, column_value, find_successors, look_up_outcomes

THREADS = 128
BLOCKS = 132 * 8
MAX_SETS = 4096


cuda: Any = importlib.import_module("numba.cuda")


@cuda.jit(device=True)
def prepare(
    numbering: Numbering, turns: TurnTables, values: np.ndarray, opponent: int, which: int, side: Side, thread: int
) -> None:
    """``equation.prepare``, shared by the threads of a block."""
    find_successors(numbering, turns, which, opponent, side, thread, THREADS)
    cuda.syncthreads()
    look_up_outcomes(numbering, turns, values, which, side, thread, THREADS)
    cuda.syncthreads()
    choose_outcomes(turns, which, side, thread, THREADS)
    cuda.syncthreads()


@cuda.jit(device=True)
def update(
    numbering: Numbering, turns: TurnTables, form: int, roll: int, best: np.ndarray, value: np.ndarray,
    other_form: int, shown: int, other_value: np.ndarray, changed: np.ndarray, thread: int,
) -> None:  # fmt: skip
    """Link one side to the other and recompute its values; a thread handles one roll and one column.

    The thread's roll has index ``roll`` on this side and ``shown`` on the other.
    """
    if thread < numbering.rolls.size:
        idle = turns.idle[form // TIES, roll]
        if idle >= 0:
            best[idle] = UNIT - other_value[numbering.column[other_form, shown]]
    if thread == 0:
        changed[0] = 0
    cuda.syncthreads()
    if thread < numbering.columns[form]:
        new_value = column_value(turns, numbering.chance, best, form, thread)
        if abs(new_value - value[thread]) > 1:
            changed[0] = 1
        value[thread] = new_value
    cuda.syncthreads()


@cuda.jit
def solve_pairs(
    numbering: Numbering, turns: TurnTables, values: np.ndarray, mine: np.ndarray, theirs: np.ndarray, at: np.ndarray,
    forms: np.ndarray, orders: np.ndarray, outcomes: np.ndarray,
) -> None:  # fmt: skip
    """``equation.solve_pairs`` with a thread block for each pair."""
    thread = cuda.threadIdx.x
    block = cuda.blockIdx.x
    best = cuda.shared.array((2, MAX_SETS), numba.int32)
    value = cuda.shared.array((2, THREADS), numba.int32)
    changed = cuda.shared.array(1, numba.int32)
    for pair in range(block, mine.size, cuda.gridDim.x):
        offset, form, _ = locate(numbering, mine[pair], theirs[pair])
        other_mine, other_theirs, order = canonical(theirs[pair], mine[pair])
        mirror_offset, other_form, _ = locate(numbering, other_mine, other_theirs)
        side_a = Side(at[block], forms[block], orders[block], outcomes[block], best[0], at, at, at)
        side_b = Side(at[block], forms[block], orders[block], outcomes[block], best[1], at, at, at)
        prepare(numbering, turns, values, theirs[pair], form // TIES, side_a, thread)
        prepare(numbering, turns, values, other_theirs, other_form // TIES, side_b, thread)
        value[0, thread] = 0
        value[1, thread] = 0
        cuda.syncthreads()
        roll = min(thread, numbering.rolls.size - 1)
        renamed_roll = numbering.renamed[numbering.rank_of[order], roll]
        changing = True
        while changing:
            update(numbering, turns, form, roll, best[0], value[0], other_form, renamed_roll, value[1], changed, thread)
            update(numbering, turns, other_form, renamed_roll, best[1], value[1], form, roll, value[0], changed, thread)
            changing = changed[0] == 1
            cuda.syncthreads()
        if thread < numbering.columns[form]:
            values[offset + thread] = value[0, thread]
        if thread < numbering.columns[other_form]:
            values[mirror_offset + thread] = value[1, thread]
        cuda.syncthreads()


class Cuda:
    """Solves pairs on the first NVIDIA GPU."""

    def __init__(self, space: StateSpace, values: np.ndarray) -> None:
        if not cuda.is_available():
            raise SetupError("no CUDA device was found; --device cuda needs one, and pip install 'sixfold[gpu]'")
        self.host_values = values
        self.values = cuda.to_device(values)
        self.numbering = Numbering(*(cuda.to_device(table) for table in space.numbering))
        self.turns = TurnTables(*(cuda.to_device(table) for table in space.turns))
        sizes = [np.diff(starts).max() for starts in (space.turns.successor_at, space.turns.outcome_at)]
        if np.diff(space.turns.set_at).max() > MAX_SETS:
            raise ValueError(f"a block has room for {MAX_SETS} sets of outcomes only")
        arrays = ((sizes[0], np.int64), (sizes[0], np.int32), (sizes[0], np.int16), (sizes[1], np.int32))
        self.scratch = [cuda.device_array((BLOCKS, int(size)), dtype) for size, dtype in arrays]

    def solve(self, mine: np.ndarray, theirs: np.ndarray) -> None:
        """Solve pairs of one level."""
        pairs = cuda.to_device(mine), cuda.to_device(theirs)
        solve_pairs[BLOCKS, THREADS](self.numbering, self.turns, self.values, *pairs, *self.scratch)
        cuda.synchronize()

    def fetch(self) -> None:
        """Copy the values from the GPU to the host."""
        self.values.copy_to_host(self.host_values)

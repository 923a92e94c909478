"""Solving on an NVIDIA card, with the same functions: one block of threads for each pair of sheets."""

import importlib
from functools import cache
from typing import Any

import numba
import numpy as np

from sixfold.games import SetupError
from sixfold.solve.book import TIES, Book, Numbering, TurnTables, locate
from sixfold.solve.equation import UNIT, Side, choose_outcomes, column_value, find_successors, look_up_outcomes
from sixfold.solve.sheets import canonical

THREADS = 128
BLOCKS = 132 * 8
MOST_SETS = 4096


@cache
def kernel() -> Any:
    """The kernel, once there is something to run it on."""
    cuda: Any = importlib.import_module("numba.cuda")

    @cuda.jit
    def solve_pairs(
        numbering: Numbering,
        turns: TurnTables,
        values: np.ndarray,
        mine: np.ndarray,
        theirs: np.ndarray,
        at: np.ndarray,
        forms: np.ndarray,
        orders: np.ndarray,
        outcomes: np.ndarray,
    ) -> None:
        """What ``equation.solve_pairs`` does; a thread works out one column."""
        thread = cuda.threadIdx.x
        block = cuda.blockIdx.x
        best = cuda.shared.array((2, MOST_SETS), numba.int32)
        value = cuda.shared.array((2, THREADS), numba.int32)
        moved = cuda.shared.array(1, numba.int32)
        for pair in range(block, mine.size, cuda.gridDim.x):
            here, form, _ = locate(numbering, mine[pair], theirs[pair])
            mover, watcher, order = canonical(theirs[pair], mine[pair])
            there, other_form, _ = locate(numbering, mover, watcher)
            rank = numbering.rank_of[order]
            sides = 1 if here == there else 2
            for number in range(sides):
                side = Side(at[block], forms[block], orders[block], outcomes[block], best[number], at, at, at)
                which = (form if number == 0 else other_form) // TIES
                opponent = theirs[pair] if number == 0 else watcher
                find_successors(numbering, turns, which, opponent, side, thread, THREADS)
                cuda.syncthreads()
                look_up_outcomes(numbering, turns, values, which, side, thread, THREADS)
                cuda.syncthreads()
                choose_outcomes(turns, which, side, thread, THREADS)
                value[number, thread] = 0
                cuda.syncthreads()
            again = True
            while again:
                for number in range(sides):
                    this = form if number == 0 else other_form
                    other = other_form if number == 0 else form
                    if thread < numbering.rolls.size:
                        seen = numbering.renamed[rank, thread]
                        roll = thread if number == 0 else seen
                        shown = seen if number == 0 else thread
                        idle = turns.idle[this // TIES, roll]
                        if idle >= 0:
                            best[number, idle] = UNIT - value[sides - 1 - number, numbering.column[other, shown]]
                    if thread == 0:
                        moved[0] = 0
                    cuda.syncthreads()
                    if thread < numbering.columns[this]:
                        fresh = column_value(turns, numbering.chance, best[number], this, thread)
                        if abs(fresh - value[number, thread]) > 1:
                            moved[0] = 1
                        value[number, thread] = fresh
                    cuda.syncthreads()
                    again = moved[0] == 1
                    cuda.syncthreads()
            if thread < numbering.columns[form]:
                values[here + thread] = value[0, thread]
            if sides == 2 and thread < numbering.columns[other_form]:
                values[there + thread] = value[1, thread]
            cuda.syncthreads()

    return solve_pairs


class Cuda:
    """The first NVIDIA card."""

    def __init__(self, book: Book, values: np.ndarray) -> None:
        cuda: Any = importlib.import_module("numba.cuda")
        if not cuda.is_available():
            raise SetupError("no CUDA device was found; --device cuda needs one, and `pip install sixfold[gpu]`")
        self._cuda = cuda
        self.home = values
        self.values = cuda.to_device(values)
        self.numbering = Numbering(*(cuda.to_device(table) for table in book.numbering))
        self.turns = TurnTables(*(cuda.to_device(table) for table in book.turns))
        sizes = [np.diff(starts).max() for starts in (book.turns.successor_at, book.turns.outcome_at)]
        if np.diff(book.turns.set_at).max() > MOST_SETS:
            raise ValueError(f"a block has room for {MOST_SETS} sets of outcomes only")
        kinds = ((sizes[0], np.int64), (sizes[0], np.int32), (sizes[0], np.int16), (sizes[1], np.int32))
        self.rooms = [cuda.device_array((BLOCKS, int(size)), kind) for size, kind in kinds]

    def solve(self, mine: np.ndarray, theirs: np.ndarray) -> None:
        """Solve pairs of one level."""
        pairs = self._cuda.to_device(mine), self._cuda.to_device(theirs)
        blocks = max(1, min(len(mine), BLOCKS))
        kernel()[blocks, THREADS](self.numbering, self.turns, self.values, *pairs, *self.rooms)
        self._cuda.synchronize()

    def fetch(self) -> None:
        """Bring the values home from the card."""
        self.values.copy_to_host(self.home)

"""What symbols hear of their pairs in a round of a graph net, on a CUDA device.

Written for Triton, which comes with PyTorch for CUDA: what the pairs say is never kept, only what comes of it. Kept, it
takes most of a training's time to write and to read.
"""

from typing import Any

import torch
import triton
import triton.language as tl

# Positions and columns of a block; and how many blocks add up the weights' gradients, each by itself.
POSITIONS, COLUMNS, ADDING = 32, 32, 1056
# What is the most of all is reckoned twice and may come out differently in its last digits.
NEARLY = tl.constexpr(1 - 1e-5)


@triton.jit
def pair_says(told, met, weights, rows, columns, mask, one, other, width: tl.constexpr, numbers: tl.constexpr):
    """What two symbols' pair says before what is negative goes, its numbers, and whether it is held."""
    low, high = tl.minimum(one, other), tl.maximum(one, other)
    at = told + (rows * 15 + low * (11 - low) // 2 + high - low - 1) * numbers
    known = tl.load(at[:, None] + tl.arange(0, numbers)[None, :])
    of_low = tl.load(met + (rows[:, None] * 6 + low) * width + columns[None, :], mask=mask, other=0.0)
    of_high = tl.load(met + (rows[:, None] * 6 + high) * width + columns[None, :], mask=mask, other=0.0)
    said = tl.dot(known, weights) + (of_low.to(tl.float32) + of_high.to(tl.float32))
    return said, known, tl.load(at) > 0.0


@triton.jit
def there(
    told, met, weight, heard, best, number, width: tl.constexpr, numbers: tl.constexpr, with_best: tl.constexpr,
    positions: tl.constexpr, size: tl.constexpr,
):  # fmt: skip
    """What every symbol hears; a block behind the last position looks at that one again."""
    rows = tl.minimum(tl.program_id(0) * positions + tl.arange(0, positions), number - 1)
    columns = tl.program_id(1) * size + tl.arange(0, size)
    inside = columns[None, :] < width
    weights = tl.load(weight + tl.arange(0, numbers)[:, None] * width + columns[None, :], mask=inside, other=0.0)
    for symbol in range(6):
        total = tl.zeros((positions, size), tl.float32)
        most = tl.zeros((positions, size), tl.float32)
        for step in range(1, 6):
            other = (symbol + step) % 6
            said, _, held = pair_says(told, met, weights, rows, columns, inside, symbol, other, width, numbers)
            total += tl.maximum(said, 0.0)
            if with_best:
                most = tl.maximum(most, tl.where(held[:, None], said, 0.0))
        at = (rows[:, None] * 6 + symbol) * width + columns[None, :]
        tl.store(heard + at, total.to(heard.dtype.element_ty), mask=inside)
        if with_best:
            tl.store(best + at, most, mask=inside)


@triton.jit
def wish_for_most(said, held, best, of_best, mask):
    """What is wanted of a pair that says the most of all."""
    most = tl.load(best, mask=mask, other=0.0)
    return tl.where(held[:, None] & (said >= most * NEARLY), tl.load(of_best, mask=mask, other=0.0), 0.0)


@triton.jit
def back(
    told, met, weight, best, of_heard, of_best, of_met, of_weight, number, width: tl.constexpr, numbers: tl.constexpr,
    with_best: tl.constexpr, positions: tl.constexpr, size: tl.constexpr,
):  # fmt: skip
    """What is wanted of what symbols say, and of the weights: every pair is seen twice there."""
    columns = tl.program_id(1) * size + tl.arange(0, size)
    inside = columns[None, :] < width
    weights_at = tl.arange(0, numbers)[:, None] * width + columns[None, :]
    weights = tl.load(weight + weights_at, mask=inside, other=0.0)
    added = tl.zeros((numbers, size), tl.float32)
    for block in range(tl.program_id(0), tl.cdiv(number, positions), tl.num_programs(0)):
        places = block * positions + tl.arange(0, positions)
        rows = tl.minimum(places, number - 1)
        mask = inside & (places < number)[:, None]
        for symbol in range(6):
            at = (rows[:, None] * 6 + symbol) * width + columns[None, :]
            of_symbol = tl.load(of_heard + at, mask=mask, other=0.0).to(tl.float32)
            total = tl.zeros((positions, size), tl.float32)
            for step in range(1, 6):
                other = (symbol + step) % 6
                said, known, held = pair_says(told, met, weights, rows, columns, mask, symbol, other, width, numbers)
                too = (rows[:, None] * 6 + other) * width + columns[None, :]
                wanted = of_symbol + tl.load(of_heard + too, mask=mask, other=0.0).to(tl.float32)
                if with_best:
                    wanted += wish_for_most(said, held, best + at, of_best + at, mask)
                    wanted += wish_for_most(said, held, best + too, of_best + too, mask)
                wanted = tl.where(said > 0.0, wanted, 0.0)
                total += wanted
                added += tl.dot(tl.trans(known), wanted.to(known.dtype))
            tl.store(of_met + at, total.to(of_met.dtype.element_ty), mask=mask)
    tl.atomic_add(of_weight + weights_at, added * 0.5, mask=inside)


class Meeting(torch.autograd.Function):
    """What symbols hear, and the most that any pair of each says that is held, where it is asked for.

    ``told`` are the numbers of pairs, a multiple of 16, ``met`` what symbols say to their pairs.
    """

    @staticmethod
    def forward(ctx: Any, told: torch.Tensor, met: torch.Tensor, weight: torch.Tensor, best: bool) -> Any:
        number, _, width = met.shape
        heard = torch.empty_like(met)
        most = torch.empty(met.shape if best else (0,), dtype=torch.float32, device=met.device)
        blocks = (triton.cdiv(number, POSITIONS), triton.cdiv(width, COLUMNS))
        there[blocks](told, met, weight, heard, most, number, width, told.shape[2], best, POSITIONS, COLUMNS)
        ctx.save_for_backward(told, met, weight, most)
        ctx.best = best
        return heard, most

    @staticmethod
    def backward(ctx: Any, *wanted: torch.Tensor) -> Any:
        told, met, weight, most = ctx.saved_tensors
        number, _, width = met.shape
        of_heard, of_most = (wish.contiguous() for wish in wanted)
        of_met = torch.empty_like(met)
        of_weight = torch.zeros(weight.shape, dtype=torch.float32, device=met.device)
        columns = triton.cdiv(width, COLUMNS)
        blocks = (min(triton.cdiv(number, POSITIONS), triton.cdiv(ADDING, columns)), columns)
        given = (told, met, weight, most, of_heard, of_most, of_met, of_weight)
        back[blocks](*given, number, width, told.shape[2], ctx.best, POSITIONS, COLUMNS)
        return None, of_met, of_weight.to(weight.dtype), None

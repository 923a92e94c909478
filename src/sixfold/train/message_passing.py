"""The message passing of a graph net's round as Triton kernels, for a GPU.

Triton comes with PyTorch for CUDA. The activations of the pairs are recomputed instead of stored: writing and reading
them would take most of the training time.
"""

from typing import Any

import torch
import triton
import triton.language as tl

# The positions and columns of a block, and the number of blocks that each sum up the weights' gradients.
POSITIONS, COLUMNS, REDUCTION_BLOCKS = 32, 32, 1056
# The maximum is recomputed in the backward pass and may differ in its last digits.
TIE_TOLERANCE = tl.constexpr(1 - 1e-5)


@triton.jit
def pair_activation(
    pair_inputs, messages, weights, rows, columns, mask, first, second, width: tl.constexpr, numbers: tl.constexpr
):
    """The activation of a pair before the ReLU, its inputs, and whether it is held."""
    low, high = tl.minimum(first, second), tl.maximum(first, second)
    at = pair_inputs + (rows * 15 + low * (11 - low) // 2 + high - low - 1) * numbers
    inputs = tl.load(at[:, None] + tl.arange(0, numbers)[None, :])
    of_low = tl.load(messages + (rows[:, None] * 6 + low) * width + columns[None, :], mask=mask, other=0.0)
    of_high = tl.load(messages + (rows[:, None] * 6 + high) * width + columns[None, :], mask=mask, other=0.0)
    activation = tl.dot(inputs, weights) + (of_low.to(tl.float32) + of_high.to(tl.float32))
    return activation, inputs, tl.load(at) > 0.0


@triton.jit
def forward_kernel(
    pair_inputs, messages, weight, received, best, number, width: tl.constexpr, numbers: tl.constexpr,
    with_best: tl.constexpr, positions: tl.constexpr, size: tl.constexpr,
):  # fmt: skip
    """The messages that every symbol receives; indices past the last position repeat that one."""
    rows = tl.minimum(tl.program_id(0) * positions + tl.arange(0, positions), number - 1)
    columns = tl.program_id(1) * size + tl.arange(0, size)
    inside = columns[None, :] < width
    weights = tl.load(weight + tl.arange(0, numbers)[:, None] * width + columns[None, :], mask=inside, other=0.0)
    for symbol in range(6):
        total = tl.zeros((positions, size), tl.float32)
        maximum = tl.zeros((positions, size), tl.float32)
        for step in range(1, 6):
            other = (symbol + step) % 6
            activation, _, is_held = pair_activation(
                pair_inputs, messages, weights, rows, columns, inside, symbol, other, width, numbers
            )
            total += tl.maximum(activation, 0.0)
            if with_best:
                maximum = tl.maximum(maximum, tl.where(is_held[:, None], activation, 0.0))
        at = (rows[:, None] * 6 + symbol) * width + columns[None, :]
        tl.store(received + at, total.to(received.dtype.element_ty), mask=inside)
        if with_best:
            tl.store(best + at, maximum, mask=inside)


@triton.jit
def max_gradient(activation, is_held, best, grad_best, mask):
    """The gradient of the maximum for a pair that attains it."""
    maximum = tl.load(best, mask=mask, other=0.0)
    return tl.where(
        is_held[:, None] & (activation >= maximum * TIE_TOLERANCE), tl.load(grad_best, mask=mask, other=0.0), 0.0
    )


@triton.jit
def backward_kernel(
    pair_inputs, messages, weight, best, grad_received, grad_best, grad_messages, grad_weight, number,
    width: tl.constexpr, numbers: tl.constexpr, with_best: tl.constexpr, positions: tl.constexpr, size: tl.constexpr,
):  # fmt: skip
    """The gradients of the symbols' messages and of the weights; every pair is visited twice, so weights are halved."""
    columns = tl.program_id(1) * size + tl.arange(0, size)
    inside = columns[None, :] < width
    weights_at = tl.arange(0, numbers)[:, None] * width + columns[None, :]
    weights = tl.load(weight + weights_at, mask=inside, other=0.0)
    weight_sum = tl.zeros((numbers, size), tl.float32)
    for block in range(tl.program_id(0), tl.cdiv(number, positions), tl.num_programs(0)):
        places = block * positions + tl.arange(0, positions)
        rows = tl.minimum(places, number - 1)
        mask = inside & (places < number)[:, None]
        for symbol in range(6):
            at = (rows[:, None] * 6 + symbol) * width + columns[None, :]
            grad_symbol = tl.load(grad_received + at, mask=mask, other=0.0).to(tl.float32)
            total = tl.zeros((positions, size), tl.float32)
            for step in range(1, 6):
                other = (symbol + step) % 6
                activation, inputs, is_held = pair_activation(
                    pair_inputs, messages, weights, rows, columns, mask, symbol, other, width, numbers
                )
                at_other = (rows[:, None] * 6 + other) * width + columns[None, :]
                gradient = grad_symbol + tl.load(grad_received + at_other, mask=mask, other=0.0).to(tl.float32)
                if with_best:
                    gradient += max_gradient(activation, is_held, best + at, grad_best + at, mask)
                    gradient += max_gradient(activation, is_held, best + at_other, grad_best + at_other, mask)
                gradient = tl.where(activation > 0.0, gradient, 0.0)
                total += gradient
                weight_sum += tl.dot(tl.trans(inputs), gradient.to(inputs.dtype))
            tl.store(grad_messages + at, total.to(grad_messages.dtype.element_ty), mask=mask)
    tl.atomic_add(grad_weight + weights_at, weight_sum * 0.5, mask=inside)


class MessagePassing(torch.autograd.Function):
    """The messages that symbols receive, and if ``best`` is set the maximum activation of each symbol's held pairs.

    ``pair_inputs`` are the inputs of the pairs, a multiple of 16 each, ``messages`` those of the symbols to their
    pairs.
    """

    @staticmethod
    def forward(ctx: Any, pair_inputs: torch.Tensor, messages: torch.Tensor, weight: torch.Tensor, best: bool) -> Any:
        number, _, width = messages.shape
        received = torch.empty_like(messages)
        maximum = torch.empty(messages.shape if best else (0,), dtype=torch.float32, device=messages.device)
        blocks = (triton.cdiv(number, POSITIONS), triton.cdiv(width, COLUMNS))
        forward_kernel[blocks](
            pair_inputs,
            messages,
            weight,
            received,
            maximum,
            number,
            width,
            pair_inputs.shape[2],
            best,
            POSITIONS,
            COLUMNS,
        )
        ctx.save_for_backward(pair_inputs, messages, weight, maximum)
        ctx.best = best
        return received, maximum

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        pair_inputs, messages, weight, maximum = ctx.saved_tensors
        number, _, width = messages.shape
        grad_received, grad_maximum = (gradient.contiguous() for gradient in gradients)
        grad_messages = torch.empty_like(messages)
        grad_weight = torch.zeros(weight.shape, dtype=torch.float32, device=messages.device)
        columns = triton.cdiv(width, COLUMNS)
        blocks = (min(triton.cdiv(number, POSITIONS), triton.cdiv(REDUCTION_BLOCKS, columns)), columns)
        tensors = (pair_inputs, messages, weight, maximum, grad_received, grad_maximum, grad_messages, grad_weight)
        backward_kernel[blocks](*tensors, number, width, pair_inputs.shape[2], ctx.best, POSITIONS, COLUMNS)
        return None, grad_messages, grad_weight.to(weight.dtype), None

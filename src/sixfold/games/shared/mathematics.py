"""exp, log and tanh with bit-identical results on every platform, using only IEEE arithmetic and bit operations.

Library functions differ in the last digit between processors and between server and browser, which can change a bot's
choice. Square roots are exact by IEEE 754, so the platform's own is used.
"""

import numpy as np

from sixfold.games.shared.compiler import compiled

_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
_PER_LN2 = 1.44269504088896338700
_LARGEST = 709.0
_SMALLEST = -708.0
_ROOT_HALF = 0.70710678118654752440
_BIAS = 1023
_MANTISSA = np.int64((1 << 52) - 1)


def _exp(x: float) -> float:
    """e to the power of x, clamped to the range of normal numbers."""
    x = min(max(float(x), _SMALLEST), _LARGEST)
    # x = whole * ln 2 + rest, and the rest is small: the polynomial is Remez's for rest / tanh(rest / 2).
    whole = np.int64(np.floor(x * _PER_LN2 + 0.5))
    high = x - whole * _LN2_HIGH
    low = whole * _LN2_LOW
    rest = high - low
    square = rest * rest
    inner = 6.61375632143793436117e-05 + square * (-1.65339022054652515390e-06 + square * 4.13813679705723846039e-08)
    outer = 1.66666666666666019037e-01 + square * (-2.77777777770155933842e-03 + square * inner)
    bent = rest - square * outer
    value = 1.0 - ((low - (rest * bent) / (2.0 - bent)) - high)
    # 2 to the power of ``whole``, by its bits.
    return float(value * np.int64((whole + _BIAS) << np.int64(52)).view(np.float64))


def _log(x: float) -> float:
    """The natural logarithm of a positive normal number."""
    word = np.float64(x).view(np.int64)
    whole = (word >> np.int64(52)) - _BIAS
    part = float(np.int64((word & _MANTISSA) | (np.int64(_BIAS) << np.int64(52))).view(np.float64))
    # From 1 ≤ part < 2 to a part around 1, where the series converges quickest.
    if part > 2.0 * _ROOT_HALF:
        part = part * 0.5
        whole = whole + 1
    over = part - 1.0
    ratio = over / (2.0 + over)
    square = ratio * ratio
    tail = 1.818357216161805012e-01 + square * (1.531383769920937332e-01 + square * 1.479819860511658591e-01)
    series = 2.857142874366239149e-01 + square * (2.222219843214978396e-01 + square * tail)
    series = square * (6.666666666666735130e-01 + square * (3.999999999940941908e-01 + square * series))
    half = 0.5 * over * over
    return float(whole * _LN2_HIGH - ((half - (ratio * (half + series) + whole * _LN2_LOW)) - over))


exp = compiled(_exp)
log = compiled(_log)


@compiled
def tanh(x: float) -> float:
    """The hyperbolic tangent; its absolute error near 0 is that of a sum with 1."""
    return 1.0 - 2.0 / (exp(2.0 * x) + 1.0)


def exponentials(numbers: np.ndarray) -> np.ndarray:
    """e to the power of every number of an array, for tables that are computed when a module is imported."""
    return np.array([_exp(number) for number in numbers.flat]).reshape(numbers.shape)

"""Our own exp, log and tanh: right to the last digit but one, and the same in Python as compiled."""

import math
from decimal import Decimal, getcontext

import numpy as np
import pytest

from sixfold.games.shared import mathematics


def error(found: float, exact: Decimal) -> float:
    """In units of the last digit."""
    return float(abs(Decimal(found) - exact) / Decimal(math.ulp(found)))


@pytest.fixture(autouse=True)
def _exact() -> None:
    getcontext().prec = 40


def test_exp_is_right_to_less_than_one_unit_of_the_last_digit() -> None:
    chance = np.random.default_rng(1)
    for x in [0.0, -0.0, 1.0, *chance.uniform(-40, 40, 2000), *chance.uniform(-700, 700, 500)]:
        found = mathematics.exp(float(x))
        assert error(found, Decimal(float(x)).exp()) < 1
        assert mathematics.exponentials(np.array([x]))[0] == found


def test_log_is_right_to_less_than_one_unit_of_the_last_digit() -> None:
    chance = np.random.default_rng(2)
    numbers = [*chance.uniform(0, 10, 2000), *chance.uniform(0.99, 1.01, 500), *2.0 ** chance.uniform(-900, 900, 500)]
    for x in numbers:
        assert error(mathematics.log(float(x)), Decimal(float(x)).ln()) < 1
    assert mathematics.log(1.0) == 0.0


def test_tanh_is_as_exact_as_one() -> None:
    for x in np.random.default_rng(3).uniform(-20, 20, 1000):
        assert mathematics.tanh(float(x)) == pytest.approx(math.tanh(x), abs=4e-16)


def test_exp_stays_finite_where_it_would_leave_the_numbers() -> None:
    assert 0 < mathematics.exp(-1e9) < 1e-300
    assert 1e300 < mathematics.exp(1e9) < math.inf

"""Rising factorials against products of exact numbers."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln

from suffice.families.beliefs.log_rising_factorial import log_rising


@given(st.floats(1e-6, 1e12), st.integers(1, 60))
def test_against_the_product(a: float, x: int) -> None:
    with localcontext() as context:
        context.prec = 50
        true = sum(((Decimal(a) + i).ln() for i in range(x)), Decimal(0))
        assert abs(Decimal(float(log_rising(a, x))) - true) <= Decimal("1e-14") * max(abs(true), 1)


def test_a_difference_of_log_gammas_would_lose_the_digits() -> None:
    a = 1e9
    true = 3 * np.log(a) + np.log1p(1 / a) + np.log1p(2 / a)
    assert log_rising(a, 3.0) == pytest.approx(true, rel=1e-15)
    assert abs(gammaln(a + 3.0) - gammaln(a) - true) > 1e-8


def test_the_two_forms_meet() -> None:
    a = np.array([np.nextafter(16.0, 0.0), 16.0])
    for x in (0.5, 1.0, 7.0, 1000.0):
        below, above = log_rising(a, x)
        assert below == pytest.approx(above, rel=4e-15)


def test_limits() -> None:
    assert log_rising(0.0, np.array([0.0, 1.0, 2.5])).tolist() == [0.0, -np.inf, -np.inf]
    assert log_rising(np.array([0.0, 3.0, 1e300]), 0.0).tolist() == [0.0, 0.0, 0.0]
    assert log_rising(np.zeros((2, 1)), np.zeros(3)).shape == (2, 3)

"""Values of linear functions in one pass, against products of exact fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from suffice.numerics.linear_values import CACHED, complete_values, linear_values

RNG = np.random.default_rng(3)
SIZES = [(1, 3), (40, 5), (CACHED // 8 + 3, 8), (CACHED, 3)]


@pytest.mark.parametrize(("n", "p"), SIZES)
@pytest.mark.parametrize("offset", [0.0, 1.5, 1e8])
def test_values_are_those_of_exact_products(n: int, p: int, offset: float) -> None:
    X, coef, at = RNG.normal(size=(n, p)) + offset, RNG.normal(size=(4, p)), RNG.normal(size=4)
    centre = np.full(p, offset)
    values = complete_values(X, coef, at, centre)
    assert values is not None
    assert values.shape == (n, 4)
    np.testing.assert_allclose(values, linear_values(X, coef, at, centre), rtol=0, atol=1e-13)
    for i in (0, n // 2, n - 1):
        near = [Fraction(x) - Fraction(offset) for x in X[i].tolist()]
        exact = Fraction(at[1]) + sum(a * Fraction(b) for a, b in zip(near, coef[1].tolist(), strict=True))
        assert abs(values[i, 1] - float(exact)) < 1e-13


@pytest.mark.parametrize(("n", "p"), SIZES)
@pytest.mark.parametrize("cell", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("centre", [0.0, 2.0])
def test_a_cell_that_is_not_finite_is_noticed_whatever_its_coefficient(
    n: int, p: int, cell: float, centre: float
) -> None:
    X, coef = RNG.normal(size=(n, p)), RNG.normal(size=(2, p))
    coef[:, 1] = 0.0
    X[n - 1, 1] = cell
    assert complete_values(X, coef, np.zeros(2), np.full(p, centre)) is None


def test_columns_of_any_order_and_type_are_read() -> None:
    X, coef = RNG.normal(size=(6000, 7)), RNG.normal(size=(3, 7))
    about: Any = coef, np.ones(3), np.ones(7)
    right: Any = complete_values(X, *about)
    for other in (np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2]):
        again: Any = complete_values(other, *about)
        np.testing.assert_allclose(again, right, rtol=0, atol=1e-14)
    narrow: Any = complete_values(X.astype(np.float32), *about)
    np.testing.assert_allclose(narrow, right, rtol=0, atol=1e-5)

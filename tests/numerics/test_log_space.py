"""Sums and posteriors in logs: right to the last digits, and never a nan or a warning that was not asked for."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.core.block import Array
from suffice.decision import log_sum_exp, normalize
from suffice.numerics.log_space import likeliest

FINITE = st.floats(-1e6, 1e6)


@pytest.fixture(autouse=True)
def _strict() -> Iterator[None]:
    """Any warning, and any floating-point signal but underflow, is a failure."""
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
        warnings.simplefilter("error")
        yield


def slow(b: list[float]) -> float:
    """Log-sum-exp with every term summed exactly."""
    top = max(b)
    return top + math.log(math.fsum(math.exp(v - top) for v in b))


@given(b=st.lists(FINITE, min_size=1, max_size=30))
def test_log_sum_exp_against_exact_summation(b: list[float]) -> None:
    """P.M206: relative to the larger of the result and 1, only rounding."""
    assert log_sum_exp(b) == pytest.approx(slow(b), rel=1e-14, abs=1e-14)


@given(b=st.lists(st.floats(-700, 700), min_size=1, max_size=8), shift=st.sampled_from([-1e5, -745.0, 0.0, 710.0, 1e5]))
def test_a_common_factor_comes_out(b: list[float], shift: float) -> None:
    """P.M206: log sum e^(b + s) = s + log sum e^b."""
    assert log_sum_exp(np.add(b, shift)) == pytest.approx(log_sum_exp(b) + shift, rel=1e-14, abs=1e-9)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, (0, 2), None])
def test_any_axis(axis: int | tuple[int, ...] | None) -> None:
    """P.M206: along any axis, the shape that `sum` would give."""
    b = np.random.default_rng(0).normal(0, 5, (3, 4, 5))
    expected = np.log(np.exp(b).sum(axis=axis))
    assert np.shape(log_sum_exp(b, axis=axis)) == expected.shape
    np.testing.assert_allclose(log_sum_exp(b, axis=axis), expected, rtol=1e-13)


def test_not_finite_maxima() -> None:
    """P.M206: the maximum is the answer; a nan stays a nan; nothing sums to log 0."""
    inf, nan = np.inf, np.nan
    b = np.array([[-inf, -inf], [inf, -inf], [inf, inf], [inf, 1e308], [nan, 1.0], [-inf, 2.0]])
    np.testing.assert_array_equal(log_sum_exp(b), [-inf, inf, inf, inf, nan, 2.0])
    np.testing.assert_array_equal(log_sum_exp(np.zeros((2, 0))), [-inf, -inf])
    assert log_sum_exp(np.zeros((0, 3))).shape == (0,)
    assert log_sum_exp([1e308, -1e308]) == 1e308


@given(
    b=st.lists(st.lists(FINITE | st.just(-np.inf) | st.just(np.inf), min_size=3, max_size=3), min_size=1, max_size=9)
)
def test_every_row_is_a_distribution(b: list[list[float]]) -> None:
    """Whatever the densities, infinite ones included, each row sums to 1."""
    proba = np.exp(normalize(b))
    assert (proba >= 0).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, rtol=0, atol=1e-15)


def test_no_digit_is_lost_to_a_large_offset() -> None:
    """Rows that differ by 1e9 in every class have the same posterior, exactly."""
    near, far = normalize([[0.0, -1.0, -40.0], [-1e9, -1e9 - 1.0, -1e9 - 40.0]])
    np.testing.assert_array_equal(near, far)
    assert near[2] == pytest.approx(-40.0 - math.log(1 + math.exp(-1) + math.exp(-40)), rel=1e-15)


@pytest.mark.parametrize(
    ("log_prior", "expected"),
    [
        (None, [1 / 3, 1 / 3, 1 / 3]),
        (np.log([0.5, 0.25, 0.25]), [0.5, 0.25, 0.25]),
        ([0.0, -np.inf, -np.inf], [1, 0, 0]),
    ],
)
def test_an_impossible_row_gets_the_prior(log_prior: Array | None, expected: list[float]) -> None:
    """A row impossible under every class falls back; its neighbours are not touched."""
    b = np.array([[-np.inf] * 3, [-2.0, -2.0, -np.inf]])
    proba = np.exp(normalize(b, log_prior))
    np.testing.assert_allclose(proba, [expected, [0.5, 0.5, 0.0]], rtol=1e-15)
    np.testing.assert_array_equal(b[0], -np.inf)


def test_infinite_densities_share_the_row_and_nan_stays() -> None:
    """+inf beats everything finite; a nan is somebody's mistake and must stay visible, in its row only."""
    inf = np.inf
    b = np.array([[inf, 5.0, -inf], [inf, inf, 0.0], [np.nan, 0.0, 0.0], [0.0, 0.0, -inf]])
    np.testing.assert_array_equal(np.exp(normalize(b)), [[1, 0, 0], [0.5, 0.5, 0], [np.nan] * 3, [0.5, 0.5, 0]])


def test_one_row_many_rows_and_one_class() -> None:
    """Any leading shape; with one class it is certain."""
    b = np.log([[0.25, 0.75], [0.5, 0.5]])
    np.testing.assert_array_equal(normalize(b[0]), normalize(b)[0])
    np.testing.assert_array_equal(normalize(b[None]), normalize(b)[None])
    np.testing.assert_array_equal(normalize([-np.inf, -np.inf]), np.log([0.5, 0.5]))
    np.testing.assert_array_equal(normalize([[-3.0], [-np.inf], [np.inf]]), [[0.0]] * 3)
    assert normalize(np.zeros((0, 4))).shape == (0, 4)


@pytest.mark.parametrize("n", [1, 5, 200])
def test_the_likeliest_class_is_that_of_the_largest_posterior(n: int) -> None:
    rng = np.random.default_rng(n)
    joint = rng.integers(-3, 3, size=(n, 4)).astype(float) + 1e-12 * rng.integers(0, 2, size=(n, 4))  # ties, and nearly
    joint[rng.random((n, 4)) < 0.2] = -np.inf
    joint[: n // 5] = -np.inf
    prior = np.log([0.1, 0.4, 0.4, 0.1])

    def posterior(rows: Array) -> Array:
        return np.exp(normalize(rows, prior))

    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(likeliest(joint, posterior), posterior(joint).argmax(axis=1))
    clear = rng.normal(size=(n, 4))
    np.testing.assert_array_equal(likeliest(clear, None), clear.argmax(axis=1))  # type: ignore[arg-type]


@pytest.mark.parametrize("K", [3, 127, 128])
@pytest.mark.parametrize("order", ["C", "F"])
def test_many_classes_and_either_order_of_cells(K: int, order: Literal["C", "F"]) -> None:
    clear = np.asarray(np.random.default_rng(K).permuted(np.arange(70.0 * K).reshape(70, K), axis=1), order=order)
    found = likeliest(clear, None)  # type: ignore[arg-type]
    np.testing.assert_array_equal(found, clear.argmax(axis=1))
    assert found.dtype == np.intp

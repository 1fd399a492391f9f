"""Shorter ways for small tables say what the long ones do."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from suffice.core.double_double import exact
from suffice.core.errors import BadInput
from suffice.core.shares import Shares
from suffice.summaries import power_sums
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.least_squares import LeastSquaresSummary
from suffice.summaries.moments import Moments
from suffice.summaries.roots import paired_root as roots
from suffice.summaries.roots.paired_root import _by_columns, _corrected, paired_root
from suffice.summaries.sharp_products import few_moments, products, sharp_moments, slices
from tests.summaries.rationals import covariance

RNG = np.random.default_rng(5)
NOBODY = np.array([0, 1, -1, 1, 2] * 20, dtype=np.int32)


@pytest.mark.parametrize("shape", [(100, 3), (100, 1)])
def test_whole_numbers_are_summed_to_the_last_bit(shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    X, R = RNG.integers(-9, 99, size=shape).astype(float), Shares.hard(NOBODY, 4)
    quick = Moments.of(X, R)
    monkeypatch.setattr(power_sums, "whole_numbers", lambda X, shift: None)
    slow = Moments.of(X, R)
    np.testing.assert_array_equal(quick.rows, slow.rows)
    for mine, theirs in zip((quick.weight, *quick.sums), (slow.weight, *slow.sums), strict=True):
        np.testing.assert_array_equal(mine.high, theirs.high)
        np.testing.assert_array_equal(mine.low, theirs.low)


def test_what_is_not_whole_or_too_large_goes_the_long_way() -> None:
    X, shift = np.ones((5, 2)), np.zeros(2)
    assert power_sums.whole_numbers(X, shift) is not None
    assert power_sums.whole_numbers(X, shift + 0.5) is None
    for cell in (0.5, np.nan, np.inf, 2.0**26, 1e200):
        odd = X.copy()
        odd[4, 1] = cell
        assert power_sums.whole_numbers(odd, shift) is None
    later = np.vstack([np.ones((100, 2)), [[1.0, 0.25]]])
    assert power_sums.whole_numbers(later, shift) is None


@pytest.mark.parametrize("digits", [0, 2, 3])
def test_a_corrected_root_is_right_to_the_last_bit_but_one(digits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    U, _, V = np.linalg.svd(RNG.normal(size=(60, 9)), full_matrices=False)
    cut = slices(exact((U * np.logspace(0, -digits, 9)) @ V * np.logspace(-5, 5, 9)))
    S = products(cut, cut)
    slow = _by_columns(S)
    monkeypatch.setattr(roots, "_by_columns", None)
    quick = paired_root(S)
    assert slow is not None
    assert quick is not None
    length = np.sqrt((slow**2).sum(axis=0))
    np.testing.assert_allclose(quick / length, slow / length, rtol=0, atol=4e-16)


def test_a_root_of_nearly_dependent_columns_is_taken_in_pairs() -> None:
    X = RNG.normal(size=(30, 3))
    X = np.column_stack([X, X @ [1.0, 1.0, 1.0] + 1e-7 * RNG.normal(size=30)])
    cut = slices(exact(X))
    S = products(cut, cut)
    assert _corrected(S) is None
    np.testing.assert_array_equal(paired_root(S), _by_columns(S))
    twice = np.column_stack([X[:, :2], X[:, 0]])
    cut = slices(exact(twice))
    assert paired_root(products(cut, cut)) is None
    flat = paired_root(exact(np.diag([4.0, 0.0, 9.0])))
    np.testing.assert_array_equal(flat, np.diag([2.0, 0.0, 3.0]))


@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_products_of_few_rows_are_those_of_the_long_way(offset: float) -> None:
    X, Y = RNG.normal(size=(100, 3)) + offset, RNG.normal(size=(100, 1))
    for R in (Shares.hard(np.zeros(100, dtype=np.int32), 1), Shares.hard(NOBODY, 4)):
        few = few_moments(X, R, Y)
        assert few is not None
        long = sharp_moments(X, R, np.append(X[0], 0.0), Y)
        np.testing.assert_array_equal(few.rows, long.rows)
        np.testing.assert_allclose(few.scatter.value, long.scatter.value, rtol=1e-14, atol=1e-13)
        np.testing.assert_allclose(few.mean.value, long.mean.value, rtol=1e-15)


def test_products_of_few_rows_are_exact_to_25_digits() -> None:
    X = RNG.normal(size=(40, 2)) * 1e3
    few = few_moments(X, Shares.hard(np.zeros(40, dtype=np.int32), 1), np.empty((40, 0)))
    assert few is not None
    cells = [[Fraction(cell) for cell in row] for row in X]
    means = [sum(column) / 40 for column in zip(*cells, strict=True)]
    for a, b in ((0, 0), (0, 1), (1, 1)):
        true = sum((row[a] - means[a]) * (row[b] - means[b]) for row in cells)
        found = Fraction(few.scatter.high[0, a, b]) + Fraction(few.scatter.low[0, a, b])
        assert abs(found - true) <= abs(true) * Fraction(1, 10**25)


def test_rows_of_nobody_are_none() -> None:
    kept = LeastSquaresSummary.of(np.ones((3, 2)), Shares.hard(np.full(3, -1, dtype=np.int32), 0))
    assert kept.moments.second.high.shape == (0, 2, 2)
    kept = LeastSquaresSummary.of(np.ones((3, 2)), Shares.hard(np.full(3, -1, dtype=np.int32), 2))
    assert kept.moments.rows.tolist() == [0, 0]
    assert not kept.moments.second.high.any()


def test_few_rows_with_bad_cells_are_refused_by_name() -> None:
    R = Shares.hard(np.zeros(10, dtype=np.int32), 1)
    for cell in (np.nan, np.inf, 1e200):
        X = np.ones((10, 2))
        X[3, 1] = cell
        with pytest.raises(BadInput, match="column 1"):
            LeastSquaresSummary.of(X, R)


def test_what_is_kept_of_a_summary_is_no_part_of_it() -> None:
    X, R = RNG.normal(size=(20, 3)), Shares.hard(np.zeros(20, dtype=np.int32), 1)
    for summary in (LeastSquaresSummary.of(X, R).moments, FullMoments.of(X, R)):
        before = summary.scatter.value.copy()
        assert summary.scatter is summary.scatter
        more = summary + summary
        np.testing.assert_allclose(more.scatter.value, 2 * before, rtol=1e-14)
        np.testing.assert_array_equal(summary.scatter.value, before)


@pytest.mark.parametrize("offset", [0.0, 1e3, 2.0**28, 2.0**31, 1e12])  # either side of where pairs are needed
@pytest.mark.parametrize("classes", [1, 3])
def test_products_about_a_centre_err_by_2_to_the_minus_88(offset: float, classes: int) -> None:
    X = RNG.normal(size=(90, 3)) * [1.0, 1e-5, 1e6] + offset
    X[:, 2] = X[:, 0] + 1e-7 * X[:, 2]
    codes = np.arange(90, dtype=np.int32) % classes
    found = few_moments(X, Shares.hard(codes, classes), np.empty((90, 0)))
    assert found is not None
    for k in range(classes):
        mine = X[codes == k]
        true = [[len(mine) * covariance(a, b) for a in mine.T] for b in mine.T]
        for i, j in np.ndindex(3, 3):
            got = sum((Fraction(float(half[k, i, j])) for half in found.scatter), Fraction(0))
            assert float(abs(got - true[i][j])) <= 2.0**-88 * float(true[i][i] * true[j][j]) ** 0.5


def test_bad_cells_of_few_rows_are_left_to_others() -> None:
    for cell in (np.nan, np.inf, -1e200):
        X = RNG.normal(size=(9, 2))
        X[4, 1] = cell
        assert few_moments(X, Shares.hard(np.zeros(9, dtype=np.int32), 1), np.empty((9, 0))) is None

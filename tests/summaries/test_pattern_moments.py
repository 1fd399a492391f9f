"""Moments of each missing pattern, and products of squares, beside exact rationals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from suffice.core.errors import NeverAdded
from suffice.core.shares import Shares
from suffice.core.tally import Tally
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.pattern_moments import PatternMoments

NAN = np.nan
X = np.array([[1.0, 2.0, 3.0], [4.0, NAN, 1.0], [7.0, NAN, 2.0], [0.0, 5.0, NAN], [1.0, 1.0, 1.0]])
CODES = np.array([0, 0, 1, 0, 1])


def kept(rows: Any = slice(None), w: Any = None) -> PatternMoments:
    return PatternMoments.of(X[rows], Shares.hard(CODES[rows], 2, w))


def test_each_pattern_has_the_moments_of_its_cells() -> None:
    found = kept()
    assert found.present.tolist() == [[True, False, True], [True, True, False], [True, True, True]]
    assert found.moments.rows.reshape(3, 2).tolist() == [[1, 1], [1, 0], [1, 1]]
    both = FullMoments.of(X[1:3][:, [0, 2]], Shares.hard(np.array([0, 0]), 1))
    pooled = PatternMoments.of(X, Shares.hard(np.zeros(5, dtype=int), 1))
    one = pooled.component(0)
    np.testing.assert_allclose(one.mean.value[0, [0, 2]], both.mean.value[0])
    np.testing.assert_allclose(one.covariance[0][np.ix_([0, 2], [0, 2])], both.covariance[0])


def test_the_complete_rows_are_full_moments() -> None:
    whole = ~np.isnan(X).any(axis=1)
    full = FullMoments.of(X[whole], Shares.hard(CODES[whole], 2))
    np.testing.assert_array_equal(kept().complete.mean.value, full.mean.value)
    assert not kept().is_complete
    assert kept(whole).is_complete


def test_patterns_come_and_go() -> None:
    some, rest = kept(slice(0, 2)), kept(slice(2, 5))
    total = some + rest
    assert len(total.present) == 3
    assert (total - rest).present.tolist() == some.present.tolist()
    assert len((total - total).present) == 0
    with pytest.raises(NeverAdded, match="got rows that lack other cells than any that were learned"):
        some - kept(slice(3, 4))


def test_rows_without_a_cell_can_be_left_out() -> None:
    empty = np.vstack([X, np.full(3, NAN)])
    found = PatternMoments.of(empty, Shares.hard(np.append(CODES, 0), 2))
    assert found.moments.rows.sum() == 6
    assert found.somewhat().moments.rows.sum() == 5


def test_a_single_row_left_has_no_spread() -> None:
    rows = np.random.default_rng(0).normal(size=(5, 3)) * [1.0, 1e8, 1e100]
    R = Shares.hard(np.zeros(5, dtype=int), 1, np.random.default_rng(1).uniform(0.1, 3.0, 5))
    left = PatternMoments.of(rows, R) - PatternMoments.of(rows[1:], R[1:])
    assert not left.complete.covariance.any()


def test_the_tally_is_that_of_all_rows() -> None:
    rng = np.random.default_rng(4)
    X = np.where(rng.random((60, 3)) < 0.4, np.nan, rng.normal(size=(60, 3)))
    w = rng.integers(0, 3, 60).astype(float)
    R = Shares.hard(rng.integers(-1, 4, 60).astype(np.int32), 5, w)
    mine, true = PatternMoments.of(X, R).tally, Tally.of(R)
    assert np.isnan(X).all(axis=1).any()  # rows that lack everything count too
    assert mine.rows.tolist() == true.rows.tolist()
    assert mine.weight.value.tolist() == true.weight.value.tolist()
    assert PatternMoments.of(X[:0], R[:0]).tally.rows.tolist() == [0] * 5

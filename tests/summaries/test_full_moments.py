"""`FullMoments`: the covariances of components wherever they lie, added, subtracted and moved."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.core.block import Array
from suffice.core.errors import BadInput, NeverAdded
from suffice.core.shares import Shares
from suffice.persistence import from_bytes, to_bytes
from suffice.summaries.full_moments import ROWS, FullMoments
from suffice.summaries.moments import Moments
from tests.summaries.rationals import covariance, off


def table(n: int, seed: int = 0, K: int = 3, d: int = 4, apart: float = 1e8) -> tuple[Array, Array, Array]:
    """Correlated columns; component k lies k times `apart` away."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, K, n).astype(np.int32)
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + apart * codes[:, None]
    return X, codes, rng.integers(0, 3, n) * 0.7


def diagonal(summary: FullMoments) -> Array:
    return np.diagonal(summary.covariance, axis1=1, axis2=2)


def assert_same(a: FullMoments, b: FullMoments, rtol: float = 1e-12) -> None:
    """Covariances within a share of the product of standard deviations."""
    assert a.rows.dtype == b.rows.dtype == np.int64
    np.testing.assert_array_equal(a.rows, b.rows)
    np.testing.assert_allclose(a.weight.value, b.weight.value, rtol=1e-15)
    sd, reach = np.sqrt(diagonal(b)), max(np.abs(x).max(initial=0.0) for x in (a.shift, b.shift, b.mean.high))
    assert (np.abs((a.mean - b.mean).value) <= rtol * sd + 2.0**-100 * reach).all()
    assert (np.abs(a.covariance - b.covariance) <= rtol * sd[:, :, None] * sd[:, None, :]).all()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shards", [1, 7, 64])
def test_variances_are_those_of_the_columns_1e8_sd_away(shards: int, weighted: bool) -> None:
    X, codes, w = table(3000)
    R = Shares.hard(codes, 3, w if weighted else None)
    full = FullMoments.sum([FullMoments.of(X[i::shards], R[i::shards]) for i in range(shards)])
    columns = Moments.of(X, R)
    np.testing.assert_allclose(diagonal(full), columns.variance, rtol=1e-12)
    assert np.abs((full.mean - columns.mean).value).max() <= 1e-14
    np.testing.assert_array_equal(full.rows[:, None] + np.zeros(4), columns.rows)


def test_covariances_against_exact_rationals() -> None:
    X, codes, _ = table(400, seed=1)
    full = FullMoments.of(X, Shares.hard(codes, 3))
    for k in range(3):
        mine = X[codes == k]
        for i in range(4):
            for j in range(4):
                true = covariance(mine[:, i], mine[:, j])
                assert float(abs(full.covariance[k, i, j] - true)) <= 1e-13 * float(
                    (covariance(mine[:, i], mine[:, i]) * covariance(mine[:, j], mine[:, j])) ** 0.5
                )


def test_a_shift_of_its_own_changes_nothing() -> None:
    X, codes, w = table(500, seed=2)
    R = Shares.hard(codes, 3, w)
    assert_same(FullMoments.of(X, R, np.full(4, 1e8)), FullMoments.of(X, R))
    assert_same(FullMoments.of(X, R).about(np.array([1e8, -1e8, 0.0, 7.0])), FullMoments.of(X, R))


def test_more_rows_than_are_multiplied_at_once() -> None:
    X, codes, w = table(2 * ROWS + 5, seed=3, d=2)
    R = Shares.hard(codes, 3, w)
    np.testing.assert_allclose(diagonal(FullMoments.of(X, R)), Moments.of(X, R).variance, rtol=1e-12)


def test_hard_and_shared_rows_agree() -> None:
    X, codes, w = table(300, seed=4)
    R = Shares.hard(codes, 3, w)
    assert_same(FullMoments.of(X, Shares.soft(R.dense())), FullMoments.of(X, R), 1e-15)
    rng = np.random.default_rng(5)
    share = rng.dirichlet(np.ones(3), 300)
    shared = FullMoments.of(X, Shares.soft(share))
    for k in range(3):
        one = FullMoments.of(X, Shares.hard(np.zeros(300, dtype=np.int32), 1, share[:, k]))
        np.testing.assert_allclose(shared.covariance[k], one.covariance[0], rtol=1e-14)


@given(st.integers(0, 2**32), st.integers(0, 30), st.integers(1, 5))
def test_any_split_is_the_whole_and_what_is_added_can_be_taken_away(seed: int, n: int, shards: int) -> None:
    X, codes, w = table(n, seed, apart=1e6)
    R = Shares.hard(codes, 3, w)
    order = np.random.default_rng(seed).permutation(n)
    pieces = np.array_split(order, shards)
    parts = [FullMoments.of(X[rows], R[rows]) for rows in pieces]
    whole = FullMoments.of(X, R)
    assert_same(FullMoments.sum(parts), whole)
    rest = np.concatenate([*pieces[1:], np.zeros(0, dtype=int)])
    left, true = whole - parts[0], FullMoments.of(X[rest], R[rest])
    np.testing.assert_array_equal(left.rows, true.rows)
    assert np.abs(left.covariance - true.covariance).max() <= 1e-10 * max(1.0, np.abs(whole.covariance).max())
    assert not (whole - whole).second.high.any()


def test_forgetting_an_outlier_costs_what_is_said() -> None:
    """2^-53 (outlier / sd)^2 / n: nothing is lost of an outlier of 1e4 sd, three digits are left after one of 1e8."""
    x = np.random.default_rng(6).normal(size=(2000, 2))
    true = Moments.of(x, Shares.hard(np.zeros(2000, dtype=np.int32), 1)).variance[0]
    for size in (1e4, 1e6, 1e8):
        outlier = np.full((1, 2), size)
        both = FullMoments.of(np.concatenate([x, outlier]), Shares.hard(np.zeros(2001, dtype=np.int32), 1))
        left = both - FullMoments.of(outlier, Shares.hard(np.zeros(1, dtype=np.int32), 1))
        assert (np.abs(diagonal(left)[0] / true - 1.0) <= 4 * 2.0**-53 * size**2 / 2000 + 1e-15).all()


def test_more_rows_than_were_added() -> None:
    X, codes, _ = table(10, seed=7)
    some = FullMoments.of(X, Shares.hard(codes, 3))
    with pytest.raises(NeverAdded, match="more than there were"):
        some - (some + some)


def test_constant_columns_have_no_covariance() -> None:
    rng = np.random.default_rng(8)
    X = rng.normal(size=(500, 3))
    X[:, 1] = 0.1
    X[:, 2] = 1e8 + 0.1
    for shift in (None, np.array([5.0, 1.0 / 3.0, 0.0])):
        covariance = FullMoments.of(X, Shares.hard(np.zeros(500, dtype=np.int32), 1), shift).covariance[0]
        assert covariance[0, 0] > 0.5
        assert not covariance[1:].any()
        assert not covariance[:, 1:].any()


def test_the_covariance_is_symmetric_and_of_full_rank() -> None:
    X, codes, w = table(800, seed=9)
    covariance = FullMoments.of(X, Shares.hard(codes, 3, w)).covariance
    np.testing.assert_array_equal(covariance, covariance.transpose(0, 2, 1))
    for one in covariance:
        np.linalg.cholesky(one)


def test_all_components_as_one() -> None:
    X, codes, w = table(400, seed=10, apart=3.0)
    pooled = FullMoments.of(X, Shares.hard(codes, 3, w)).pooled()
    one = FullMoments.of(X, Shares.hard(np.where(codes < 0, -1, 0), 1, w))
    assert_same(pooled, one)


def test_decay_and_moving_components() -> None:
    X, codes, w = table(100, seed=11)
    full = FullMoments.of(X, Shares.hard(codes, 3, w))
    assert_same(full.scale(0.25), FullMoments.of(X, Shares.hard(codes, 3, w * 0.25)))
    moved = full.spread([4, -1, 0], 5)
    assert moved.rows.tolist() == [full.rows[2], 0, 0, 0, full.rows[0]]
    np.testing.assert_array_equal(moved.covariance[4], full.covariance[0])
    assert not moved.covariance[1:4].any()


def test_no_rows() -> None:
    empty = FullMoments.of(np.zeros((0, 2)), Shares.hard(np.zeros(0, dtype=np.int32), 2))
    assert empty.covariance.shape == (2, 2, 2)
    X, codes, _ = table(20, seed=12, K=2, d=2)
    some = FullMoments.of(X, Shares.hard(codes, 2))
    assert_same(empty + some, some)
    np.testing.assert_array_equal((empty + some).shift, some.shift)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_any_array(dtype: type) -> None:
    X = np.asfortranarray(np.arange(40).reshape(10, 4) % 7).astype(dtype)[::2]
    R = Shares.hard(np.zeros(5, dtype=np.int32), 1)
    assert_same(FullMoments.of(X, R), FullMoments.of(np.ascontiguousarray(X, dtype=np.float64), R), 0.0)


def test_a_missing_cell_is_refused_by_name() -> None:
    X = np.ones((6, 3))
    X[4, 2] = np.nan
    codes = np.zeros(6, dtype=np.int32)
    with pytest.raises(BadInput, match=r"column 2 must be present in every row .* missing cell in row 4 .* Fill it in"):
        FullMoments.of(X, Shares.hard(codes, 1))
    codes[4] = -1
    assert FullMoments.of(X, Shares.hard(codes, 1)).rows.tolist() == [5]
    X[2, 0] = np.inf
    with pytest.raises(BadInput, match=r"column 0 must be finite and at most 1e\+140 in size, got inf in row 2"):
        FullMoments.of(X, Shares.hard(codes, 1))


def test_saved_and_loaded() -> None:
    X, codes, w = table(50, seed=13)
    full = FullMoments.of(X, Shares.hard(codes, 3, w))
    loaded = from_bytes(to_bytes(full))
    np.testing.assert_array_equal((loaded + full).covariance, (full + full).covariance)


def test_what_one_shift_and_one_product_would_give() -> None:
    """The bound above can fail: about a shared shift the covariance is wrong by its own size and more."""
    X, codes, _ = table(3000)
    mine = X[codes == 2]
    naive = mine.T @ mine / len(mine) - np.outer(mine.mean(axis=0), mine.mean(axis=0))
    assert off(naive[0, 0], covariance(mine[:, 0], mine[:, 0])) > 0.1

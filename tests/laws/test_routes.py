"""Routes to one answer, on tables that are larger than a chunk: loop, twin and matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix

from suffice.core.block import Coded, Words
from suffice.core.shares import Shares
from suffice.families.counts.categorical import Categorical
from suffice.families.counts.multinomial import Multinomial
from suffice.families.counts.truncated_counts import TruncatedCounts
from suffice.families.normals.normal import DiagonalNormal
from suffice.numerics import loop
from suffice.summaries.counts import Counts
from suffice.summaries.moments import Moments
from suffice.summaries.power_sums import middle, scattered, twin
from suffice.summaries.shifted_sums import shared
from suffice.testing.check import hold
from suffice.testing.rows import LawRows, reach
from suffice.testing.sameness import Limits, assert_same
from suffice.testing.tables import BENIGN, numbers, rows

N = 2 * loop.CHUNK + 77
K, D = 3, 9  # one column more than a vector register holds


@pytest.fixture(scope="module")
def table() -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(20)
    codes = rng.integers(-1, K, N).astype(np.int32)
    X = rng.normal(size=(N, D)) + codes[:, None]
    X[:, 1] += 1e8
    X[:, 2] = 1e8 * codes + rng.normal(size=N)  # classes 1e8 sd apart
    X[:, 3] = 7.0
    X[rng.random((N, D)) < 0.05] = np.nan
    return X, codes, rng.uniform(0.1, 3.0, N) * (rng.random(N) < 0.9)


LAYOUTS = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "float32": lambda X: X.astype(np.float32),
    "strided": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
}


def moments(route: Any, X: Any, R: Shares) -> Moments:
    shift = middle(X)
    return Moments(shift, *route(X, R, shift))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_loop_and_twin_keep_the_same_moments(table: Any, weighted: bool, layout: str) -> None:
    X, codes, w = table
    X = LAYOUTS[layout](X)
    R = Shares.hard(codes, K, w if weighted else None)
    assert_same(moments(scattered, X, R), moments(twin, X, R), Limits(2.0 * N, reach(X)))


def test_products_and_twin_keep_the_same_moments_within_the_stated_limit(table: Any) -> None:
    X, codes, w = table
    hard, one_hot = Shares.hard(codes, K, w), Shares.soft((codes[:, None] == np.arange(K)) * w[:, None])
    a, b = moments(shared, X, one_hot), moments(twin, X, hard)
    assert np.array_equal(a.rows, b.rows)
    np.testing.assert_allclose(a.weight.value, b.weight.value, rtol=1e-12)
    # A column whose classes lie 1e8 sd apart keeps 1e-12 too: far components are added about their own mean.
    np.testing.assert_allclose(a.variance, b.variance, rtol=1e-12)
    gap = np.abs((a.mean - b.mean).value)
    assert (gap <= 1e-12 * np.sqrt(b.variance)).all()


def test_products_and_twin_agree_on_benign_tables() -> None:
    """Hard and one-hot shares within 1e-12, relative, where no column is far from 0."""

    def law(r: LawRows) -> None:
        one_hot = (r.codes[:, None] == np.arange(r.K)) * r.weights[:, None]
        a, b = Moments.of(r.part, Shares.soft(one_hot)), Moments.of(r.part, Shares.hard(r.codes, r.K, r.weights))
        assert np.array_equal(a.rows, b.rows)
        np.testing.assert_allclose(a.variance, b.variance, rtol=1e-12, atol=1e-28)
        np.testing.assert_allclose(a.mean.value, b.mean.value, rtol=1e-12, atol=1e-14)

    hold(law, rows(numbers(BENIGN)))


@pytest.mark.parametrize("weighted", [False, True])
def test_loop_and_twin_count_the_same_symbols(table: Any, weighted: bool) -> None:
    _, codes, w = table
    rng = np.random.default_rng(3)
    part = Coded(rng.integers(-1, 5, (N, 4)).astype(np.int32), (tuple("abcde"),) * 4)
    R = Shares.hard(codes, K, w if weighted else None)
    twin_counts = Counts.of(part, R)
    with loop.whole(loop.WORTH):
        assert_same(Counts.of(part, R), twin_counts, Limits(2.0 * N, np.zeros(0)))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("threshold", [None, 0.0, 1.0])
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("kind", [csr_array, csr_matrix])
def test_loop_and_twin_count_the_same_words(table: Any, weighted: bool, threshold: Any, index: Any, kind: Any) -> None:
    _, codes, w = table
    X = kind(np.random.default_rng(4).poisson(0.3, (N, 11)).astype(float))
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    R = Shares.hard(codes, K, w if weighted else None)
    part = Words(X, range(11))
    twin_counts = Counts.of_words(part, R, threshold)
    dense = Counts.of_words(part._replace(counts=X.toarray()), R, threshold)
    with loop.whole(loop.WORTH):
        looped = Counts.of_words(part, R, threshold)
    for other in (looped, dense):
        assert_same(other, twin_counts, Limits(10.0 * N, np.zeros(0)))


def log_densities(family: Any, part: Any, R: Shares) -> tuple[Any, Any]:
    distribution = family.estimate(family.summarize(part, R))
    plain = distribution.log_density(part)
    with loop.whole(loop.WORTH):
        return plain, distribution.log_density(part)


def test_loop_and_twin_say_the_same_densities(table: Any) -> None:
    X, codes, w = table
    R = Shares.hard(codes, K, w)
    rng = np.random.default_rng(5)
    symbols = Coded(rng.integers(-1, 5, (N, 4)).astype(np.int32), (tuple("abcde"),) * 4)
    words = Words(csr_array(rng.poisson(0.3, (N, 11)).astype(float)), tuple("abcdefghijk"))
    cases = [(DiagonalNormal(), X), (Categorical(), symbols), (Multinomial(), words), (TruncatedCounts(), words)]
    for family, part in cases:
        plain, looped = log_densities(family, part, R)
        np.testing.assert_allclose(looped, plain, rtol=1e-12, atol=1e-12)

"""What least squares keeps: triangles, sharp products, and when which is kept."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from suffice.core.double_double import Pair, exact
from suffice.core.errors import NotASummary
from suffice.core.shares import Shares
from suffice.summaries.full_moments import FullMoments
from suffice.summaries.least_squares import LeastSquaresSummary
from suffice.summaries.plain_products import plain_moments
from suffice.summaries.roots.paired_root import paired_root
from suffice.summaries.roots.product_roots import enough, harmless
from suffice.summaries.sharp_products import sharp_moments
from suffice.summaries.triangular import TriangularFactor, triangle_of

RNG = np.random.default_rng(2)


def one(n: int, w: Any = None) -> Shares:
    return Shares.hard(np.zeros(n, dtype=np.int32), 1, w)


def scatter(X: Any, w: Any) -> list[list[Fraction]]:
    """Sums of products about the mean, in rationals."""
    rows, weights = [list(map(Fraction, row)) for row in X.tolist()], list(map(Fraction, w.tolist()))
    total, m = sum(weights), len(rows[0])
    mean = [sum(w * row[j] for w, row in zip(weights, rows, strict=True)) / total for j in range(m)]
    centred = [[v - c for v, c in zip(row, mean, strict=True)] for row in rows]
    return [[sum(w * r[i] * r[j] for w, r in zip(weights, centred, strict=True)) for j in range(m)] for i in range(m)]


def error(S: Pair, true: list[list[Fraction]]) -> float:
    """Largest error of a product, relative to the lengths of its columns."""
    gaps = []
    for i in range(len(true)):
        for j in range(len(true)):
            gap = Fraction(float(S.high[i, j])) + Fraction(float(S.low[i, j])) - true[i][j]
            gaps.append(float(abs(gap)) / float(true[i][i] * true[j][j]) ** 0.5)
    return max(gaps)


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("weighted", [False, True])
def test_sharp_products_have_digits_to_spare(offset: float, weighted: bool) -> None:
    X = RNG.normal(size=(40, 4)) * [1.0, 1.0 if offset else 1e-9, 1e9, 3.0] + offset
    w = RNG.uniform(0.5, 2.0, 40) if weighted else np.ones(40)
    kept = sharp_moments(X, one(40, w if weighted else None), X[3])
    true = scatter(X, w)
    assert error(Pair(*(half[0] for half in kept.scatter)), true) < 2.0**-84
    plain = FullMoments.of(X, one(40, w if weighted else None), X[3])
    assert error(Pair(*(half[0] for half in plain.scatter)), true) > 2.0**-70


def test_shards_of_sharp_products_are_the_whole() -> None:
    X = RNG.normal([0.0, 1e6, 5.0], size=(3000, 3))
    order = RNG.permutation(3000)
    parts = [sharp_moments(X[i], one(len(i)), X[i[0]]) for i in np.array_split(order, 7)]
    a, b = FullMoments.sum(parts).scatter, sharp_moments(X, one(3000), X[0]).scatter
    assert np.abs((a - b).value).max() < 2.0**-80 * b.high.max()


@pytest.mark.parametrize("w", [None, RNG.uniform(0.0, 2.0, 500)], ids=["alike", "weighted"])
@pytest.mark.parametrize("far", [0.0, 1e9])
def test_plain_products_are_full_moments(w: Any, far: float) -> None:
    X = RNG.normal(size=(500, 3))
    a, b = (of(X[:, :2] + far, one(500, w), np.zeros(3), X[:, 2:] + far) for of in (plain_moments, FullMoments.of))
    np.testing.assert_allclose(a.scatter.value, b.scatter.value, rtol=1e-11, atol=1e-9)
    assert a.rows.tolist() == b.rows.tolist()


def test_the_triangle_by_pairs_and_by_rows() -> None:
    X = RNG.normal(size=(60, 4)) @ RNG.normal(size=(4, 4))
    z = X - X.mean(axis=0)
    T = paired_root(exact(z.T @ z))
    assert T is not None
    np.testing.assert_allclose(T, triangle_of(z), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(
        TriangularFactor.of(X, one(60)).triangle[0, 1:, 1:], triangle_of(z), rtol=1e-10, atol=1e-12
    )
    assert paired_root(exact(np.array([[1.0, 1.0], [1.0, 1.0]]))) is None
    assert paired_root(exact(np.diag([4.0, 0.0, 9.0]))).diagonal().tolist() == [2.0, 0.0, 3.0]  # type: ignore[union-attr]


def test_what_is_kept_follows_the_condition_number() -> None:
    calm = RNG.normal(size=(4000, 3))
    near = calm.copy()
    near[:, 2] = calm[:, 0] + 1e-5 * calm[:, 2]
    nearer = calm.copy()
    nearer[:, 2] = calm[:, 0] + 1e-10 * calm[:, 2]
    kept = {
        name: LeastSquaresSummary.of(X, one(4000)) for name, X in (("calm", calm), ("near", near), ("nearer", nearer))
    }
    assert harmless(kept["calm"].moments)
    assert not harmless(kept["near"].moments)
    assert enough(kept["near"].moments)
    assert [summary.factor is None for summary in kept.values()] == [True, True, False]
    assert (kept["calm"] + kept["nearer"]).factor is None  # together they are harmless
    assert (kept["nearer"] + kept["nearer"]).factor is not None
    few = LeastSquaresSummary.of(calm[:2], one(2))
    assert few.factor is not None  # fewer rows than columns


def test_forgetting_leaves_the_products_alone_and_says_how_well_they_speak() -> None:
    X = RNG.normal(size=(50, 3))
    X[:, 2] = X[:, 0]
    a, b = LeastSquaresSummary.of(X, one(50)), LeastSquaresSummary.of(X[:5] * 1e4, one(5))
    left = (a + b) - b
    assert a.factor is not None
    assert left.factor is None
    assert a.triangle().noise < 1e-14
    assert 1e-5 < left.triangle().noise < 1e-2
    assert (a - a).triangle().noise < 1e-14  # nothing left is as good as new
    np.testing.assert_allclose(left.moments.covariance, a.moments.covariance, rtol=1e-9)


def test_triangles_only_add() -> None:
    factor = TriangularFactor.of(RNG.normal(size=(4, 2)), one(4))
    with pytest.raises(NotASummary, match="TriangularFactor: rows must only be added, got rows to take away"):
        factor - factor
    with pytest.raises(ValueError, match="X: column 1 must be present, finite and at most"):
        TriangularFactor.of(np.array([[1.0, np.nan]]), one(1))


def test_columns_among_others() -> None:
    X = RNG.normal(size=(30, 3)) + 5.0
    wide = np.insert(X, 1, 0.0, axis=1)
    for of in (TriangularFactor.of, LeastSquaresSummary.of):
        placed, direct = of(X, one(30)).among([0, 2, 3], 4), of(wide, one(30))
        a, b = (getattr(s, "factor", None) or getattr(s, "moments", s) for s in (placed, direct))
        if isinstance(a, TriangularFactor):
            mine, theirs = a.about(b.shift).triangle[0], b.triangle[0]
            np.testing.assert_allclose(mine.T @ mine, theirs.T @ theirs, atol=1e-12)
        else:
            np.testing.assert_allclose(a.covariance, b.covariance, atol=1e-14)


def test_classes_with_targets_need_no_rows() -> None:
    X, k = RNG.normal(size=(40, 3)) + 1e6, RNG.integers(0, 3, 40).astype(np.int32)
    Y, weight = np.array([[1.0, -1.0], [-1.0, 1.0], [2.0, 0.0]]), np.array([1.0, 2.0, 0.5])
    mine = LeastSquaresSummary.of(X, Shares.hard(k, 3)).labelled(Y, weight)
    direct = LeastSquaresSummary.of(np.hstack([X, Y[k]]), one(40, weight[k]))
    np.testing.assert_allclose(mine.moments.scatter.value, direct.moments.scatter.value, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(mine.triangle().T[1:, 1:], direct.triangle().T[1:, 1:], rtol=1e-9, atol=1e-12)

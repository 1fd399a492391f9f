"""Triangles of products in float64: how near they are, what is known of their condition, and when pairs are needed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from suffice import LinearRegression, RidgeClassifier
from suffice.core.block import Array
from suffice.core.double_double import Pair, exact
from suffice.core.shares import Shares
from suffice.linear.regression.least_squares_problem import lacking, times
from suffice.summaries import sharp_products as sharp
from suffice.summaries.least_squares import LeastSquaresSummary
from suffice.summaries.roots.correlation_root import correlation_root
from suffice.summaries.roots.paired_root import paired_root
from suffice.summaries.roots.product_roots import enough, known_bound


def rows(n: int = 40, m: int = 5, seed: int = 0, near: float = 1.0) -> Array:
    """Columns of unlike units, the last of which is nearly the first."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m))
    X[:, -1] = X[:, 0] + near * X[:, -1]
    return np.asarray(X * 10.0 ** rng.integers(-6, 7, size=m))


def centred_products(X: Array) -> Array:
    Z = X - X.mean(axis=0)
    return np.asarray(Z.T @ Z)


@pytest.mark.parametrize("near", [1.0, 0.1, 1e-3, 1e-5])
@pytest.mark.parametrize("m", [2, 5, 17])
def test_the_bound_of_a_condition_number_is_no_lower_than_the_number(near: float, m: int) -> None:
    for seed in range(5):
        S = centred_products(rows(60, m, seed, near))
        length = np.sqrt(np.diagonal(S))
        values = np.linalg.eigvalsh(S / length[:, None] / length)
        root = correlation_root(S)
        assert root is not None
        assert values[-1] / values[0] <= root.condition <= 1e3 * m * values[-1] / values[0]
        np.testing.assert_allclose(
            root.T.T @ root.T / length[:, None] / length, S / length[:, None] / length, atol=1e-14
        )
        assert not np.tril(root.T, -1).any()


def test_columns_that_never_vary_have_no_root_and_dependent_ones_none_at_all() -> None:
    X = rows()
    X[:, 2] = 7.0
    S = centred_products(X)
    S[2], S[:, 2] = 0.0, 0.0
    root = correlation_root(S)
    assert root is not None
    assert not root.T[2].any()
    assert not root.T[:, 2].any()
    np.testing.assert_allclose(root.T.T @ root.T, S, rtol=1e-13)
    assert correlation_root(np.ones((2, 2))) is None
    assert correlation_root(np.zeros((3, 3))) is None
    assert correlation_root(np.zeros((0, 0))) is None


def test_a_safe_root_is_that_in_pairs() -> None:
    X = rows()
    kept = LeastSquaresSummary.of(X, Shares.hard(np.zeros(len(X), dtype=np.int32), 1))
    assert known_bound(kept.moments, 0) < 2e4
    T = paired_root(Pair(*(half[0] for half in kept.moments.scatter)))
    assert T is not None
    length = np.sqrt((T**2).sum(axis=0))
    np.testing.assert_allclose(kept.triangle().T[1:, 1:] / length, T / length, rtol=0, atol=1e-14)
    near = LeastSquaresSummary.of(rows(near=1e-4), Shares.hard(np.zeros(40, dtype=np.int32), 1))
    assert near.factor is None
    assert near.triangle().bound > 2e4


def exact_scatter(X: Array) -> Array:
    """The products of columns about their means, in fractions, rounded once."""
    cells = [[Fraction(x) for x in row] for row in X.tolist()]
    means = [sum(column) / len(cells) for column in zip(*cells, strict=True)]
    d = len(means)
    return np.array(
        [[float(sum((r[i] - means[i]) * (r[j] - means[j]) for r in cells)) for j in range(d)] for i in range(d)]
    )


@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_classes_about_one_centre_have_the_scatter_of_their_rows(offset: float) -> None:
    X = np.random.default_rng(1).normal(size=(30, 3)) + offset
    codes = np.random.default_rng(2).integers(-1, 3, size=30).astype(np.int32)
    found = sharp.few_moments(X, Shares.hard(codes, 3), np.empty((30, 0)))
    assert found is not None
    assert found.sharp
    assert sharp._about_one_centre(X, Shares.hard(codes, 3), X[0]) is not None
    for k in range(3):
        np.testing.assert_allclose(found.scatter.value[k], exact_scatter(X[codes == k]), rtol=1e-15)
    assert found.rows.tolist() == [int((codes == k).sum()) for k in range(3)]


def test_a_class_that_lies_far_away_or_does_not_vary_is_summed_about_its_own_mean() -> None:
    X = np.random.default_rng(3).normal(size=(30, 2))
    codes = np.repeat(np.arange(3, dtype=np.int32), 10)
    X[codes == 2, 1] = 1.0 / 3.0
    R = Shares.hard(codes, 3)
    assert sharp._about_one_centre(X, R, X[0]) is None
    found = sharp.few_moments(X, R, np.empty((30, 0)))
    assert found is not None
    assert not found.scatter.high[2, 1].any()
    X[codes == 2] = 1e4 + X[codes == 2] * 1e-3
    found = sharp.few_moments(X, R, np.empty((30, 0)))
    assert found is not None
    np.testing.assert_allclose(found.scatter.value[2, 0, 0], exact_scatter(X[codes == 2])[0, 0], rtol=1e-14)


def test_whole_numbers_of_classes_are_exact() -> None:
    rng = np.random.default_rng(4)
    X, codes = rng.integers(-5, 17, size=(50, 3)).astype(float), rng.integers(-1, 4, size=50).astype(np.int32)
    found = sharp.few_moments(X, Shares.hard(codes, 5), np.empty((50, 0)))
    assert found is not None
    assert not found.second.low.any()
    assert found.rows[4] == 0
    for k in range(4):
        z = X[codes == k] - found.shift
        np.testing.assert_array_equal(found.second.high[k], z.T @ z)
        np.testing.assert_array_equal(found.first.high[k], z.sum(axis=0))


def test_classes_that_are_harmless_together_need_no_triangle() -> None:
    X = np.random.default_rng(5).normal(size=(60, 3))
    codes = np.repeat(np.arange(3, dtype=np.int32), 20)
    X[codes == 1, 2] = X[codes == 1, 0]  # by itself, this class has no root
    kept = LeastSquaresSummary.of(X, Shares.hard(codes, 3))
    assert kept.factor is None
    assert enough(kept.moments)
    X[:, 2] = X[:, 0]  # nor have all of them
    assert LeastSquaresSummary.of(X, Shares.hard(codes, 3)).factor is not None


@pytest.mark.parametrize("K", [2, 3])
def test_the_triangle_of_labelled_products_is_that_of_the_rows(K: int) -> None:
    X = rows(60, 4, 6)
    codes = (np.arange(60) % K).astype(np.int32)
    kept = LeastSquaresSummary.of(X, Shares.hard(codes, K))
    Y = np.array([[-1.0], [1.0]]) if K == 2 else 2.0 * np.eye(K) - 1.0
    labelled = kept.labelled(Y, np.ones(K))
    T = labelled.triangle()
    Z = np.hstack([np.ones((60, 1)), X - T.shift[:4], Y[codes] - T.shift[4:]])
    size = np.sqrt((Z**2).sum(axis=0))
    np.testing.assert_allclose(T.T.T @ T.T / size[:, None] / size, Z.T @ Z / size[:, None] / size, atol=1e-13)


def test_a_class_of_weight_0_and_dependent_columns_are_solved_as_by_the_rows() -> None:
    X = rows(40, 3, 7)
    X = X / X.std(axis=0)
    y = np.arange(40) % 3
    X[y == 2, 2] = X[y == 2, 1]
    model = RidgeClassifier(class_weight={2: 0.0}).fit(X, y)
    some = y != 2
    Z, T = X[some] - X[some].mean(axis=0), 2.0 * np.eye(3)[y[some]] - 1.0
    coef = np.linalg.solve(Z.T @ Z + np.eye(3), Z.T @ (T - T.mean(axis=0)))
    np.testing.assert_allclose(model.coef_[:2], coef.T[:2], rtol=1e-12, atol=1e-13)


def _fractions(pair: Pair) -> list[list[Fraction]]:
    both = zip(pair.high.tolist(), pair.low.tolist(), strict=True)
    return [[Fraction(a) + Fraction(b) for a, b in zip(high, low, strict=True)] for high, low in both]


def test_what_is_lacking_is_rounded_once() -> None:
    rng = np.random.default_rng(8)
    G, b = Pair(rng.normal(size=(4, 4)), 1e-17 * rng.normal(size=(4, 4))), exact(rng.normal(size=(4, 2)))
    b = b.plus(1e-18)
    c = times(G, b).plus(1e-20)  # all but this cancels
    right, A, B = (_fractions(pair) for pair in (c, G, b))
    true = [[float(right[i][j] - sum(A[i][k] * B[k][j] for k in range(4))) for j in range(2)] for i in range(4)]
    np.testing.assert_allclose(lacking(c, G, b), true, rtol=0, atol=2.0**-104)
    wide = Pair(*(np.tile(half, (1, 300)) for half in b))  # more products than are added up one by one
    np.testing.assert_allclose(
        lacking(Pair(*(np.tile(half, (1, 300)) for half in c)), G, wide)[:, :2], true, atol=2.0**-100
    )


def test_coefficients_of_few_rows_are_right_to_the_last_digits() -> None:
    X = rows(30, 4, 9)
    y = X @ np.array([1.0, -2.0, 3.0, 0.5]) + 1e-3 * np.random.default_rng(9).normal(size=30)
    cells = [[Fraction(1), *(Fraction(x) for x in row)] for row in X.tolist()]
    G = [[sum(r[i] * r[j] for r in cells) for j in range(5)] for i in range(5)]
    c = [sum(r[i] * Fraction(t) for r, t in zip(cells, y.tolist(), strict=True)) for i in range(5)]
    for i in range(5):  # Gauss, in fractions
        for j in range(i + 1, 5):
            by = G[j][i] / G[i][i]
            G[j] = [a - by * b for a, b in zip(G[j], G[i], strict=True)]
            c[j] -= by * c[i]
    found = [Fraction(0)] * 5
    for i in reversed(range(5)):
        found[i] = (c[i] - sum(G[i][j] * found[j] for j in range(i + 1, 5))) / G[i][i]
    model = LinearRegression().fit(X, y)
    np.testing.assert_allclose(model.coef_, [float(b) for b in found[1:]], rtol=4e-16)
    np.testing.assert_allclose(model.intercept_, float(found[0]), rtol=1e-12)

"""Worked numbers of least squares and linear classifiers, and the corrected ones where a source errs."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from suffice import (
    SVC,
    BasicLinearClassifier,
    LeastSquaresClassifier,
    LinearRegression,
    PolynomialRegression,
    Ridge,
    TotalLeastSquares,
)
from suffice.core.shares import Shares
from suffice.linear.regression.univariate import (
    decompose,
    descend,
    error_surface,
    fit_line,
    slope_shift,
    total_line,
    two_columns,
)
from suffice.linear.scores.least_squares_classifier import threshold
from suffice.spaces import LinearKernel
from suffice.summaries.full_moments import FullMoments

X = np.array([[5.0, 0.0], [3.0, 5.0], [1.0, 7.0]])


def own(n: int = 40, d: int = 2, seed: int = 7) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal([3.0, -2.0, 0.5][:d], [1.0, 2.0, 0.3][:d], size=(n, d))
    return X, 1.0 + X @ np.arange(1.0, d + 1.0) + rng.normal(size=n)


def moments(X: Any) -> FullMoments:
    return FullMoments.of(X, Shares.hard(np.zeros(len(X), dtype=int), 1))


def test_means_and_centred_matrix() -> None:
    """G.N01, G.N02."""
    mean = moments(X).mean.value[0]
    assert mean.tolist() == [3.0, 4.0]
    assert (X - mean).tolist() == [[2.0, -4.0], [0.0, 1.0], [-2.0, 3.0]]


def test_gram_and_product_matrices() -> None:
    """G.N03, G.N04, G.N05: products of rows, products of columns, and the outer product of the means."""
    assert LinearKernel().between(X).tolist() == [[25.0, 15.0, 5.0], [15.0, 34.0, 38.0], [5.0, 38.0, 50.0]]
    kept = moments(X)
    raw = kept.about(np.zeros(2)).second.value[0]
    assert raw.tolist() == [[35.0, 22.0], [22.0, 74.0]]
    assert ((raw - kept.scatter.value[0]) / kept.weight.value[0]).tolist() == [[9.0, 12.0], [12.0, 16.0]]


def test_scatter_and_covariance() -> None:
    """G.N06, G.N07, G.N08: three forms of the scatter matrix; divisor n."""
    kept = moments(X)
    S = kept.scatter.value[0]
    assert S.tolist() == [[8.0, -14.0], [-14.0, 26.0]]
    z = X - [3.0, 4.0]
    outer = [np.outer(row, row).tolist() for row in z]
    assert outer == [[[4.0, -8.0], [-8.0, 16.0]], [[0.0, 0.0], [0.0, 1.0]], [[4.0, -6.0], [-6.0, 9.0]]]
    assert np.sum(outer, axis=0).tolist() == S.tolist()
    np.testing.assert_allclose(kept.covariance[0], S / 3.0, rtol=1e-15)


def test_the_shortcut_for_covariance_needs_the_means_outside() -> None:
    """G.N09, erratum G.E01: (1/n) sum x_j x_c - mu_j mu_c, not (1/n)(sum x_j x_c - mu_j mu_c)."""
    raw, mean, cov = X.T @ X, X.mean(axis=0), moments(X).covariance[0]
    np.testing.assert_allclose(raw / 3.0 - np.outer(mean, mean), cov, rtol=1e-14)
    printed = (raw - np.outer(mean, mean)) / 3.0
    np.testing.assert_allclose(printed, [[26 / 3, 10 / 3], [10 / 3, 58 / 3]], rtol=1e-14)
    assert (np.sign(printed[0, 1]), np.sign(cov[0, 1])) == (1.0, -1.0)


def test_one_target_raised_by_ten() -> None:
    """G.N11: the slope moves by 10 (x_k - mean) / sum (x - mean)^2; not at all where x_k is the mean."""
    X, y = own(d=1)
    x = X[:, 0]
    for k in (0, 17, int(np.argmin(np.abs(x - x.mean())))):
        raised = y.copy()
        raised[k] += 10.0
        moved = LinearRegression().fit(X, raised).coef_[0] - LinearRegression().fit(X, y).coef_[0]
        assert moved == pytest.approx(slope_shift(x, k, 10.0), rel=1e-10, abs=1e-13)
        effect = LinearRegression().fit(X, y).results().effect(X[[k]], 10.0)
        assert effect[0, 1] == pytest.approx(moved, rel=1e-10, abs=1e-13)
    assert slope_shift([1.0, 2.0, 3.0], 1, 10.0) == 0.0


def test_slope_is_covariance_over_variance() -> None:
    """G.N12: through the means, residuals add up to 0, shifting x moves the intercept alone."""
    X, y = own(d=1)
    x = X[:, 0]
    line = fit_line(x, y)
    assert line.slope == pytest.approx(np.cov(x, y, bias=True)[0, 1] / x.var(), rel=1e-13)
    assert line.intercept + line.slope * x.mean() == pytest.approx(y.mean(), rel=1e-13)
    assert (y - line.intercept - line.slope * x).sum() == pytest.approx(0.0, abs=1e-12)
    moved = fit_line(x + 100.0, y)
    assert (moved.slope, moved.intercept) == pytest.approx((line.slope, line.intercept - 100.0 * line.slope), rel=1e-11)
    assert fit_line(x - x.mean(), y).intercept == pytest.approx(y.mean(), rel=1e-13)
    assert fit_line(x - x.mean(), y - y.mean()).intercept == pytest.approx(0.0, abs=1e-14)
    model = LinearRegression().fit(X, y)
    assert (model.intercept_, model.coef_[0]) == pytest.approx((line.intercept, line.slope), rel=1e-13)


def test_dividing_by_the_variance_does_not_give_unit_variance() -> None:
    """G.N12c, erratum G.E02: the covariance with x / var(x) is the slope, but its variance is 1 / var(x)."""
    X, y = own(d=1)
    scaled = X[:, 0] / X[:, 0].var()
    assert np.cov(scaled, y, bias=True)[0, 1] == pytest.approx(fit_line(X[:, 0], y).slope, rel=1e-12)
    assert scaled.var() == pytest.approx(1.0 / X[:, 0].var(), rel=1e-12)
    assert (X[:, 0] / X[:, 0].std()).var() == pytest.approx(1.0, rel=1e-12)


def test_total_least_squares_may_lack_a_unique_solution() -> None:
    """G.N12e: the corners of a square spread alike in all directions."""
    corners = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    with pytest.raises(ValueError, match="total_line: the line must be unique"):
        total_line(*corners.T)
    with pytest.warns(UserWarning, match="TotalLeastSquares: the plane is not unique, because rows spread alike in 2"):
        TotalLeastSquares().fit(corners[:, :1], corners[:, 1])


def test_general_normal_equations() -> None:
    """G.N13: X'X = n (Sigma + mu mu'), its inverse by D, and X'y, for two columns without an intercept."""
    X, y = own()
    mean, cov = X.mean(axis=0), np.cov(X.T, bias=True)
    np.testing.assert_allclose(X.T @ X, len(X) * (cov + np.outer(mean, mean)), rtol=1e-12)
    m = cov + np.outer(mean, mean)
    D = m[0, 0] * m[1, 1] - m[0, 1] ** 2
    inverse = np.array([[m[1, 1], -m[0, 1]], [-m[0, 1], m[0, 0]]]) / (len(X) * D)
    np.testing.assert_allclose(inverse, np.linalg.inv(X.T @ X), rtol=1e-11)
    found = LinearRegression(fit_intercept=False).fit(X, y).coef_
    np.testing.assert_allclose(inverse @ X.T @ y, found, rtol=1e-11)
    np.testing.assert_allclose(two_columns(*X.T, y, centred=False), found, rtol=1e-11)


def test_homogeneous_coordinates_of_one_column() -> None:
    """G.N14: with x1 = 1 the two-column form is the univariate one."""
    X, y = own(d=1)
    x = X[:, 0]
    both = np.column_stack([np.ones(len(x)), x])
    inverse = np.array([[x.var() + x.mean() ** 2, -x.mean()], [-x.mean(), 1.0]]) / (len(x) * x.var())
    np.testing.assert_allclose(inverse, np.linalg.inv(both.T @ both), rtol=1e-11)
    line = fit_line(x, y)
    np.testing.assert_allclose(inverse @ both.T @ y, [line.intercept, line.slope], rtol=1e-11)
    raw = LinearRegression(fit_intercept=False).fit(both, y).coef_
    np.testing.assert_allclose(raw, [line.intercept, line.slope], rtol=1e-12)


def test_centred_two_column_form() -> None:
    """G.N15, G.N15b: a coefficient can differ from 0 where its column has no covariance with the target."""
    X, y = own()
    np.testing.assert_allclose(two_columns(*X.T, y), LinearRegression().fit(X, y).coef_, rtol=1e-11)
    x1, x2 = np.array([1.0, -1.0, 2.0, -2.0]), np.array([1.5, 0.5, 0.0, -2.0])
    y = x2 - x1 / 2.0
    assert np.cov(x1, y)[0, 1] == 0.0
    np.testing.assert_allclose(two_columns(x1, x2, y), [-0.5, 1.0], rtol=1e-15)


def test_products_with_the_target_have_one_entry_a_column() -> None:
    """G.N15c, erratum G.E16: X'y has d entries, not n."""
    X, y = own()
    problem = LinearRegression().fit(X, y).fitted_.model.problem
    assert (X.T @ y).shape == (2,)
    assert problem.Y.shape == (2, 1)


def test_decomposition_harms_where_columns_are_correlated() -> None:
    """G.N15d: with x2 near -x1 the decomposed fit of x1 + x2 is nearly constant; the full one tells its uncertainty."""
    rng = np.random.default_rng(15)
    x1 = rng.normal(size=200)
    X = np.column_stack([x1, -x1 + 0.1 * rng.normal(size=200)])
    y = X.sum(axis=1) + 0.3 * rng.normal(size=200)
    apart, full = decompose(X, y), LinearRegression().fit(X, y)
    assert np.abs(apart.slopes).max() < 0.1
    np.testing.assert_allclose(full.coef_, 1.0, atol=4 * full.results().standard_errors[1:].max())
    assert full.results().standard_errors[1:].min() > 0.15
    assert full.results().inflation.min() > 50
    assert apart.squares > 1.05 * apart.best == pytest.approx(1.05 * full.results().squares, rel=1e-9)
    assert np.abs(full.coef_ - apart.slopes).min() > 0.5


def test_decomposition_is_right_where_columns_are_uncorrelated() -> None:
    """G.N15d, the other side: orthogonal columns."""
    X = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    y = [3.0, 1.0, 0.0, 5.0]
    np.testing.assert_allclose(decompose(X, y).slopes, LinearRegression().fit(X, y).coef_, atol=1e-15)


def test_a_penalised_intercept_changes_every_coefficient() -> None:
    """G.N15f: ours is the version that leaves the intercept out of the penalty."""
    X, y = own()
    both = np.column_stack([np.ones(len(X)), X])
    penalised = np.linalg.solve(both.T @ both + 2.0 * np.eye(3), both.T @ y)
    z = X - X.mean(axis=0)
    centred = np.linalg.solve(z.T @ z + 2.0 * np.eye(2), z.T @ (y - y.mean()))
    model = Ridge(alpha=2.0).fit(X, y)
    np.testing.assert_allclose(model.coef_, centred, rtol=1e-12)
    assert np.abs(np.append(model.intercept_, model.coef_) - penalised).min() > 1e-3


def labelled(seed: int, pos: int, neg: int, d: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(1.0, 1.0, size=(pos, d)), rng.normal(-0.5, 1.5, size=(neg, d))])
    return X * [1.0, 3.0, 0.5][:d] + [5.0, 0.0, 1.0][:d], np.repeat([1, -1], [pos, neg])


def test_univariate_least_squares_classifier() -> None:
    """G.N16: covariance 2 pos neg (mu+ - mu-), the slope, and the threshold, 20 positives and 10 negatives."""
    X, y = labelled(16, 20, 10, 1)
    x, pos, neg = X[:, 0], 2 / 3, 1 / 3
    up, down = x[y > 0].mean(), x[y < 0].mean()
    assert np.cov(x, y, bias=True)[0, 1] == pytest.approx(2 * pos * neg * (up - down), rel=1e-12)
    model = LeastSquaresClassifier().fit(X, y)
    assert model.coef_[0, 0] == pytest.approx(2 * pos * neg * (up - down) / x.var(), rel=1e-12)
    x0 = threshold(up, down, x.var(), pos)
    assert -model.intercept_[0] / model.coef_[0, 0] == pytest.approx(x0, rel=1e-12)
    assert threshold(3.0, 1.0, 4.0, 0.5) == 2.0  # balanced: at the mean


def test_multivariate_least_squares_classifier() -> None:
    """G.N18, G.N18b, G.N18d, erratum G.E07: X'y = Pos mu+ - Neg mu-; only centred columns give the direction of LDA."""
    X, y = labelled(18, 30, 12, 3)
    up, down = X[y > 0].mean(axis=0), X[y < 0].mean(axis=0)
    np.testing.assert_allclose(X.T @ y, 30 * up - 12 * down, rtol=1e-12)
    w = LeastSquaresClassifier().fit(X, y).coef_[0]
    z = X - X.mean(axis=0)
    S = z.T @ z
    np.testing.assert_allclose(w, LinearRegression().fit(X, y).coef_, rtol=1e-11)
    np.testing.assert_allclose(w, 2 * 42 * (30 / 42) * (12 / 42) * np.linalg.solve(S, up - down), rtol=1e-11)
    within = sum((c - c.mean(axis=0)).T @ (c - c.mean(axis=0)) for c in (X[y > 0], X[y < 0]))
    lda = np.linalg.solve(within, up - down)
    np.testing.assert_allclose(w / np.linalg.norm(w), lda / np.linalg.norm(lda), rtol=1e-10)
    raw = LeastSquaresClassifier(fit_intercept=False).fit(X, y).coef_[0]
    assert raw @ lda < 0.99 * np.linalg.norm(raw) * np.linalg.norm(lda)


def test_cost_of_the_products() -> None:
    """G.N19, erratum G.E06: building X'X is linear in the rows: a sum over blocks, each seen once, of one size."""
    X, y = own(64)
    Z = np.column_stack([X, y])
    once = LinearRegression().fit(X, y).summary_.summary.moments
    np.testing.assert_allclose(once.about(np.zeros(3)).second.value[0], Z.T @ Z, rtol=1e-13)
    model = LinearRegression()
    for blocks in range(1, 9):
        kept = model.partial_fit(X, y).summary_.summary.moments
        assert kept.second.high.shape == (1, 3, 3)
        assert kept.rows[0].max() == 64 * blocks
        np.testing.assert_allclose(kept.scatter.value, blocks * once.scatter.value, rtol=1e-13)


def test_the_products_need_no_room_for_pairs_of_rows() -> None:
    """Erratum G.E06: what would be quadratic in the rows would need room for n^2 numbers, or for some of them."""
    X, y = own(30_000)
    LinearRegression(threads=1).fit(X[:9000], y[:9000])  # loops are compiled
    tracemalloc.start()
    try:
        LinearRegression(threads=1).fit(X, y)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 40 * X.nbytes < 8 * len(X) ** 2 / 300


def test_least_squares_is_maximum_likelihood() -> None:
    """P.W20, P.M029: intercept, slope and noise variance RSS / n maximise the likelihood of normal noise."""
    rng = np.random.default_rng(20)
    x = np.arange(10.0)
    y = 2.0 + 0.5 * x + rng.normal(scale=0.6, size=10)

    def cost(q: Any) -> float:
        return float(10.0 * q[2] + ((y - q[0] - q[1] * x) ** 2).sum() / (2.0 * np.exp(2.0 * q[2])))

    best = minimize(
        cost, [0.0, 0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 9999}
    )
    line = fit_line(x, y)
    assert best.x[:2] == pytest.approx([line.intercept, line.slope], rel=1e-5)
    assert np.exp(2.0 * best.x[2]) == pytest.approx(line.variance, rel=1e-5)
    found = LinearRegression().fit(x[:, None], y).results()
    assert found.noise_variance == pytest.approx(line.variance, rel=1e-12)
    assert found.log_likelihood == pytest.approx(-best.fun - 5.0 * np.log(2.0 * np.pi), rel=1e-9)


def test_fifty_penalties_on_an_even_grid() -> None:
    """C.W03: linspace(0.01, 0.2) has 50 values; one summary reads them all."""
    grid = np.linspace(0.01, 0.2)
    X, y = own()
    model = Ridge().fit(X, y)
    found = [model.set_params(alpha=float(alpha)).coef_ for alpha in grid]
    assert len(found) == 50
    assert np.diff(np.linalg.norm(found, axis=1)).max() < 0.0


def test_powers_are_the_polynomial_fit() -> None:
    """C.R02: least squares on powers of degree 3 is numpy's polynomial fit."""
    rng = np.random.default_rng(2)
    x = rng.uniform(-2.0, 2.0, 30)
    y = np.sin(x) + 0.1 * rng.normal(size=30)
    model = PolynomialRegression(degree=3).fit(x[:, None], y)
    np.testing.assert_allclose([*model.coef_[::-1], model.intercept_], np.polyfit(x, y, 3), rtol=0, atol=1e-13)


def test_ridge_on_ten_powers_by_the_centred_normal_equations() -> None:
    """C.R03: penalty 0.05 on ten powers, the intercept not penalised."""
    rng = np.random.default_rng(3)
    x = rng.uniform(-1.0, 1.0, 60)
    y = np.sin(4.0 * x) + 0.1 * rng.normal(size=60)
    P = np.stack([x**k for k in range(1, 11)], axis=1)
    z = P - P.mean(axis=0)
    closed = np.linalg.solve(z.T @ z + 0.05 * np.eye(10), z.T @ (y - y.mean()))
    np.testing.assert_allclose(PolynomialRegression(10, alpha=0.05).fit(x[:, None], y).coef_, closed, atol=1e-12)
    np.testing.assert_allclose(Ridge(0.05).fit(P, y).coef_, closed, atol=1e-12)


def test_basic_linear_classifier_is_the_bisector_of_the_means() -> None:
    """G.G028, P.M074: w = mu+ - mu-, t = (|mu+|^2 - |mu-|^2) / 2."""
    X, y = labelled(28, 9, 6, 2)
    up, down = X[y > 0].mean(axis=0), X[y < 0].mean(axis=0)
    model = BasicLinearClassifier().fit(X, y)
    np.testing.assert_allclose(model.coef_[0], up - down, rtol=1e-13)
    assert -model.intercept_[0] == pytest.approx((up @ up - down @ down) / 2.0, rel=1e-12)


def test_the_general_family() -> None:
    """G.G029: w = M^-1 (n+ mu+ - n- mu-) holds the basic linear and the least-squares classifier."""
    X, y = labelled(29, 15, 9, 3)
    z = X - X.mean(axis=0)
    up, down = z[y > 0].mean(axis=0), z[y < 0].mean(axis=0)
    np.testing.assert_allclose(BasicLinearClassifier().fit(X, y).coef_[0], up - down, rtol=1e-12)
    full = np.linalg.solve(z.T @ z, 15 * up - 9 * down)
    np.testing.assert_allclose(LeastSquaresClassifier().fit(X, y).coef_[0], full, rtol=1e-11)
    diagonal = (15 * up - 9 * down) / (z**2).sum(axis=0)
    np.testing.assert_allclose(LeastSquaresClassifier(uncorrelated=True).fit(X, y).coef_[0], diagonal, rtol=1e-11)
    cov = z.T @ z / len(z)
    for metric, M in (("full", cov), ("diagonal", np.diag(np.diag(cov))), ("spherical", np.eye(3) * np.trace(cov) / 3)):
        found = BasicLinearClassifier(metric).fit(X, y).coef_[0]
        np.testing.assert_allclose(found, np.linalg.solve(M, up - down), rtol=1e-11)


def test_error_surface_and_descent() -> None:
    """C.M02.04, C.M02.05: the surface of squared errors is a bowl; descent from anywhere ends at its bottom."""
    rng = np.random.default_rng(4)
    x = rng.normal(1.0, 2.0, 25)
    y = 2.0 - 0.7 * x + rng.normal(size=25)
    a, b = np.linspace(-1.0, 5.0, 7), np.linspace(-2.0, 1.0, 5)
    direct = [[((y - i - s * x) ** 2).sum() for s in b] for i in a]
    np.testing.assert_allclose(error_surface(x, y, a, b), direct, rtol=1e-11)
    line = fit_line(x, y)
    least = error_surface(x, y, [line.intercept], [line.slope])[0, 0]
    assert least < np.min(direct)
    assert least == pytest.approx(25 * line.variance, rel=1e-11)
    for start in ((0.0, 0.0), (50.0, -9.0), (-3.0, 8.0)):
        path = descend(x, y, start)
        np.testing.assert_allclose(path[-1], [line.intercept, line.slope], atol=1e-9)
        errors = [error_surface(x, y, [i], [s])[0, 0] for i, s in path[:50]]
        assert np.diff(errors).max() <= 1e-9
    with pytest.raises(ValueError, match="descend: rate must be above 0 and below"):
        descend(x, y, rate=10.0)


def test_multipliers_give_the_shortest_coefficients() -> None:
    """G.G008: least |w|^2 subject to X w = y; w = X' lambda / 2, and the dual value meets the primal one."""
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(4, 9)), rng.normal(size=4)
    multipliers = 2.0 * np.linalg.solve(X @ X.T, y)
    w = LinearRegression(fit_intercept=False).fit(X, y).coef_
    np.testing.assert_allclose(w, X.T @ multipliers / 2.0, atol=1e-13)
    dual = multipliers @ y - multipliers @ X @ X.T @ multipliers / 4.0
    assert dual == pytest.approx(w @ w, rel=1e-12)
    other = multipliers + rng.normal(size=4)
    assert other @ y - other @ X @ X.T @ other / 4.0 < dual


def test_least_squares_may_miss_a_separator() -> None:
    """C.M04.03, G.G026, C.R40: a far row of the right class drags the cut from 5/2 to 65/18, over a row before it."""
    X, y = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [40.0]]), np.array([0, 0, 0, 1, 1, 1, 1])
    near, far = LeastSquaresClassifier().fit(X[:6], y[:6]), LeastSquaresClassifier().fit(X, y)
    assert -near.intercept_[0] / near.coef_[0, 0] == pytest.approx(5 / 2, rel=1e-13)
    assert -far.intercept_[0] / far.coef_[0, 0] == pytest.approx(65 / 18, rel=1e-13)
    t = 2.0 * y - 1.0
    assert far.coef_[0, 0] == pytest.approx(fit_line(X[:, 0], t).slope, rel=1e-13)
    assert near.predict(X[:6]).tolist() == y[:6].tolist()
    assert far.predict(X).tolist() == [0, 0, 0, 0, 1, 1, 1]  # the row at 3
    told_apart = SVC(kernel="linear", C=np.inf).fit(X, y)
    assert told_apart.predict(X).tolist() == y.tolist()
    assert -told_apart.intercept_[0] / told_apart.coef_[0, 0] == pytest.approx(5 / 2, rel=1e-9)

"""Formulas by hand, and total least squares."""

from __future__ import annotations

import numpy as np
import pytest

from suffice import LinearRegression, TotalLeastSquares
from suffice.linear.regression.univariate import decompose, fit_line, slope_shift, total_line, two_columns

RNG = np.random.default_rng(9)
x = RNG.normal(size=30) + 1e6
y = 2.0 * (x - 1e6) + RNG.normal(size=30)
W = RNG.integers(1, 4, 30).astype(float)


def test_weighted_lines_are_lines_of_copies() -> None:
    heavy, copied = fit_line(x, y, W), fit_line(np.repeat(x, W.astype(int)), np.repeat(y, W.astype(int)))
    np.testing.assert_allclose(heavy, copied, rtol=1e-10)
    model = LinearRegression().fit(x[:, None], y, W)
    np.testing.assert_allclose([model.intercept_, model.coef_[0]], heavy[:2], rtol=1e-10)


@pytest.mark.parametrize("weights", [None, W])
def test_what_one_column_at_a_time_costs(weights: np.ndarray | None) -> None:
    """Both sums of squares are those of the residuals: with these slopes, and with those of all columns together."""
    X = np.column_stack([x - 1e6, (x - 1e6) + RNG.normal(size=30)])
    found, w = decompose(X, y, weights), np.ones(30) if weights is None else weights
    model = LinearRegression().fit(X, y, weights)
    assert found.best == pytest.approx(w @ (y - model.predict(X)) ** 2, rel=1e-10)
    apart = y - X @ found.slopes
    assert found.squares == pytest.approx(w @ (apart - np.average(apart, weights=w)) ** 2, rel=1e-10)
    assert found.best < found.squares
    for j in range(2):
        assert found.slopes[j] == pytest.approx(fit_line(X[:, j], y, weights).slope, rel=1e-12)


@pytest.mark.parametrize("weights", [None, W])
def test_total_least_squares_of_one_column(weights: np.ndarray | None) -> None:
    """G.G015: the closed form for one feature is the smallest singular vector of the centred rows."""
    line = total_line(x, y, weights)
    w = np.ones(30) if weights is None else weights
    centred = np.column_stack([x, y]) - np.average(np.column_stack([x, y]), axis=0, weights=w)
    v = np.linalg.svd(centred * np.sqrt(w)[:, None])[2][-1]
    assert line.slope == pytest.approx(-v[0] / v[1], rel=1e-10)
    model = TotalLeastSquares().fit(x[:, None], y, weights)
    assert (model.coef_[0], model.intercept_) == pytest.approx((line.slope, line.intercept), rel=1e-9)


def test_total_least_squares_of_many_columns_and_targets() -> None:
    X = RNG.normal(size=(50, 3))
    Y = X @ RNG.normal(size=(3, 2)) + 0.1 * RNG.normal(size=(50, 2))
    joint = np.hstack([X, Y]) - np.hstack([X, Y]).mean(axis=0)
    V = np.linalg.svd(joint)[2][-2:]
    expected = -V[:, :3].T @ np.linalg.inv(V[:, 3:].T)
    np.testing.assert_allclose(TotalLeastSquares().fit(X, Y).coef_, expected.T, rtol=1e-9)


def test_noise_on_both_sides_is_not_attenuated() -> None:
    """P.M030: least squares takes noise on x for a smaller slope; total least squares does not."""
    rng = np.random.default_rng(30)
    true = rng.normal(size=20000)
    seen, target = true + 0.5 * rng.normal(size=20000), 2.0 * true + 0.5 * rng.normal(size=20000)
    assert LinearRegression().fit(seen[:, None], target).coef_[0] == pytest.approx(2.0 / 1.25, abs=0.03)
    assert TotalLeastSquares().fit(seen[:, None], target).coef_[0] == pytest.approx(2.0, abs=0.03)


def test_messages() -> None:
    with pytest.raises(ValueError, match="fit_line: x must be of more than one value, got a constant"):
        fit_line([1.0, 1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="slope_shift: x must be of more than one value"):
        slope_shift([1.0, 1.0], 0, 1.0)
    with pytest.raises(ValueError, match="two_columns: the columns must be independent"):
        two_columns([1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 2.0, 4.0])
    with pytest.raises(ValueError, match="fit_line: the columns must be numbers, as many in each"):
        fit_line([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="decompose: the columns must be finite numbers"):
        decompose([[np.nan], [1.0]], [1.0, 2.0])
    with pytest.raises(
        ValueError, match="TotalLeastSquares: the plane must be a function of the columns, got one that is upright"
    ):
        TotalLeastSquares().fit([[1.0], [1.0], [1.0 + 1e-14]], [0.0, 5.0, -5.0])


def test_a_flat_line_without_covariance() -> None:
    assert total_line([-2.0, 0.0, 0.0, 2.0], [0.0, 1.0, -1.0, 0.0]).slope == 0.0
    assert decompose([[0.0], [0.0]], [1.0, 3.0]).slopes.tolist() == [0.0]

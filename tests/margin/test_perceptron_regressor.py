"""PerceptronRegressor: steps along residuals, towards least squares."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression, SGDRegressor

from suffice import PerceptronRegressor
from suffice.margin.perceptron.flat_rows import FlatRows
from suffice.margin.perceptron.residual_sweep import residual_sweep
from suffice.numerics import loop

RNG = np.random.default_rng(1)
X = RNG.normal(size=(80, 4))
X[:, 3] = 2.0  # constant
Y = X @ [1.0, -2.0, 0.5, 0.0] + 3.0
NOISY = Y + RNG.normal(size=80)


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-5, 5)), min_size=1, max_size=6), st.booleans())
def test_the_steps_in_exact_rationals(table: list[tuple[int, int]], intercept: bool) -> None:
    rate, w, b = Fraction(1, 8), Fraction(0), Fraction(0)
    for x, y in table * 2:
        c = rate * (y - w * x - b)
        w, b = w + c * x, b + c * intercept
    model = PerceptronRegressor(eta0=0.125, max_iter=2, shuffle=False, fit_intercept=intercept)
    model.fit([[x] for x, _ in table], [y for _, y in table])
    np.testing.assert_allclose([model.coef_[0], model.intercept_], [float(w), float(b)], rtol=1e-13, atol=1e-14)
    left = sum((y - w * x - b) ** 2 for x, y in table)
    np.testing.assert_allclose(model.squared_residuals_, float(left), rtol=1e-12, atol=1e-24)


def test_a_line_is_found() -> None:
    model = PerceptronRegressor(max_iter=3000).fit(X[:, :3], Y)
    np.testing.assert_allclose([*model.coef_, model.intercept_], [1.0, -2.0, 0.5, 3.0], rtol=1e-10)


def test_noisy_rows_end_near_least_squares() -> None:
    best = LinearRegression().fit(X, NOISY)
    model = PerceptronRegressor(eta0=1e-4, max_iter=3000).fit(X, NOISY)
    least = ((NOISY - best.predict(X)) ** 2).sum()
    assert least < model.squared_residuals_ < least * 1.001


def test_scikit_learns_stochastic_gradients_are_the_same_steps() -> None:
    theirs = SGDRegressor(penalty=None, learning_rate="constant", eta0=0.01, max_iter=7, tol=None, shuffle=False)
    theirs.fit(X, NOISY)
    ours = PerceptronRegressor(eta0=0.01, max_iter=7, shuffle=False).fit(X, NOISY)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-12)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_[0], rtol=1e-12)


def test_sweeps_end_under_the_bound() -> None:
    model = PerceptronRegressor(bound=1e-6, max_iter=1000).fit(X, Y)
    assert model.squared_residuals_ < 1e-6
    assert 1 < model.n_iter_ < 1000
    before = PerceptronRegressor(max_iter=model.n_iter_ - 1).fit(X, Y)
    assert before.squared_residuals_ >= 1e-6
    np.testing.assert_allclose(model.squared_residuals_, ((Y - model.predict(X)) ** 2).sum(), rtol=1e-10)


def test_it_says_that_the_bound_was_not_reached() -> None:
    with pytest.warns(ConvergenceWarning, match="after 3 sweeps, not under the bound 0.001") as told:
        PerceptronRegressor(bound=1e-3, max_iter=3).fit(X, NOISY)
    assert len(told) == 1


@pytest.mark.parametrize("rows", [X, sp.csr_array(X * (X > 0))], ids=["dense", "sparse"])
def test_the_loop_and_its_twin_agree(rows: Any) -> None:
    found = []
    for compiled in (False, True):
        w, rates = np.zeros(4), np.linspace(0.0, 0.1, 80)
        b = residual_sweep(FlatRows.of(rows), np.arange(80)[::-1], NOISY, rates, w, 0.5, 1.0, compiled)
        found.append([*w, b])
    np.testing.assert_allclose(*found, rtol=1e-12)
    with loop.whole(loop.WORTH):
        compiled_model = PerceptronRegressor(max_iter=3).fit(rows, NOISY)
    np.testing.assert_allclose(compiled_model.coef_, PerceptronRegressor(max_iter=3).fit(rows, NOISY).coef_, rtol=1e-12)


def test_sparse_and_dense_rows_give_one_model() -> None:
    holed = X * (X > 0)
    dense, sparse = (PerceptronRegressor(max_iter=9).fit(rows, NOISY) for rows in (holed, sp.csr_matrix(holed)))
    np.testing.assert_allclose(dense.coef_, sparse.coef_, rtol=1e-12)
    np.testing.assert_allclose(dense.predict(holed), sparse.predict(sp.csr_matrix(holed)), rtol=1e-12)


def test_row_after_row_is_one_sweep() -> None:
    whole = PerceptronRegressor(eta0=0.05, shuffle=False, max_iter=1).fit(X, NOISY)
    online = PerceptronRegressor(eta0=0.05)
    for x, y in zip(X, NOISY, strict=True):
        online.partial_fit(x[None], [y])
    np.testing.assert_allclose(online.coef_, whole.coef_, rtol=1e-13)


def test_the_rate_that_is_chosen_never_overshoots() -> None:
    for scale in (1e-6, 1.0, 1e6):
        model = PerceptronRegressor(max_iter=50).fit(X * scale, Y)
        assert np.isfinite(model.coef_).all()
        assert model.squared_residuals_ <= (Y**2).sum()
    far = PerceptronRegressor(max_iter=50).fit(X + 1e8, Y)
    assert far.squared_residuals_ <= (Y**2).sum()
    zero = PerceptronRegressor(fit_intercept=False).fit(np.zeros((3, 1)), [1.0, 2.0, 3.0])
    assert zero.coef_.tolist() == [0.0]


def test_weights_lengthen_steps() -> None:
    w = RNG.integers(0, 3, 80).astype(float)
    model = PerceptronRegressor(eta0=0.01, max_iter=2, shuffle=False).fit(X, NOISY, sample_weight=w)
    coef, b = np.zeros(4), 0.0
    for _ in range(2):
        for x, y, g in zip(X, NOISY, w, strict=True):
            c = 0.01 * g * (y - coef @ x - b)
            coef, b = coef + c * x, b + c
    np.testing.assert_allclose(model.coef_, coef, rtol=1e-12)
    np.testing.assert_allclose(model.squared_residuals_, w @ (NOISY - X @ coef - b) ** 2, rtol=1e-12)


def test_given_weights() -> None:
    start = np.array([1.0, -2.0, 0.5, 0.0])
    model = PerceptronRegressor(max_iter=2).fit(X, Y, coef_init=start, intercept_init=3.0)
    np.testing.assert_allclose(model.coef_, start, atol=1e-14)
    assert start.tolist() == [1.0, -2.0, 0.5, 0.0]

"""Coordinate descent on products of columns: scikit-learn's solutions, and the conditions of an optimum."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import ElasticNet

import suffice.linear.regression.coordinate_descent as descent
from suffice.linear.regression.coordinate_descent import Quadratic, _sweep, _sweep_twin, descend, duality_gap
from suffice.numerics import loop


@pytest.fixture(params=["twin", "loop"])
def route(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(loop, "WORTH", 0 if request.param == "loop" else np.inf)
    return str(request.param)


def rows(n: int = 60, p: int = 8, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) @ rng.normal(size=(p, p))
    X[:, 3] = 0.0  # a column that tells nothing
    return X, X @ np.where(np.arange(p) % 2, 0.0, 2.0) + rng.normal(size=n)


def quadratic(X: Any, y: Any) -> Quadratic:
    return Quadratic(X.T @ X / len(y), X.T @ y / len(y), float(y @ y) / len(y))


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("l1_ratio", [1.0, 0.5, 0.01])
def test_paths_equal_those_of_scikit_learn(route: str, l1_ratio: float, positive: bool) -> None:
    X, y = rows()
    problem = quadratic(X, y)
    penalties = problem.largest(l1_ratio) * np.logspace(0, -4, 12)
    found = descend(problem, penalties, l1_ratio, tol=1e-15, max_iter=100_000, positive=positive)
    for penalty, coef in zip(penalties[1:], found.coef[1:], strict=True):
        peer = ElasticNet(
            alpha=penalty, l1_ratio=l1_ratio, fit_intercept=False, tol=1e-14, max_iter=200_000, positive=positive
        ).fit(X, y)
        np.testing.assert_allclose(coef, peer.coef_, atol=2e-6)
    assert not found.coef[0].any() or l1_ratio < 1.0 or np.abs(found.coef[0]).max() < 1e-12


@given(st.integers(0, 10**6), st.floats(1e-3, 2.0), st.sampled_from([1.0, 0.7, 0.1]))
def test_the_result_meets_the_conditions_of_an_optimum(seed: int, share: float, l1_ratio: float) -> None:
    """Where a coefficient is not 0 the pull equals the penalty, elsewhere it is at most as strong."""
    X, y = rows(30, 5, seed)
    problem = quadratic(X, y)
    penalty = share * problem.largest(l1_ratio)
    (b,), gap, _ = descend(problem, np.array([penalty]), l1_ratio, tol=1e-15, max_iter=50_000)
    l1, l2 = penalty * l1_ratio, penalty * (1.0 - l1_ratio)
    pull = problem.c - problem.G @ b - l2 * b
    scale = np.abs(problem.c).max()
    np.testing.assert_allclose(pull[b != 0], l1 * np.sign(b[b != 0]), atol=1e-6 * scale)
    assert (np.abs(pull[b == 0]) <= l1 + 1e-6 * scale).all()
    assert gap[0] == pytest.approx(duality_gap(problem, b, l1, l2), abs=1e-12 * problem.yy)


@pytest.mark.parametrize("positive", [False, True])
def test_loop_and_twin_agree(positive: bool) -> None:
    X, y = rows()
    problem = quadratic(X, y)
    out = []
    for run in (_sweep, _sweep.plain, _sweep_twin):
        b = np.zeros(8)
        sweeps, gap = run(*problem, 0.1 * problem.largest(), 0.01, 1e-10, 1000, positive, b, problem.c.copy())
        out.append((sweeps, gap, b))
    for sweeps, gap, b in out[1:]:
        np.testing.assert_allclose(b, out[0][2], rtol=1e-10, atol=1e-12)
        assert (sweeps, gap) == (out[0][0], pytest.approx(out[0][1], abs=1e-12 * problem.yy))


def test_columns_that_nearly_depend_on_one_another_take_few_sweeps(route: str) -> None:
    """Sweeps alone would need about the condition number of them: 1e8."""
    X, y = rows()
    problem = quadratic(X + 1e3, y)
    found = descend(problem, np.array([1e-3]), 1.0, tol=1e-14, max_iter=2000)
    pull = problem.c - problem.G @ found.coef[0]
    assert found.sweeps[0] < 2000
    assert np.abs(pull).max() <= 1e-3 * (1 + 1e-4)


def test_a_gap_that_is_left_is_told(route: str) -> None:
    X, y = rows()
    problem = quadratic(X, y)
    found = descend(problem, np.array([1e-3]), 1.0, tol=1e-12, max_iter=2)
    assert found.sweeps[0] == 2
    assert found.gap[0] > 1e-12 * problem.yy


def test_a_target_that_is_0_is_met_at_once(route: str) -> None:
    X, y = rows()
    found = descend(quadratic(X, 0.0 * y), np.array([0.1]), 1.0, tol=1e-4, max_iter=10)
    assert not found.coef.any()
    assert (found.gap[0], found.sweeps[0]) == (0.0, 1)


@pytest.mark.parametrize("m", [1, 5])
def test_a_loop_that_takes_over_in_the_middle_changes_no_answer(m: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(13)
    X = rng.normal(size=(30, 12))
    X[:, 6:] = X[:, :6] + 0.01 * X[:, 6:]  # so many sweeps that coefficients are solved for at once
    y = X @ rng.normal(size=12) + rng.normal(size=30)
    problem = Quadratic(X.T @ X / 30, X.T @ y / 30, float(y @ y) / 30)
    penalties = problem.largest() * np.logspace(-1, -3, m)
    found = []
    for fast in (False, True):
        monkeypatch.setattr(type(descent._sweep), "pays", lambda self, cells, fast=fast: fast)
        found.append(descend(problem, penalties, 1.0, tol=1e-6, max_iter=500))
    np.testing.assert_array_equal(found[0].sweeps, found[1].sweeps)
    assert found[0].sweeps.max() > descent.SHORT
    np.testing.assert_allclose(found[0].coef, found[1].coef, rtol=0, atol=1e-12)

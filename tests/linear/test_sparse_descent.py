"""Conjugate gradients over sparse rows: the loop, the same uncompiled, and NumPy's steps say what the equations do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

from suffice import LogisticRegression, Ridge
from suffice.linear.wide import conjugate_gradients, sparse_descent, wide_logistic
from suffice.linear.wide.centred_rows import CentredRows
from suffice.linear.wide.sparse_descent import sparse_descent as descend
from suffice.linear.wide.sparse_descent import sparse_steps

RUNS = {"compiled": sparse_steps, "plain": sparse_steps.plain}


def _rows(n: int = 40, p: int = 15, seed: int = 0) -> Any:
    """Sparse rows of columns of different length, an empty row, an empty column and a constant one."""
    rng = np.random.default_rng(seed)
    filled = random_array((n, p), density=0.2, rng=rng).toarray() * 10.0 ** rng.integers(-1, 2, size=p)
    filled[3], filled[:, 5], filled[:, 7] = 0.0, 0.0, 2.0
    return csr_array(filled)


@pytest.fixture(params=RUNS)
def run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """By either way of the loop."""
    monkeypatch.setattr(sparse_descent, "sparse_steps", RUNS[request.param])
    for room in (conjugate_gradients, wide_logistic):
        monkeypatch.setattr(room, "descent_pays", lambda X: True)
    return str(request.param)


@pytest.mark.parametrize("intercept", [True, False])
def test_the_steps_solve_the_equations(run: str, intercept: bool) -> None:
    X, rng = _rows(), np.random.default_rng(1)
    n, p = X.shape
    slope, bend, start = rng.normal(size=n), rng.random(n), rng.normal(size=1 + p)
    bend[0] = 0.0
    mean = bend @ X / bend.sum() if intercept else np.zeros(p)
    J = np.column_stack([np.full(n, float(intercept)), X.toarray() - mean])
    penalty = np.append(0.0, np.full(p, 0.5))
    H, g = J.T @ (bend[:, None] * J) + np.diag(penalty), J.T @ slope + penalty * start
    shrink = 1.0 / np.where(np.diag(H) > 0.0, np.diag(H), np.inf)
    options: dict[str, Any] = {"penalty": 0.5, "intercept": intercept, "enough": (1e-26, np.inf, 0.0), "steps": 200}
    found = descend(X, mean, slope, bend, start=start, shrink=shrink, **options)
    solved = np.linalg.lstsq(H, -g, rcond=None)[0]
    assert found.settled
    np.testing.assert_allclose(found.change, solved, rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(found.first, -g, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found.left, 0.0, atol=1e-9)
    np.testing.assert_allclose(found.went, J @ solved, rtol=1e-9, atol=1e-10)


def test_steps_end_where_they_are_told_to(run: str) -> None:
    X = _rows()
    fixed = X, np.zeros(15), np.arange(40.0), np.ones(40)
    options: dict[str, Any] = {"start": np.zeros(16), "shrink": np.ones(16), "penalty": 1.0, "intercept": False}
    few = descend(*fixed, enough=(1e-30, np.inf, 0.0), steps=3, **options)
    none = descend(*fixed, enough=(0.0, 0.0, 1e9), steps=3, **options)
    flat = descend(X, np.zeros(15), np.zeros(40), np.ones(40), enough=(0.0, np.inf, 0.0), steps=3, **options)
    assert (few.steps, few.settled, none.steps, none.settled) == (3, False, 0, True)
    assert flat.settled
    assert not none.change.any()
    assert not flat.change.any()


@pytest.mark.parametrize("penalty", [0.0, 1e-3, 1.0])
def test_least_squares_is_that_of_the_twin(run: str, penalty: float) -> None:
    X, rng = _rows(), np.random.default_rng(2)
    A = CentredRows.of(X, rng.integers(0, 3, size=40).astype(float), True)
    Y = rng.normal(size=(40, 3))
    Y[:, 1] = 0.0
    shrink = 1.0 / (A.squares() + penalty) if penalty else np.ones(15)
    looped = conjugate_gradients.conjugate_gradients(A, Y, penalty, 1e-13)
    twin = conjugate_gradients._in_steps(A, Y, penalty, shrink, 1e-13)
    assert looped.settled
    assert twin.settled
    np.testing.assert_allclose(looped.coef, twin.coef, rtol=1e-8, atol=1e-10)
    assert not looped.coef[:, 1].any()


@pytest.mark.parametrize("weights", [np.random.default_rng(3).random(40), np.ones(40)], ids=["weighted", "alike"])
def test_squares_of_columns_are_those_of_filled_rows(weights: Any) -> None:
    X = _rows()
    rows, columns, filled = (CentredRows.of(rows, weights, True) for rows in (X, X.tocsc(), X.toarray()))
    for own in (rows, columns):
        np.testing.assert_allclose(own.mean, filled.mean, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(own.squares(), filled.squares(), rtol=1e-12, atol=1e-12)


def test_columns_are_brought_to_one_length_only_where_lengths_differ() -> None:
    X = random_array((400, 600), density=0.02, rng=np.random.default_rng(5), format="csr")
    even, uneven = (CentredRows.of(rows, np.ones(400), True) for rows in (X, X * 10.0 ** np.arange(600) ** 0.1))
    assert (conjugate_gradients._lengths(even, 1.0) == 1.0).all()
    np.testing.assert_allclose(conjugate_gradients._lengths(uneven, 1.0), 1.0 / (uneven.squares() + 1.0))
    y = np.random.default_rng(6).normal(size=(400, 1))
    steps = [
        conjugate_gradients._in_steps(even, y, 0.1, shrink, 1e-10).steps
        for shrink in (np.ones(600), 1.0 / (even.squares() + 0.1))
    ]
    assert steps[0] < 0.8 * steps[1]


def test_ridge_of_many_sparse_rows_is_that_of_dense_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conjugate_gradients, "descent_pays", lambda X: True)
    rng = np.random.default_rng(4)
    X = random_array((600, 1200), density=0.01, rng=rng, format="csr")
    y, w = X @ rng.normal(size=1200) + 3.0, rng.integers(0, 3, size=600)
    sparse, dense = (Ridge(alpha=0.5).fit(rows, y, sample_weight=w) for rows in (X, X.toarray()))
    np.testing.assert_allclose(sparse.coef_, dense.coef_, rtol=1e-6, atol=1e-7)
    assert sparse.intercept_ == pytest.approx(dense.intercept_, rel=1e-7)


@pytest.mark.parametrize("intercept", [True, False])
def test_logistic_regression_of_sparse_rows_is_that_of_the_twin(
    monkeypatch: pytest.MonkeyPatch, intercept: bool
) -> None:
    rng = np.random.default_rng(5)
    X = random_array((300, 1200), density=0.01, rng=rng, format="csr")
    y, w = X @ rng.normal(size=1200) > 0.1, rng.integers(0, 3, size=300)
    options: dict[str, Any] = {"tol": 1e-9, "fit_intercept": intercept, "C": 3.0}
    twin = LogisticRegression(**options).fit(X, y, sample_weight=w)
    monkeypatch.setattr(wide_logistic, "descent_pays", lambda X: True)
    looped = LogisticRegression(**options).fit(X, y, sample_weight=w)
    dense = LogisticRegression(**options).fit(X.toarray(), y, sample_weight=w)
    for other in (twin, dense):
        np.testing.assert_allclose(looped.coef_, other.coef_, rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(looped.intercept_, other.intercept_, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("run", ["plain"], indirect=True)
def test_places_of_cells_may_be_long_numbers(run: str) -> None:
    X = _rows()
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    A = CentredRows.of(X, np.ones(40), True)
    y = np.arange(40.0)[:, None] - 19.5
    own = conjugate_gradients.conjugate_gradients(A, y, 1.0, 1e-12).coef[:, 0]
    Z = A.filled()
    np.testing.assert_allclose(own, np.linalg.solve(Z.T @ Z + np.eye(15), Z.T @ y[:, 0]), rtol=1e-9, atol=1e-11)


def test_the_default_tolerance_leaves_five_digits_of_the_coefficients() -> None:
    rng = np.random.default_rng(6)
    X = random_array((400, 1500), density=0.01, rng=rng, format="csr")
    y = X @ rng.normal(size=1500) > 0.0
    own, sharp = LogisticRegression().fit(X, y), LogisticRegression(tol=1e-10).fit(X, y)
    assert np.abs(own.coef_ - sharp.coef_).max() <= 1e-5 * np.abs(sharp.coef_).max()

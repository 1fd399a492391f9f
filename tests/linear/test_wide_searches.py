"""Searches for a penalty over more columns than rows: from the rows, without products of all columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse
import sklearn.linear_model
from sklearn.model_selection import KFold

import suffice
from suffice.linear.regression.least_squares_problem import Problem
from suffice.linear.regression.leave_one_out import generalized, shrunken
from suffice.linear.wide.held_rows import HeldOutRows
from suffice.linear.wide.row_problem import RowProblem
from suffice.linear.wide.row_singular import _by_products
from suffice.summaries.rows_summary import RowsSummary

ALPHAS = (0.1, 1.0, 10.0, 100.0)


def _table(sparse: bool = False) -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 140)) + 5.0
    X = X * (rng.random(X.shape) < 0.3) if sparse else X
    y = X[:, :4].sum(axis=1) + rng.normal(size=40)
    return (scipy.sparse.csr_array(X) if sparse else X), y


@pytest.fixture
def no_products(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Any) -> Any:
        raise AssertionError("products of all columns were made")

    monkeypatch.setattr(RowsSummary, "full", property(refuse))


@pytest.mark.usefixtures("no_products")
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("cv", [None, KFold(4), "gcv"])
def test_ridge_cv_is_the_peers(cv: Any, sparse: bool) -> None:
    X, y = _table(sparse)
    ours = suffice.RidgeCV(ALPHAS, cv=cv).fit(X, y)
    if cv != "gcv":
        theirs = sklearn.linear_model.RidgeCV(ALPHAS, cv=cv).fit(X.toarray() if sparse else X, y)
        assert ours.alpha_ == theirs.alpha_
        assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-9)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-7, atol=1e-9)
    assert ours.algebra_ == "rows"


@pytest.mark.usefixtures("no_products")
def test_ridge_cv_scores_rows_by_name() -> None:
    X, y = _table()
    ours = suffice.RidgeCV(ALPHAS, cv=KFold(4), scoring="neg_mean_absolute_error").fit(X, y)
    theirs = sklearn.linear_model.RidgeCV(ALPHAS, cv=KFold(4), scoring="neg_mean_absolute_error").fit(X, y)
    assert ours.alpha_ == theirs.alpha_
    assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-9)


@pytest.mark.usefixtures("no_products")
@pytest.mark.parametrize("sparse", [False, True])
def test_lasso_cv_is_the_peers(sparse: bool) -> None:
    X, y = _table(sparse)
    options: dict[str, Any] = {"cv": KFold(3), "tol": 1e-8, "max_iter": 100_000}
    ours = suffice.LassoCV(alphas=8, eps=0.05, **options).fit(X, y)  # under smaller penalties the peer does not settle
    theirs = sklearn.linear_model.LassoCV(alphas=ours.alphas_, **options).fit(X, y)
    np.testing.assert_allclose(ours.mse_path_, theirs.mse_path_, rtol=1e-5)
    assert ours.alpha_ == pytest.approx(theirs.alpha_, rel=1e-12)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("far", [0.0, 1e6])
def test_rows_and_products_say_the_same(intercept: bool, far: float) -> None:
    X, y = _table()
    w = np.arange(1.0, 41.0)
    kept = suffice.Ridge(fit_intercept=intercept).fit(X + far, y, w).fitted_.state
    rows = RowProblem(kept.terms, kept.summary, intercept)
    products: Problem = rows.whole
    penalties = np.array([1.0, 50.0])
    scale = 1.0 + far * (not intercept)
    np.testing.assert_allclose(shrunken(rows, penalties), shrunken(products, penalties), rtol=1e-7, atol=1e-9 * scale)
    np.testing.assert_allclose(generalized(rows, penalties), generalized(products, penalties), rtol=1e-6)
    coef = shrunken(rows, penalties)
    held = HeldOutRows(kept.summary)
    np.testing.assert_allclose(held.errors(rows, coef), held.errors(products, coef), rtol=1e-6, atol=1e-9)
    assert held.variance(0, 140) == pytest.approx(np.average((y - np.average(y, weights=w)) ** 2, weights=w), rel=1e-12)


@pytest.mark.parametrize("centred", [True, False])
def test_singular_values_from_products_are_those_of_the_rows(centred: bool) -> None:
    A = np.random.default_rng(12).normal(size=(20, 90))
    A = A - A.mean(axis=0) if centred else A
    found = _by_products(A, centred)
    assert found is not None
    U, d, V = found
    np.testing.assert_allclose(np.sort(d)[::-1], np.linalg.svd(A, compute_uv=False)[: len(d)], rtol=1e-13)
    np.testing.assert_allclose(U * d @ V, A, rtol=0, atol=1e-13 * np.abs(A).max())
    np.testing.assert_allclose(V @ V.T, np.eye(len(d)), rtol=0, atol=1e-13)
    assert _by_products(A * np.logspace(0, -4, 20)[:, None], False) is None  # too few digits
    assert _by_products(np.vstack([A[:19], A[:1]]), False) is None  # rows that depend on one another
    assert _by_products(np.zeros((3, 9)), True) is None

"""More columns than rows, and sparse rows: the same answers, without anything of columns x columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
import sklearn.linear_model

import suffice
from suffice.core.errors import BadInput, NeverAdded
from suffice.linear import coefficient_tests
from suffice.linear.wide.row_problem import RowProblem
from suffice.summaries import rows_summary
from suffice.summaries.least_squares import LeastSquaresSummary
from suffice.summaries.rows_summary import RowsSummary, SparseCells

N, D = 30, 120


def table(seed: int = 0, n: int = N, d: int = D) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X[:, :4].sum(axis=1) + 0.1 * rng.normal(size=n)


def sparse(n: int = 300, d: int = 1_200, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = scipy.sparse.random_array((n, d), density=0.02, rng=rng, format="csr")
    return X, X @ rng.normal(size=d) + 0.01 * rng.normal(size=n)


def shortest(X: Any, y: Any, w: Any = None, intercept: bool = True) -> Any:
    """The shortest coefficients of least squares, by NumPy."""
    root = np.sqrt(np.ones(len(y)) if w is None else w)
    mean = np.average(X, axis=0, weights=root**2) if intercept else 0.0
    level = np.average(y, weights=root**2) if intercept else 0.0
    return np.linalg.lstsq((X - mean) * root[:, None], (y - level) * root, rcond=None)[0]


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_the_shortest_coefficients(intercept: bool, weighted: bool) -> None:
    X, y = table()
    w = np.random.default_rng(1).uniform(0.5, 2.0, N) if weighted else None
    model = suffice.LinearRegression(fit_intercept=intercept).fit(X, y, w)
    assert isinstance(model.fitted_.model.problem, RowProblem)
    np.testing.assert_allclose(model.coef_, shortest(X, y, w, intercept), rtol=0, atol=1e-12)
    np.testing.assert_allclose(model.predict(X), y, atol=1e-11)
    assert model.rank_ == N - intercept
    np.testing.assert_allclose(model.singular_[: N - intercept], _singular(X, w, intercept)[: N - intercept])


def _singular(X: Any, w: Any, intercept: bool) -> Any:
    w = np.ones(len(X)) if w is None else w
    return np.linalg.svd(np.sqrt(w)[:, None] * (X - intercept * np.average(X, axis=0, weights=w)), compute_uv=False)


@pytest.mark.parametrize("alpha", [1e-9, 1e-3, 1.0, 1e6])
@pytest.mark.parametrize("intercept", [True, False])
def test_ridge_is_scikit_learns(alpha: float, intercept: bool) -> None:
    X, y = table()
    Y = np.column_stack([y, -y + X[:, 5]])
    ours = suffice.Ridge(alpha, fit_intercept=intercept).fit(X, Y)
    theirs = sklearn.linear_model.Ridge(alpha, fit_intercept=intercept, solver="svd").fit(X, Y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=0, atol=1e-11)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-10)


def test_far_off_columns_cost_no_digits() -> None:
    X, y = table()
    X = np.round(X * 2**20) / 2**20
    far = X + 2.0**26
    far[:, 7] = 1e8  # constant: no coefficient
    X[:, 7] = 0.0
    near = suffice.Ridge(0.5).fit(X, y)
    moved = suffice.Ridge(0.5).fit(far, y)
    np.testing.assert_allclose(moved.coef_, near.coef_, rtol=0, atol=1e-12)
    np.testing.assert_allclose(moved.predict(far), near.predict(X), atol=1e-12)
    assert moved.coef_[7] == 0.0


def test_rows_that_depend_on_one_another() -> None:
    X, y = table()
    X, y = np.vstack([X, X[:9], X[:1] + X[1:2]]), np.append(y, [*(y[:9] + 1.0), 3.0])
    model = suffice.LinearRegression().fit(X, y)
    np.testing.assert_allclose(model.coef_, shortest(X, y), rtol=0, atol=1e-11)
    np.testing.assert_allclose(
        suffice.Ridge(1e-12).fit(X, y).predict(X), suffice.LinearRegression().fit(X, y).predict(X), atol=1e-8
    )


def test_one_row_and_rows_of_zeros() -> None:
    model = suffice.LinearRegression().fit(np.ones((1, D)), [3.0])
    assert not model.coef_.any()
    assert model.predict(np.zeros((2, D))).tolist() == [3.0, 3.0]
    assert not suffice.Ridge().fit(np.zeros((5, D)), np.arange(5.0)).coef_.any()


def test_lasso_reaches_the_objective_of_products() -> None:
    X, y = table()
    for l1_ratio, positive in ((1.0, False), (0.5, False), (1.0, True)):
        options = {"alpha": 0.05, "l1_ratio": l1_ratio, "positive": positive, "tol": 1e-10, "max_iter": 10_000}
        ours = suffice.ElasticNet(**options).fit(X, y)
        theirs = sklearn.linear_model.ElasticNet(**options).fit(X, y)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=0, atol=1e-5)
        assert 0.0 <= ours.dual_gap_ <= 1e-9 * y.var()
        assert _objective(ours, X, y, options) <= _objective(theirs, X, y, options) + 1e-10
        assert ours.n_iter_ > 0
    assert 0 < (ours.coef_ != 0).sum() < N


def _objective(model: Any, X: Any, y: Any, options: dict[str, Any]) -> float:
    b, ratio = model.coef_, options["l1_ratio"]
    penalty = options["alpha"] * (ratio * np.abs(b).sum() + (1 - ratio) / 2 * (b @ b))
    return float(0.5 * ((y - model.predict(X)) ** 2).mean() + penalty)


def test_lasso_begins_where_it_ended() -> None:
    X, y = table()
    model = suffice.Lasso(0.05, warm_start=True, tol=1e-8).fit(X, y)
    before = model.coef_
    np.testing.assert_allclose(model.fit(X, y).coef_, before, rtol=0, atol=1e-6)
    assert model.n_iter_ == 0


def test_classes_by_ridge() -> None:
    X, y = table()
    labels = np.digitize(y, np.quantile(y, [0.3, 0.6]))
    for given in (labels, labels > 0):
        ours = suffice.RidgeClassifier(class_weight="balanced").fit(X, given)
        theirs = sklearn.linear_model.RidgeClassifier(class_weight="balanced", solver="svd").fit(X, given)
        np.testing.assert_allclose(ours.coef_.ravel(), theirs.coef_.ravel(), rtol=0, atol=1e-12)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=0, atol=1e-12)
        assert (ours.predict(X) == theirs.predict(X)).all()


def test_rows_add_and_are_forgotten() -> None:
    X, y = table(n=60)
    whole = suffice.Ridge().fit(X, y)
    shards = suffice.Ridge().fit(X[:20], y[:20]).partial_fit(X[20:35], y[20:35])
    shards.merge(suffice.Ridge().fit(X[35:], y[35:]))
    np.testing.assert_allclose(shards.coef_, whole.coef_, rtol=0, atol=1e-12)
    shards.forget(X[10:30], y[10:30])
    kept = np.r_[0:10, 30:60]
    np.testing.assert_allclose(shards.coef_, suffice.Ridge().fit(X[kept], y[kept]).coef_, rtol=0, atol=1e-12)
    with pytest.raises(NeverAdded):
        shards.forget(X[10:11], y[10:11])
    np.testing.assert_allclose(
        shards.set_params(alpha=3.0).coef_, suffice.Ridge(3.0).fit(X[kept], y[kept]).coef_, rtol=0, atol=1e-12
    )


def test_rows_become_products_once_they_are_more_than_columns() -> None:
    X, y = table(n=2 * D)
    model = suffice.Ridge().fit(X[:80], y[:80])
    assert isinstance(model.summary_.summary, RowsSummary)
    model.partial_fit(X[80:], y[80:])
    assert isinstance(model.summary_.summary, LeastSquaresSummary)
    np.testing.assert_allclose(model.coef_, suffice.Ridge().fit(X, y).coef_, rtol=0, atol=1e-12)
    model.forget(X[:30], y[:30])
    np.testing.assert_allclose(model.coef_, suffice.Ridge().fit(X[30:], y[30:]).coef_, rtol=0, atol=1e-9)


def test_a_copy_is_kept() -> None:
    X, y = table()
    model = suffice.Ridge().fit(X, y)
    before = model.coef_.copy()
    X[:] = 0.0
    assert (model.set_params(alpha=1.0).coef_ == before).all()


def test_files(tmp_path: Path) -> None:
    (X, y), (S, t) = table(), sparse()
    for rows, target in ((X, y), (S, t)):
        model = suffice.Ridge().fit(rows, target)
        model.save(tmp_path / "model")
        loaded = suffice.load(tmp_path / "model")
        np.testing.assert_array_equal(loaded.predict(rows), model.predict(rows))


def test_sparse_rows_are_the_dense_ones() -> None:
    X, y = sparse()
    w = np.random.default_rng(3).uniform(0.0, 2.0, len(y))
    for model in (suffice.Ridge(0.1), suffice.Lasso(0.01, tol=1e-6), suffice.RidgeClassifier(0.1)):
        target = y > 0 if isinstance(model, suffice.RidgeClassifier) else y
        filled = model.fit(X.toarray(), target, w).coef_
        intercept = model.intercept_
        model.fit(X, target, w)
        kept = model.summary_.summary
        kept = kept.summary if hasattr(kept, "summary") else kept
        assert isinstance(kept.cells, SparseCells)
        np.testing.assert_allclose(model.coef_, filled, rtol=0, atol=1e-5 if isinstance(model, suffice.Lasso) else 1e-7)
        np.testing.assert_allclose(model.intercept_, intercept, atol=1e-6)
        assert (model.predict(X[:9]) == model.predict(X.tocsc()[:9])).all()


def test_least_squares_of_sparse_rows() -> None:
    X, y = sparse()
    model = suffice.LinearRegression().fit(X, y)
    np.testing.assert_allclose(model.coef_, shortest(X.toarray(), y), rtol=0, atol=1e-6)
    np.testing.assert_allclose(model.predict(X), model.predict(X.toarray()), atol=1e-10)


def test_sparse_rows_add_and_are_forgotten() -> None:
    X, y = sparse()
    shards = suffice.Ridge().fit(X[:100], y[:100]).partial_fit(X[100:].toarray(), y[100:]).forget(X[50:60], y[50:60])
    kept = np.r_[0:50, 60:300]
    np.testing.assert_allclose(shards.coef_, suffice.Ridge().fit(X[kept], y[kept]).coef_, rtol=0, atol=1e-6)


def test_cells_that_are_missing_are_named() -> None:
    (X, y), (S, t) = table(), sparse()
    X[3, 5] = np.nan
    S.data[S.indptr[4] : S.indptr[5]] = np.inf
    with pytest.raises(BadInput, match=r"column 'x5' must be present .* a missing cell in row 3"):
        suffice.Ridge().fit(X, y)
    with pytest.raises(BadInput, match=f"column 'x{S.indices[S.indptr[4]]}' must be finite .* row 4"):
        suffice.Ridge().fit(S, t)


def test_products_are_refused_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    model = suffice.Ridge().fit(*sparse(1_250))
    monkeypatch.setattr(rows_summary, "memory", lambda: 10_000_000)
    with pytest.raises(BadInput, match=r"the columns must be so few .* got 1,201, for 46,156,832 bytes"):
        model.results()


def test_covariances_are_refused_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = sparse()
    ridge, logistic = suffice.Ridge().fit(X, y), suffice.LogisticRegression().fit(X, y > 0)
    monkeypatch.setattr(coefficient_tests, "memory", lambda: 10_000_000)
    for results in (ridge.results, lambda: logistic.results(X, y > 0)):
        with pytest.raises(BadInput, match=r"the coefficients must be so few .* got 1,201, for 46,156,832 bytes"):
            results()


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_ridge_of_more_columns_than_rows_has_results(kind: str, intercept: bool) -> None:
    """As the linear map that takes targets to coefficients says, found in the dual."""
    X, y = table() if kind == "dense" else sparse(40, 1_000)
    X, y = (X + 1e6, y + 1e6) if kind == "dense" and intercept else (X, y)
    found = suffice.Ridge(alpha=3.0, fit_intercept=intercept).fit(X, y).results()
    full = (X.toarray() if kind == "sparse" else X) + 0.0
    mean = full.mean(axis=0) if intercept else np.zeros(full.shape[1])
    A = full - mean
    M = np.linalg.solve(A @ A.T + 3.0 * np.eye(len(A)), A).T  # (p, n)
    level = np.full((1, len(A)), 1.0 / len(A)) - mean @ M
    maps, used = (np.vstack([level, M]), np.trace(A @ M) + 1.0) if intercept else (M, np.trace(A @ M))
    about = y - (y.mean() if intercept else 0.0)
    apart = about - A @ (M @ about)
    s2 = (apart @ apart) / (len(y) - used)
    assert found.parameters == pytest.approx(used, rel=1e-8)
    np.testing.assert_allclose(found.covariance[intercept:, intercept:], s2 * M @ M.T, rtol=0, atol=1e-9 * s2)
    np.testing.assert_allclose(found.standard_errors, np.sqrt(s2 * (maps**2).sum(axis=1)), rtol=1e-7, atol=1e-12)


def test_more_coefficients_than_rows_have_no_standard_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of columns x columns is made before that is said."""
    monkeypatch.setattr(RowsSummary, "full", property(lambda self: pytest.fail("products were made")))
    X, y = table()
    with pytest.raises(BadInput, match=r"at most as many as rows for results, .* got 121 in 30 rows\. .* or Ridge"):
        suffice.LinearRegression().fit(X, y).results()


def test_searches_take_wide_tables() -> None:
    X, y = table()
    chosen = suffice.RidgeCV(alphas=[0.1, 1.0, 10.0], cv=3).fit(X, y)
    np.testing.assert_allclose(chosen.coef_, suffice.Ridge(chosen.alpha_).fit(X, y).coef_, rtol=0, atol=1e-10)
    lasso = suffice.LassoCV(alphas=[0.3, 0.1], cv=3).fit(X, y)
    assert lasso.alpha_ in (0.3, 0.1)

"""Logistic regression of wide and sparse tables: the same answers as scikit-learn's, to more digits."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import sklearn.linear_model
from scipy.sparse import csr_matrix
from sklearn.metrics import log_loss

import suffice
import suffice.linear.logistic.logistic_passes as passes
from suffice import LogisticRegression
from suffice.core.errors import BadInput
from tests.linear.test_wide import sparse, table


def theirs(C: float, X: Any, y: Any, w: Any = None, **options: Any) -> Any:
    model = sklearn.linear_model.LogisticRegression(C=C, tol=1e-12, max_iter=20_000, solver="newton-cg", **options)
    return model.fit(X, y, w)


@pytest.mark.parametrize("rows", ["dense", "sparse"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("intercept", [True, False])
def test_the_coefficients(rows: str, classes: int, intercept: bool) -> None:
    X, y = table() if rows == "dense" else sparse()
    labels = np.array(["a", "b", "c"])[np.digitize(y, np.quantile(y, [0.5] if classes == 2 else [0.3, 0.6]))]
    w = np.random.default_rng(2).integers(0, 3, len(y)).astype(float)
    other = theirs(0.7, X, labels, w, fit_intercept=intercept)
    model = suffice.LogisticRegression(C=0.7, tol=1e-8, fit_intercept=intercept).fit(X, labels, w)
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=0, atol=1e-6)
    np.testing.assert_allclose(model.intercept_, other.intercept_, rtol=0, atol=1e-6)
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), atol=1e-6)
    assert model.n_iter_[0] < 30


def test_more_rows_than_equations_are_solved_for_at_once() -> None:
    X, y = table(n=130, d=200)
    other, model = theirs(1.0, X, y > 0), suffice.LogisticRegression(tol=1e-8).fit(X, y > 0)
    np.testing.assert_allclose(model.coef_, other.coef_, rtol=0, atol=1e-6)
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), atol=1e-6)


def test_far_off_columns_cost_no_digits() -> None:
    X, y = table()
    X = np.round(X * 2**20) / 2**20
    near, far = (suffice.LogisticRegression(tol=1e-8).fit(rows, y > 0) for rows in (X, X + 2.0**26))
    np.testing.assert_allclose(far.coef_, near.coef_, rtol=0, atol=1e-10)
    np.testing.assert_allclose(far.predict_proba(X + 2.0**26), near.predict_proba(X), atol=1e-10)


@pytest.mark.parametrize("rows", ["dense", "sparse"])
def test_a_penalty_on_sizes(rows: str) -> None:
    X, y = table() if rows == "dense" else sparse(150, 1_000)
    C = 1.0 if rows == "dense" else 2.0
    options = {"l1_ratio": 1.0, "C": C, "max_iter": 300}
    model = suffice.LogisticRegression(tol=1e-5, **options).fit(X, y > 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = sklearn.linear_model.LogisticRegression(solver="saga", random_state=0, **options).fit(X, y > 0)
    assert 0 < np.count_nonzero(model.coef_) < X.shape[0]
    assert _objective(model, X, y > 0, C) <= _objective(other, X, y > 0, C) * (1 + 1e-6)


def _objective(model: Any, X: Any, y: Any, C: float) -> float:
    log_p = model.predict_log_proba(X)
    return float(C * -log_p[np.arange(len(y)), y.astype(int)].sum() + np.abs(model.coef_).sum())


def test_without_a_penalty_rows_are_told_apart() -> None:
    X, y = table()
    with pytest.warns(UserWarning, match="told apart without error"):
        model = suffice.LogisticRegression(C=np.inf).fit(X, y > 0)
    assert (model.predict(X) == (y > 0)).all()


def test_it_begins_where_it_ended() -> None:
    for X, y in (table(), sparse()):
        model = suffice.LogisticRegression(warm_start=True, tol=1e-6).fit(X, y > 0)
        before = model.coef_
        np.testing.assert_allclose(model.fit(X, y > 0).coef_, before, atol=1e-6)
        assert model.n_iter_[0] <= 2


def test_the_search_takes_them_too() -> None:
    X, y = sparse()
    model = suffice.LogisticRegressionCV(Cs=[0.1, 1.0], cv=3, use_legacy_attributes=False).fit(X, y > 0)
    alone = suffice.LogisticRegression(C=model.C_).fit(X, y > 0)
    np.testing.assert_allclose(model.coef_, alone.coef_, atol=1e-5)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_equations_that_are_solved_at_once_give_the_coefficients_of_conjugate_gradients(
    intercept: bool, weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(11)
    X = rng.normal(size=(30, 300)) * np.logspace(-2, 2, 300) + (1e6 if intercept else 0.0)
    y = (rng.normal(size=30) > 0.0).astype(int)
    w = rng.integers(0, 3, 30).astype(float) if weighted else None
    called: list[int] = []
    quick = passes.descend_directly

    def counted(*arguments: Any) -> Any:
        called.append(1)
        return quick(*arguments)

    monkeypatch.setattr(passes, "descend_directly", counted)
    ours = LogisticRegression(fit_intercept=intercept, tol=1e-8).fit(X, y, w)
    assert called
    monkeypatch.setattr(passes, "DIRECT", 0)
    slow = LogisticRegression(fit_intercept=intercept, tol=1e-8).fit(X, y, w)
    assert len(called) == 1
    np.testing.assert_allclose(ours.coef_, slow.coef_, rtol=0, atol=1e-9 * np.abs(slow.coef_).max())
    np.testing.assert_allclose(ours.predict_proba(X), slow.predict_proba(X), rtol=0, atol=1e-10)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("intercept", [True, False])
def test_results_of_more_coefficients_than_rows(classes: int, intercept: bool) -> None:
    """By curvatures of columns x columns, which are made here alone."""
    (X, _), C, L = table(n=25, d=110), 0.7, 1 if classes == 2 else classes
    y = np.arange(25) % classes
    model = LogisticRegression(C=C, fit_intercept=intercept, tol=1e-10).fit(X, y)
    found = model.results(X, y)
    A = np.column_stack([np.ones(25), X])
    scores = A @ np.column_stack([model.intercept_, model.coef_]).T
    scores = np.column_stack([np.zeros(25), scores]) if classes == 2 else scores
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = (p / p.sum(axis=1, keepdims=True))[:, -L:]
    H = sum(np.kron(np.diag(a) - np.outer(a, a), np.outer(row, row)) for a, row in zip(p, A, strict=True))
    free = np.tile(np.append(intercept, np.ones(110, dtype=bool)), L)
    H = H[np.ix_(free, free)]
    inverse = np.linalg.pinv(H + np.diag(np.tile(np.append(0.0, np.full(110, 1.0 / C)), L)[free]), hermitian=True)
    np.testing.assert_allclose(found.standard_errors, np.sqrt(np.diagonal(inverse @ H @ inverse)), rtol=1e-9)
    assert found.parameters == pytest.approx(np.trace(inverse @ H), rel=1e-10)
    assert found.log_likelihood == pytest.approx(-log_loss(y, model.predict_proba(X), normalize=False), rel=1e-12)
    some = csr_matrix(X)
    other = LogisticRegression(C=C, fit_intercept=intercept, tol=1e-10).fit(some, y).results(some, y)
    np.testing.assert_allclose(other.standard_errors, found.standard_errors, rtol=1e-8)


@pytest.mark.parametrize(
    ("n", "d", "intercept", "live"), [(25, 110, True, 25), (8, 8, True, 8), (9, 8, True, 8), (5, 6, False, 5)]
)
def test_without_a_penalty_more_coefficients_than_rows_have_no_results(
    n: int, d: int, intercept: bool, live: int
) -> None:
    X, y = table(n=n, d=d)
    w = np.append(np.zeros(n - live), np.ones(live))  # a row of weight 0 is no row
    y = np.arange(n) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression(C=np.inf, fit_intercept=intercept).fit(X, y, w)
    with pytest.raises(BadInput, match=rf"got {d + intercept} in {live} rows\. Use fewer columns, or a penalty"):
        model.results(X, y, w)
    LogisticRegression().fit(X, y, w).results(X, y, w)


def test_rows_that_are_all_alike_have_an_intercept_alone(capfd: pytest.CaptureFixture[str]) -> None:
    X, y = np.ones((5, 200)), np.array([0, 1, 1, 1, 0])
    for rows in (X, 1e8 * X, 0.0 * X):
        model = LogisticRegression().fit(rows, y)
        np.testing.assert_allclose(model.predict_proba(rows)[:, 1], 0.6, rtol=1e-8)
        assert not model.coef_.any()
    np.testing.assert_allclose(model.results(0.0 * X, y).standard_errors[0], np.sqrt(1 / (5 * 0.6 * 0.4)), rtol=1e-6)
    assert LogisticRegression(fit_intercept=False).fit(0.0 * X, y).predict_proba(X)[0, 1] == 0.5
    assert suffice.LogisticRegressionCV(Cs=2, cv=2).fit(X, y).predict_proba(X)[0, 1] == pytest.approx(0.6)
    assert capfd.readouterr() == ("", "")  # LAPACK tells of what it is given wrong, past Python

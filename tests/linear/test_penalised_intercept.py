"""solver="liblinear": the intercept is the coefficient of a column `intercept_scaling`, and bears the penalty."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import sklearn.linear_model as peer
from scipy.special import softmax

from suffice import LogisticRegression, LogisticRegressionCV
from suffice.sources import Format, Roles, open_rows

rng = np.random.default_rng(0)


def table(kind: str) -> tuple[Any, Any]:
    n, d = {"dense": (300, 5), "many": (200, 150), "wide": (60, 200), "sparse": (200, 1200)}[kind]
    if kind == "sparse":
        X: Any = scipy.sparse.random_array((n, d), density=0.02, rng=rng, format="csr")
    else:
        X = rng.normal(size=(n, d)) + 2 * rng.normal(size=d)
    z = np.asarray(X[:, [0, 1]].sum(axis=1)).ravel() + rng.logistic(size=n)
    return X, np.where(z > np.quantile(z, 0.7), "b", "a")


TABLES = {kind: table(kind) for kind in ("dense", "many", "wide", "sparse")}
X, TWO = TABLES["dense"]
MANY = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + rng.logistic(size=300), X[:, 0].mean() + np.arange(2.0))]


def penalised(s: float = 1.0, **options: Any) -> LogisticRegression:
    return LogisticRegression(solver="liblinear", intercept_scaling=s, tol=1e-8, **options)


def cost(model: Any, rows: Any, y: Any, w: Any, s: float, l1_ratio: float) -> float:
    eta = np.asarray(rows @ model.coef_.T)[:, 0] + model.intercept_
    b = np.append(model.coef_[0], model.intercept_[0] / s)
    lost = float(w @ np.logaddexp(0.0, np.where(y == model.classes_[1], -eta, eta)))
    return lost + float(l1_ratio * np.abs(b).sum() + (1 - l1_ratio) / 2 * (b**2).sum()) / model.C


@pytest.mark.filterwarnings("ignore:Liblinear failed to converge")
@pytest.mark.parametrize("s", [1.0, 10.0])
@pytest.mark.parametrize("l1_ratio", [0.0, 1.0])
@pytest.mark.parametrize("kind", TABLES)
def test_it_is_liblinears_to_more_digits(kind: str, l1_ratio: float, s: float) -> None:
    rows, y = TABLES[kind]
    w = np.random.default_rng(1).integers(0, 3, len(y)).astype(float)
    options: dict[str, Any] = {"C": 0.3, "l1_ratio": l1_ratio, "intercept_scaling": s, "solver": "liblinear"}
    ours = LogisticRegression(**options, tol=1e-8).fit(rows, y, w)
    theirs = peer.LogisticRegression(**options, tol=1e-7, max_iter=500).fit(rows, y, w)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-3)
    assert cost(ours, rows, y, w, s, l1_ratio) <= cost(theirs, rows, y, w, s, l1_ratio) + 1e-9
    free = LogisticRegression(C=0.3, l1_ratio=l1_ratio, tol=1e-8).fit(rows, y, w)
    assert np.abs(free.intercept_ - ours.intercept_).max() > 1e-3


@pytest.mark.parametrize("l1_ratio", [0.0, 0.4])
@pytest.mark.parametrize("y", [TWO, MANY], ids=["two", "many"])
def test_it_is_a_column_of_its_own(y: Any, l1_ratio: float) -> None:
    """Of many classes too, which liblinear refuses: the same as a column that never varies, without an intercept."""
    options: dict[str, Any] = {"C": 0.1, "l1_ratio": l1_ratio, "tol": 1e-9}
    ours = LogisticRegression(**options, solver="liblinear", intercept_scaling=3.0).fit(X, y)
    column = np.column_stack([X, np.full(len(X), 3.0)])
    other = LogisticRegression(**options, fit_intercept=False).fit(column, y)
    np.testing.assert_allclose(ours.coef_, other.coef_[:, :-1], atol=1e-8)
    np.testing.assert_allclose(ours.intercept_, 3.0 * other.coef_[:, -1], atol=1e-8)
    if l1_ratio == 0.0:
        p = ours.predict_proba(X)
        miss = (p - (y[:, None] == ours.classes_)).sum(axis=0)[1 if len(p.T) == 2 else slice(None)]
        np.testing.assert_allclose(miss + ours.intercept_ / 9.0 / 0.1, 0.0, atol=1e-7)
        np.testing.assert_allclose(p, softmax(ours.predict_log_proba(X), axis=1))


def test_nothing_else_changes() -> None:
    for options in ({"C": np.inf}, {"fit_intercept": False}):
        a, b = (LogisticRegression(solver=solver, tol=1e-8, **options).fit(X, TWO) for solver in ("lbfgs", "liblinear"))
        np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-12)
    far = penalised(1e6).fit(X, TWO)
    np.testing.assert_allclose(far.intercept_, LogisticRegression(tol=1e-8).fit(X, TWO).intercept_, atol=1e-6)
    assert penalised().fit(X, TWO, np.zeros(300) + 2.0).intercept_ == pytest.approx(
        penalised().fit(np.vstack([X, X]), np.concatenate([TWO, TWO])).intercept_, abs=1e-9
    )


@pytest.mark.parametrize("kind", TABLES)
def test_warm_starts_begin_where_the_last_one_ended(kind: str) -> None:
    rows, y = TABLES[kind]
    model = penalised(C=0.1, warm_start=True, max_iter=200).fit(rows, y)
    first, passes = model.intercept_, model.n_iter_[0]
    model.fit(rows, y)
    assert model.n_iter_[0] < passes
    np.testing.assert_allclose(model.intercept_, first, atol=1e-7)


def test_tables_and_files(tmp_path: Path) -> None:
    frame = pd.DataFrame(X[:, :2], columns=["a", "b"]).assign(site=np.array(["n", "e", "s"])[np.arange(300) % 3])
    dummies = np.column_stack([X[:, :2], *(frame.site == level for level in ("n", "s"))])
    model, other = penalised(2.0, l1_ratio=0.3).fit(frame, TWO), penalised(2.0, l1_ratio=0.3).fit(dummies, TWO)
    np.testing.assert_allclose(np.sort(model.coef_), np.sort(other.coef_), atol=1e-7)
    np.testing.assert_allclose(model.intercept_, other.intercept_, atol=1e-7)
    frame.assign(y=TWO).to_csv(tmp_path / "rows.csv", index=False)
    rows = open_rows(tmp_path / "rows.csv", Roles(target="y"), format=Format(block=2000))
    there = penalised(2.0, l1_ratio=0.3).fit(rows)
    np.testing.assert_allclose(there.predict_proba(frame), model.predict_proba(frame), atol=1e-9)


@pytest.mark.parametrize("kind", ["dense", "wide"])
def test_results_are_those_of_the_column(kind: str) -> None:
    rows, y = TABLES[kind]
    rows, y = (rows[:30], y[:30]) if kind == "wide" else (rows, y)
    column = np.column_stack([np.full(len(rows), 2.0), rows])
    ours = penalised(2.0).fit(rows, y).results(rows, y)
    other = LogisticRegression(fit_intercept=False, tol=1e-8).fit(column, y).results(column, y)
    units = np.append(2.0, np.ones(rows.shape[1]))
    np.testing.assert_allclose(ours.standard_errors, units * other.standard_errors, rtol=1e-6)


def test_the_search_penalises_alike() -> None:
    found = LogisticRegressionCV(Cs=[0.01, 0.1, 1.0], cv=3, solver="liblinear", intercept_scaling=2.0, tol=1e-8)
    found.fit(X, TWO)
    one = penalised(2.0, C=found.C_).fit(X, TWO)
    np.testing.assert_allclose(found.intercept_, one.intercept_, atol=1e-8)
    assert np.abs(one.intercept_ - LogisticRegression(C=found.C_).fit(X, TWO).intercept_).max() > 1e-3

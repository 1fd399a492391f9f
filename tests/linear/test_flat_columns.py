"""A column that does not vary tells nothing: its coefficient is 0, and it changes no other, in any units."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sklearn.linear_model as peer

from suffice import ElasticNet, Lasso, LeastSquaresClassifier, LinearRegression, LogisticRegression, Ridge

rng = np.random.default_rng(0)
UNITS = np.array([1.0, 1e-12, 1e3])
X = (rng.normal(size=(60, 3)) + np.array([0.0, 100.0, 7.0])) * UNITS
y = X @ (np.array([1.0, -1.0, 0.5]) / UNITS) + rng.normal(size=60)
THREE = np.digitize(y, np.quantile(y, [0.3, 0.6]))
W = rng.uniform(size=60)
MODELS = [LinearRegression, lambda **o: Ridge(alpha=0.0, **o), Ridge, lambda **o: Lasso(alpha=1e-9, **o)]
MODELS += [lambda **o: ElasticNet(alpha=1e-9, **o), lambda **o: LinearRegression(positive=True, **o)]
NAMES = ["least squares", "ridge of 0", "ridge", "lasso", "elastic net", "positive"]


@pytest.mark.parametrize("w", [None, W], ids=["alike", "weighted"])
@pytest.mark.parametrize("place", [0, 1, 3])
@pytest.mark.parametrize(("value", "intercept"), [(0.0, True), (0.0, False), (1 / 3, True), (1e6 / 3, True)])
@pytest.mark.parametrize("model", MODELS, ids=NAMES)
def test_of_numbers(model: Any, value: float, intercept: bool, place: int, w: Any) -> None:
    table = np.insert(X, place, value, axis=1)
    found = model(fit_intercept=intercept).fit(table, y, w).coef_
    assert found[place] == 0.0
    alone = model(fit_intercept=intercept).fit(X, y, w).coef_
    np.testing.assert_allclose(np.delete(found, place), alone, rtol=1e-11)


@pytest.mark.parametrize("y", [THREE, THREE > 0], ids=["three", "two"])
@pytest.mark.parametrize(("value", "intercept"), [(0.0, True), (0.0, False), (1 / 3, True), (1e6 / 3, True)])
@pytest.mark.parametrize("options", [{"C": np.inf}, {"C": 1e8}, {"C": 1.0}, {"C": 1.0, "l1_ratio": 1.0}], ids=str)
@pytest.mark.parametrize("times", [1, 80])
def test_of_log_odds(options: Any, value: float, intercept: bool, y: Any, times: int) -> None:
    many, labels = np.tile(X / UNITS + 100.0, (times, 1)), np.tile(y, times)
    options = {"fit_intercept": intercept, "tol": 1e-10, **options}
    found = LogisticRegression(**options).fit(np.insert(many, 1, value, axis=1), labels).coef_
    assert not found[:, 1].any()
    np.testing.assert_allclose(np.delete(found, 1, axis=1), LogisticRegression(**options).fit(many, labels).coef_, 1e-8)


def test_of_classes_by_least_squares() -> None:
    found = LeastSquaresClassifier().fit(np.insert(X, 1, 0.0, axis=1), THREE).coef_
    assert not found[:, 1].any()
    np.testing.assert_allclose(np.delete(found, 1, axis=1), LeastSquaresClassifier().fit(X, THREE).coef_, rtol=1e-11)


def test_weak_ridges_leave_the_sums_over_the_classes_at_0() -> None:
    many = np.tile(X / UNITS + 100.0, (80, 1))
    found = LogisticRegression(C=1e8, fit_intercept=False, tol=1e-10).fit(many, np.tile(THREE, 80))
    np.testing.assert_allclose(found.coef_.sum(axis=0), 0.0, atol=1e-13 * np.abs(found.coef_).max())


@pytest.mark.parametrize("y", [2, 3], ids=["two", "three"])
def test_a_mark_that_few_rows_bear_is_seen(y: int) -> None:
    """Those rows whose curvature is summed bear none of it; the slope of all rows tells."""
    draw = np.random.default_rng(1)
    many = draw.normal(size=(30_000, 3))
    many[:, 0] = 0.0
    many[np.arange(3, 3000, 10)[:60], 0] = 1.0
    labels = np.digitize(many @ [1.0, -1.0, 0.5] + draw.logistic(size=30_000), [-1.0, 1.0][: y - 1])
    found = LogisticRegression(C=np.inf).fit(many, labels)
    theirs = peer.LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-10).fit(many, labels)
    np.testing.assert_allclose(found.predict_proba(many), theirs.predict_proba(many), atol=1e-4)

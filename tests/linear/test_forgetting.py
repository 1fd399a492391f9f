"""Least squares that forgets: the model that never saw the rows; rows that were never learned are refused."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from suffice import BasicLinearClassifier, LeastSquaresClassifier, LinearRegression, Ridge, RidgeClassifier
from suffice.core.block import Array
from suffice.core.errors import NeverAdded
from suffice.testing.learning import assert_unchanged, state_of

Rows = tuple[Array, Array, int]  # cells, targets, and how many of the first rows are forgotten


def becomes_constant(seed: int) -> Rows:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 2))
    X[4:, 1] = 3.3
    return X, X[:, 0] + 0.1 * rng.normal(size=40), 4


def rare_flag(seed: int) -> Rows:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3))
    X[:, 2] = 0.0
    X[:3, 2] = 1.0
    return X, X[:, 0] - X[:, 1] + 5.0 * X[:, 2], 3


def common_flag(seed: int) -> Rows:
    """Most rows have it, and these are forgotten: a column of zeros, about a shift of 1."""
    X, y, _ = rare_flag(seed)
    X[:, 2] = np.arange(60) < 45
    return X, y + X[:, 2], 45


def many_rows(seed: int) -> Rows:
    """More than are multiplied sharply."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(6000, 5))
    X[3000:, 4], X[3000:, 3] = 0.1, 0.0
    return X, X @ [1.0, 2.0, 0.0, -1.0, 3.0], 3000


TABLES = [becomes_constant, rare_flag, common_flag, many_rows]
MODELS: dict[str, Callable[[], Any]] = {
    "least squares": LinearRegression,
    "through 0": lambda: LinearRegression(fit_intercept=False),
    "ridge": lambda: Ridge(alpha=0.1),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_forgetting_is_never_having_seen(name: str, table: Callable[[int], Rows]) -> None:
    for seed in range(10):
        X, y, gone = table(seed)
        left = MODELS[name]().fit(X, y).forget(X[:gone], y[:gone])
        never = MODELS[name]().fit(X[gone:], y[gone:])
        np.testing.assert_allclose(left.coef_, never.coef_, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(left.intercept_, never.intercept_, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("model", [LeastSquaresClassifier, RidgeClassifier, BasicLinearClassifier])
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_classifiers_forget_too(model: type[Any], table: Callable[[int], Rows]) -> None:
    for seed in range(10):
        X, y, gone = table(seed)
        labels = np.arange(len(y)) % 7
        left = model().fit(X, labels).forget(X[:gone], labels[:gone])
        never = model().fit(X[gone:], labels[gone:])
        mine, theirs = left.decision_function(X[gone:]), never.decision_function(X[gone:])
        np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("model", [LinearRegression, Ridge, LeastSquaresClassifier, BasicLinearClassifier])
def test_rows_that_cannot_have_been_learned_are_refused(model: type[Any]) -> None:
    X, y = load_iris(return_X_y=True)
    fitted = model().fit(X, y)
    before = state_of(fitted)
    with pytest.raises(NeverAdded, match="the rows must have been added before"):
        fitted.forget(X[:1] + 3.0, y[:1])
    assert_unchanged(fitted, before)


def test_a_target_that_no_such_row_had_is_refused() -> None:
    """Rows and targets are refuted together: on a line, every other target is."""
    x = np.linspace(0.0, 1.0, 20)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = LinearRegression().fit(x, 2.0 * x[:, 0])
        with pytest.raises(NeverAdded):
            model.forget(x[:1], [0.5])
        assert model.forget(x[:3], 2.0 * x[:3, 0]).coef_.round(9).tolist() == [2.0]

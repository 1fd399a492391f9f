"""Forgetting with full covariances equals never having seen the rows; rows that were never learned are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from suffice import GaussianNB, LinearDiscriminantAnalysis, NaiveBayes, QuadraticDiscriminantAnalysis
from suffice.core.block import Array
from suffice.core.errors import NeverAdded
from suffice.core.shares import Shares
from suffice.families.normals.full_normal import FullNormal
from suffice.families.normals.tied_normal import TiedNormal
from suffice.testing.learning import assert_unchanged, state_of

CLOSE = 1e-9
Rows = tuple[Array, Array, int]  # cells, labels, and how many of the first rows are forgotten


def becomes_constant(seed: int) -> Rows:
    rng = np.random.default_rng(seed)
    y = np.arange(42) % 2
    X = rng.normal(size=(42, 3)) + y[:, None]
    X[4:, 1] = 3.3
    return X, y, 4


def rare_flag(seed: int) -> Rows:
    rng = np.random.default_rng(seed)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 4)) + 0.7 * y[:, None]
    X[:, 3] = 0.0
    X[:3, 3] = 1.0
    return X, y, 3


def seven_classes(seed: int) -> Rows:
    rng = np.random.default_rng(seed)
    y = np.arange(140) % 7
    X = rng.normal(size=(140, 4)) + 0.5 * y[:, None]
    X[7:, 1] = 3.3
    return X, y, 7


def one_row_left(seed: int) -> Rows:
    """Nine of the ten rows of a class go; what is left of it lies far from where they were."""
    rng = np.random.default_rng(seed)
    y = np.repeat([2, 0, 1], [10, 30, 30])
    return rng.normal(size=(70, 3)) + 3.0 * y[:, None], y, 9


TABLES = [becomes_constant, rare_flag, seven_classes, one_row_left]
MODELS: dict[str, Callable[[], Any]] = {
    "linear": LinearDiscriminantAnalysis,
    "linear, least squares": lambda: LinearDiscriminantAnalysis(solver="lsqr"),
    "linear, estimated shrinkage": lambda: LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
    "linear, virtual rows": lambda: LinearDiscriminantAnalysis(prior_strength=1.0),
    "quadratic, shrunk": lambda: QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.1),
    "quadratic, virtual rows": lambda: QuadraticDiscriminantAnalysis(prior_strength=1.0),
}


ASKED = [(name, table) for name in MODELS for table in TABLES]
ASKED.remove(("quadratic, shrunk", one_row_left))  # it wants two rows of every class


@pytest.mark.parametrize(("name", "table"), ASKED, ids=lambda part: getattr(part, "__name__", part))
def test_forgetting_is_never_having_seen(name: str, table: Callable[[int], Rows]) -> None:
    for seed in range(10):
        X, y, gone = table(seed)
        left = MODELS[name]().fit(X, y).forget(X[:gone], y[:gone])
        never = MODELS[name]().fit(X[gone:], y[gone:])
        np.testing.assert_allclose(left.predict_proba(X), never.predict_proba(X), rtol=0, atol=CLOSE)


@pytest.mark.parametrize("family", [FullNormal(), TiedNormal()], ids=lambda family: type(family).__name__)
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_families_forget_too(family: Any, table: Callable[[int], Rows]) -> None:
    for seed in range(10):
        X, y, gone = table(seed)

        def kept(rows: slice, X: Array = X, y: Array = y) -> Any:
            return family.summarize(X[rows], Shares.hard(y[rows].astype(np.int32), int(y.max()) + 1))

        left = family.estimate(kept(slice(None)) - kept(slice(gone)))
        never = family.estimate(kept(slice(gone, None)))
        np.testing.assert_allclose(left.covariance, never.covariance, rtol=CLOSE, atol=1e-14)
        assert ((left.covariance == 0.0) == (never.covariance == 0.0)).all()
        np.testing.assert_allclose(left.log_density(X[gone:]), never.log_density(X[gone:]), rtol=CLOSE, atol=CLOSE)


@pytest.mark.parametrize(
    "model",
    [GaussianNB, NaiveBayes, LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis],
    ids=lambda m: m.__name__,
)
def test_rows_that_cannot_have_been_learned_are_refused(model: type[Any]) -> None:
    X, y = load_iris(return_X_y=True)
    fitted = model().fit(X, y)
    before = state_of(fitted)
    for strange in (X[:1] + 3.0, X[:1] + np.array([0.0, 0.0, 0.0, 4.0]), X[:50] + 0.5):
        with pytest.raises(NeverAdded, match="the rows must have been added before"):
            fitted.forget(strange, y[: len(strange)])
        assert_unchanged(fitted, before)
    np.testing.assert_allclose(
        fitted.forget(X[::3], y[::3]).predict_proba(X),
        model().fit(np.delete(X, slice(None, None, 3), 0), np.delete(y, slice(None, None, 3))).predict_proba(X),
        rtol=0,
        atol=1e-11,
    )


def test_more_rows_without_a_cell_than_there_were_are_refused() -> None:
    X = {"x": [1.0, 2.0, 4.0, 3.0], "z": [0.5, None, 1.5, 2.0]}
    model = NaiveBayes().fit(X, ["a", "a", "b", "b"])
    model.forget({"x": [2.0], "z": [None]}, ["a"])
    with pytest.raises(NeverAdded, match="lack a cell"):
        model.forget({"x": [4.0], "z": [None]}, ["b"])

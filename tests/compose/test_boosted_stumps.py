"""Rounds of AdaBoost in one loop: the same stumps, errors and weights of rows as round after round."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from suffice import AdaBoostClassifier
from suffice.compose.ensembles.ada_boost import _Rounds
from suffice.core.block import Array
from suffice.numerics import loop
from suffice.trees.growth.bins import BinnedCells
from suffice.trees.growth.boosted_stumps import boosted_stumps
from suffice.trees.growth.targets import ClassSums


def rows(K: int, n: int = 300) -> tuple[Array, Array]:
    """Classes that overlap, an offset, a constant column and missing cells."""
    rng = np.random.default_rng(K)
    X = rng.normal(size=(n, 5))
    y = np.digitize(X[:, 0] + X[:, 1] ** 2 + rng.normal(size=n) / 2, np.linspace(0, 2, K + 1)[1:-1])
    X[:, 2] = X[:, 2] + 1e8
    X[:, 3] = 7.0
    X[rng.random(n) < 0.2, 1] = np.nan
    return X, y


def both_ways(monkeypatch: pytest.MonkeyPatch, X: Array, y: Array, **given: Any) -> tuple[Any, Any]:
    """The model of the loop, which does not wait for tables to be large, and that of rounds and stumps in NumPy."""
    with monkeypatch.context() as soon:
        soon.setattr(loop, "WORTH", 1)
        quick = AdaBoostClassifier(keep_weights=True, **given).fit(X, y)
    monkeypatch.setattr(_Rounds, "_in_one_loop", lambda *_: None)
    return quick, AdaBoostClassifier(keep_weights=True, **given).fit(X, y)


@pytest.mark.parametrize(("K", "algorithm"), [(2, "discrete"), (2, "half"), (3, "discrete")])
def test_the_loop_is_round_after_round(K: int, algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Same stumps; errors, alphas and weights of every round."""
    X, y = rows(K)
    quick, slow = both_ways(monkeypatch, X, y, n_estimators=12, algorithm=algorithm, learning_rate=0.9)
    assert len(quick.estimators_) == len(slow.estimators_) == 12
    np.testing.assert_allclose(quick.estimator_weights_, slow.estimator_weights_, rtol=1e-12)
    np.testing.assert_allclose(quick.estimator_errors_, slow.estimator_errors_, rtol=1e-12)
    np.testing.assert_allclose(quick.fitted_.model.history, slow.fitted_.model.history, rtol=1e-11)
    for a, b in zip(quick.estimators_, slow.estimators_, strict=True):
        for field in fields(a.nodes_):
            mine, other = getattr(a.nodes_, field.name), getattr(b.nodes_, field.name)
            assert mine.dtype == other.dtype
            np.testing.assert_allclose(mine, other, rtol=1e-11, atol=1e-15)
    np.testing.assert_allclose(quick.predict_proba(X), slow.predict_proba(X), rtol=1e-12)


def test_rounds_that_are_not_ordinary_end_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """A member without error, and columns that cannot be split, are left to the rounds in Python."""
    X = np.arange(40.0)[:, None]
    quick, slow = both_ways(monkeypatch, X, X[:, 0] > 11, n_estimators=5)
    assert len(quick.estimators_) == len(slow.estimators_) == 1
    assert quick.estimator_errors_.tolist() == [0.0]
    codes, w = np.arange(40) % 2, np.full(40, 1 / 40)
    flat = BinnedCells.of(np.ones((40, 2)), np.zeros(2, dtype=np.int64))
    found = boosted_stumps(flat, ClassSums(codes, 2, w), 5, 1.0, False)
    assert found is not None
    assert found.nodes is None
    np.testing.assert_array_equal(found.weights, w)
    assert boosted_stumps(flat, ClassSums(codes, 2, np.where(codes, w, 0.0)), 5, 1.0, False) is None

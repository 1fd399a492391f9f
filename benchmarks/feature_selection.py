"""Filters and searches for subsets against scikit-learn's, at equal scores and equal columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.feature_selection import SequentialFeatureSelector, chi2, f_classif, mutual_info_classif
from sklearn.linear_model import LinearRegression

from benchmarks.measure import Line, race
from suffice import SelectKBest
from suffice.features import LeastSquaresFolds, forward


def lines(n: int = 1_000_000, d: int = 50, m: int = 200_000, k: int = 10) -> Iterator[Line]:
    """All cases."""
    rng = np.random.default_rng(0)
    counts, y = rng.integers(0, 8, (n, d)).astype(np.float64), rng.integers(0, 3, n)
    yield of_scores("f_classif", f_classif, counts, y)
    yield of_scores("chi2", chi2, counts, y)
    gain = SelectKBest("mutual_information", k=5)
    ours_s, theirs_s = race(
        lambda: gain.fit(counts, y), lambda: mutual_info_classif(counts, y, discrete_features=True), runs=1
    )
    yield Line(f"mutual information {n} x {d}", ours_s, theirs_s, ">= 5x", theirs_s >= 5 * ours_s)
    X = rng.normal(size=(m, d))
    t = X[:, :k] @ np.arange(1.0, k + 1.0) + rng.normal(size=m)
    slow = SequentialFeatureSelector(LinearRegression(), n_features_to_select=2, cv=10)  # two steps of k are timed
    ours_s, theirs_s = race(
        lambda: forward(LeastSquaresFolds(X, t, cv=10), size=k), lambda: slow.fit(X[: m // 10], t[: m // 10]), runs=1
    )
    theirs_s *= 10.0 * k / 2.0  # a tenth of the rows, two of k steps: a lower bound of the whole
    yield Line(
        f"forward, {k} of {d} columns, {m} rows, 10 folds", ours_s, theirs_s, ">= 300x", theirs_s >= 300 * ours_s
    )


def of_scores(name: str, peer: Callable[..., Any], X: Any, y: Any) -> Line:
    """One score, by both."""
    ours = SelectKBest(name, k=5)
    ours_s, theirs_s = race(lambda: ours.fit(X, y), lambda: peer(X, y), runs=3)
    np.testing.assert_allclose(ours.scores_, peer(X, y)[0], rtol=1e-6)
    return Line(f"{name} {X.shape[0]} x {X.shape[1]}", ours_s, theirs_s, ">= 5x", theirs_s >= 5 * ours_s)

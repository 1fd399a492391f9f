"""Filters, Relief and searches for subsets against scikit-learn's and skrebate's, at equal scores and equal columns.

Measured in turns on two processors that others kept busy, so that seconds are processor time, ours beside theirs:

    f_classif 1,000,000 x 50       0.15 s   2.1 s   14x                 information gain       0.47 s   9.8 s   21x
    chi2 1,000,000 x 50            0.076 s  0.39 s  5.1x (3.0x before chunks of whole numbers were summed plainly, 2.1x
                                   with a pass of its own that looked for infinite cells)
    ReliefF 20,000 x 50            6.9 s    272 s   39x; 4,000 rows 0.30 s, 13.3 s, 46x (skrebate 0.8.4, one thread)
    forward, 10 of 50 columns,     0.13 s   16.9 s for two of its ten steps: 130x, and more than 600x for all, as each
    200,000 rows, 10 folds                  step takes longer than the one before

skrebate is timed where it is installed, on fewer rows: it holds a table of all pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
from sklearn.feature_selection import SequentialFeatureSelector, chi2, f_classif, mutual_info_classif
from sklearn.linear_model import LinearRegression

from benchmarks.measure import Line, race
from suffice import SelectKBest
from suffice.features import LeastSquaresFolds, forward, relief_f


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
    if find_spec("skrebate"):
        yield of_relief(min(n, 2_000), d)
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


def of_relief(n: int, d: int, k: int = 10) -> Line:
    """ReliefF by both, of a product of two columns."""
    from skrebate import ReliefF  # type: ignore[import-not-found,unused-ignore]

    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    y = (X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=n) > 0).astype(int)
    theirs = ReliefF(n_neighbors=k)
    ours_s, theirs_s = race(lambda: relief_f(X, y, k=k), lambda: theirs.fit(X, y), runs=1)
    np.testing.assert_allclose(relief_f(X, y, k=k), theirs.feature_importances_, rtol=1e-9, atol=1e-12)
    return Line(f"ReliefF {n} x {d}", ours_s, theirs_s, ">= 20x", theirs_s >= 20 * ours_s)

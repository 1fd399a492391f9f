"""LinearRegression and Ridge: fits of large tables against scikit-learn at its best solver.

Columns that tell nothing of one another take one matrix product; nearly dependent ones are multiplied sharp, which is
the dearer way. scikit-learn's best for Ridge is "cholesky"; for LinearRegression there is one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import sklearn.linear_model

import suffice
from benchmarks.measure import Line, peak_growth, race

SIZE = 1_000_000, 30


def table(n: int, d: int, near: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Normal columns, the second within `near` of the first where that is not 0, and a target."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    if near:
        X[:, 1] = X[:, 0] + near * X[:, 1]
    return X, X @ rng.normal(size=d) + rng.normal(size=n)


def lines(size: tuple[int, int] = SIZE) -> Iterator[Line]:
    """One line a case."""
    n, d = size
    cases = (
        ("LinearRegression", {}, 0.0, 2.0),
        ("LinearRegression", {}, 1e-4, 2.0),
        ("Ridge", {"solver": "cholesky"}, 0.0, 2.5),
    )
    for name, options, near, bar in cases:
        X, y = table(n, d, near)
        ours, peer = getattr(suffice, name)(), getattr(sklearn.linear_model, name)(**options)
        fit, theirs = race(lambda m=ours, X=X, y=y: m.fit(X, y), lambda m=peer, X=X, y=y: m.fit(X, y), runs=3)
        growth = peak_growth(lambda m=ours, X=X, y=y: m.fit(X, y))
        how = f", near {near:g}" if near else ""
        met = theirs >= bar * fit
        yield Line(f"{name} fit {n} x {d}{how}", fit, theirs, f"at least {bar:g} times", met, growth, X.nbytes / 2**20)

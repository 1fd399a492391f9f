"""Perceptrons against scikit-learn's, the same number of sweeps over the same rows, with the same weights at the end.

What was tried, and its result (two cores, a busy machine), for a sweep over 200,000 x 50:
- Rows in order: one running sum a row 6.7 ms, four 4.9 ms (8 bytes a cell: 80 MB); scikit-learn 12 ms.
- Rows asked for ahead: in order 11 to 7 ms, shuffled 32 to 11 ms a sweep (same minute, busy machine); 16 ahead gains
  7 % over 8 in order, more no more.
- With a penalty: `w *= scale` inside the loop gives w a new name, and nothing is held in registers any more; cell by
  cell 22 to 12 ms a sweep; only those lengths that the penalty asks for, four sums at a time: 16 to 13 ms.
- Shuffled rows wait for memory: 37 ms, scikit-learn 45 ms. With the place of each row read from a list, as that of
  sparse rows is: 62 ms. With rows copied side by side before they are met, 4 to 32 at a time: 76 ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sklearn.linear_model as peer

import suffice
from benchmarks.measure import Line, race
from benchmarks.shapes import classes, regression

SWEEPS = 10


def lines(n: int = 200_000, d: int = 50) -> Iterator[Line]:
    """All cases."""
    yield from case("Perceptron, in order", n, d, 2, 1.5, shuffle=False)
    yield from case("Perceptron, shuffled", n, d, 2, 1.0, shuffle=True)
    yield from case("Perceptron, l2 penalty", n, d, 2, 1.0, shuffle=False, penalty="l2")
    yield from case("Perceptron, 5 classes", n // 2, d // 2, 5, 1.5, shuffle=False)
    yield from lines_of_regression(n, d)


def case(name: str, n: int, d: int, K: int, bar: float, **options: Any) -> Iterator[Line]:
    """One shape of table."""
    X, y = classes(n, d, K)
    ours = suffice.Perceptron(max_iter=SWEEPS, tol=None, **options)
    theirs = peer.Perceptron(max_iter=SWEEPS, tol=None, **options)
    ours_s, theirs_s = race(lambda: ours.fit(X, y), lambda: theirs.fit(X, y), runs=5)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9, atol=1e-9)
    assert ours.n_iter_ == theirs.n_iter_ == SWEEPS
    yield Line(f"{name} {n} x {d}", ours_s, theirs_s, f">= {bar:g}x", theirs_s >= bar * ours_s)


def lines_of_regression(n: int, d: int) -> Iterator[Line]:
    """The same steps as stochastic gradients at a constant rate."""
    X, y = regression(n, d)
    ours = suffice.PerceptronRegressor(eta0=1e-4, max_iter=SWEEPS, shuffle=False)
    theirs = peer.SGDRegressor(
        penalty=None, learning_rate="constant", eta0=1e-4, max_iter=SWEEPS, tol=None, shuffle=False
    )
    ours_s, theirs_s = race(lambda: ours.fit(X, y), lambda: theirs.fit(X, y), runs=5)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-9)
    yield Line(f"PerceptronRegressor {n} x {d}", ours_s, theirs_s, ">= 1x", theirs_s >= ours_s)

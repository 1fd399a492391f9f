"""Support vector machines against scikit-learn's SVC with a cache of 1000 MB, at an equal objective.

What was tried, and its result (two cores, a busy machine, least of 4 runs, which differ by a third among themselves):
- The sizes in `margin/svc/dual_ascent.py` were picked from 20 settings on ONE table of this recipe, seed 0; the table
  measured here has another seed. With C = 100: sets of 256 rows 0.95 s, of 384 0.59 s, of 512 0.59 to 0.63 s; of 256
  brought to 0.2 of the gap instead of 0.3 0.62 s. The pair that was kept, 384
  and 0.2, was not in that grid: 0.58 to 0.75 s.
- The square of a working set read out of cached rows took 23 ns a value, worked out again from the inputs about 5 ns.
- Tables that nothing was picked on, medians of 3 in turns: rbf 1.1 to 2.1 times as fast as libsvm, linear 1.4 to 7.5
  times. The first fit of a process is about as fast as libsvm's, before memory and numba are warm.
- Slower than libsvm: below some 600 rows (a fit of 600 x 20 took 26 ms to 9 ms, without numba; few rows are brought to
  more digits than asked), and 569 x 30 unscaled columns with a linear kernel (1.4 to 2.1 s against 0.6 to 1.3 s).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.svm import SVC as TheirSVC

from benchmarks.measure import Line, race
from suffice import SVC

NEAR = 1e-6  # share of the objective that may be missed, beyond what the other one misses


def lines(n: int = 5_000, new: int = 20_000) -> Iterator[Line]:
    """All cases."""
    X, y = table(n + new)
    for name, bar, options in (
        ("rbf", 1.2, {}),
        ("rbf, C = 100", 0.8, {"C": 100.0}),
        ("linear", 1.5, {"kernel": "linear"}),
    ):
        yield from case(name, bar, X, y, n, options)


def case(name: str, bar: float, X: Any, y: Any, n: int, options: dict[str, Any]) -> Iterator[Line]:
    """Fitting some rows and predicting the others."""
    ours, theirs = SVC(cache_size=1000, **options), TheirSVC(cache_size=1000, **options)
    ours_s, theirs_s = race(lambda: ours.fit(X[:n], y[:n]), lambda: theirs.fit(X[:n], y[:n]), runs=5)
    best, other = dual(ours, ours, X), dual(theirs, ours, X)
    assert best >= other * (1 - NEAR), (best, other)
    yield Line(f"SVC {name}, fit {n} x {X.shape[1]}", ours_s, theirs_s, f">= {bar:g}x", theirs_s >= bar * ours_s)
    asked = X[n:]
    ours_s, theirs_s = race(lambda: ours.predict(asked), lambda: theirs.predict(asked), runs=3)
    assert (ours.predict(asked) == theirs.predict(asked)).mean() > 0.99
    yield Line(f"  predict {len(asked)} rows", ours_s, theirs_s, ">= 3x", theirs_s >= 3 * ours_s)


def dual(model: Any, ours: SVC, X: Any) -> float:
    """The objective of the dual at the multipliers of a model, in double precision."""
    beta, rows = model.dual_coef_[0], X[model.support_]
    values = ours.kernel_.between(rows) @ beta
    return float(np.abs(beta).sum() - 0.5 * beta @ values)


def table(n: int) -> tuple[Any, Any]:
    """Two classes of 20 standardised columns, one row in twenty with a label drawn anew; not the seed of the sizes."""
    X, y = make_classification(n, 20, n_informative=10, random_state=11, class_sep=0.7, flip_y=0.05)
    return (X - X.mean(axis=0)) / X.std(axis=0), y

"""Maps from score to probability against scikit-learn, both warmed, one thread each.

What was tried, and its result (one million scores, two classes):
- Ranking scores with their classes sorts indices: 123 ms. Sorting each class by itself, then merging the runs: 88.
- Pooling: in the loop, shares compared by quotients 12 ms, by products 9; the NumPy twin, which pools all violators of
  a pass at once and falls back to one block after another where a pass gains little, 21.
- Platt's curve: L-BFGS stops at a gradient of 1e-6, Newton's method at the last digit. Looking for the length of a step
  only where it is long took away half of the time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.calibration import CalibratedClassifierCV, _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression

from benchmarks.measure import Line, peak_growth, race
from suffice import CalibratedClassifier, GaussianNB, IsotonicMap, LogisticMap


def lines() -> Iterator[Line]:
    """All cases."""
    yield from isotonic()
    yield from cross_fitted()


def isotonic(n: int = 1_000_000) -> Iterator[Line]:
    """IsotonicMap and LogisticMap."""
    rng = np.random.default_rng(0)
    s = rng.normal(size=n)
    y = (rng.random(n) < 1.0 / (1.0 + np.exp(-s))).astype(np.int64)
    peer = IsotonicRegression(out_of_bounds="clip")
    ours, theirs = race(lambda: IsotonicMap.of(s, y), lambda: peer.fit(s, y), runs=5)
    growth = peak_growth(lambda: IsotonicMap.of(s, y))
    yield Line(f"IsotonicMap of {n}", ours, theirs, ">= 2x", theirs >= 2 * ours, growth, (s.nbytes + y.nbytes) / 2**20)
    map = IsotonicMap.of(s, y)
    ours, theirs = race(lambda: map(s), lambda: peer.predict(s), runs=3)
    yield Line("IsotonicMap of scores", ours, theirs, "", True)
    ours, theirs = race(lambda: LogisticMap.of(s, y), lambda: _SigmoidCalibration().fit(s, y), runs=3)
    yield Line(f"LogisticMap of {n}", ours, theirs, "", True)


def cross_fitted(n: int = 100_000, d: int = 20) -> Iterator[Line]:
    """CalibratedClassifier around a one-pass model: trained once, folds forgotten."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, d)), rng.integers(0, 2, n)
    X[:, 0] += y
    ours = CalibratedClassifier(GaussianNB(), map="isotonic", cv=10, response="predict_proba")
    peer = CalibratedClassifierCV(GaussianNB(), method="isotonic", cv=10, ensemble=False)
    fit, fit_peer = race(lambda: ours.fit(X, y), lambda: peer.fit(X, y), runs=3)
    yield Line(f"CalibratedClassifier fit {n} x {d}, 10 folds", fit, fit_peer, "", True)

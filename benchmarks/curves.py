"""ROC curves against scikit-learn, both warmed, one thread each: ours with its convex hull, scikit-learn's without.

What was tried, and its result (one million scores, one core):
- Sorting places (`np.argsort`, then gathers) 95 ms, stably as scikit-learn does 125 ms; sorting the scores of each
  class alone and merging them 61 + 8 ms, as values sort faster than places; sorting them by their bytes 16 + 8 ms
  (digits of 11, 13 or 16 bits instead of 8: half as fast, as the places no longer fit the first cache).
- Merging by a stable sort of the two runs in NumPy 34 ms, by the loop 7 ms; the hull in NumPy (all points under the
  chord of their neighbours leave at once) 17 ms, by the loop 8 ms.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import precision_recall_curve, roc_curve

from benchmarks.measure import Line, peak_growth, race
from suffice import RocCurve
from suffice.decision import PrecisionRecallCurve


def lines() -> Iterator[Line]:
    """All cases."""
    yield from curves()


def curves(n: int = 1_000_000) -> Iterator[Line]:
    """Scores that all differ, scores with many ties, weights."""
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.3).astype(int)
    scores, w = rng.normal(size=n) + y, rng.random(n) + 0.5
    tied = scores.round(3)
    ours, theirs = race(lambda: with_hull(scores, y), lambda: roc_curve(y, scores))
    growth = peak_growth(lambda: with_hull(scores, y))
    yield Line(f"ROC with hull, {n} scores", ours, theirs, ">= 2x", theirs >= 2 * ours, growth, scores.nbytes / 2**20)
    ours, theirs = race(lambda: with_hull(tied, y), lambda: roc_curve(y, tied))
    yield Line("  with ties", ours, theirs, ">= 2x", theirs >= 2 * ours)
    ours, theirs = race(lambda: with_hull(scores, y, w), lambda: roc_curve(y, scores, sample_weight=w))
    yield Line("  with weights", ours, theirs, "", True)
    ours, theirs = race(lambda: precise(scores, y), lambda: precision_recall_curve(y, scores))
    yield Line("precision and recall", ours, theirs, "", True)


def with_hull(scores: np.ndarray, y: np.ndarray, w: np.ndarray | None = None) -> tuple[np.ndarray, ...]:
    """Rates, and the vertices of the hull."""
    curve = RocCurve.of(scores, y, w)
    return curve.fpr, curve.tpr, curve.hull().thresholds


def precise(scores: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, ...]:
    """Precision and recall."""
    curve = PrecisionRecallCurve.of(scores, y)
    return curve.precision, curve.recall

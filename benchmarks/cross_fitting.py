"""Cross-fitting: does a calibrated column of pure noise leak the target, and what does it cost beside a true column?

1,000 categories, 1,500 rows, targets by chance, 50 seeds. The columns of the table hold numbers in thousandths: the
area under the curve of the training rows, cross-fitted (`fit_transform`) beside naive (`fit`, then `transform` of the
same rows); then by how much the area on 20,000 new rows falls when the column stands beside one weak true column,
against leaving it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import roc_auc_score

from benchmarks.measure import Line
from suffice import Calibrate, LogisticRegression, TargetEncoder

SEEDS, NEW = 50, 20_000
ENCODERS: dict[str, Callable[[], Any]] = {
    "Calibrate": Calibrate,
    "Calibrate, neutral": lambda: Calibrate(smoothing="neutral"),
    "TargetEncoder": TargetEncoder,
}


class Trial(NamedTuple):
    """What one seed gave."""

    crossed: float  # area under the curve of training rows
    naive: float
    crossed_loss: float  # of area on new rows
    naive_loss: float


def lines(seeds: int = SEEDS, new: int = NEW) -> Iterator[Line]:
    """Two lines an encoder: areas of noise, and losses on new rows."""
    for name, make in ENCODERS.items():
        found = Trial(*np.array([trial(make(), seed, new) for seed in range(seeds)]).mean(axis=0).tolist())
        met = abs(found.crossed - 0.5) <= 0.02 and found.naive >= 0.85
        yield Line(f"{name}: area of noise, naive beside", found.crossed, found.naive, "500 +- 20, about 900", met)
        met = found.crossed_loss <= 0.01
        yield Line(f"{name}: loss on new rows, naive beside", found.crossed_loss, found.naive_loss, "<= 10", met)


def trial(encoder: Any, seed: int, new: int) -> Trial:
    """One table of noise, and new rows."""
    rng = np.random.default_rng(seed)
    X, weak, y = draw(rng, 1_500)
    later, later_weak, later_y = draw(rng, new)
    crossed = encoder.fit_transform(X, y).ravel()
    naive = encoder.transform(X).ravel()
    alone = LogisticRegression().fit(weak[:, None], y).decision_function(later_weak[:, None])
    best, told = roc_auc_score(later_y, alone), np.column_stack([later_weak, encoder.transform(later).ravel()])
    losses = []
    for column in (crossed, naive):
        model = LogisticRegression().fit(np.column_stack([weak, column]), y)
        losses.append(best - roc_auc_score(later_y, model.decision_function(told)))
    return Trial(roc_auc_score(y, crossed), roc_auc_score(y, naive), *losses)


def draw(rng: np.random.Generator, n: int) -> tuple[Any, Any, Any]:
    """A column of noise with many categories, a weak true column, and targets."""
    y = rng.integers(0, 2, n)
    return {"group": [f"g{i}" for i in rng.integers(0, 1_000, n)]}, rng.normal(size=n) + 0.5 * y, y

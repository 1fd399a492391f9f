"""One step of mini-batch k-means, and the centres after some steps as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.clusters.centres.centre_model import Centres
from suffice.clusters.centres.centre_starts import dense_rows
from suffice.core.block import Array
from suffice.core.registry import saved
from suffice.spaces.nearest_centre import nearest_centre, row_chunks, squared_to_own


@saved
@dataclass(frozen=True)
class BatchCentres(Centres):
    """Centres after some batches."""

    counts: Array | None = None  # (K,) weight that each centre has seen
    steps: int = 0
    since: int = 0  # rows since clusters were last moved
    init_size: int = 0


def batch_step(X: Any, w: Array, centres: Array, counts: Array) -> tuple[Array, Array, Array, float]:
    """Each centre moves to the mean of all it has seen: new centres, weights seen, labels, and inertia before it."""
    labels, K = nearest_centre(X, centres), len(centres)
    inertia = float(w @ squared_to_own(X, centres, labels))
    sums, weight = np.zeros_like(centres), np.bincount(labels, w, K)
    for rows, some in row_chunks(X, K):
        np.add.at(sums, labels[rows], w[rows, None] * (some - centres[labels[rows]]))
    total = counts + weight
    new = centres + np.divide(sums, total[:, None], out=np.zeros_like(sums), where=total[:, None] > 0)
    return new, total, labels, inertia


def moved(X: Any, centres: Array, counts: Array, ratio: float, rng: Any) -> tuple[Array, Array, int]:
    """Centres that have seen less than `ratio` of what the largest has begin anew at rows; at most half of the rows."""
    poor, n = counts < ratio * counts.max(), int(X.shape[0])
    if poor.sum() > 0.5 * n:
        poor[np.argsort(counts)[int(0.5 * n) :]] = False
    few = int(poor.sum())
    if not few:
        return centres, counts, 0
    centres, counts = centres.copy(), counts.copy()
    centres[poor] = dense_rows(X, rng.choice(n, replace=False, size=few))
    counts[poor] = counts[~poor].min()
    return centres, counts, few


@dataclass
class Watch:
    """Tells from batch to batch when to stop: a smoothed inertia that no longer falls, or centres that stay."""

    batch: int
    n: int
    tol: float
    patience: int | None
    tell: Any
    smooth: float | None = None
    least: float | None = None
    stale: int = 0

    def ends(self, step: int, steps: int, change: float, inertia: float) -> bool:
        """After a step (from 0), whether it was the last."""
        inertia /= self.batch
        if step == 0:  # the inertia of the start
            self.tell(f"Minibatch step 1/{steps}: mean batch inertia: {inertia}")
            return False
        alpha = min(self.batch * 2.0 / (self.n + 1), 1.0)
        self.smooth = inertia if self.smooth is None else self.smooth * (1 - alpha) + inertia * alpha
        self.tell(f"Minibatch step {step + 1}/{steps}: mean batch inertia: {inertia}, ewa inertia: {self.smooth}")
        if self.tol > 0.0 and change <= self.tol:
            self.tell(f"Converged (small centers change) at step {step + 1}/{steps}")
            return True
        if self.least is None or self.smooth < self.least:
            self.stale, self.least = 0, self.smooth
        else:
            self.stale += 1
        if self.patience is not None and self.stale >= self.patience:
            self.tell(f"Converged (lack of improvement in inertia) at step {step + 1}/{steps}")
            return True
        return False

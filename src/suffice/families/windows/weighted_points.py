"""Points with weights: what a window density is made of, in one dimension the distinct values in order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.core.block import Array


class Points(NamedTuple):
    """Rows that weigh something. In one dimension they rise and are distinct, so that weight w is w copies."""

    rows: Array  # (n, d)
    weight: Array  # (n,), above 0

    @classmethod
    def of(cls, X: Array, w: Array | None = None) -> Points:
        """Rows X (n, d) of finite numbers, with weights of at least 0."""
        w = np.ones(len(X)) if w is None else w
        if X.shape[1] != 1:
            return cls(X[w > 0], w[w > 0])
        values, at = np.unique(X[w > 0, 0] + 0.0, return_inverse=True)
        return cls(values[:, None], np.bincount(at, w[w > 0], len(values)).astype(np.float64, copy=False))

    @classmethod
    def line(cls, values: Array, weight: Array) -> Points:
        """Distinct values in order (n,), of which those that are finite and weigh something count."""
        kept = (weight > 0) & np.isfinite(values)
        return cls(values[kept, None], weight[kept])

    @property
    def d(self) -> int:
        """Number of dimensions."""
        return int(self.rows.shape[1])

    @property
    def total(self) -> float:
        """Weight of all."""
        return float(self.weight.sum())

    @property
    def values(self) -> Array:
        """The values of points in one dimension (n,)."""
        return self.rows[:, 0]

    @property
    def spread(self) -> float:
        """Root of the mean variance of the columns, as an estimate from a sample: scatter over weight less 1.

        Below a weight of 2 the scatter is divided by half the weight, so that nothing is infinite.
        """
        if not len(self.rows):
            return 0.0
        scale = float(np.abs(self.rows - self.rows[len(self.rows) // 2]).max())
        if not 0.0 < scale < np.inf:
            return 0.0
        moved = (self.rows - self.rows[len(self.rows) // 2]) / scale  # neither overflows nor underflows when squared
        moved = moved - np.average(moved, axis=0, weights=self.weight)
        scatter = float((self.weight[:, None] * moved * moved).sum()) / self.d
        return scale * float(np.sqrt(scatter / max(self.total - 1.0, 0.5 * self.total)))

    @property
    def smallest(self) -> float:
        """The smallest bandwidth that float64 can tell from 0 at these points."""
        return float(2.0**-50 * np.abs(self.rows).max(initial=np.finfo(np.float64).tiny))

"""Normals whose columns are independent, as linear functions of the columns and their squares."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair, exact, two_sum
from suffice.families.normals.normal import Normals
from suffice.mixtures.passes.enough_digits import LARGE, centre_of, finite, mean_of
from suffice.summaries.moments import Moments
from suffice.summaries.power_sums import middle
from suffice.summaries.shifted_sums import keeps_digits, move


class ColumnForm:
    """theta_k . (1, t_j, t_j^2)."""

    def __init__(self, normals: Normals, log_weights: Array) -> None:
        """Find theta, about the mean of the means."""
        self.normals, self.log_weights = normals, log_weights
        self.height, self.half = normals.terms
        self.centre = centre_of(normals.mean, log_weights)
        gap = (normals.mean - exact(np.broadcast_to(self.centre, self.half.shape))).value
        top = finite(log_weights) + (self.height - self.half * gap * gap).sum(axis=1)
        self.theta = np.concatenate([top[:, None], 2.0 * self.half * gap, -self.half], axis=1)
        self.narrow = self._narrow(gap)

    def fill(self, X: Array, out: Array) -> Array:
        """1, columns about the centre, and their squares."""
        n, d = X.shape
        f = out[:, :n]
        f[0] = 1.0
        np.subtract(X.T, self.centre[:, None], out=f[1 : 1 + d])
        np.multiply(f[1 : 1 + d], f[1 : 1 + d], out=f[1 + d :])
        return f

    def logs(self, X: Array, k: int) -> Array:
        """Column by column."""
        return np.asarray(self.log_weights[k] + self.normals.cells(X, k).sum(axis=1))

    def summary(self, rows: Array, sums: Array, X: Array, share: Array) -> Moments:
        """Moments about the centre."""
        d = len(self.centre)
        first, second = (np.ascontiguousarray(sums[:, 1 + i * d : 1 + (i + 1) * d]) for i in (0, 1))
        weight = np.tile(sums[:, :1], (1, d))
        moments = Moments(self.centre, np.tile(rows[:, None], (1, d)), *map(exact, (weight, first, second)))
        far = ~keeps_digits(sums[:, :1], first, second) & (rows > 0)[:, None]
        return self._with_far(moments, far, X, share) if far.any() else moments

    def _with_far(self, moments: Moments, far: Array, X: Array, share: Array) -> Moments:
        """Columns that are far are summed about the component's own means, and moved as pairs to a shift near them."""
        moments = moments.about(np.where(far.any(axis=0), middle(X), self.centre))
        noise = moments.noise.copy()
        for k in np.flatnonzero(far.any(axis=1)):
            j, r = np.flatnonzero(far[k]), share[k]
            own = mean_of(X[:, j], r)
            z = X[:, j] - own
            weight = Pair(*(half[k, j] for half in moments.weight))
            moved = move(weight, exact(r @ z), exact(r @ (z * z)), two_sum(own, -moments.shift[j]))
            for sums, new in zip((moments.first, moments.second), moved, strict=True):
                sums.high[k, j], sums.low[k, j] = new
            noise[k, j] = 0.0  # the new sums were not moved from afar
        return replace(moments, noise=noise)

    def _narrow(self, gap: Array) -> Array:
        reach = np.abs(gap) + 6.0 * np.sqrt(self.normals.variance)
        d = gap.shape[1]
        size = (np.abs(self.theta[:, 1 : 1 + d]) * reach + self.half * reach * reach).sum(axis=1)
        return np.flatnonzero(~(size <= LARGE) | np.isneginf(self.log_weights))

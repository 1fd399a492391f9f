"""Normal distributions with one mean and variance per component and column.

log p(x | k) = sum_j -1/2 log(2 pi s_kj^2) - (x_j - m_kj)^2 / (2 s_kj^2)        over the cells that are present
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.families.family import Distribution
from suffice.families.normals.student import Students
from suffice.families.normals.variance_priors import NormalInverseGamma, VariancePrior
from suffice.numerics.arrays import all_finite
from suffice.numerics.loop import loop, pays
from suffice.summaries.moments import Moments
from suffice.summaries.shifted_sums import refuse_vanishing

FEW = 1 << 12  # cells of all components that are worked on at once
CACHED = 1 << 14  # cells that are worked on at a time
AT_ONCE = 64  # rows whose cells the loop holds in the first-level cache, turned so that rows are side by side


@saved
@dataclass(frozen=True)
class DiagonalNormal:
    """Independent normal columns. The prior is pseudo-data, in the units of each column.

    >>> import numpy as np
    >>> from suffice.core.shares import Shares
    >>> family = DiagonalNormal()
    >>> X, R = np.array([[1.0], [3.0]]), Shares.hard(np.array([0, 0], dtype=np.int32), 1)
    >>> family.estimate(family.summarize(X, R)).mean.high
    array([[2.]])
    """

    storage: ClassVar[Storage] = Storage.NUMBERS

    prior: VariancePrior = field(default_factory=NormalInverseGamma)

    def summarize(self, part: Array, R: Shares) -> Moments:
        """Moments of the columns."""
        return Moments.of(part, R)

    def estimate(self, summary: Moments) -> Distribution:
        """Mean and variance, or what the prior makes of them."""
        refuse_vanishing(summary)
        found = self.prior.parameters(summary)
        ones = np.ones(found.variance.shape[1])
        if found.freedom is None:
            return Normals(found.mean, found.variance, ones)
        return Students(found.mean, found.variance, found.freedom, ones)


@saved
@dataclass(frozen=True)
class Normals:
    """K normal distributions over d independent columns. The mean is a pair: subtract its high part, then its low."""

    mean: Pair  # (K, d) each
    variance: Array  # (K, d); 0 where a column tells nothing
    weights: Array  # (d,) power of each column

    @cached_property
    def terms(self) -> tuple[Array, Array]:
        """Height and half precision (K, d): log p = height - half * z^2. A column of variance 0 tells nothing."""
        tells = self.variance >= np.finfo(np.float64).tiny
        variance = np.where(tells, self.variance, 1.0)
        height = np.where(tells, -0.5 * np.log(2.0 * np.pi * variance), 0.0)
        return height * self.weights, np.where(tells, 0.5 / variance, 0.0) * self.weights

    @cached_property
    def _low(self) -> Array:
        """Which means need their low parts (K,)."""
        return np.asarray((self.mean.low != 0.0).any(axis=1))

    @cached_property
    def _any_low(self) -> bool:
        return bool(self._low.any())

    def log_density(self, part: Array) -> Array:
        """Log density (n, K)."""
        out = np.empty((len(self.variance), len(part)))
        if pays(part.size):
            X = np.ascontiguousarray(part, dtype=np.float64)
            _log_normals(X, *self.mean, *self.terms, np.empty((X.shape[1], AT_ONCE)), np.empty(AT_ONCE), out)
        elif not self._fill(part, out):
            for k in range(len(out)):
                out[k] = self.cells(part, k).sum(axis=1)
        return out.T

    def _fill(self, part: Array, out: Array) -> bool:
        """The sums of `cells` (K, n) of rows without missing or infinite cells; False where one is, or a square is.

        Of few rows to the last bit, of more by products with the precisions.
        """
        height, half = self.terms
        with np.errstate(over="ignore", invalid="ignore"):
            if out.shape[0] * part.size <= FEW:  # all components at once
                z = part - self.mean.high[:, None]
                if self._any_low:
                    z -= self.mean.low[:, None]
                np.add.reduce(height[:, None] - half[:, None] * z * z, axis=2, out=out)
                return all_finite(out)
            step = max(1, CACHED // max(1, part.shape[1]))
            z = np.empty((min(step, len(part)), part.shape[1]))
            for start in range(0, len(part), step):
                rows = part[start : start + step]
                self._fill_squares(rows, z[: len(rows)], out[:, start : start + step])
            np.subtract(height.sum(axis=1)[:, None], out, out=out)
            return all_finite(out)

    def _fill_squares(self, part: Array, z: Array, out: Array) -> None:
        """Squares from the means times precisions, of rows that stay in the cache with what is made of them."""
        half, low = self.terms[1], self._low
        for k, centre in enumerate(self.mean.high):
            np.subtract(part, centre, out=z)
            if low[k]:
                z -= self.mean.low[k]
            np.multiply(z, z, out=z)
            np.matmul(z, half[k], out=out[k])

    def cells(self, part: Array, k: int) -> Array:
        """Log density of each cell under component k (n, d), 0 where missing or infinite, which none explains."""
        height, half = self.terms
        with np.errstate(invalid="ignore", over="ignore"):
            z = (part - self.mean.high[k]) - self.mean.low[k]
            return np.where(np.isfinite(z), height[k] - half[k] * z * z, 0.0)

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d)."""
        z = rng.standard_normal((len(components), self.variance.shape[1]))
        return self.mean.high[components] + (self.mean.low[components] + z * np.sqrt(self.variance[components]))

    def power(self, weights: Array) -> Normals:
        """Raise each column to a power."""
        return Normals(self.mean, self.variance, self.weights * weights)


@loop
def _log_normals(X, mean, mean_low, height, half, cells, total, out):  # type: ignore[no-untyped-def]
    """out[k, i] = log density of row i under component k; rows are turned so that the inner loop has no reduction."""
    n, d = X.shape
    K = mean.shape[0]
    for start in range(0, n, 64):
        m = min(64, n - start)
        for r in range(m):
            for j in range(d):
                cells[j, r] = X[start + r, j]
        for k in range(K):
            for r in range(64):
                total[r] = 0.0
            for j in range(d):
                high, low, top, a = mean[k, j], mean_low[k, j], height[k, j], half[k, j]
                for r in range(64):
                    z = (cells[j, r] - high) - low
                    total[r] += top - a * z * z if z - z == 0.0 else 0.0
            for r in range(m):
                out[k, start + r] = total[r]

"""One normal distribution as a value, and the geometry of it: distances, whitening, contours, parts of it.

    -ln p(x) = ln E + D(x, m)^2 / 2,     E = sqrt(det(2 pi C)),     D^2 = (x - m)' C^-1 (x - m)

The second line is the bridge between likelihoods and distances: what is likelier is nearer, in Mahalanobis distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.shares import Shares
from suffice.families.normals.missing_columns import regression
from suffice.families.normals.whitening import Whitening, check_covariances, whitening
from suffice.summaries.full_moments import FullMoments


@dataclass(frozen=True, eq=False)
class Gaussian:
    """A normal distribution of d columns.

    Parameters
    ----------
    mean : number, or (d,)
    covariance : variance, or (d, d), positive definite

    >>> g = Gaussian([0.0, 0.0], [[4.0, 0.0], [0.0, 1.0]])
    >>> g.distance([[2.0, 0.0], [0.0, 2.0]])
    array([1., 2.])
    """

    mean: Any  # (d,)
    covariance: Any  # (d, d)

    def __post_init__(self) -> None:
        """Read the parameters; refuse what is no normal distribution."""
        mean = np.atleast_1d(_numbers(self, "mean", self.mean))
        covariance = np.atleast_2d(_numbers(self, "covariance", self.covariance))
        if mean.ndim != 1 or covariance.shape != (len(mean), len(mean)):
            rule = "one number a column, and a covariance for each two of them"
            got = Said(f"shapes {mean.shape} and {covariance.shape}")
            raise bad(self, "mean and covariance", rule, got, "Give shapes (d,) and (d, d).")
        if not np.allclose(covariance, covariance.T, rtol=1e-10, atol=0.0):
            raise bad(self, "covariance", "symmetric", covariance.tolist(), "Use (C + C') / 2.")
        if not (np.diagonal(covariance) > 0).all():
            worst = float(np.diagonal(covariance).min())
            raise bad(self, "every variance", "above 0", worst, "Leave out columns that do not vary.")
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "covariance", check_covariances(self, covariance[None])[0])

    @classmethod
    def of(cls, X: Any, sample_weight: Any = None) -> Gaussian:
        """The likeliest normal distribution of some rows (n, d): their mean, whatever the covariance, and theirs."""
        X = np.asarray(X, dtype=np.float64)
        w = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        moments = FullMoments.of(X, Shares.hard(np.zeros(len(X), dtype=np.int32), 1, w))
        return cls(moments.mean.value[0], moments.covariance[0])

    @property
    def d(self) -> int:
        """Number of columns."""
        return len(self.mean)

    @property
    def sd(self) -> Array:
        """Standard deviations (d,)."""
        return np.asarray(np.sqrt(np.diagonal(self.covariance)))

    @property
    def correlation(self) -> Array:
        """Correlations (d, d)."""
        return np.asarray(self.covariance / self.sd / self.sd[:, None])

    @cached_property
    def _whitening(self) -> Whitening:
        return whitening(self.covariance, np.ones(self.d, dtype=bool))

    @property
    def log_normalizer(self) -> float:
        """ln E: what turns half a squared distance into a negative log density."""
        return -float(self._whitening.height.sum())

    def whiten(self, X: Any) -> Array:
        """Rows (n, d) in coordinates in which this is the standard normal: translated, turned and scaled."""
        return np.asarray((self._rows(X) - self.mean) @ self._whitening.W.T)

    def colour(self, Z: Any) -> Array:
        """The way back: rows of the standard normal as rows of this one."""
        factor = np.linalg.cholesky(self.correlation) * self.sd[:, None]
        return np.asarray(self.mean + self._rows(Z) @ factor.T)

    def squared_distance(self, X: Any) -> Array:
        """Squared Mahalanobis distance of each row from the mean (n,)."""
        return np.asarray(np.square(self.whiten(X)).sum(axis=1))

    def distance(self, X: Any) -> Array:
        """Mahalanobis distance of each row from the mean (n,)."""
        return np.asarray(np.sqrt(self.squared_distance(X)))

    def log_density(self, X: Any) -> Array:
        """Log density of each row (n,)."""
        return np.asarray(-self.log_normalizer - 0.5 * self.squared_distance(X))

    def box(self, radius: float = 1.0) -> Array:
        """Between which two values each column of the contour runs (d, 2): mean -+ radius sd, whatever correlates."""
        return np.stack([self.mean - radius * self.sd, self.mean + radius * self.sd], axis=1)

    def axes(self) -> tuple[Array, Array]:
        """Half axes of the contour of one standard deviation, longest first: lengths (d,), directions (d, d)."""
        values, vectors = np.linalg.eigh(self.covariance)
        return np.sqrt(values[::-1]), vectors.T[::-1]

    @property
    def angle(self) -> float:
        """Of the long axis of the contour with the first column, in radians: 1/2 atan2(2 r s1 s2, s1^2 - s2^2)."""
        self._in_two("angle")
        C = self.covariance
        return 0.5 * float(np.arctan2(2.0 * C[0, 1], C[0, 0] - C[1, 1]))

    def contour(self, radius: float = 1.0, points: int = 100) -> Array:
        """Points (n, 2) at this Mahalanobis distance from the mean, all around it."""
        self._in_two("contour")
        t = np.linspace(0.0, 2.0 * np.pi, points, endpoint=False)
        return self.colour(radius * np.stack([np.cos(t), np.sin(t)], axis=1))

    def marginal(self, columns: Any) -> Gaussian:
        """Some of the columns alone."""
        at = np.atleast_1d(np.asarray(columns))
        return Gaussian(self.mean[at], self.covariance[np.ix_(at, at)])

    def conditional(self, row: Any) -> Gaussian:
        """The unobserved columns (NaN in the row), given the observed: B (x_o - m_o) + m_u, and C_uu - B C_ou."""
        row = self._rows(row)[0]
        present = ~np.isnan(row)
        if present.all():
            raise bad(self, "row", "without some of its cells (NaN)", row.tolist(), "There is nothing to predict.")
        A, left = regression(self.covariance, present)
        away = ~present
        mean = self.mean + A @ (row - self.mean)[present]
        return Gaussian(mean[away], left[np.ix_(away, away)])

    def _in_two(self, what: str) -> None:
        if self.d != 2:
            raise bad(self, what, "asked of two columns", self.d, "Take a marginal of two columns.")

    def _rows(self, X: Any) -> Array:
        X = np.atleast_1d(_numbers(self, "X", X, finite=False))
        X = X if X.ndim != 1 else X[:, None] if self.d == 1 else X[None]
        if X.ndim != 2 or X.shape[1] != self.d:
            raise bad(self, "X", f"rows of {self.d} columns", Said(f"shape {X.shape}"), "Give one cell a column.")
        return np.asarray(X)


def _numbers(owner: object, name: str, value: Any, finite: bool = True) -> Array:
    try:
        numbers = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad(owner, name, "numbers", value, "Give an array of floats.") from None
    if finite and not np.isfinite(numbers).all():
        raise bad(owner, name, "finite", numbers.tolist(), "Correct the number.")
    return numbers

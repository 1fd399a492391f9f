"""Axes that separate classes best: the linear rule and the projection of linear discriminant analysis.

The axes are those along which class means differ most, in units of the spread within classes. Each solver of
scikit-learn's is one way to find them from the same means and covariances.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import linalg

from suffice.core.block import Array
from suffice.core.errors import BadInput, Said, refusal
from suffice.core.registry import saved


class NoInverse(BadInput, np.linalg.LinAlgError):
    """A covariance is singular where its inverse is needed."""


class Classes(NamedTuple):
    """What the solvers start from."""

    means: Array  # (K, d)
    shares: Array  # (K,)
    within: Array  # (d, d)
    total: Array  # (d, d) of all rows, shrunk as those within
    tol: float

    @property
    def xbar(self) -> Array:
        """Mean of the class means, weighted by their shares (d,)."""
        return np.asarray(self.shares @ self.means)

    @property
    def log_shares(self) -> Array:
        """Minus infinity for a class that has none."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.shares))


@saved
class DiscriminantRule(NamedTuple):
    """Scores X coef' + intercept, and the axes."""

    coef: Array  # (K, d)
    intercept: Array  # (K,)
    scalings: Array | None = None  # (d, r)
    ratio: Array | None = None  # (r,) share of the variance between classes along each axis


def by_singular_values(classes: Classes) -> DiscriminantRule:
    """Whiten within classes, then turn to where their means differ; axes without spread are left out."""
    whitened = _whitening(classes.within, classes.tol)  # (d, r)
    away = classes.means - classes.xbar
    _, S, Vt = linalg.svd(np.sqrt(classes.shares)[:, None] * away @ whitened, full_matrices=False)
    largest, total = S.max(initial=0.0), np.square(S).sum()
    scalings = whitened @ Vt.T[:, : int((classes.tol * largest < S).sum())]
    projected = away @ scalings
    coef = projected @ scalings.T
    intercept = -0.5 * np.square(projected).sum(axis=1) + classes.log_shares - coef @ classes.xbar
    return DiscriminantRule(coef, intercept, scalings, np.square(S) / (total if total > 0 else 1.0))


def _whitening(C: Array, tol: float) -> Array:
    """Axes of the correlations, longest first, in units of the spread along them (d, r)."""
    variance = np.diagonal(C)
    sd = np.sqrt(np.where(variance > 0, variance, 1.0))
    values, vectors = np.linalg.eigh(C / sd / sd[:, None])
    kept = np.flatnonzero(values > tol * tol)[::-1]
    return np.asarray(vectors[:, kept] / np.sqrt(values[kept]) / sd[:, None])


def by_least_squares(classes: Classes) -> DiscriminantRule:
    """C w = mean for each class; no axes."""
    return _through_origin(classes, linalg.lstsq(classes.within, classes.means.T)[0].T)


def by_eigenvalues(classes: Classes) -> DiscriminantRule:
    """The largest ratios of the spread between classes to that within."""
    try:
        values, vectors = linalg.eigh(classes.total - classes.within, classes.within)
    except np.linalg.LinAlgError:
        raise refusal(
            NoInverse,
            "LinearDiscriminantAnalysis",
            "the covariance within classes",
            "positive definite for solver='eigen'",
            Said("a singular one"),
            "Use solver='svd', or set shrinkage or prior_strength.",
        ) from None
    vectors = vectors[:, np.argsort(values)[::-1]]
    total = values.sum()
    ratio = np.sort(values)[::-1] / (total if total != 0 else 1.0)
    return _through_origin(classes, classes.means @ vectors @ vectors.T)._replace(scalings=vectors, ratio=ratio)


def _through_origin(classes: Classes, coef: Array) -> DiscriminantRule:
    return DiscriminantRule(coef, -0.5 * (classes.means * coef).sum(axis=1) + classes.log_shares)


def binary(values: Any) -> Any:
    """Of two classes, the second against the first."""
    return values[1:] - values[:1] if len(values) == 2 else values

"""Joint normal distributions: columns that vary together, one covariance per component or one for all.

log p(x | k) = -1/2 log det(2 pi C_k) - 1/2 (x - m_k)' C_k^-1 (x - m_k)        over the cells that are present

The marginal of a normal is a normal: where cells are missing, their rows and columns of C are left out, exactly. Rows
that lack the same cells share one Cholesky factor, of the correlations, so that units change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.loop import CHUNK
from suffice.core.pairs import Pair
from suffice.core.registry import saved

NEAR = 64.0  # standard deviations between means below which rows may be whitened about one of them


class Whitening(NamedTuple):
    """z = W (x - m) over some columns has unit covariance: W C W' = I. Lower triangular, but where C is singular."""

    columns: Array  # (o,) which columns: present, and not constant
    W: Array  # (r, o)
    height: Array  # (r,) log density of each z at 0, in the units of x: their sum is -1/2 log det(2 pi C)
    at: Array  # (r,) the column that each z speaks for


@saved
@dataclass(frozen=True)
class JointNormals:
    """K normal distributions over d columns. The mean is a pair: subtract its high part, then its low."""

    mean: Pair  # (K, d) each
    covariance: Array  # (K, d, d), or (1, d, d) for all; a column of variance 0 tells nothing
    weights: Array  # (d,) power of each column, given the columns before it
    tol: float = 0.0  # deviation of correlations along an axis below which it is left out; 0: there is no such axis

    @property
    def K(self) -> int:
        """Number of components."""
        return len(self.mean.high)

    @cached_property
    def _complete(self) -> tuple[Whitening, ...]:
        return self.whitenings(np.ones(self.covariance.shape[1], dtype=bool))

    def whitenings(self, present: Array) -> tuple[Whitening, ...]:
        """Of each covariance, over the columns that are present (d,)."""
        return tuple(whitening(C, present, self.tol) for C in self.covariance)

    def log_density(self, part: Array) -> Array:
        """Log density (n, K) of the cells that are present; an infinite one is as if missing: none explains it."""
        out = np.zeros((self.K, len(part)))
        for start in range(0, len(part), CHUNK):
            x = np.asarray(part[start : start + CHUNK], dtype=np.float64)
            for rows, whitened in self._groups(x):
                some = x if rows is None else x[rows]
                at = slice(start, start + len(x)) if rows is None else start + rows
                out[:, at] = self._logs(some, whitened)
        return out.T

    def _groups(self, x: Array) -> Iterator[tuple[Array | None, tuple[Whitening, ...]]]:
        """Rows with the same cells present (None: all rows), and the whitenings of these cells."""
        present = np.isfinite(x)
        if present.all():
            yield None, self._complete
            return
        patterns, group = np.unique(present, axis=0, return_inverse=True)
        order, sizes = np.argsort(group, kind="stable"), np.bincount(group, minlength=len(patterns))
        for pattern, rows in zip(patterns, np.split(order, np.cumsum(sizes)[:-1]), strict=True):
            yield rows, self._complete if pattern.all() else self.whitenings(pattern)

    def _logs(self, x: Array, whitened: tuple[Whitening, ...]) -> Array:
        """Log densities (K, n) of rows with the same cells."""
        out = np.empty((self.K, len(x)))
        if len(whitened) == 1 and (close := self._close(whitened[0])) is not None:
            (one,) = whitened
            z = _centred(x, self.mean, 0, one.columns) @ one.W.T
            for k in range(self.K):
                out[k] = self._height(one) - 0.5 * (np.square(z - close[k]) @ self.weights[one.at])
            return out
        for k in range(self.K):
            mine = whitened[k % len(whitened)]
            z = _centred(x, self.mean, k, mine.columns) @ mine.W.T
            out[k] = self._height(mine) - 0.5 * (np.square(z, out=z) @ self.weights[mine.at])
        return out

    def _height(self, mine: Whitening) -> float:
        return float(mine.height @ self.weights[mine.at])

    def _close(self, one: Whitening) -> Array | None:
        """Whitened means (K, o) from the first of them; None where they are too far apart to lose no digits."""
        high, low = (half[:, one.columns] for half in self.mean)
        means: Array = ((high - high[:1]) + (low - low[:1])) @ one.W.T
        return means if np.abs(means).max(initial=0.0) <= NEAR else None

    def cells(self, part: Array, k: int) -> Array:
        """Log density of each cell given the cells before it, under component k (n, d), 0 where missing."""
        x = np.asarray(part, dtype=np.float64)
        out = np.zeros(x.shape)
        for rows, whitened in self._groups(x):
            mine = whitened[k % len(whitened)]
            at = np.arange(len(x)) if rows is None else rows
            z = _centred(x[at], self.mean, k, mine.columns) @ mine.W.T
            logs = (mine.height - 0.5 * z * z) * self.weights[mine.at]
            for r, column in enumerate(mine.at):  # several may speak for one column
                out[at, column] += logs[:, r]
        return out

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d)."""
        z = rng.standard_normal((len(components), self.covariance.shape[1]))
        out = np.array(self.mean.high[components])
        for k in range(self.K):
            rows, C = np.flatnonzero(components == k), self.covariance[k % len(self.covariance)]
            columns, factor = square_root(C)
            step = z[np.ix_(rows, columns)] @ factor.T
            out[np.ix_(rows, columns)] += self.mean.low[k, columns] + step
        return out

    def power(self, weights: Array) -> JointNormals:
        """Raise the density of each column, given the columns before it, to a power."""
        return replace(self, weights=self.weights * weights)


def correlation_factor(C: Array, present: Array) -> tuple[Array, Array]:
    """Columns that are present and vary, and the Cholesky factor of their correlations."""
    variance = np.diagonal(C)
    columns = np.flatnonzero(present & (variance >= np.finfo(np.float64).tiny))
    sd = np.sqrt(variance[columns])
    return columns, np.linalg.cholesky(C[np.ix_(columns, columns)] / sd / sd[:, None])


def square_root(C: Array) -> tuple[Array, Array]:
    """Columns that vary, and a matrix A over them with A A' = C; C may be singular."""
    columns = np.flatnonzero(np.diagonal(C) >= np.finfo(np.float64).tiny)
    sd = np.sqrt(np.diagonal(C)[columns])
    values, vectors = np.linalg.eigh(C[np.ix_(columns, columns)] / sd / sd[:, None])
    return columns, sd[:, None] * vectors * np.sqrt(np.maximum(values, 0.0))


def whitening(C: Array, present: Array, tol: float = 0.0) -> Whitening:
    """Whitens the columns that are present (d,) and vary; axes along which correlations hardly do are left out."""
    if tol > 0.0 and (flat := _flat_whitening(C, present, tol)) is not None:
        return flat
    columns, factor = correlation_factor(C, present)
    sd = np.sqrt(np.diagonal(C)[columns])
    height = -0.5 * np.log(2.0 * np.pi) - np.log(np.diagonal(factor)) - np.log(sd)
    return Whitening(columns, inverse_of_lower(factor) / sd, height, columns)


def _flat_whitening(C: Array, present: Array, tol: float) -> Whitening | None:
    """For singular correlations: along their axes, without those of no length. None where all have some."""
    variance = np.diagonal(C)
    columns = np.flatnonzero(present & (variance >= np.finfo(np.float64).tiny))
    sd = np.sqrt(variance[columns])
    values, vectors = np.linalg.eigh(C[np.ix_(columns, columns)] / sd / sd[:, None])
    kept = values > tol * tol
    if kept.all():
        return None
    W = (vectors[:, kept] / np.sqrt(values[kept])).T / sd
    share = np.log(sd).sum() / max(int(kept.sum()), 1)  # the units, divided among the axes that are left
    height = -0.5 * np.log(2.0 * np.pi * values[kept]) - share
    return Whitening(columns, W, height, columns[np.abs(vectors[:, kept]).argmax(axis=0)])


def inverse_of_lower(L: Array) -> Array:
    """Inverse of a lower triangular matrix, by forward substitution: row by row, no pivoting needed."""
    inverse = np.zeros_like(L)
    for j in range(len(L)):
        inverse[j, :j] = -(L[j, :j] @ inverse[:j, :j]) / L[j, j]
        inverse[j, j] = 1.0 / L[j, j]
    return inverse


def check_covariances(owner: object, covariance: Array) -> Array:
    """Refuse covariances without an inverse, beyond columns that do not vary."""
    for k, C in enumerate(covariance):
        try:
            _, factor = correlation_factor(C, np.ones(len(C), dtype=bool))
            singular = (np.square(np.diagonal(factor)) < len(C) * 2.0**-50).any()
        except np.linalg.LinAlgError:
            singular = True
        if singular:
            remedy = "Give the prior a strength above 0, leave columns out that follow from others, or use a ridge."
            rule = f"positive definite in component {k}"
            raise bad(owner, "the covariance", rule, Said("a singular one"), remedy)
    return covariance


def _centred(x: Array, mean: Pair, k: int, columns: Array) -> Array:
    """x - m_k over some columns; all of them are not copied twice."""
    if len(columns) < x.shape[1]:
        return np.asarray((x[:, columns] - mean.high[k, columns]) - mean.low[k, columns])
    z = x - mean.high[k]
    z -= mean.low[k]
    return np.asarray(z)

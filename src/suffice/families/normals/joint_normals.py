"""Joint normal distributions: columns that vary together, one covariance per component or one for all.

log p(x | k) = -1/2 log det(2 pi C_k) - 1/2 (x - m_k)' C_k^-1 (x - m_k)        over the cells that are present

The marginal of a normal is a normal: where cells are missing, their rows and columns of C are left out, exactly. Rows
that lack the same cells share one Cholesky factor, of the correlations, so that units change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg.blas import dtrmm

from suffice.core.block import Array
from suffice.core.double_double import Pair
from suffice.core.registry import saved
from suffice.families.normals.missing_columns import Gaps, precision
from suffice.families.normals.whitened_squares import tied_logs, whitened_squares
from suffice.families.normals.whitening import Whitening, square_root, whitening
from suffice.families.normals.whitening import inverse_of_lower as inverse_of_lower
from suffice.numerics.linear_values import CACHED, LEAST, complete_values, linear_values
from suffice.numerics.loop import CHUNK
from suffice.numerics.tiles import tiles_pay

STEADY = 1e4  # largest ratio of a column's variance to what the others leave of it, if log densities are to keep 1e-12
MANY = 32  # ways to lack cells from which on all rows are evaluated at once
NEAR = 32.0  # standard deviations from a common centre within which rows may be whitened about it


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
            self._fill_logs(x, out[:, start : start + len(x)])
        return out.T

    def log_evidence(self, part: Array) -> Array:
        """Log density (n, K) but for what all components of a row share: of one covariance, a linear function."""
        if self._linear is None:
            return self.log_density(part)
        values = complete_values(part, *self._linear, self._centre)
        if values is not None:
            return values
        with np.errstate(over="ignore", invalid="ignore"):
            values = linear_values(part, *self._linear, self._centre)
        odd = np.flatnonzero(~np.isfinite(values).all(axis=1))  # cells are missing or infinite
        values[odd] = self.log_density(part[odd])
        return values

    def _fill_logs(self, x: Array, out: Array) -> None:
        """Log densities of a chunk of rows into out (K, n)."""
        present = np.isfinite(x)
        if present.all():
            out[:] = self._logs(x, self._complete)
            return
        whole = present.all(axis=1)
        if self._steady and _many(present[~whole]):
            rows = np.flatnonzero(~whole)
            out[:, rows] = self._many_logs(np.where(present[rows], x[rows], 0.0), present[rows])
            rows = np.flatnonzero(whole)
            out[:, rows] = self._logs(x[rows], self._complete)
            return
        for some, whitened in self._groups(x):
            at = slice(None) if some is None else some
            out[:, at] = self._logs(x[at], whitened)

    def _many_logs(self, x: Array, present: Array) -> Array:
        """Log densities (K, n) of rows that lack cells in many ways, all at once.

        The squared distance of what is present is that of the row with its missing cells as expected, and the
        determinant of a part follows from that of the whole: log det C_oo = log det C + log det P_uu.
        """
        out, gaps, every = np.empty((self.K, len(x))), Gaps(present), range(len(self.covariance))
        found = [gaps.log_determinants(C, self.tol) for C in self.covariance]
        for k in range(self.K):
            c, mine = k % len(every), self._complete[k % len(every)]
            centre = np.broadcast_to(self.mean.high[k], x.shape)
            rows = gaps.fill(np.where(present, x, centre), centre, self.covariance[c], self.tol)
            z = self._white(rows, k, mine)
            lacking = (~present[:, mine.columns]).sum(axis=1) * 0.5 * np.log(2.0 * np.pi)
            out[k] = mine.height.sum() + lacking - 0.5 * found[c] - 0.5 * _lengths(z)
        return out

    @cached_property
    def _steady(self) -> bool:
        """Whether every covariance is far enough from singular for its inverse to serve for all of its parts."""
        if not (self.weights == 1.0).all():
            return False
        inverses = (precision(C, self.tol)[1] for C in self.covariance)
        return all(P is not None and np.diagonal(P).max(initial=1.0) <= STEADY for P in inverses)

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
        if whitened is self._complete and tiles_pay(x.size, x.shape[1]):
            return self.complete_logs(x)
        steps, near = self._complete_steps if whitened is self._complete else self._steps(whitened)
        common = x - self._centre if near.any() else x
        if len(whitened) == 1 and near.all():
            return self._tied(common, whitened[0], np.stack(steps))
        x, common = np.ascontiguousarray(x), np.ascontiguousarray(common)
        step = max(CACHED // max(x.shape[1], 1), LEAST)
        out, away = np.empty((self.K, len(x))), np.empty((min(step, len(x)), x.shape[1]))
        for start in range(0, len(x), step):  # what is whitened stays in the cache until it is added up
            at: Any = slice(start, start + step)
            for k in range(self.K):
                mine, z = whitened[k % len(whitened)], away[: len(x) - start]
                z = (
                    self._about_mean(x[at], k, z)
                    if not near[k]
                    else np.subtract(common[at], self._from_centre[k], out=z)
                )
                z = _whitened(z, mine)
                out[k, at] = self._height(mine) - 0.5 * _lengths(z, self.weights[mine.at])
        return out

    def _steps(self, whitened: tuple[Whitening, ...]) -> tuple[list[Array], Array]:
        """The mean of each component from the centre, whitened, and whether it is near enough for that."""
        away = [self._away(k, whitened[k % len(whitened)]) for k in range(self.K)]
        return away, np.array([np.abs(step).max(initial=0.0) <= NEAR for step in away])

    @cached_property
    def _complete_steps(self) -> tuple[list[Array], Array]:
        return self._steps(self._complete)

    def complete_logs(self, x: Array) -> Array:
        """Log densities (K, n) of rows without missing cells, by a loop; no digit is lost, however far means are."""
        if self._linear is not None:
            slopes, levels = self._linear
            return tied_logs(x, self._centre, *self.matrices, slopes, levels + self.heights)
        out = whitened_squares(x, self.mean, *self.matrices)
        out *= -0.5
        out += self.heights[:, None]
        return out

    @property
    def heights(self) -> Array:
        """Log densities at the means (K,), of rows without missing cells."""
        return np.resize([self._height(one) for one in self._complete], self.K)

    @cached_property
    def _linear(self) -> tuple[Array, Array] | None:
        """Of one covariance: |z - a|^2 = |z|^2 - 2 a . z + |a|^2. Slopes (K, d), levels (K,), if means are not far."""
        (one, *others), powers = self._complete, self.weights
        away = np.stack([self._away(k, one) for k in range(self.K)])
        if others or self.K == 1 or np.abs(away).max(initial=0.0) > NEAR:
            return None
        slopes = np.zeros((self.K, len(powers)))
        slopes[:, one.columns] = (away * powers[one.at]) @ one.W
        return slopes, -0.5 * np.square(away) @ powers[one.at]

    @cached_property
    def matrices(self) -> tuple[Array, Array]:
        """The whitenings of all columns as matrices (K or 1, d, d), and the power of each of their rows."""
        d, whitened = self.covariance.shape[1], self._complete
        W, powers = np.zeros((len(whitened), d, d)), np.zeros((len(whitened), d))
        for one, into, power in zip(whitened, W, powers, strict=True):
            into[: len(one.W), one.columns] = one.W
            power[: len(one.W)] = self.weights[one.at]
        return W, powers

    def _tied(self, common: Array, one: Whitening, away: Array) -> Array:
        """Of one covariance: |z - a|^2 = |z|^2 - 2 a . z + |a|^2, so that rows are whitened once for all components."""
        z, weights = _some(common, one.columns) @ one.W.T, self.weights[one.at]
        linear = (away * weights) @ z.T - (0.5 * np.square(away) @ weights)[:, None]
        return np.asarray(linear + (self._height(one) - 0.5 * _lengths(z, weights)))

    @cached_property
    def _centre(self) -> Array:
        """A point between the means (d,)."""
        return np.asarray(self.mean.high.mean(axis=0))

    def _away(self, k: int, mine: Whitening) -> Array:
        """The mean of component k from the centre, whitened (r,)."""
        return np.asarray(mine.W @ self._from_centre[k, mine.columns])

    @cached_property
    def _from_centre(self) -> Array:
        """The means from the point between them (K, d)."""
        return (self.mean.high - self._centre) + self.mean.low

    def _white(self, x: Array, k: int, mine: Whitening) -> Array:
        """Rows from the mean of component k, whitened (n, r); no digit is lost, however far the others are."""
        return _whitened(self._about_mean(x, k), mine)

    def _about_mean(self, x: Array, k: int, out: Array | None = None) -> Array:
        """Rows from the mean of component k."""
        z: Array = np.subtract(x, self.mean.high[k], out=out)
        z -= self.mean.low[k]
        return z

    def _height(self, mine: Whitening) -> float:
        return float(mine.height @ self.weights[mine.at])

    def cells(self, part: Array, k: int) -> Array:
        """Log density of each cell given the cells before it, under component k (n, d), 0 where missing."""
        x = np.asarray(part, dtype=np.float64)
        out = np.zeros(x.shape)
        for rows, whitened in self._groups(x):
            mine = whitened[k % len(whitened)]
            at = np.arange(len(x)) if rows is None else rows
            z = self._white(x[at], k, mine)
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


def _whitened(z: Array, mine: Whitening) -> Array:
    """Rows about a mean (n, d), whitened (n, r): in place by a triangle, half of which need not be multiplied."""
    z = _some(z, mine.columns)
    if mine.at is mine.columns and z.size:
        return np.asarray(dtrmm(1.0, mine.W.T, z.T, trans_a=1, overwrite_b=1).T)
    return np.asarray(z @ mine.W.T)


def _lengths(z: Array, weights: Array | None = None) -> Array:
    """Squared lengths (n,) of whitened rows, which are overwritten; an infinite one is a density of 0."""
    with np.errstate(over="ignore"):
        squares = np.square(z, out=z)
        return np.asarray(squares.sum(axis=1) if weights is None else squares @ weights)


def _some(x: Array, columns: Array) -> Array:
    """Some columns; all of them are not copied."""
    return x if len(columns) == x.shape[1] else x[:, columns]


def _many(present: Array) -> bool:
    """Whether rows lack cells in many ways."""
    return len(present) > MANY and len(np.unique(present, axis=0)) > MANY

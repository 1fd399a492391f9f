"""Draws of the parameters of a normal model of rows with missing cells, from the sums of each missing pattern alone.

Data augmentation draws the missing cells given the parameters, and the parameters given all cells, in turn. Only sums
of cells enter, and sums of drawn cells can be drawn without the cells: with Z the column of ones and those that are
present, G = Z'Z, and E the deviations of missing cells from their regression on Z, rows of which have covariance V,

    Z'E ~ matrix normal (0, G, V),     E'E - (Z'E)' G^-1 (Z'E) ~ Wishart(n - rank Z, V),     independent

so that a draw costs as much for a billion rows as for a hundred. Given all cells, with Jeffreys' prior,

    C ~ inverse Wishart (n - 1, S),     mean ~ N(m, C / n)

Reference: J. Schafer, Analysis of incomplete multivariate data (1997), chapter 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.families.normals.joint_normals import JointNormals
from suffice.families.normals.missing_columns import regression
from suffice.summaries.pattern_moments import PatternMoments

AXIS = 1e-7  # deviation of correlations along an axis below which it tells nothing
BURN_IN, BETWEEN = 50, 20  # rounds before the first draw, and between draws


class Drawn(NamedTuple):
    """Parameters of a normal distribution."""

    mean: Array  # (d,)
    covariance: Array  # (d, d)


def draw_parameters(
    summary: PatternMoments, start: JointNormals, rng: np.random.Generator, burn_in: int = BURN_IN
) -> Iterator[Drawn]:
    """Parameters drawn from their posterior, for ever; from the estimate on, and far enough apart to be independent."""
    chain = SumsDrawn(summary, start.mean.value[0], rng)
    drawn = Drawn(np.zeros(len(chain.centre)), start.covariance[0])
    for _ in range(burn_in - BETWEEN):
        drawn = chain.step(drawn)
    while True:
        for _ in range(BETWEEN):
            drawn = chain.step(drawn)
        yield Drawn(drawn.mean + chain.centre, drawn.covariance)


class SumsDrawn:
    """Cells and parameters drawn in turn, from the sums of each pattern about a centre near the mean."""

    def __init__(self, summary: PatternMoments, centre: Array, rng: np.random.Generator) -> None:
        """Take the sums out of their pairs."""
        self.centre, self.rng = centre, rng
        one = summary.somewhat().component(0, centre)
        live = np.flatnonzero(one.rows)
        self.present = summary.somewhat().present[live]
        self.weight, self.first, self.second = (sums.value[live] for sums in (one.weight, one.first, one.second))
        self.n = float(self.weight.sum())

    def step(self, old: Drawn) -> Drawn:
        """Cells, then parameters."""
        S, Q = np.zeros(len(self.centre)), np.zeros((len(self.centre),) * 2)
        for present, w, first, second in zip(self.present, self.weight, self.first, self.second, strict=True):
            s, q = self.completed(old, present, w, first, second)
            S, Q = S + s, Q + q
        return self._parameters(S, Q)

    def completed(self, old: Drawn, present: Array, w: float, first: Array, second: Array) -> tuple[Array, Array]:
        """First and second sums of the rows of a pattern, with their missing cells drawn."""
        if present.all():
            return first, second
        d, o, u = len(present), np.flatnonzero(present), np.flatnonzero(~present)
        G = np.zeros((len(o) + 1,) * 2)  # of the ones and the columns that are present
        G[0, 0], G[0, 1:], G[1:, 0], G[1:, 1:] = w, first[o], first[o], second[np.ix_(o, o)]
        A, V = regression(old.covariance, present, AXIS)
        B = np.vstack([old.mean[u] - A[u] @ old.mean[o], A[u].T])  # missing = Z B + E
        root, left = _root(G), _root(V[np.ix_(u, u)])
        inner = self.rng.standard_normal((root.shape[1], left.shape[1])) @ left.T
        cross = root @ inner  # Z'E
        residual = left @ _wishart(self.rng, w - root.shape[1], left.shape[1]) @ left.T
        with_ones = G @ B + cross  # (1 + o, u): sums of Z times the missing cells
        both = B.T @ G @ B + B.T @ cross + cross.T @ B + inner.T @ inner + residual
        S, Q = first.copy(), np.zeros((d, d))
        S[u] = with_ones[0]
        Q[np.ix_(o, o)], Q[np.ix_(u, u)] = second[np.ix_(o, o)], both
        Q[np.ix_(o, u)], Q[np.ix_(u, o)] = with_ones[1:], with_ones[1:].T
        return S, Q

    def _parameters(self, S: Array, Q: Array) -> Drawn:
        """Covariance, then mean, given the sums of complete rows."""
        mean = S / self.n
        root = _root(Q - self.n * np.outer(mean, mean))
        axes = root.shape[1]
        bartlett = _bartlett(self.rng, self.n - 1.0, axes)
        half = root @ np.linalg.inv(bartlett).T  # C = root W^-1 root'
        step = half @ self.rng.standard_normal(axes) / np.sqrt(self.n)
        return Drawn(mean + step, half @ half.T)


def _root(M: Array) -> Array:
    """A matrix R (d, r) with R R' = M, symmetric and positive semidefinite, in the units of its columns."""
    unit = np.sqrt(np.maximum(np.diagonal(M), 0.0))
    unit = np.where(unit > 0, unit, 1.0)
    values, vectors = np.linalg.eigh(M / unit[:, None] / unit)
    some = values > len(M) * 2.0**-50 * max(values.max(initial=0.0), 0.0)
    return np.asarray(unit[:, None] * vectors[:, some] * np.sqrt(values[some]))


def _bartlett(rng: np.random.Generator, freedom: float, d: int) -> Array:
    """A lower triangle T (d, d) such that T T' is Wishart with identity scale."""
    T = np.tril(rng.standard_normal((d, d)), -1)
    T[np.diag_indices(d)] = np.sqrt(rng.chisquare(np.maximum(freedom - np.arange(d), 2.0**-20)))
    return T


def _wishart(rng: np.random.Generator, freedom: float, d: int) -> Array:
    """A Wishart matrix with identity scale; singular where there are fewer rows than columns."""
    if freedom <= 0 or d == 0:
        return np.zeros((d, d))
    if freedom >= d:
        T = _bartlett(rng, freedom, d)
        return T @ T.T
    E = rng.standard_normal((round(freedom), d))
    return np.asarray(E.T @ E)

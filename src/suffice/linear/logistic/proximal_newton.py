"""Penalties on coefficients, and the step of Newton's method under them.

Without a penalty on sizes a step solves linear equations. With one it minimises the quadratic that the slope and the
curvature say plus the penalty, by coordinate descent; intercepts, which bear no penalty, are eliminated first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.linear.regression.coordinate_descent import Quadratic, descend

EXACT = 1e-14  # gap of the inner problem, as a share of its size
SWEEPS = 10_000


class NewtonStep(NamedTuple):
    """A change of the coefficients."""

    change: Array  # (L, 1 + p)
    decrement: float  # how far the objective should fall


@dataclass(frozen=True)
class CoefficientPenalty:
    """l1 on the sizes and l2/2 on the squares of all coefficients but the intercepts, in units of the table.

    Where there is a `constant`, an intercept is the coefficient of a column that is this number in all rows, and bears
    the penalty of one; columns are about 0 then, as intercepts are meant at 0.
    """

    l1: float = 0.0
    l2: float = 0.0
    constant: float = 0.0

    def of(self, coef: Array, intercept: Array | None = None) -> float:
        """What coefficients (L, p) and intercepts (L,) cost."""
        if self.constant and intercept is not None:
            coef = np.column_stack([coef, intercept / self.constant])
        return float(self.l1 * np.abs(coef).sum() + 0.5 * self.l2 * (coef**2).sum())

    def step(self, slope: Array, curvature: Array, theta: Array, scale: Array, intercept: bool) -> NewtonStep:
        """From coefficients (L, 1 + p) about the centre, in units of the scale, as slope and curvature are."""
        L, q = theta.shape
        bare = not self.constant  # whether intercepts bear no penalty
        units = np.tile(np.append(self.constant or 1.0, scale), L)  # theta / units: in units of the table
        b = (theta.ravel() / units).reshape(L, q)
        slope, curvature = slope * units, curvature * units * units[:, None]
        ridge = np.tile(np.append(0.0 if bare else self.l2, np.full(q - 1, self.l2)), L)
        slope, curvature = slope + ridge * b.ravel(), curvature + np.diag(ridge)
        told = (np.diagonal(curvature) > 0.0) | (slope != 0.0)  # a term that does not vary tells nothing: it stays 0
        if bare or self.l1 == 0.0:
            curvature = curvature + held_sums(L, q, np.diagonal(curvature), all_of_them=self.l1 == 0.0)
        change = np.zeros(L * q)
        free = np.tile(np.append(intercept, np.ones(q - 1, dtype=bool)), L) & told
        if self.l1 == 0.0:
            change[free] = -_solve(curvature[np.ix_(free, free)], slope[free])
            decrement = -0.5 * float(slope @ change)
        else:
            change, decrement = self._sparse(slope, curvature, b.ravel(), np.tile((np.arange(q) == 0) & bare, L), free)
        return NewtonStep((change * units).reshape(L, q), decrement)

    def _sparse(self, slope: Array, curvature: Array, b: Array, start: Array, free: Array) -> tuple[Array, float]:
        """The minimum of slope d + d'Hd/2 + l1 |b + d|; `start` says which entries are intercepts."""
        sizes, level = ~start, start & free
        c, H = curvature @ b - slope, curvature  # of b + d: Hb - slope
        inner, back = H[np.ix_(sizes, sizes)], c[sizes]
        if level.any():
            lift = _solve(H[np.ix_(level, level)], np.column_stack([H[np.ix_(level, sizes)], c[level]]))
            inner, back = inner - H[np.ix_(sizes, level)] @ lift[:, :-1], back - H[np.ix_(sizes, level)] @ lift[:, -1]
        size = max(float(back @ b[sizes]), float(np.abs(back).max(initial=0.0)), 1e-300)
        problem = Quadratic((inner + inner.T) / 2.0, back, size)
        found = descend(problem, np.array([self.l1]), 1.0, tol=EXACT, max_iter=SWEEPS, start=b[sizes]).coef[0]
        change = np.zeros(len(b))
        change[sizes] = found - b[sizes]
        if level.any():
            change[level] = lift[:, -1] - lift[:, :-1] @ found - b[level]
        fall = slope @ change + 0.5 * change @ H @ change + self.l1 * (np.abs(found).sum() - np.abs(b[sizes]).sum())
        return change, -float(fall)


def held_sums(L: int, q: int, diagonal: Array, all_of_them: bool) -> Array:
    """Holds the sums over the classes, on which the loss does not depend, where they are: of the intercepts, and of all
    coefficients where no penalty depends on them, or one on squares, which wants them to be 0, where they began: its
    own pull may be too weak for rounding. Two classes have no such sums.
    """
    size = diagonal.reshape(L, q).mean(axis=0) / L
    size = np.where(size > 0.0, size, 1.0) * (all_of_them | (np.arange(q) == 0))
    return np.tile(np.diag(size), (L, L)) if L > 1 else np.zeros((q, q))


def _solve(H: Array, c: Array) -> Array:
    """H^-1 c; the shortest answer where H is singular."""
    length = np.sqrt(np.maximum(np.diagonal(H), 0.0))
    length = np.where(length > 0.0, length, 1.0)
    unit = H / length / length[:, None]
    right = (c.T / length).T
    try:
        return np.asarray((np.linalg.solve(unit, right).T / length).T)
    except np.linalg.LinAlgError:
        return np.asarray((np.linalg.lstsq(unit, right, rcond=None)[0].T / length).T)

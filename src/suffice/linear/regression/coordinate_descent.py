"""Least squares with a penalty on sizes: one coefficient after the other, on products of columns, along a whole path.

    minimise over b:  1/2 (b'Gb - 2 c'b + yy) + l1 sum_j |b_j| + l2/2 sum_j b_j^2      G = X'X/W, c = X'y/W, yy = y'y/W

    b_j  <-  soft(c_j - sum_{i != j} G_ji b_i, l1) / (G_jj + l2),      soft(a, t) = sign(a) max(|a| - t, 0)

The rows are not needed: a sweep costs the square of the number of columns, whatever the number of rows. The gap to the
dual problem says how far the objective can still fall.

Reference: J. Friedman, T. Hastie and R. Tibshirani, Regularization paths for generalized linear models via coordinate
descent (2010).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dpocon, dposv

from suffice.core.block import Array
from suffice.numerics.loop import loop

SWEEPS = 30  # a guess of how many sweeps a penalty takes, to tell whether compiling pays
ROUNDING = 8 * 2.0**-52  # of the products that a gap is the difference of: what it may miss by
FLAT = 1e-10  # of the largest curvature, or of the penalty: what counts as none
SHORT = 6  # sweeps after which coefficients that are not 0 are solved for at once, where there is one penalty
BURST, LONG = 20, 400  # such sweeps at least and at most where penalties are many, so that sweeps are compiled
JUMP = 1_000_000  # what solving takes, in products that a compiled sweep makes


class Quadratic(NamedTuple):
    """Products of the columns with one another, with the target, and of the target with itself, per unit of weight."""

    G: Array  # (p, p)
    c: Array  # (p,)
    yy: float

    def largest(self, l1_ratio: float = 1.0, positive: bool = False) -> float:
        """The smallest penalty under which all coefficients are 0; with `positive`, only pulls upwards count."""
        pulls = self.c if positive else np.abs(self.c)
        return float(pulls.max(initial=0.0)) / l1_ratio


class Path(NamedTuple):
    """Coefficients for each penalty."""

    coef: Array  # (m, p)
    gap: Array  # (m,) how far the objective can still fall at most, beyond rounding
    sweeps: Array  # (m,) how often all coefficients were met


def descend(
    problem: Quadratic,
    penalties: Array,
    l1_ratio: float,
    *,
    tol: float,
    max_iter: int,
    positive: bool = False,
    start: Array | None = None,
    many: bool = False,
) -> Path:
    """The coefficients for each penalty, each from those of the one before.

    Parameters
    ----------
    problem : what is known of the rows
    penalties : (m,) best from the largest to the smallest
    l1_ratio : the part of the penalty that is on sizes, above 0; the rest is on squares
    tol : the gap that is good enough, as a share of yy
    max_iter : sweeps a penalty may take
    positive : whether no coefficient may be below 0
    start : (p,) where to begin; None is 0
    many : whether there are more penalties than these

    >>> square = Quadratic(np.eye(2), np.array([3.0, 0.5]), 10.0)
    >>> descend(square, np.array([1.0]), 1.0, tol=1e-9, max_iter=10).coef
    array([[2., 0.]])
    """
    penalties = np.asarray(penalties, dtype=np.float64)
    p, m = len(problem.c), len(penalties)
    path = Path(np.empty((m, p)), np.empty(m), np.zeros(m, dtype=np.int64))
    b = np.zeros(p) if start is None else np.array(start, dtype=np.float64)
    own = problem._replace(G=np.ascontiguousarray(problem.G, dtype=np.float64), yy=float(problem.yy))
    fast = _sweep.pays(p * p * m * SWEEPS)
    sweep: Callable[..., tuple[int, float]] = _sweep if fast else partial(_sweep.instead, _sweep_twin)
    most = SHORT  # of loop and twin alike, as they answer alike
    if many or m > 1:
        most = max(BURST, min(LONG, JUMP // max(p * p, 1), max_iter // 4))
    for i, penalty in enumerate(penalties):
        l1, l2 = penalty * l1_ratio, penalty * (1.0 - l1_ratio)
        path.sweeps[i], path.gap[i] = _settle(sweep, own, l1, l2, tol, max_iter, positive, b, most)
        path.coef[i] = b
    return path


def _settle(
    sweep: Callable[..., tuple[int, float]],
    problem: Quadratic,
    l1: float,
    l2: float,
    tol: float,
    max_iter: int,
    positive: bool,
    b: Array,
    most: int,
) -> tuple[int, float]:
    """Change b until the gap is small; returns the sweeps and the gap.

    Where columns nearly depend on one another sweeps alone would take for ever. Once in a while the coefficients that
    are not 0 are therefore solved for at once.
    """
    G, c, yy = problem
    spent = 0
    while True:
        burst = min(most, max_iter - spent)
        slope = c - G @ b if np.count_nonzero(b) else c.copy()
        used, gap = sweep(G, c, yy, l1, l2, tol, burst, positive, b, slope)
        spent += used
        sizes = np.abs(b)
        gap = max(gap - ROUNDING * float(sizes @ np.abs(G) @ sizes), 0.0)
        if used < burst or gap <= tol * yy or spent >= max_iter:
            return spent, gap
        jump(G, c, l1, l2, b)


def jump(G: Array, c: Array, l1: float, l2: float, b: Array) -> None:
    """To the best coefficients with the signs that b has; one that reaches 0 on the way stays there.

    Along directions in which the squares do not change the objective falls until a coefficient is 0.
    """
    for _ in range(int(np.count_nonzero(b))):
        live = b.nonzero()[0]
        if not len(live):  # the last few came to 0 at once
            return
        value, H = b[live], G[live[:, None], live]
        if l2 > 0.0:
            H.flat[:: len(H) + 1] += l2
        sign = np.sign(value)
        change, drift = _direction(H, c[live] - l1 * sign - H @ value, FLAT * l1)
        against = sign * change < 0.0
        reach = np.divide(-value, change, out=np.full(len(live), np.inf), where=against)
        first = int(reach.argmin())
        if reach[first] >= 1.0 and not (drift and np.isfinite(reach[first])):
            b[live] += 0.0 if drift else change
            return
        b[live] += reach[first] * change
        b[live[first]] = 0.0


def _direction(H: Array, slope: Array, least: float) -> tuple[Array, bool]:
    """Where the objective falls to its lowest point, or without end, as a slope that is not `least` goes on."""
    norm = float(np.abs(H).sum(axis=0).max())
    factor, change, bad = dposv(H, slope, lower=1)
    if not bad and dpocon(factor, norm, uplo="L")[0] > FLAT * len(H):  # curved in every direction
        return np.asarray(change), False
    values, vectors = np.linalg.eigh(H)
    pull, flat = vectors.T @ slope, values <= FLAT * values[-1]
    drift = bool(np.abs(pull[flat]).max(initial=0.0) > least)
    step = np.where(flat, pull if drift else 0.0, 0.0 if drift else pull / np.where(flat, 1.0, values))
    return np.asarray(vectors @ step), drift


def duality_gap(problem: Quadratic, b: Array, l1: float, l2: float, positive: bool = False) -> float:
    """How far the objective lies above the best value of the dual problem that the residuals point to."""
    return float(gap_of(problem.c, problem.yy, b, problem.c - problem.G @ b, l1, l2, positive))


def gap_of(c: Array, yy: float, b: Array, slope: Array, l1: float, l2: float, positive: bool) -> float:
    """The gap; slope = c - G b. The squares of the coefficients count as rows of their own."""
    own = float(c @ b)
    square = yy - own - float(slope @ b)
    square, pull = (square + l2 * float(b @ b), slope - l2 * b) if l2 else (square, slope)
    most = float(np.maximum.reduce(pull if positive else np.abs(pull), initial=0.0))
    shrink = 1.0 if most <= l1 else l1 / most
    return float(0.5 * square + l1 * np.add.reduce(np.abs(b)) - shrink * (yy - own) + 0.5 * shrink**2 * square)


def _sweep_twin(G, c, yy, l1, l2, tol, limit, positive, b, slope):  # type: ignore[no-untyped-def]
    """The oracle of the loop, and the path for small problems."""
    widths = [(j, squares, squares + l2) for j, squares in enumerate(G.diagonal().tolist()) if squares > 0.0]
    live = [(j, G[j], squares, width, sqrt(width)) for j, squares, width in widths]
    found, gap, enough, slope_of = b.tolist(), np.inf, tol * sqrt(yy), slope.item
    for sweep in range(limit):
        change = 0.0
        for j, row, squares, width, root in live:
            old = found[j]
            pull = slope_of(j) + squares * old
            size = (pull if positive or pull > 0.0 else -pull) - l1
            if size > 0.0:
                new = (size if pull > 0.0 else -size) / width
            elif old == 0.0:
                continue
            else:
                new = 0.0
            if new != old:
                found[j], step = new, new - old
                slope -= step * row
                change = max(change, abs(step) * root)
        if change <= enough or sweep == limit - 1:
            b[:] = found
            gap = gap_of(c, yy, b, slope, l1, l2, positive)
            if gap <= tol * yy or change == 0.0:
                return sweep + 1, gap
    return limit, gap


@loop
def _sweep(G, c, yy, l1, l2, tol, limit, positive, b, slope):  # type: ignore[no-untyped-def]
    """Sweep after sweep over all coefficients until the gap is small; returns the sweeps and the gap."""
    p, gap = b.shape[0], np.inf
    for sweep in range(limit):
        change = 0.0
        for j in range(p):
            diagonal = G[j, j]
            if diagonal <= 0.0:
                continue
            old, width = b[j], diagonal + l2
            pull = slope[j] + diagonal * old
            size = pull - l1 if positive else abs(pull) - l1
            new = 0.0 if size <= 0.0 else (size if pull > 0.0 else -size) / width
            if new != old:
                b[j] = new
                for k in range(p):
                    slope[k] -= (new - old) * G[j, k]
                change = max(change, abs(new - old) * np.sqrt(width))
        if change <= tol * np.sqrt(yy) or sweep == limit - 1:
            own, reach, squares, sizes, most = 0.0, 0.0, 0.0, 0.0, 0.0
            for k in range(p):
                own += c[k] * b[k]
                reach += slope[k] * b[k]
                squares += b[k] * b[k]
                sizes += abs(b[k])
                toward = slope[k] - l2 * b[k]
                most = max(most, toward if positive else abs(toward))
            square = yy - own - reach + l2 * squares
            shrink = 1.0 if most <= l1 else l1 / most
            gap = 0.5 * square + l1 * sizes - shrink * (yy - own) + 0.5 * shrink * shrink * square
            if gap <= tol * yy or change == 0.0:
                return sweep + 1, gap
    return limit, gap

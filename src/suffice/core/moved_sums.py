"""Sums and products about another shift, in pairs: what brings blocks, threads and models to one shift.

S' = S + W t,   Q' = Q + t S + S' t   (outer products), for a shift that is less by t
"""

from __future__ import annotations

import numpy as np

from suffice.core.double_double import Pair
from suffice.numerics.arrays import every
from suffice.numerics.loop import fma, inner, loop

NEAR_MEAN = 2.0**-56  # of a scatter: what the mean may add to it, if known to 52 bits


def moved(weight: Pair, first: Pair, second: Pair, t: Pair) -> tuple[Pair, Pair]:
    """Sums and products about a shift that is less by t."""
    step = column(weight) * t
    sums = first + step
    if _move.pays(0):
        high, low = np.empty((2, *second.high.shape))
        at = (np.ascontiguousarray(np.broadcast_to(half, first.high.shape)) for half in t)
        _move(*second, *first, *sums, *at, high, low)
        return sums, Pair(high, low)
    return sums, _move.instead(_moved, first, second, sums, step, t)


def _moved(first: Pair, second: Pair, sums: Pair, step: Pair, t: Pair) -> Pair:
    """The twin of the loop."""
    if every(np.abs(first.high) <= NEAR_MEAN * np.abs(step.high)):  # rows about their mean: float64 keeps enough
        return (second + outer(sums, t)).plus(t.high[..., None] * first.high[..., None, :])
    return second + outer(t, first) + outer(sums, t)


@inner
def product(a: float, a_low: float, b: float, b_low: float) -> tuple[float, float]:
    """The product of two pairs."""
    high = a * b
    low = fma(a, b, -high) + (a * b_low + a_low * b)
    total = high + low
    return total, low - (total - high)


@inner
def plus(a: float, a_low: float, b: float, b_low: float) -> tuple[float, float]:
    """The sum of two pairs."""
    high = a + b
    part = high - a
    error = (a - (high - part)) + (b - part)
    low = a_low + b_low
    part = low - a_low
    error_low = (a_low - (low - part)) + (b_low - part)
    error += low
    total = high + error
    error = error - (total - high) + error_low
    high = total + error
    return high, error - (high - total)


@loop
def _move(Q, Q_low, S, S_low, M, M_low, t, t_low, high, low):  # type: ignore[no-untyped-def]
    """Q + t S + M t for each component."""
    K, d = S.shape
    for k in range(K):
        for i in range(d):
            for j in range(d):
                a, a_low = product(t[k, i], t_low[k, i], S[k, j], S_low[k, j])
                b, b_low = product(M[k, i], M_low[k, i], t[k, j], t_low[k, j])
                a, a_low = plus(Q[k, i, j], Q_low[k, i, j], a, a_low)
                high[k, i, j], low[k, i, j] = plus(a, a_low, b, b_low)


def outer(a: Pair, b: Pair) -> Pair:
    """Products of all pairs of columns (..., d, d)."""
    return column(a) * Pair(b.high[..., None, :], b.low[..., None, :])


def column(a: Pair) -> Pair:
    """With one more axis, at the end."""
    return Pair(a.high[..., None], a.low[..., None])

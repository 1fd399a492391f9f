"""Integrals of densities, and sums of probabilities of whole numbers, to six digits whatever their shape and unit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from suffice.core.block import Array

Logs = Callable[[Array], Array]  # cells (n,) -> log densities (n,)

STEP = 8.0  # cuts come nearer to a point by this factor
CUTS = 18  # of them: 8^-18 is 2^-54, beyond which numbers do not differ
FAR = 22  # steps outwards, in spans of all points: 8^22 is 1e20
FINE = 1e-11  # error of a piece that is not cut again
DEPTH = 64  # times a piece may be cut in two
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
SINGLE = 4096  # whole numbers that are added one by one
WIDENING = 1.01  # pieces beyond are longer by this factor
PIECES = 1000  # of them: they reach to 1e8


def integral(logs: Logs, points: Array) -> float:
    """Of exp(logs) over all numbers. `points` must lie where it jumps, bends or has its peaks.

    >>> normal = lambda x: -0.5 * (x - 1e3) ** 2 - 0.5 * np.log(2 * np.pi)
    >>> round(integral(normal, np.array([-5.0, 1e3, 1.001e3])), 9)
    1.0
    """
    edges = _edges(points)
    a, b, total = edges[:-1], edges[1:], 0.0
    whole = _gauss(logs, a, b)
    for _ in range(DEPTH):
        middle = a + 0.5 * (b - a)
        left, right = _gauss(logs, a, middle), _gauss(logs, middle, b)
        rest = np.abs(left + right - whole) > FINE
        total += float((left + right)[~rest].sum())
        if not rest.any():
            break
        a, b = np.append(a[rest], middle[rest]), np.append(middle[rest], b[rest])
        whole = np.append(left[rest], right[rest])
    return total


def _gauss(logs: Logs, a: Array, b: Array) -> Array:
    """Of each piece from a to b, by eight nodes."""
    half = 0.5 * (b - a)[:, None]
    with np.errstate(over="ignore", under="ignore"):
        heights = np.exp(logs((a[:, None] + half * (NODES + 1.0)).ravel())).reshape(len(a), -1)
    return np.asarray((heights * half) @ WEIGHTS)


def _edges(points: Array) -> Array:
    """The points, cuts that draw near to each of them from both sides, and cuts far beyond them all."""
    points = np.unique(points[np.isfinite(points)])
    near = STEP ** -np.arange(1.0, CUTS + 1)
    gaps = np.diff(points)[:, None] * near
    span = points[-1] - points[0] or max(abs(float(points[0])), 1.0)
    out = span * np.append(near, STEP ** np.arange(FAR))
    inner = [(points[:-1, None] + gaps).ravel(), (points[1:, None] - gaps).ravel()]
    return np.unique(np.concatenate([points, *inner, points[0] - out, points[-1] + out]))


def whole_sum(logs: Logs) -> float:
    """Of exp(logs) over 0, 1, 2 ...: one by one at first, then by the middles of pieces that grow longer.

    >>> round(whole_sum(lambda x: -np.log1p(x) - np.log(x + 2.0)), 7)  # 1 / 2 + 1 / 6 + 1 / 12 ...
    1.0
    """
    starts = np.unique(np.floor(SINGLE * WIDENING ** np.arange(float(PIECES))))
    half = np.floor((starts[1:] - starts[:-1]) / 2.0)
    starts = np.append(SINGLE, SINGLE + np.cumsum(2.0 * half + 1.0))[:-1]  # of 2 half + 1 numbers each
    middles = np.append(np.arange(float(SINGLE)), starts + half)
    widths = np.append(np.ones(SINGLE), 2.0 * half + 1.0)
    return float(np.exp(logs(middles)) @ widths)

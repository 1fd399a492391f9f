"""Sums of windows: what a window density is at any place, in logs, so that nothing underflows far from all points.

    log sum_i w_i p(|x - x_i| / h)

Pair by pair in any number of dimensions. On a line, where points are in order: the exponential window in two sweeps,
Gaussian windows through a grid, other windows over the points in reach. All of these are exact but for rounding, unless
an error is allowed, which makes the grid coarser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from suffice.core.block import Array
from suffice.families.windows.weighted_points import Points
from suffice.families.windows.window_grid import grid_sums
from suffice.families.windows.windows import (
    CosineWindow,
    EpanechnikovWindow,
    ExponentialWindow,
    GaussianWindow,
    LinearWindow,
    TophatWindow,
    Window,
)
from suffice.numerics.loop import loop, pays

PAIRS = 2**18  # pairs that are held at a time: they stay in the second-level cache
FEW = 2**16  # pairs up to which a grid is no gain
ISOLATED = 1e-6  # share of its own window below which a point's neighbours are summed without it, not by subtraction


def log_sums(points: Points, X: Array, h: float, window: Window, error: float = 0.0) -> Array:
    """Log sums of the windows of all points at the rows X (m, d); -inf where no window reaches.

    Parameters
    ----------
    points : where the windows are, and their weights
    X : places, finite
    h : bandwidth
    window : profile of the windows
    error : relative error that is allowed; used by Gaussian windows on a line
    """
    if not len(points.rows) or not len(X):
        return np.full(len(X), -np.inf)
    route = _ROUTES.get(type(window)) if points.d == 1 else None
    return pairwise(points, X, h, window) if route is None else route(points, X, h, window, error)


def log_others(points: Points, h: float, window: Window, error: float = 0.0) -> Array:
    """Log sums at each point, without one copy of the point itself: what leave-one-out needs, without refitting.

    Of a point that weighs w, a weight of min(w, 1) is left out.
    """
    rest = np.maximum(points.weight - 1.0, 0.0)
    with np.errstate(divide="ignore"):
        own = np.log(rest)
    route = _ALONE.get(type(window), _pairwise_alone) if points.d == 1 else _pairwise_alone
    return np.asarray(np.logaddexp(route(points, h, window, error), own))


def pairwise(points: Points, X: Array, h: float, window: Window, own: Array | None = None) -> Array:
    """The sums over all pairs; at row i of X the point `own[i]` does not count."""
    out = np.empty(len(X))
    for part in _parts(len(X), len(points.rows)):
        logs = window.log_profile(distances(X[part], points.rows, h))
        if own is not None:
            logs[np.arange(len(logs)), own[part]] = -np.inf
        out[part] = _log_weighted(logs, points.weight)
    return out


def distances(X: Array, rows: Array, h: float) -> Array:
    """Distances in bandwidths (m, n). Scaling by a power of 2 is exact and keeps squares from over- and underflow."""
    from scipy.spatial.distance import cdist

    if X.shape[1] == 1:
        with np.errstate(over="ignore"):
            return np.asarray(np.abs(X - rows[:, 0]) / h)
    scale = 2.0 ** -np.floor(np.log2(h))
    with np.errstate(over="ignore", invalid="ignore"):
        far = cdist(X * scale, rows * scale) / (h * scale)
    return np.where(np.isnan(far), np.inf, far)


def _log_weighted(logs: Array, weight: Array) -> Array:
    top = logs.max(axis=1, initial=-np.inf)
    base = np.where(np.isneginf(top), 0.0, top)
    with np.errstate(divide="ignore"):
        return np.asarray(base + np.log(np.exp(logs - base[:, None]) @ weight))


def _parts(m: int, n: int) -> Iterator[slice]:
    """As many rows at a time as keep the pairs in the cache."""
    at_once = max(1, PAIRS // max(n, 1))
    return (slice(start, start + at_once) for start in range(0, m, at_once))


def _gaussian(points: Points, X: Array, h: float, window: Window, error: float) -> Array:
    """Through the grid; pair by pair where the places or the points are few, or the place is far from all points."""
    if len(X) * len(points.rows) <= FEW:
        return pairwise(points, X, h, window)
    sums, good = grid_sums(points, X[:, 0], h, error)
    out = np.log(np.where(good, sums, 1.0))
    if not good.all():
        out[~good] = pairwise(points, X[~good], h, window)
    return out


def _gaussian_alone(points: Points, h: float, window: Window, error: float) -> Array:
    """The sum at each point less its own window, unless little is left."""
    if len(points.rows) ** 2 <= FEW:
        return _pairwise_alone(points, h, window, error)
    sums, good = grid_sums(points, points.values, h, error)
    others = sums - points.weight
    good &= others > max(ISOLATED, 1e3 * error) * points.weight
    out = np.log(np.where(good, others, 1.0))
    lonely = np.flatnonzero(~good)
    out[lonely] = pairwise(points, points.rows[lonely], h, window, lonely)
    return out


def _pairwise_alone(points: Points, h: float, window: Window, error: float) -> Array:
    return pairwise(points, points.rows, h, window, np.arange(len(points.rows)))


def _sweeps(points: Points, h: float) -> tuple[Array, Array]:
    """Log sums of exp(-distance / h) over the points up to each one, and from each one on."""
    kept = np.exp(-np.diff(points.values) / h)
    sums = np.empty((2, len(points.weight)))
    sweep = _decay if pays(len(kept)) else _decay.plain
    sweep(kept, points.weight, sums[0])
    sweep(kept[::-1], points.weight[::-1], sums[1])
    return np.log(sums[0]), np.log(sums[1, ::-1])


def _exponential(points: Points, X: Array, h: float, window: Window, error: float) -> Array:
    """What the points on the left say, and those on the right."""
    values, x = points.values, X[:, 0]
    up, down = _sweeps(points, h)
    j = np.searchsorted(values, x, side="right")
    left = np.where(j > 0, up[np.maximum(j - 1, 0)] - (x - values[np.maximum(j - 1, 0)]) / h, -np.inf)
    after = np.minimum(j, len(values) - 1)
    right = np.where(j < len(values), down[after] - (values[after] - x) / h, -np.inf)
    return np.asarray(np.logaddexp(left, right))


def _exponential_alone(points: Points, h: float, window: Window, error: float) -> Array:
    up, down = _sweeps(points, h)
    gap = np.diff(points.values) / h
    left = np.concatenate([[-np.inf], up[:-1] - gap])
    right = np.concatenate([down[1:] - gap, [-np.inf]])
    return np.asarray(np.logaddexp(left, right))


def _compact(points: Points, X: Array, h: float, window: Window, error: float) -> Array:
    """Over the points in reach."""
    return _in_reach(points, X, h, window, False)


def _compact_alone(points: Points, h: float, window: Window, error: float) -> Array:
    return _in_reach(points, points.rows, h, window, True)


def _in_reach(points: Points, X: Array, h: float, window: Window, alone: bool) -> Array:
    values, x = points.values, X[:, 0]
    low, high = np.searchsorted(values, x - h), np.searchsorted(values, x + h, side="right")
    low, high = np.maximum(low - 1, 0), np.minimum(high + 1, len(values))  # where x - h was rounded
    if not pays(int((high - low).sum())):
        return pairwise(points, X, h, window, np.arange(len(x)) if alone else None)
    out, own = np.empty(len(x)), np.arange(len(x)) if alone else np.full(len(x), -1)
    _add_reach(np.ascontiguousarray(x), low, high, own, values, points.weight, h, *_CURVES[type(window)], out)
    with np.errstate(divide="ignore"):
        return np.log(out)


_CURVES: Mapping[type, tuple[float, float, float, bool]] = {  # p = a + b u + c u^2, or the cosine
    TophatWindow: (1.0, 0.0, 0.0, False),
    EpanechnikovWindow: (1.0, 0.0, -1.0, False),
    LinearWindow: (1.0, -1.0, 0.0, False),
    CosineWindow: (0.0, 0.0, 0.0, True),
}
_ROUTES: Mapping[type, Callable[[Points, Array, float, Window, float], Array]] = {
    GaussianWindow: _gaussian,
    ExponentialWindow: _exponential,
    **dict.fromkeys(_CURVES, _compact),
}
_ALONE: Mapping[type, Callable[[Points, float, Window, float], Array]] = {
    GaussianWindow: _gaussian_alone,
    ExponentialWindow: _exponential_alone,
    **dict.fromkeys(_CURVES, _compact_alone),
}


@loop
def _decay(kept, weight, out):  # type: ignore[no-untyped-def]
    """out[i] = weight[i] + kept[i - 1] * out[i - 1]."""
    total = 0.0
    for i in range(weight.shape[0]):
        total = weight[i] + (kept[i - 1] * total if i > 0 else 0.0)
        out[i] = total


@loop
def _add_reach(x, low, high, own, values, weight, h, a, b, c, cosine, out):  # type: ignore[no-untyped-def]
    """out[i] = sum over low[i] <= j < high[i], j != own[i], of weight[j] p(|x[i] - values[j]| / h)."""
    for i in range(x.shape[0]):
        total = 0.0
        for j in range(low[i], high[i]):
            u = abs(x[i] - values[j]) / h
            if u < 1.0 and j != own[i]:
                total += weight[j] * (np.cos(0.5 * np.pi * u) if cosine else a + u * (b + c * u))
        out[i] = total

"""Least squares by hand: formulas for one and two columns, and one column at a time. Plain functions on arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair
from suffice.core.errors import Said, bad
from suffice.core.shares import Shares
from suffice.summaries.sharp_products import sharp_moments


class Line(NamedTuple):
    """y = intercept + slope x, and the noise variance that is most likely (divisor n)."""

    intercept: float
    slope: float
    variance: float


class Decomposition(NamedTuple):
    """Slopes of one column at a time, as if columns told nothing of one another, and what that costs."""

    slopes: Array  # (d,)
    squares: float  # sum of squared residuals with these slopes
    best: float  # the least possible


def fit_line(x: Any, y: Any, w: Any = None) -> Line:
    """The line of least squares: slope = cov(x, y) / var(x), through the point of the means.

    >>> fit_line([1.0, 2.0, 3.0], [3.0, 5.0, 7.0])
    Line(intercept=1.0, slope=2.0, variance=0.0)
    """
    mean, cov = _moments("fit_line", [x, y], w)
    if cov[0, 0] <= 0:
        raise bad("fit_line", "x", "of more than one value", Said("a constant"), "No slope can be told from it.")
    slope = cov[0, 1] / cov[0, 0]
    variance = max(cov[1, 1] - slope * cov[0, 1], 0.0)
    return Line(float(mean[1] - slope * mean[0]), float(slope), float(variance))


def total_line(x: Any, y: Any, w: Any = None) -> Line:
    """The line of least squared distances, noise on x and y alike; its variance is that of the distances.

    >>> total_line([0.0, 1.0, 2.0], [0.0, 2.0, 4.0]).slope
    2.0
    """
    mean, cov = _moments("total_line", [x, y], w)
    gap, both = cov[1, 1] - cov[0, 0], cov[0, 1]
    if both == 0.0:
        if gap >= 0.0:
            raise bad("total_line", "the line", "unique and not upright", Said("no covariance"), "Swap x and y.")
        return Line(float(mean[1]), 0.0, float(cov[1, 1]))
    root = np.hypot(gap, 2.0 * both)
    slope = (gap + root) / (2.0 * both) if gap > 0 else 2.0 * both / (root - gap)  # the form that does not cancel
    variance = (cov[0, 0] + cov[1, 1] - root) / 2.0
    return Line(float(mean[1] - slope * mean[0]), float(slope), float(max(variance, 0.0)))


def slope_shift(x: Any, k: int, change: float, w: Any = None) -> float:
    """By how much the slope moves if the target of row k is larger by `change`: change (x_k - mean) / sum (x - mean)^2.

    >>> slope_shift([1.0, 2.0, 3.0], 2, 10.0)
    5.0
    """
    x = np.asarray(x, dtype=np.float64)
    mean, cov = _moments("slope_shift", [x], w)
    weights = np.ones(len(x)) if w is None else np.asarray(w, dtype=np.float64)
    if cov[0, 0] <= 0:
        raise bad("slope_shift", "x", "of more than one value", Said("a constant"), "No slope can be told from it.")
    return float(change * weights[k] * (x[k] - mean[0]) / (cov[0, 0] * weights.sum()))


def two_columns(x1: Any, x2: Any, y: Any, centred: bool = True) -> Array:
    """Coefficients of two columns in closed form (2,): about the means, or without an intercept.

    >>> two_columns([1.0, -1.0, 2.0, -2.0], [1.5, 0.5, 0.0, -2.0], [1.0, 1.0, -1.0, -1.0]).tolist()
    [-0.5, 1.0]
    """
    mean, s = _moments("two_columns", [x1, x2, y])
    s = s if centred else s + np.outer(mean, mean)
    D = s[0, 0] * s[1, 1] - s[0, 1] ** 2
    if not 2.0**-48 * s[0, 0] * s[1, 1] < D:
        raise bad(
            "two_columns", "the columns", "independent", Said("one that follows from the other"), "Leave one out."
        )
    found: Array = np.array([s[1, 1] * s[0, 2] - s[0, 1] * s[1, 2], s[0, 0] * s[1, 2] - s[0, 1] * s[0, 2]]) / D
    return found


def decompose(X: Any, y: Any, w: Any = None) -> Decomposition:
    """Slopes of one column at a time: cov(x_j, y) / var(x_j). Right where columns are uncorrelated, harmful where not.

    >>> found = decompose([[1.0, -1.1], [2.0, -1.9], [3.0, -3.1], [4.0, -3.9]], [-0.1, 0.1, -0.1, 0.1])
    >>> found.slopes.round(3).tolist(), found.squares > 0.01, found.best < 1e-12
    ([0.04, -0.034], True, True)
    """
    X = np.asarray(X, dtype=np.float64)
    _, cov = _moments("decompose", [*X.T, y], w)
    spread, with_y, yy = np.diagonal(cov)[:-1], cov[:-1, -1], cov[-1, -1]
    slopes = np.divide(with_y, spread, out=np.zeros_like(with_y), where=spread > 0)
    n = len(X) if w is None else float(np.sum(w))
    squares = yy - 2.0 * slopes @ with_y + slopes @ cov[:-1, :-1] @ slopes
    best = yy - with_y @ np.linalg.lstsq(cov[:-1, :-1], with_y, rcond=None)[0]
    return Decomposition(slopes, float(max(squares, 0.0) * n), float(max(best, 0.0) * n))


def error_surface(x: Any, y: Any, intercepts: Any, slopes: Any, w: Any = None) -> Array:
    """Sum of squared errors of every line on a grid (intercepts, slopes), from means and covariances alone.

    >>> error_surface([0.0, 1.0, 2.0], [1.0, 3.0, 5.0], [0.0, 1.0], [1.0, 2.0]).tolist()
    [[14.0, 3.0], [5.0, 0.0]]
    """
    mean, cov = _moments("error_surface", [x, y], w)
    n = len(np.asarray(x)) if w is None else float(np.sum(w))
    a, b = np.asarray(intercepts, dtype=np.float64)[:, None], np.asarray(slopes, dtype=np.float64)[None]
    off = mean[1] - a - b * mean[0]
    return np.asarray(n * (cov[1, 1] - 2.0 * b * cov[0, 1] + b**2 * cov[0, 0] + off**2))


def descend(x: Any, y: Any, start: tuple[float, float] = (0.0, 0.0), rate: float = 0.1, steps: int = 1000) -> Array:
    """The path of gradient descent on the mean squared error (steps + 1, 2): intercept and slope, from any start.

    It nears the line of least squares where the rate is below 1 over the largest curvature; the rows are met once.

    >>> descend([0.0, 1.0, 2.0], [1.0, 3.0, 5.0])[-1].round(6).tolist()
    [1.0, 2.0]
    """
    mean, cov = _moments("descend", [x, y])
    G = np.array([[1.0, mean[0]], [mean[0], cov[0, 0] + mean[0] ** 2]])
    c = np.array([mean[1], cov[0, 1] + mean[0] * mean[1]])
    limit = 2.0 / float(np.linalg.eigvalsh(G)[-1])
    if not 0.0 < rate < limit:
        raise bad("descend", "rate", f"above 0 and below {limit:.3g}, where steps still go down", rate, "Lower it.")
    path = np.empty((steps + 1, 2))
    path[0] = start
    for i in range(steps):
        path[i + 1] = path[i] - rate * (G @ path[i] - c)
    return path


def _moments(owner: str, columns: list[Any], w: Any = None) -> tuple[Array, Array]:
    """Means (d,) and covariances (d, d), divisor n."""
    try:
        X = np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)
    except (TypeError, ValueError):
        raise bad(owner, "the columns", "numbers, as many in each", Said("others"), "Give one number a row.") from None
    if X.ndim != 2 or not len(X) or not np.isfinite(X).all():
        raise bad(owner, "the columns", "finite numbers, at least one row", Said("others"), "Leave such rows out.")
    weights = None if w is None else np.asarray(w, dtype=np.float64)
    shares = Shares.hard(np.zeros(len(X), dtype=np.int32), 1, weights)
    moments = sharp_moments(X, shares, X[0])
    mean: Pair = moments.mean
    return mean.value[0], moments.covariance[0]

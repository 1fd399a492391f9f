"""Sheather and Jones's bandwidth: the one that is best for how curved the density itself appears to be.

    h = (R(K) / (n S(a(h))))^(1/5),     S(a) an estimate of the integral of f''^2 with Gaussian windows of bandwidth a

Reference: S. J. Sheather and M. C. Jones, A reliable data-based bandwidth selection method for kernel density
estimation (1991), by solving the equation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi, sqrt

import numpy as np

from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.families.windows.bandwidths import Silverman, alike
from suffice.families.windows.weighted_points import Points
from suffice.families.windows.window_grid import squared_derivative
from suffice.families.windows.windows import Window
from suffice.summaries.quantiles import CONVENTIONS, quantile, whole

NARROWER, TIMES = 1.2, 60  # how the bracket of the root grows, and how often


@saved
@dataclass(frozen=True)
class SheatherJones:
    """The bandwidth of Sheather and Jones on a line; better than the rules of thumb where a density has several modes.

    For Gaussian windows; others get the bandwidth that smooths as much. Where the equation has no root (very few
    points) it is Silverman's.

    >>> from suffice.families import GaussianWindow
    >>> points = Points.of(np.concatenate([np.linspace(-1, 1, 50), np.linspace(9, 11, 50)])[:, None])
    >>> SheatherJones().choose(points, GaussianWindow()) < 0.25 * Silverman().choose(points, GaussianWindow())
    True
    """

    def choose(self, points: Points, window: Window) -> float:
        """Solve the equation."""
        from scipy.optimize import brentq

        if points.d != 1:
            remedy = "Use Scott(), Silverman() or LeaveOneOut() for more."
            raise bad(self, "the points", "of one column", points.d, remedy)
        scale, n = robust_spread(points), points.total
        if not (scale > points.smallest and n > 1.0 and len(points.values) > 2):
            return Silverman().choose(points, window)
        unit = 2.0 ** np.floor(np.log2(scale))  # of powers of 2, so that nothing is rounded
        points = Points((points.rows - points.rows[len(points.rows) // 2]) / unit, points.weight)
        gap = _equation(points, scale / unit, n)
        high = 1.144 * scale / unit * n**-0.2
        bracket = _bracket(gap, 0.1 * high, high)
        if bracket is None:
            return float(unit * Silverman().choose(points, window))
        return float(unit * brentq(gap, *bracket, rtol=1e-12, xtol=1e-300)) * alike(window, 1)


def robust_spread(points: Points) -> float:
    """The smaller of the standard deviation and 1 / 1.349 of the distance between the quartiles, unless that is 0."""
    convention = CONVENTIONS["linear" if whole(points.weight) else "inverted_cdf"]
    low, high = quantile(points.values, points.weight, np.array([0.25, 0.75]), convention)
    between = float(high - low) / 1.349
    return min(points.spread, between) if between > 0.0 else points.spread


def _equation(points: Points, scale: float, n: float) -> Callable[[float], float]:
    """The function of h whose root is sought."""
    pairs = n * (n - 1.0)
    curved = squared_derivative(points, 1.24 * scale * n ** (-1.0 / 7.0), 2) / pairs
    bent = squared_derivative(points, 1.23 * scale * n ** (-1.0 / 9.0), 3) / pairs
    factor = 1.357 * (curved / bent) ** (1.0 / 7.0)

    def gap(h: float) -> float:
        curvature = squared_derivative(points, factor * h ** (5.0 / 7.0), 2) / pairs
        return float((1.0 / (2.0 * sqrt(pi) * n * curvature)) ** 0.2 - h)

    return gap


def _bracket(gap: Callable[[float], float], low: float, high: float) -> tuple[float, float] | None:
    """Two bandwidths between which the gap changes its sign; None where none are found."""
    for _ in range(TIMES):
        below, above = gap(low), gap(high)
        if not (np.isfinite(below) and np.isfinite(above)):
            return None
        if below >= 0.0 >= above:
            return low, high
        low, high = (low / NARROWER, high) if below < 0.0 else (low, high * NARROWER)
    return None

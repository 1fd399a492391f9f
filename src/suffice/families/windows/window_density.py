"""Window densities: a window at every value of a column, which needs no parametric form.

p(x | k) = prod_j 1 / (W_kj h_kj) sum_v w_kv K((x_j - v) / h_kj)        over the distinct values v of column j
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.families.family import Cellwise, Distribution
from suffice.families.windows.bandwidths import BandwidthRule, Silverman, bandwidth_of, read_bandwidth
from suffice.families.windows.ranked import Ranked
from suffice.families.windows.weighted_points import Points
from suffice.families.windows.window_sums import log_sums
from suffice.families.windows.windows import GaussianWindow, Window, read_window
from suffice.summaries.rankings import Rankings


@saved
@dataclass(frozen=True)
class WindowDensity:
    """Independent columns, each the mean of windows at the values of a component (Parzen's estimate).

    The values are kept in order, with their weights: exact and mergeable, as long as there are distinct values, and
    another bandwidth or window is another reading of the same summary.

    Parameters
    ----------
    bandwidth : one for all, in the unit of the column, or a rule that finds one for each component and column
    window : a window, or the name of one: gaussian, tophat, epanechnikov, exponential, linear, cosine
    strength : virtual rows that are distributed as the whole column is; with windows that end, above 0 makes no value
        of the column impossible under a component

    A component with one distinct value takes the bandwidth of the whole column; a column whose values are all equal
    tells nothing where the bandwidth is found by a rule.

    >>> family, R = WindowDensity(1.0), Shares.hard(np.array([0, 0, 0]), 1)
    >>> densities = family.estimate(family.summarize(np.array([[0.0], [1.0], [2.0]]), R))
    >>> np.exp(densities.log_density(np.array([[1.2]]))).round(6)
    array([[0.29164]])
    """

    storage: ClassVar[Storage] = Storage.NUMBERS

    bandwidth: float | BandwidthRule = field(default_factory=Silverman)
    window: Window = field(default_factory=GaussianWindow)
    strength: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no bandwidth, no window or no prior; names become windows."""
        object.__setattr__(self, "bandwidth", read_bandwidth(self, self.bandwidth))
        object.__setattr__(self, "window", read_window(self, "window", self.window))
        if not (np.isfinite(self.strength) and self.strength >= 0):
            raise bad(self, "strength", "finite and at least 0", self.strength, "It is a number of virtual rows.")

    @property
    def keeps(self) -> Ranked:
        """What is kept of its columns, apart from those of other families."""
        return Ranked()

    def summarize(self, part: Array, R: Shares) -> Rankings:
        """Values in order."""
        return self.keeps.summarize(part, R)

    def estimate(self, summary: Rankings) -> Distribution:
        """Weights of the values, virtual rows included, and bandwidths."""
        cells = [summary.weight[:, s] for s in summary.slices]
        weights = tuple(map(self._weights, cells))
        columns = [self._bandwidths(v, w) for v, w in zip(summary.values, cells, strict=True)]
        bandwidth = np.stack(columns, axis=1) if columns else np.zeros((len(summary.rows), 0))
        return WindowDensities(summary.values, weights, bandwidth, self.window, np.ones(len(columns)))

    def _weights(self, weight: Array) -> Array:
        """Of each value under each component (K, V); one without rows takes those of the whole column."""
        whole = weight.sum(axis=0)
        weight = weight + self.strength * whole / max(whole.sum(), np.finfo(np.float64).tiny)
        return np.where(weight.sum(axis=1, keepdims=True) > 0, weight, whole)

    def _bandwidths(self, values: Array, weight: Array) -> Array:
        """Of each component (K,), by its own rows; that of the whole column where they have no spread."""
        assert not isinstance(self.bandwidth, str)
        whole = bandwidth_of(self.bandwidth, Points.line(values, weight.sum(axis=0)), self.window)
        own = [bandwidth_of(self.bandwidth, Points.line(values, row), self.window) for row in weight]
        return np.array([h or whole for h in own])


@saved
@dataclass(frozen=True)
class WindowDensities(Cellwise):
    """K window densities of each of d columns."""

    values: tuple[Array, ...]  # d arrays (V_j,), rising
    value_weights: tuple[Array, ...]  # d arrays (K, V_j)
    bandwidth: Array  # (K, d); 0 where a column tells nothing
    window: Window
    weights: Array  # (d,) power of each column

    @property
    def K(self) -> int:
        """Number of components."""
        return len(self.bandwidth)

    @cached_property
    def _points(self) -> list[list[Points]]:
        """The points of each component and column."""
        columns = list(zip(self.values, self.value_weights, strict=True))
        return [[Points.line(values, weight[k]) for values, weight in columns] for k in range(self.K)]

    def log_cells(self, x: Array, k: int) -> Array:
        """Log density of each cell (n, d); -inf out of reach of all windows."""
        out = np.zeros(x.shape)
        for j, h in enumerate(self.bandwidth[k]):
            points = self._points[k][j]
            if h > 0 and len(points.rows):
                height = np.log(points.total) + np.log(h) + self.window.log_volume(1)
                out[:, j] = log_sums(points, x[:, [j]], float(h), self.window) - height
        return out

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d): a value by its weight, then a draw from its window."""
        out = np.full((len(components), len(self.values)), np.nan)
        for k in np.unique(components):
            rows = np.flatnonzero(components == k)
            for j, points in enumerate(self._points[k]):
                if len(points.rows):
                    at = rng.choice(len(points.rows), size=len(rows), p=points.weight / points.total)
                    shift = self.bandwidth[k, j] * self.window.draw(len(rows), 1, rng)[:, 0]
                    out[rows, j] = points.values[at] + shift
        return out

"""Histograms: a density that is constant on each bin.

p(x | k) = (w_kb + s / B) / (W_k + s) / width of b        for x in bin b of B, with s virtual rows spread over all bins
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.kinds import Storage
from suffice.core.registry import saved
from suffice.core.shares import Shares
from suffice.families.family import Cellwise, Distribution
from suffice.families.ranked import Keeper, Ranked
from suffice.families.rate_priors import or_whole
from suffice.summaries.quantiles import CONVENTIONS, quantile
from suffice.summaries.rankings import Rankings


class Cuts(Protocol):
    """Where the bins of a column lie."""

    @property
    def keeps(self) -> Any:
        """What must be kept of the column."""

    def segments(self, values: Array, weight: Array) -> tuple[Array, Array]:
        """Edges of the bins (S + 1,) of a column's values in order, and each bin's share of the virtual rows (S,)."""


@saved
@dataclass(frozen=True)
class EqualWidth:
    """A number of bins of one width, from the smallest value of the column to the largest."""

    bins: int = 10

    def __post_init__(self) -> None:
        """Refuse what is no number of bins."""
        _check_bins(self, self.bins)

    @property
    def keeps(self) -> Ranked:
        """What is kept of a column: its values."""
        return Ranked()

    def segments(self, values: Array, weight: Array) -> tuple[Array, Array]:
        """Equally long."""
        return _even(np.linspace(values[0], values[-1], self.bins + 1) if len(values) else values)


@saved
@dataclass(frozen=True)
class EqualFrequency:
    """A number of bins with equal weights of the whole column, cut at its quantiles; equal cuts become one."""

    bins: int = 10

    def __post_init__(self) -> None:
        """Refuse what is no number of bins."""
        _check_bins(self, self.bins)

    @property
    def keeps(self) -> Ranked:
        """What is kept of a column: its values."""
        return Ranked()

    def segments(self, values: Array, weight: Array) -> tuple[Array, Array]:
        """Equally heavy."""
        q = np.arange(self.bins + 1) / self.bins
        return _even(quantile(values, weight, q, CONVENTIONS["inverted_cdf"]) if len(values) else values)


def _check_bins(owner: object, bins: Any) -> None:
    if isinstance(bins, bool) or not (isinstance(bins, int | np.integer) and bins >= 1):
        raise bad(owner, "bins", "a whole number of at least 1", bins, "Say into how many bins to cut.")


def _even(edges: Array) -> tuple[Array, Array]:
    """Distinct edges, and bins that share alike."""
    edges = np.unique(edges)
    return edges, np.full(max(len(edges) - 1, 0), 1.0 / max(len(edges) - 1, 1))


@saved
@dataclass(frozen=True)
class Histogram:
    """Independent columns, each a histogram with the same bins for all components.

    A cell outside of all bins says nothing about its component. A column whose values are all equal tells nothing,
    unless its bins have a fixed width.

    Parameters
    ----------
    cuts : `FixedWidth(width, origin)`, `EqualWidth(bins)` or `EqualFrequency(bins)`
    strength : virtual rows that are spread evenly over the bins, so that no bin is empty; 0 is maximum likelihood

    >>> from suffice.families import FixedWidth
    >>> family, R = Histogram(FixedWidth(1.0), strength=0.0), Shares.hard(np.array([0, 0, 0]), 1)
    >>> histograms = family.estimate(family.summarize(np.array([[0.2], [0.7], [2.5]]), R))
    >>> np.exp(histograms.log_density(np.array([[0.5], [2.0], [2.9]]))).ravel().round(4)
    array([0.6667, 0.3333, 0.3333])
    """

    storage: ClassVar[Storage] = Storage.NUMBERS

    cuts: Cuts = field(default_factory=EqualWidth)
    strength: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what is no prior or makes no bins."""
        if isinstance(self.cuts, type) or not hasattr(self.cuts, "segments"):
            rule = "FixedWidth(width), EqualWidth(bins) or EqualFrequency(bins)"
            raise bad(self, "cuts", rule, self.cuts, "Choose one of these.")
        if not (np.isfinite(self.strength) and self.strength >= 0):
            raise bad(self, "strength", "finite and at least 0", self.strength, "It is a number of virtual rows.")

    @property
    def keeps(self) -> Keeper:
        """What is kept of its columns, apart from those of other families."""
        keeper: Keeper = self.cuts.keeps
        return keeper

    def summarize(self, part: Array, R: Shares) -> Rankings:
        """Values, or bins, in order."""
        return self.keeps.summarize(part, R)

    def estimate(self, summary: Rankings) -> Distribution:
        """Shares of the bins."""
        columns = [
            self._column(values, summary.weight[:, s]) for values, s in zip(summary.values, summary.slices, strict=True)
        ]
        edges, heights = tuple(edges for edges, _ in columns), tuple(heights for _, heights in columns)
        return Histograms(edges, heights, self.cuts.keeps, np.ones(len(columns)), len(summary.rows))

    def _column(self, values: Array, weight: Array) -> tuple[Array, Array]:
        """Edges and the logs of the shares of all bins (K, S)."""
        edges, even = self.cuts.segments(values, weight.sum(axis=0))
        K, S = len(weight), len(even)
        if S == 0:
            return edges, np.zeros((K, 0))
        at = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, S - 1)
        cells = np.stack([np.bincount(at, row, S) for row in weight]).astype(np.float64, copy=False)
        cells = cells + self.strength * even
        total = cells.sum(axis=1, keepdims=True)
        cells, total = or_whole(total, cells, total)
        with np.errstate(divide="ignore"):
            return edges, np.log(cells / np.where(total > 0, total, 1.0))


@saved
@dataclass(frozen=True)
class Histograms(Cellwise):
    """K histograms of each of d columns; the bins of a column are the same for all components."""

    edges: tuple[Array, ...]  # d arrays (S_j + 1,), rising; one edge or none where a column tells nothing
    log_shares: tuple[Array, ...]  # d arrays (K, S_j)
    scale: Any  # Ranked or FixedWidth: in what the edges are measured
    weights: Array  # (d,) power of each column
    components: int

    @property
    def K(self) -> int:
        """Number of components."""
        return self.components

    def log_cells(self, x: Array, k: int) -> Array:
        """Log density of each cell (n, d); -inf outside of the bins."""
        places = self.scale.places(x)
        return np.stack([self._column(j, places[:, j], k) for j in range(x.shape[1])], axis=1)

    def _column(self, j: int, place: Array, k: int) -> Array:
        edges, log_shares = self.edges[j], self.log_shares[j][k]
        if not len(log_shares):
            return np.zeros(len(place))
        at = np.clip(np.searchsorted(edges, place, side="right") - 1, 0, len(log_shares) - 1)
        inside = (place >= edges[0]) & (place <= edges[-1])
        return np.where(inside, (log_shares - np.log(np.diff(edges) * self.scale.unit))[at], -np.inf)

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d): a bin by its share, then any number of it."""
        out = np.empty((len(components), len(self.edges)))
        for j, (edges, log_shares) in enumerate(zip(self.edges, self.log_shares, strict=True)):
            if not len(edges) > 1:
                out[:, j] = self.scale.cells(edges[0]) if len(edges) else np.nan
                continue
            reached = np.cumsum(np.exp(log_shares), axis=1)[components]
            draw = rng.random((len(components), 1)) * reached[:, -1:]
            at = np.minimum((draw >= reached).sum(axis=1), len(edges) - 2)
            out[:, j] = self.scale.cells(edges[at] + rng.random(len(at)) * np.diff(edges)[at])
        return out

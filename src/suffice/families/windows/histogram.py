"""Histograms: a density that is constant on each bin.

    p(x | k) = (w_kb + s / (B + 2)) / (W_k + s) / width of b       for x in bin b of B
    p(x | k) = s / (B + 2) / (W_k + s) exp(-t / r) / r             for x outside, at distance t from all bins

with s virtual rows, spread over the B bins and the two tails beyond them, whose scale r is the range of all bins. So
densities integrate to 1, and follow the unit of the column.
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
from suffice.families.counts.rate_priors import or_whole
from suffice.families.family import Cellwise, Distribution
from suffice.families.windows.ranked import Keeper, Ranked
from suffice.summaries.quantiles import CONVENTIONS, quantile
from suffice.summaries.rankings import Rankings


class Cuts(Protocol):
    """Where the bins of a column lie."""

    @property
    def keeps(self) -> Any:
        """What must be kept of the column."""

    def segments(self, values: Array, weight: Array) -> tuple[Array, Array]:
        """Edges (S + 1,) for a column's values in order, and how many bins lie between one and the next (S,)."""


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
    """Distinct edges, and one bin between each and the next."""
    edges = np.unique(edges)
    return edges, np.ones(max(len(edges) - 1, 0))


@saved
@dataclass(frozen=True)
class Histogram:
    """Independent columns, each a histogram with the same bins for all components.

    Outside of all bins lies what the virtual rows put there, half of it on each side, which falls off exponentially as
    far as the bins reach; without virtual rows, nothing. A column whose values are all equal tells nothing, unless its
    bins have a fixed width.

    Parameters
    ----------
    cuts : `FixedWidth(width, origin)`, `EqualWidth(bins)` or `EqualFrequency(bins)`
    strength : virtual rows that are spread evenly over the bins and the two tails beyond them, so that no cell is
        impossible; 0 is maximum likelihood

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
        """Shares of the bins and of the tails."""
        columns = [
            self._column(values, summary.weight[:, s]) for values, s in zip(summary.values, summary.slices, strict=True)
        ]
        edges, shares = tuple(edges for edges, _ in columns), [shares for _, shares in columns]
        inner, K = tuple(logs[:, :-1] for logs in shares), len(summary.rows)
        tails = np.stack([logs[:, -1] for logs in shares], axis=1) if shares else np.zeros((K, 0))
        return Histograms(edges, inner, self.cuts.keeps, np.ones(len(columns)), K, tails)

    def _column(self, values: Array, weight: Array) -> tuple[Array, Array]:
        """Edges and the logs of the shares of all bins and, last, of each of the two tails (K, S + 1)."""
        edges, bins = self.cuts.segments(values, weight.sum(axis=0))
        K, S = len(weight), len(bins)
        if S == 0:
            return edges, np.full((K, 1), -np.inf)
        at = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, S - 1)
        cells = np.zeros((K, S + 1))
        for row, into in zip(weight, cells, strict=True):
            into[:S] = np.bincount(at, row, S)
        total = cells.sum(axis=1, keepdims=True) + self.strength
        cells += self.strength * np.append(bins, 1.0) / (bins.sum() + 2.0)
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
    log_tails: Array | None = None  # (K, d): of each of the two tails; None: there are none

    @property
    def K(self) -> int:
        """Number of components."""
        return self.components

    def log_cells(self, x: Array, k: int) -> Array:
        """Log density of each cell (n, d)."""
        return np.stack([self._column(j, x[:, j], k) for j in range(x.shape[1])], axis=1)

    def _column(self, j: int, x: Array, k: int) -> Array:
        edges, log_shares = self.edges[j], self.log_shares[j][k]
        if not len(log_shares):
            return np.zeros(len(x))
        place, position = self.scale.places(x), self.scale.positions(x)
        at = np.clip(np.searchsorted(edges, place, side="right") - 1, 0, len(log_shares) - 1)
        logs = (log_shares - np.log(np.diff(edges) * self.scale.unit))[at]
        away = np.maximum(
            edges[0] - position, position - edges[-1]
        )  # a last bin that takes all beyond ends all the same
        outside = (place < edges[0]) | (place > edges[-1]) | (away > 0.0)
        return np.where(outside, self._tail(j, k, np.maximum(away, 0.0)), logs)

    def _tail(self, j: int, k: int, away: Array) -> Array:
        """Log density at these distances from the bins."""
        if self.log_tails is None:
            return np.full(len(away), -np.inf)
        reach = self.edges[j][-1] - self.edges[j][0]
        return np.asarray(self.log_tails[k, j] - np.log(reach * self.scale.unit) - away / reach)

    def sample(self, components: Array, rng: np.random.Generator) -> Array:
        """Rows (n, d): a bin, or a tail, by its share, then any number of it."""
        out = np.empty((len(components), len(self.edges)))
        for j, edges in enumerate(self.edges):
            if len(edges) > 1:
                out[:, j] = self.scale.cells(self._draw(j, components, rng))
            else:
                out[:, j] = self.scale.cells(edges[0]) if len(edges) else np.nan
        return out

    def _draw(self, j: int, components: Array, rng: np.random.Generator) -> Array:
        """Places in column j."""
        edges, n, S = self.edges[j], len(components), len(self.edges[j]) - 1
        tails = np.zeros((self.K, 1)) if self.log_tails is None else np.exp(self.log_tails[:, [j]])
        reached = np.cumsum(np.concatenate([np.exp(self.log_shares[j]), tails, tails], axis=1), axis=1)[components]
        at = (rng.random((n, 1)) * reached[:, -1:] >= reached).sum(axis=1)
        inside = np.minimum(at, S - 1)
        drawn = edges[inside] + rng.random(n) * np.diff(edges)[inside]
        away = rng.exponential(edges[-1] - edges[0], n)
        placed: Array = np.where(at < S, drawn, np.where(at == S, edges[0] - away, edges[-1] + away))
        return placed

"""Statistics of one column, by what its kind permits, from summaries that add. No scikit-learn."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.by_class import canonical
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind, Storage, join
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.features.describing.centre_bounds import Bounds
from suffice.features.describing.permitted import refusal_of
from suffice.features.describing.rounded_values import Rounding
from suffice.summaries.counts import Counts
from suffice.summaries.quantiles import CONVENTIONS, quantile, read_shares, whole
from suffice.summaries.quartic_moments import QuarticMoments
from suffice.summaries.rankings import Rankings

OWNER = "statistics"
EPOCH = datetime.datetime(1970, 1, 1)
BINS = 100  # the most bins of a histogram


@dataclass(frozen=True)
class ColumnStatistics:
    """What may be said of one column; a statistic that its kind does not permit is refused, with the reason.

    Values add: the statistics of two shards together are those of all rows. Missing cells are left out and counted.

    >>> from suffice import statistics
    >>> speeds = statistics([2.0, 1.0], "ratio")
    >>> round(speeds.harmonic_mean, 12), speeds.mean
    (1.333333333333, 1.5)
    """

    name: Any
    kind: Kind
    order: tuple[Any, ...] | None
    kept: Together  # tally, rankings or counts, and quartic moments of numbers
    rounding: Rounding | None = None  # how numbers are kept where their number is bounded; None: every value

    @property
    def precision(self) -> float:
        """The width of the intervals in which values are known: 0 where each is kept. Ends and moments are exact."""
        return 0.0 if self.rounding is None else self.rounding.width

    @property
    def rows(self) -> int:
        """Number of rows, those whose cell is missing included."""
        return int(self._tally.rows[0])

    @property
    def cells(self) -> int:
        """Number of cells that are present."""
        return int(self._values.rows.sum()) if len(self.kept.parts) > 1 else 0

    @property
    def missing(self) -> int:
        """Number of missing cells."""
        return self.rows - self.cells

    @property
    def distinct(self) -> int:
        """Number of different values."""
        return len(self.values)

    @cached_property
    def values(self) -> Any:
        """The different values: numbers in order, ordinal ones lowest first, others sorted."""
        return self._told[0]

    @cached_property
    def weights(self) -> Array:
        """The weight of each value."""
        return self._told[1]

    def __add__(self, other: ColumnStatistics) -> ColumnStatistics:
        """Of the rows of both."""
        kind = join(self.kind, other.kind)
        empty = [each for each in (self, other) if len(each.kept.parts) == 1]  # every cell is missing
        if empty and kind is not None:
            full = self if len(other.kept.parts) == 1 else other
            rows = self.kept.parts[0] + other.kept.parts[0]
            return replace(full, kind=kind, kept=Together((rows, *full.kept.parts[1:])))
        if kind is None or _held(kind) != _held(self.kind) or self.order != other.order:
            both = Said(f"{self.kind.value} and {other.kind.value}")
            raise bad(OWNER, "columns to add", "of one kind", both, "Declare the kind.")
        return replace(self, kind=kind, kept=self.kept + other.kept, rounding=self._rounds(other)).bounded()

    def _rounds(self, other: ColumnStatistics) -> Rounding | None:
        both = [each.rounding for each in (self, other) if each.rounding is not None]
        return None if not both else both[0] if len(both) == 1 else both[0].add(both[1])

    def bounded(self) -> ColumnStatistics:
        """The same, with as many different numbers as its rounding allows."""
        if self.rounding is None or not self._numbers or len(self.kept.parts) == 1:
            return self
        values, rounding = self.rounding.keep(self._values)
        return replace(self, kept=Together((self._tally, values, *self.kept.parts[2:])), rounding=rounding)

    @property
    def mode(self) -> tuple[Any, ...]:
        """The most frequent value or values."""
        self._permit("mode")
        if not len(self.weights):
            return ()
        top = np.flatnonzero(self.weights == self.weights.max())
        return tuple(self._shown(self.values[i]) for i in top.tolist())

    @property
    def median(self) -> Any:
        """The middle value; of two, half-way between them where there is a scale, else the lower."""
        self._permit("median")
        if not self._numbers:
            return self.lower_median
        return self._shown(self._quantile(0.5))

    @property
    def lower_median(self) -> Any:
        """The lower of the two middle values, or the middle one."""
        self._permit("lower_median")
        return self._at_weight(0.5, "left")

    @property
    def upper_median(self) -> Any:
        """The upper of the two middle values, or the middle one."""
        self._permit("upper_median")
        return self._at_weight(0.5, "right")

    def quantile(self, q: float, method: str = "linear") -> Any:
        """The value with a share q of the values below it; without a scale, the first that reaches the share.

        Parameters
        ----------
        q : from 0 to 1
        method : a convention of `numpy.quantile`
        """
        self._permit("quantile")
        read_shares(OWNER, q)
        if not self._numbers:
            return self._at_weight(q, "left")
        if method not in CONVENTIONS:
            raise bad(OWNER, "method", f"one of {', '.join(CONVENTIONS)}", method)
        return self._shown(self._quantile(q, method))

    def percentile(self, p: float) -> Any:
        """The value with p per cent of the rows below it: of 100 values the 81st for p = 80.

        Parameters
        ----------
        p : from 0 to 100
        """
        self._permit("percentile")
        if isinstance(p, bool) or not isinstance(p, (int, float, np.number)) or not 0 <= p <= 100:
            raise bad(OWNER, "p", "a number from 0 to 100", p)
        return self._at_weight(p / 100.0, "right")

    @property
    def minimum(self) -> Any:
        """The first value."""
        self._permit("minimum")
        return self._shown(self._ends[0]) if self.distinct else None

    @property
    def maximum(self) -> Any:
        """The last value."""
        self._permit("maximum")
        return self._shown(self._ends[1]) if self.distinct else None

    @property
    def mean(self) -> Any:
        """Arithmetic mean; of Boolean values the share of True."""
        self._permit("mean")
        if self.kind is Kind.BOOLEAN:
            total = self.weights.sum()
            return float(sum(w for v, w in zip(self.values, self.weights, strict=True) if v) / total) if total else None
        return self._shown(self._mean)

    @property
    def variance(self) -> float:
        """Mean squared deviation from the mean (divisor n)."""
        self._permit("variance")
        return self._variance

    @property
    def sd(self) -> float:
        """Standard deviation: the root of the variance."""
        self._permit("sd")
        return float(np.sqrt(self._variance))

    @property
    def range(self) -> float:
        """Largest less smallest value."""
        self._permit("range")
        return float(self._ends[1] - self._ends[0]) if self.distinct else np.nan

    @property
    def midrange(self) -> Any:
        """Half-way between the smallest and the largest value."""
        self._permit("midrange")
        low, high = self._ends if self.distinct else (np.nan, np.nan)
        return self._shown(low + (high - low) / 2.0) if self.distinct else None

    @property
    def interquartile_range(self) -> float:
        """Distance of the quartiles."""
        self._permit("interquartile_range")
        return self._quantile(0.75) - self._quantile(0.25)

    @property
    def geometric_mean(self) -> float:
        """exp of the mean of logs: the centre on a logarithmic scale."""
        self._positive("geometric_mean")
        return float(np.exp((self.weights * np.log(self.values)).sum() / self.weights.sum()))

    @property
    def harmonic_mean(self) -> float:
        """n / sum(1 / x): the centre on a reciprocal scale."""
        self._positive("harmonic_mean")
        return float(self.weights.sum() / (self.weights / self.values).sum())

    @property
    def log_range(self) -> float:
        """Largest over smallest value."""
        self._positive("log_range")
        return float(self.values[-1] / self.values[0])

    @property
    def log_midrange(self) -> float:
        """Geometric mean of the smallest and the largest value."""
        self._positive("log_midrange")
        return float(np.sqrt(self.values[0]) * np.sqrt(self.values[-1]))

    def central_moment(self, k: int) -> float:
        """Mean of (x - mean)^k, k from 1 to 4."""
        self._permit("central_moment")
        if isinstance(k, bool) or k not in (1, 2, 3, 4):
            raise bad(OWNER, "k", "1, 2, 3 or 4", k)
        return 0.0 if k == 1 else self._variance if k == 2 else self._higher[k - 3]

    @property
    def skewness(self) -> float:
        """Third central moment over the cube of the standard deviation; NaN where nothing varies."""
        self._permit("skewness")
        return self._higher[0] / self._variance**1.5 if self._variance > 0 else np.nan

    @property
    def kurtosis(self) -> float:
        """Fourth central moment over the square of the variance, 3 for a normal; NaN where nothing varies."""
        self._permit("kurtosis")
        return self._higher[1] / self._variance**2 if self._variance > 0 else np.nan

    @property
    def excess(self) -> float:
        """Kurtosis less 3."""
        self._permit("excess")
        return self.kurtosis - 3.0

    @property
    def bounds(self) -> Bounds:
        """What mean, median, mode and deviation say of one another."""
        self._permit("bounds")
        modes = self.values[self.weights == self.weights.max()]
        mode = float(modes.mean()) if len(modes) < self.distinct else sum(self._modal_bin(None)) / 2.0
        mean = self._mean
        return Bounds(abs(mean - self._quantile(0.5)), self.sd, mean + (mode - mean) / 3.0)

    def beyond(self, k: float) -> float:
        """The share of values further than k standard deviations from the mean, which Chebyshev bounds."""
        self._permit("bounds")
        far = np.abs(self.values - self._mean) > k * self.sd
        return float(self.weights[far].sum() / self.weights.sum())

    def modal_bin(self, width: float | None = None) -> tuple[float, float]:
        """The limits of the fullest bin of a histogram: the mode of real values.

        Parameters
        ----------
        width : of the bins, from 0 on; None chooses it by the interquartile range
        """
        self._permit("modal_bin")
        if width is not None and not width > 0:
            raise bad(OWNER, "width", "above 0", width)
        return self._modal_bin(width)

    def histogram(self, bins: int = 20) -> tuple[Array, Array]:
        """Weights and limits of bins of equal width."""
        self._permit("modal_bin")
        if not self.distinct:
            return np.zeros(bins), np.linspace(0.0, 1.0, bins + 1)
        low, high = float(self.values[0]), float(self.values[-1])
        least = bins * float(np.spacing(max(abs(low), abs(high))))  # the limits of narrower bins are the same numbers
        apart = 0.0 if high - low >= least else max(0.5, least) if high == low else least
        low, high = low - apart, high + apart
        found = np.histogram(self.values, bins, (low, high), weights=self.weights)
        return np.asarray(found[0]), np.asarray(found[1])

    def _modal_bin(self, width: float | None) -> tuple[float, float]:
        if width is None:
            spread = self._quantile(0.75) - self._quantile(0.25) or float(self.values[-1] - self.values[0])
            width = 2.0 * spread / float(self.weights.sum()) ** (1.0 / 3.0) or 1.0
            width = max(width, float(self.values[-1] - self.values[0]) / BINS)
        place = np.floor(self.values / width)
        bins, at = np.unique(place, return_inverse=True)
        top = float(bins[np.bincount(at, self.weights).argmax()])
        return top * width, (top + 1.0) * width

    @property
    def _ends(self) -> tuple[Any, Any]:
        """The first and the last value, which are exact."""
        if self.rounding is None or not self._numbers:
            return self.values[0], self.values[-1]
        return self.rounding.low, self.rounding.high

    @property
    def _tally(self) -> Tally:
        tally = self.kept.parts[0]
        assert isinstance(tally, Tally)
        return tally

    @property
    def _values(self) -> Any:
        return self.kept.parts[1]

    @property
    def _numbers(self) -> bool:
        return self.kind.storage is Storage.NUMBERS

    @cached_property
    def _told(self) -> tuple[Any, Array]:
        kept = self._values
        if isinstance(kept, Rankings):
            return kept.values[0], kept.weight[0]
        assert isinstance(kept, Counts)
        weight = dict(zip(kept.labels[0], kept.weight[0].tolist(), strict=True))
        known: Sequence[Any] = self.order if self.order is not None else canonical(weight)
        shown = tuple(v for v in known if v in weight)
        return shown, np.array([weight[v] for v in shown])

    @cached_property
    def _moments(self) -> QuarticMoments:
        moments = self.kept.parts[2]
        assert isinstance(moments, QuarticMoments)
        return moments

    @cached_property
    def _mean(self) -> float:
        return float(self._moments.full.mean.value[0, 0]) if self.distinct else np.nan

    @cached_property
    def _variance(self) -> float:
        if not self.distinct:
            return np.nan
        full = self._moments.full
        return float((full.scatter.value[0, 0, 0]) / full.weight.value[0])

    @cached_property
    def _higher(self) -> tuple[float, float]:
        weight = float(self._moments.full.weight.value[0]) if self.distinct else np.nan
        return float(self._moments.third_central[0, 0]) / weight, float(self._moments.central[0, 0, 0]) / weight

    def _quantile(self, q: float, method: str = "linear") -> float:
        convention = CONVENTIONS[method if whole(self.weights) else "inverted_cdf"]
        return float(quantile(self.values, self.weights, np.asarray(q, dtype=np.float64), convention))

    def _at_weight(self, share: float, side: str) -> Any:
        """The value at which the cumulative weight reaches a share ("left") or exceeds it ("right")."""
        if not self.distinct:
            return None
        reached = self.weights.cumsum()
        place = int(np.searchsorted(reached, share * reached[-1], side))  # type: ignore[call-overload]
        return self._shown(self.values[min(place, self.distinct - 1)])

    def _positive(self, statistic: str) -> None:
        self._permit(statistic)
        if self.distinct and self.values[0] <= 0:
            rule = "of a column whose cells are above 0"
            raise bad(OWNER, f"the {statistic.replace('_', ' ')}", rule, float(self.values[0]), "Leave those out.")

    def _permit(self, statistic: str) -> None:
        error = refusal_of(OWNER, self.name, self.kind, statistic)
        if error is not None:
            raise error

    def _shown(self, value: Any) -> Any:
        if self.kind is Kind.DATE and np.isfinite(value):
            return EPOCH + datetime.timedelta(days=float(value))
        return value.item() if isinstance(value, np.generic) else value


def _held(kind: Kind) -> bool:
    return kind.storage is Storage.NUMBERS

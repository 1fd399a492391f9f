"""Scaling columns by extremes or quantiles, read from rankings that add and forget. No scikit-learn.

z = (x - centre) / scale
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from scipy.special import ndtri

from suffice.core.affine import Affine
from suffice.core.block import Array, Block
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.sparse import is_sparse
from suffice.core.summary import Together
from suffice.features.column_plan import NumberCells, uncentred
from suffice.features.scaling import blank
from suffice.summaries.quantiles import whole
from suffice.summaries.rankings import Rankings

TINY = 10 * float(np.finfo(np.float64).eps)  # what columns that hardly vary are not divided by, as in scikit-learn


@saved
@dataclass(frozen=True)
class RankScalingPlan(NumberCells):
    """Where columns are centred, what they are divided by, and whether cells beyond are clipped."""

    how: Any = None  # an object with `read`
    clip: bool = False

    ranks: ClassVar[bool] = True

    @property
    def linear(self) -> bool:  # type: ignore[override]
        """Its map is affine unless it clips."""
        return not self.clip

    def made(self, schema: Schema, labels: tuple[Any, ...], kept: Together) -> RankScaled:
        """The map of every column."""
        rankings = kept.parts[1]
        assert isinstance(rankings, Rankings)
        return RankScaled(schema.names, self.how, self.clip, rankings, *self.how.read(rankings))

    def check_sparse(self) -> None:
        """Zeros stay zeros unless columns are moved."""
        if isinstance(self.how, ByQuantiles) and self.how.centred:
            raise uncentred(self.owner, "with_centering")
        if isinstance(self.how, ToRange):
            super().check_sparse()

    def readings(self) -> tuple[type[Any], ...]:
        """What the scaler tells of columns."""
        return (READINGS[type(self.how)],)


@saved
@dataclass(frozen=True)
class ToRange:
    """Smallest and largest value to the ends of a range; or given limits."""

    low: float = 0.0
    high: float = 1.0
    limits: tuple[float, float] | None = None

    def read(self, rankings: Rankings) -> tuple[Array, Array]:
        """Centre and scale of each column (d,)."""
        first, last = self.ends(rankings)
        scale = unit_where_tiny(last - first) / (self.high - self.low)
        return first - self.low * scale, scale

    def ends(self, rankings: Rankings) -> tuple[Array, Array]:
        """What goes to the ends of the range (d,)."""
        if self.limits is None:
            return rankings.minimum[0], rankings.maximum[0]
        d = len(rankings.values)
        return np.full(d, self.limits[0]), np.full(d, self.limits[1])


@saved
@dataclass(frozen=True)
class ByLargest:
    """Divided by the largest absolute value."""

    low: ClassVar[float] = -1.0
    high: ClassVar[float] = 1.0

    def read(self, rankings: Rankings) -> tuple[Array, Array]:
        """Centre and scale of each column (d,)."""
        return np.zeros(len(rankings.values)), unit_where_tiny(self.largest(rankings))

    def largest(self, rankings: Rankings) -> Array:
        """Largest absolute value of each column (d,)."""
        return np.asarray(np.maximum(np.abs(rankings.minimum[0]), np.abs(rankings.maximum[0])))


@saved
@dataclass(frozen=True)
class ByQuantiles:
    """Centred at the median, divided by the distance of two quantiles."""

    centred: bool = True
    divided: bool = True
    below: float = 25.0
    above: float = 75.0
    unit_variance: bool = False

    def read(self, rankings: Rankings) -> tuple[Array, Array]:
        """Centre and scale of each column (d,)."""
        d = len(rankings.values)
        method = "linear" if whole(rankings.weight) else "inverted_cdf"
        low, middle, high = rankings.quantile([self.below / 100, 0.5, self.above / 100], method)[:, 0]
        scale = unit_where_tiny(high - low) if self.divided else np.ones(d)
        if self.divided and self.unit_variance:
            scale = scale / (ndtri(self.above / 100) - ndtri(self.below / 100))
        return middle if self.centred else np.zeros(d), scale


def unit_where_tiny(scale: Array) -> Array:
    """What columns are divided by: 1 where they hardly vary."""
    with np.errstate(invalid="ignore"):
        return np.where(scale < TINY, 1.0, scale)


@dataclass(frozen=True)
class RankScaled:
    """The map of columns, and the rankings that it follows from."""

    names: tuple[Any, ...]
    how: Any
    clip: bool
    rankings: Rankings
    centre: Array  # (d,); NaN where a column had no cell
    scale: Array  # (d,)

    keeps_sparse: ClassVar[bool] = True  # sparse rows stay so on the way back

    @property
    def image(self) -> Affine:
        """What summaries are pushed by."""
        return self.affine

    @cached_property
    def affine(self) -> Affine:
        """The map; a column that no row had stays as it is."""
        met = ~(np.isnan(self.centre) | np.isnan(self.scale))
        return Affine(self.names, np.where(met, self.centre, 0.0), np.where(met, self.scale, 1.0))

    def map(self, block: Block) -> Block:
        """Scaled rows; missing cells stay missing."""
        X = block.parts[0]
        kind = X.dtype if X.dtype in (np.float32, np.float64) else np.dtype(np.float64)
        rows: Any = self.affine.rows(X.astype(np.float64, copy=False))
        if self.clip:
            cells = rows.data if is_sparse(rows) else rows
            np.clip(cells, self.how.low, self.how.high, out=cells)
        gone = np.isnan(self.centre) | np.isnan(self.scale)
        if gone.any():
            blank(rows, gone)
        return block._replace(parts=(rows.astype(kind, copy=False),))

    def inverse(self, Z: Array) -> Array:
        """Rows as they were before they were scaled."""
        return self.affine.back(Z).astype(Z.dtype, copy=False)

    def map_schema(self, schema: Schema) -> Schema:
        """The same columns, of which numbers are what any other number may be."""
        return Schema(tuple(replace(column, kind=Kind.QUANTITATIVE) for column in schema.columns))

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """The names of the columns stay."""
        return names


class _Seen:
    @property
    def n_samples_seen_(self: Any) -> int:
        """Number of rows."""
        return int(self._state()[0].model.rankings.fewest()[0])


class RangeReadings(_Seen):
    """Extremes, and the map as factor and summand."""

    @property
    def data_min_(self: Any) -> Array:
        """What goes to the lower end, column by column."""
        model = self._state()[0].model
        return np.asarray(model.how.ends(model.rankings)[0])

    @property
    def data_max_(self: Any) -> Array:
        """What goes to the upper end, column by column."""
        model = self._state()[0].model
        return np.asarray(model.how.ends(model.rankings)[1])

    @property
    def data_range_(self: Any) -> Array:
        """Their distance."""
        return np.asarray(self.data_max_ - self.data_min_)

    @property
    def scale_(self: Any) -> Array:
        """What columns are multiplied by."""
        return np.asarray(1.0 / self._state()[0].model.scale)

    @property
    def min_(self: Any) -> Array:
        """What is added then."""
        model = self._state()[0].model
        return np.asarray(model.how.low - self.data_min_ * self.scale_)


class LargestReadings(_Seen):
    """Largest absolute values."""

    @property
    def max_abs_(self: Any) -> Array:
        """Of each column."""
        model = self._state()[0].model
        return np.asarray(model.how.largest(model.rankings))

    @property
    def scale_(self: Any) -> Array:
        """What columns are divided by."""
        return np.asarray(self._state()[0].model.scale)


class QuantileReadings:
    """Medians and distances of quantiles."""

    @property
    def center_(self: Any) -> Array | None:
        """Median of each column; None where columns are not centred."""
        model = self._state()[0].model
        return np.asarray(model.centre) if model.how.centred else None

    @property
    def scale_(self: Any) -> Array | None:
        """What columns are divided by; None where they are not."""
        model = self._state()[0].model
        return np.asarray(model.scale) if model.how.divided else None


READINGS: dict[type[Any], type[Any]] = {
    ToRange: RangeReadings,
    ByLargest: LargestReadings,
    ByQuantiles: QuantileReadings,
}

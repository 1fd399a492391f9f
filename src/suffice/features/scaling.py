"""Scaling columns by their mean and standard deviation, both read from moments that add. No scikit-learn.

z = (x - mean) / scale,     scale = the square root of the variance, 1 where a column is constant
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from suffice.core.affine import Affine
from suffice.core.block import Array, Block, Coded
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.sparse import is_sparse
from suffice.features.column_plan import NumberCells, uncentred
from suffice.summaries.counts import Counts
from suffice.summaries.moments import Moments


class Unit(NamedTuple):
    """What columns are divided by, and where their mean goes."""

    scale: Callable[[Array], Array]  # variance -> scale
    offset: float = 0.0


UNITS: Mapping[str, Unit] = {
    "sd": Unit(np.sqrt),
    "variance": Unit(lambda variance: variance),
    "six_sigma": Unit(lambda variance: 6.0 * np.sqrt(variance), 0.5),
}


@saved
@dataclass(frozen=True)
class ScalingPlan(NumberCells):
    """Whether columns are centred, and whether they are divided by their deviation."""

    mean: bool = True
    deviation: bool = True
    unit: str = "sd"  # one of UNITS

    linear: ClassVar[bool] = True  # its map is affine, whatever the rows were

    def learner(self, schema: Schema) -> ScaleLearner:
        """The learner."""
        return ScaleLearner(schema.names, self.mean, self.deviation, self.unit)

    def check_sparse(self) -> None:
        """Zeros stay zeros unless columns are centred."""
        if self.mean:
            raise uncentred(self.owner, "with_mean")

    def readings(self) -> tuple[type[Any], ...]:
        """Means, variances and scales."""
        from suffice.features.scale_readings import ScaleReadings

        return (ScaleReadings,)


def blank(rows: Any, columns: Array) -> None:
    """Cells of some columns are missing; of sparse rows those that are stored."""
    if is_sparse(rows):
        rows.data[columns[rows.indices]] = np.nan
    else:
        rows[:, columns] = np.nan


@dataclass(frozen=True)
class ScaleLearner:
    """Keeps the moments of each column."""

    names: tuple[Any, ...]
    mean: bool
    deviation: bool
    unit: str = "sd"

    def summarize(self, block: Block, model: Scaling | None = None) -> Moments | Counts:
        """Moments of all rows."""
        return self.shared(block, Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w))

    def shared(self, block: Block, R: Shares) -> Moments | Counts:
        """Moments of the rows of each component; of symbols, what says the moments of their indicators."""
        part = block.parts[0]
        return Counts.of(part, R) if isinstance(part, Coded) else Moments.of(part, R)

    def estimate(self, summary: Moments, model: Scaling | None = None) -> Scaling:
        """Mean and deviation of the columns, whoever's rows they are."""
        moments = summary if len(summary.rows) == 1 else summary.pooled()
        return Scaling(self.names, moments, self.mean, self.deviation, self.unit)


@dataclass(frozen=True)
class Scaling:
    """The map of a scaler, and the moments that it follows from (one component)."""

    names: tuple[Any, ...]
    moments: Moments
    centred: bool
    divided: bool
    unit: str = "sd"

    keeps_sparse: ClassVar[bool] = True  # sparse rows stay so on the way back

    @cached_property
    def met(self) -> Array:
        """Which columns had a cell (d,)."""
        return np.asarray(self.moments.rows[0] > 0)

    @cached_property
    def mean(self) -> Array:
        """Mean of each column (d,); NaN where it had no cell."""
        return np.where(self.met, self.moments.mean.value[0], np.nan)

    @cached_property
    def variance(self) -> Array:
        """Variance of each column (d,); NaN where it had no cell."""
        return np.where(self.met, self.moments.variance[0], np.nan)

    @cached_property
    def scale(self) -> Array:
        """What columns are divided by (d,)."""
        return np.where(self.variance == 0.0, 1.0, UNITS[self.unit].scale(self.variance))

    @property
    def image(self) -> Affine:
        """What summaries are pushed by."""
        return self.affine

    @cached_property
    def affine(self) -> Affine:
        """The map, by which summaries are pushed; a column that no row had stays as it is."""
        origin = self.mean - UNITS[self.unit].offset * self.scale
        centre = np.where(self.met & self.centred, origin, 0.0)
        return Affine(self.names, centre, np.where(self.met & self.divided, self.scale, 1.0))

    def map(self, block: Block) -> Block:
        """Scaled rows; missing cells stay missing, and a column that no row had is one."""
        X = block.parts[0]
        kind = X.dtype if X.dtype in (np.float32, np.float64) else np.dtype(np.float64)
        rows = self.affine.rows(X.astype(np.float64, copy=False))
        if not self.met.all() and (self.centred or self.divided):
            blank(rows, ~self.met)
        return block._replace(parts=(rows.astype(kind, copy=False),))

    def inverse(self, Z: Array) -> Array:
        """Rows as they were before they were scaled."""
        return self.affine.back(Z)

    def map_schema(self, schema: Schema) -> Schema:
        """The same columns, of which numbers are what any other number may be."""
        return Schema(tuple(replace(column, kind=Kind.QUANTITATIVE) for column in schema.columns))

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """The names of the columns stay."""
        return names

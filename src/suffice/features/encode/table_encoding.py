"""A whole table as numbers, each column by its kind: the plan and the model. No scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.by_class import canonical
from suffice.core.kinds import Kind, Storage
from suffice.core.registry import saved
from suffice.core.schema import Column, Schema
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.features.column_plan import AnyCells
from suffice.features.ranks.rank_scaling import ByLargest, ByQuantiles, ToRange
from suffice.summaries.counts import Counts
from suffice.summaries.rankings import Rankings


@saved
@dataclass(frozen=True)
class ByDeviation:
    """Centred at the mean, divided by the standard deviation."""

    def read(self, rankings: Rankings) -> tuple[Array, Array]:
        """Centre and scale of each column (d,)."""
        found = [_deviation(v, rankings.weight[0, s]) for v, s in zip(rankings.values, rankings.slices, strict=True)]
        return np.array([c for c, _ in found]), np.array([s for _, s in found])


def _deviation(values: Array, weight: Array) -> tuple[float, float]:
    if not weight.sum() > 0:
        return np.nan, 1.0
    if not np.isfinite(values[[0, -1]]).all():  # the smallest and the largest: of infinity there is no deviation
        return np.nan, np.nan
    x = values - values[0]
    unit = float(np.abs(x).max()) or 1.0  # so that squares of large numbers stay finite
    x = x / unit
    mean = float(np.average(x, weights=weight))
    sd = float(np.sqrt(np.average((x - mean) ** 2, weights=weight)))
    return float(values[0]) + mean * unit, sd * unit or 1.0


SCALES = {"standard": ByDeviation(), "range": ToRange(), "largest": ByLargest(), "robust": ByQuantiles()}


@saved
@dataclass(frozen=True)
class TableEncodingPlan(AnyCells):
    """How numbers are scaled, and whether missing cells get a column of their own."""

    how: Any = field(default_factory=ByDeviation)
    indicate: bool = True

    def made(self, schema: Schema, labels: tuple[Any, ...], kept: Together) -> EncodedTable:
        """One encoder a column."""
        tally, *parts = kept.parts
        assert isinstance(tally, Tally)
        n = int(tally.rows.sum())
        encoders: dict[int, Any] = {}
        for i, ((storage, places), part) in enumerate(zip(schema.parts, parts, strict=True)):
            if storage is Storage.NUMBERS:
                assert isinstance(part, Rankings)
                centre, scale = self.how.read(part)
                for at, place in enumerate(places):
                    gone = bool(part.rows[:, part.slices[at]].sum() < n)
                    middle = 0.0 if np.isnan(centre[at]) else float(centre[at])
                    size = 1.0 if np.isnan(scale[at]) else float(scale[at])
                    encoders[place] = NumberCode(i, at, middle, size, gone and self.indicate)
            else:
                assert isinstance(part, Counts)
                for at, place in enumerate(places):
                    gone = bool(part.rows[:, part.slices[at]].sum() < n) and self.indicate
                    encoders[place] = _symbols(schema.columns[place], i, at, part.labels[at], gone)
        return EncodedTable(tuple(encoders[place] for place in sorted(encoders)), tuple(sorted(encoders)))


def _symbols(column: Column, part: int, at: int, labels: Sequence[Any], gone: bool) -> Any:
    known = column.values if column.values is not None else canonical(labels)
    if column.kind is Kind.CATEGORICAL:
        return IndicatorCode(part, at, tuple(known), gone)
    return RankCode(part, at, tuple(known), gone)


@dataclass(frozen=True)
class NumberCode:
    """A scaled column; missing cells become 0 (the centre), and are indicated."""

    part: int
    at: int
    centre: float
    scale: float
    gone: bool

    def columns(self, block: Block) -> list[Array]:
        """One or two columns."""
        x = np.asarray(block.parts[self.part][:, self.at], dtype=np.float64)
        lost = np.isnan(x)
        z = np.where(lost, 0.0, (x - self.centre) / self.scale)
        return [z, lost.astype(np.float64)] if self.gone else [z]

    def names(self, name: Any) -> list[str]:
        """Names of its columns."""
        return [str(name), f"{name}_missing"] if self.gone else [str(name)]


@dataclass(frozen=True)
class RankCode:
    """Ranks of ordinal and truth values, from 0 to 1; others and missing cells are in the middle."""

    part: int
    at: int
    known: tuple[Any, ...]
    gone: bool

    def columns(self, block: Block) -> list[Array]:
        """One or two columns."""
        part = block.parts[self.part]
        top = max(len(self.known) - 1, 1)
        code = {label: i / top for i, label in enumerate(self.known)}
        codes = part.codes[:, self.at]
        z = np.array([*(code.get(label, 0.5) for label in part.labels[self.at]), 0.5])[codes]
        return [z, (codes < 0).astype(np.float64)] if self.gone else [z]

    def names(self, name: Any) -> list[str]:
        """Names of its columns."""
        return [str(name), f"{name}_missing"] if self.gone else [str(name)]


@dataclass(frozen=True)
class IndicatorCode:
    """One indicator a category; others and missing cells have none but that of missing cells."""

    part: int
    at: int
    known: tuple[Any, ...]
    gone: bool

    def columns(self, block: Block) -> list[Array]:
        """As many columns as categories, and one more where cells were missing."""
        part = block.parts[self.part]
        place = {label: i for i, label in enumerate(self.known)}
        codes = np.array([*(place.get(label, -1) for label in part.labels[self.at]), -2])[part.codes[:, self.at]]
        found = [(codes == i).astype(np.float64) for i in range(len(self.known))]
        return [*found, (codes == -2).astype(np.float64)] if self.gone else found

    def names(self, name: Any) -> list[str]:
        """Names of its columns."""
        return [*(f"{name}_{label}" for label in self.known), *([f"{name}_missing"] if self.gone else [])]


@dataclass(frozen=True)
class EncodedTable:
    """The encoder of each column, in the order of the table."""

    encoders: tuple[Any, ...]
    places: tuple[int, ...]

    def map(self, block: Block) -> Block:
        """Numbers (n, d'), none of them missing."""
        columns = [column for encoder in self.encoders for column in encoder.columns(block)]
        return block._replace(parts=(np.column_stack(columns) if columns else np.zeros((block.n, 0)),))

    def map_schema(self, schema: Schema) -> Schema:
        """Numbers."""
        return Schema(tuple(Column(name, Kind.QUANTITATIVE) for name in self.names_out(schema.names)))

    def names_out(self, names: Sequence[Any]) -> tuple[Any, ...]:
        """column, column_category, column_missing."""
        both = zip(self.encoders, self.places, strict=True)
        return tuple(found for encoder, place in both for found in encoder.names(names[place]))

"""Missing cells by one value a column: its mean, median, most frequent value, or a given one. No scikit-learn.

Means are read from moments, medians and most frequent values from rankings and counts: all of them add.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block, Coded
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind, Storage
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.sparse import is_sparse, with_cells
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.features.column_plan import AnyCells, ColumnLearner, classed
from suffice.features.missing.fill_readings import ColumnFillReadings
from suffice.features.missing.filled_columns import FilledColumns
from suffice.sources.tables.numbers import SparseNumberTable, open_sparse
from suffice.sources.tables.table import Table, open_table
from suffice.summaries.counts import Counts
from suffice.summaries.moments import Moments
from suffice.summaries.quantiles import whole
from suffice.summaries.rankings import Rankings


@saved
@dataclass(frozen=True)
class ColumnFillPlan(AnyCells):
    """By what cells are filled, which cells are missing beside those that are not there, and what is added."""

    how: Any = None  # an object with `number` and `symbol`
    missing: Any = None  # a value that means missing; None: only cells that are not there
    indicate: bool = False  # whether a column is added for each that lacked cells
    keep_empty: bool = False  # whether columns without any cell stay

    def open(self, X: Any) -> Table:
        """Any table; sparse rows where a cell that is not stored is no missing one."""
        if is_sparse(X) and not self.how.sparse:
            return super().open(X)  # refuses it
        table = open_sparse(self.owner, X) if is_sparse(X) else open_table(X)
        if isinstance(table, SparseNumberTable) and not isinstance(self.missing, str) and self.missing == 0:
            rule = "dense where 0 means missing (Imputation not possible when missing_values == 0 and input is sparse.)"
            raise bad(self.owner, "X", rule, Said("a sparse matrix"), "Provide a dense array instead: X.toarray().")
        return table

    def learner(self, schema: Schema) -> FillLearner:
        """The learner."""
        return FillLearner(self, schema)

    def declare(self, schema: Schema) -> Schema:
        """Numbers and symbols; a mean or a median needs numbers."""
        found = super().declare(schema)
        odd = [column for column in found.columns if column.kind.storage is Storage.SYMBOLS]
        if odd and not self.how.symbols:
            rule = f"numbers (Cannot use {self.how.name} strategy with non-numeric data)"
            remedy = "Use strategy='most_frequent' or 'constant'."
            raise bad(self.owner, f"column {odd[0].name!r}", rule, Said(f"{odd[0].kind.value} cells"), remedy)
        if isinstance(self.how, ByGiven) and isinstance(self.how.fill, str):
            numbers = [column for column in found.columns if column.kind.storage is Storage.NUMBERS]
            numbers = [column for column in numbers if column.kind is not Kind.UNKNOWN]
            if numbers:
                came = Said(f"{self.how.fill!r} for column {numbers[0].name!r}")
                raise bad(self.owner, "fill_value", "a number for columns of numbers", came)
        return Schema(tuple(replace(c, kind=_stored(c.kind)) for c in found.columns))

    def made(self, schema: Schema, labels: tuple[Any, ...], kept: Together) -> ColumnFill:
        """The value of every column."""
        tally, *parts = kept.parts
        assert isinstance(tally, Tally)
        total, d = int(tally.rows.sum()), len(schema.columns)
        values: list[Any] = [None] * d
        lacking = np.ones(d, dtype=bool) & (total > 0)
        empty = np.ones(d, dtype=bool)
        for (_, places), part in zip(schema.parts, parts, strict=True):
            for j, place in enumerate(places):
                rows = _rows(part, j)
                empty[place], lacking[place] = rows == 0, rows < total
                values[place] = None if rows == 0 else self.how.value(part, j)
        made = IndicatedFill if self.indicate else ColumnFill
        return made(self, schema, tuple(values), empty, lacking)

    def readings(self) -> tuple[type[Any], ...]:
        """The values, and a report."""
        return (ColumnFillReadings,)


def _stored(kind: Kind) -> Kind:
    """Kinds that are kept alike are one kind, so that shards agree."""
    if kind.storage is Storage.NUMBERS:
        return Kind.QUANTITATIVE
    return Kind.CATEGORICAL if kind.storage is Storage.SYMBOLS else kind


def _rows(part: Any, j: int) -> int:
    if isinstance(part, Moments):
        return int(part.rows[:, j].sum())
    return int(part.rows[:, part.slices[j]].sum())


@dataclass(frozen=True)
class FillLearner(ColumnLearner):
    """Keeps moments, rankings or counts of each column, as its values need."""

    @property
    def by_columns(self) -> bool:
        """Whether columns are sorted."""
        return super().by_columns and not isinstance(self.plan.how, ByMean)

    def shared(self, block: Block, R: Shares) -> Together:
        """Of the rows of each component."""
        parts = [_without(part, self.plan.missing) for part in block.parts]
        return Together((Tally.of(R), *(self.plan.how.kept(part, R) for part in parts)))


def _without(part: Any, missing: Any) -> Any:
    """Cells that mean missing are."""
    if missing is None:
        return part
    number = isinstance(missing, (int, float)) and not isinstance(missing, bool)
    if is_sparse(part):
        return with_cells(part, np.where(part.data == missing, np.nan, part.data)) if number else part
    if not isinstance(part, Coded):
        return np.where(part == missing, np.nan, part) if number else part
    codes = part.codes.copy()
    for j, labels in enumerate(part.labels):
        for i, label in enumerate(labels):
            if type(label) is type(missing) and label == missing:
                codes[codes[:, j] == i, j] = -1
    return Coded(codes, part.labels)


class OneValue:
    """Ways that put one value in the place of missing cells."""

    sparse: ClassVar[bool] = True  # whether other cells stay as they are, zeros of sparse rows among them

    def put(self, x: Array, gap: Array, value: Any) -> Array:
        """Numbers of a column (n,), those missing filled in."""
        return np.where(gap, value, x)

    def told(self, value: Any) -> str:
        """What cells are filled by."""
        return f"{self.name.replace('_', ' ')}: {value!r}"  # type: ignore[attr-defined]


@saved
@dataclass(frozen=True)
class ByMean(OneValue):
    """The mean of a column."""

    symbols: ClassVar[bool] = False
    name: ClassVar[str] = "mean"

    def kept(self, part: Any, R: Shares) -> Moments:
        """Moments."""
        return Moments.of(part.astype(np.float64, copy=False), R)

    def value(self, part: Moments, j: int) -> float:
        """Of the cells of a column."""
        return float(part.pooled().mean.value[0, j])


@saved
@dataclass(frozen=True)
class ByMedian(OneValue):
    """The median of a column."""

    symbols: ClassVar[bool] = False
    name: ClassVar[str] = "median"

    def kept(self, part: Any, R: Shares) -> Rankings:
        """Rankings."""
        return Rankings.of(part, R)

    def value(self, part: Rankings, j: int) -> float:
        """Of the cells of a column."""
        column = part.columns([j])
        method = "linear" if whole(column.weight) else "inverted_cdf"
        return float(column.quantile(0.5, method).ravel()[0])


@saved
@dataclass(frozen=True)
class ByMostFrequent(OneValue):
    """The value with the largest weight; of equals the smallest."""

    symbols: ClassVar[bool] = True
    name: ClassVar[str] = "most_frequent"

    def kept(self, part: Any, R: Shares) -> Rankings | Counts:
        """Rankings of numbers, counts of symbols."""
        return Counts.of(part, R) if isinstance(part, Coded) else Rankings.of(part, R)

    def value(self, part: Rankings | Counts, j: int) -> Any:
        """Of the cells of a column."""
        if isinstance(part, Rankings):
            values, weight = classed(part, j)
            return float(values[int(weight.sum(axis=1).argmax())])
        weight = part.column(j).sum(axis=0)
        best = [label for label, w in zip(part.labels[j], weight.tolist(), strict=True) if w == weight.max()]
        return min(best, key=lambda label: (str(type(label)), label))


@saved
@dataclass(frozen=True)
class ByFunction(ByMedian):
    """Whatever a function makes of the cells of a column, lowest first, each as often as it weighs."""

    function: Any = None

    name: ClassVar[str] = "function"

    def value(self, part: Rankings, j: int) -> float:
        """Of the cells of a column."""
        values, weight = classed(part, j)
        return float(self.function(np.repeat(values, np.rint(weight.sum(axis=1)).astype(np.int64))))


@saved
@dataclass(frozen=True)
class ByGiven(ByMostFrequent):
    """The same value for all columns: 0 for numbers and "missing_value" for symbols where none is given."""

    fill: Any = None

    name: ClassVar[str] = "constant"

    def value(self, part: Rankings | Counts, j: int) -> Any:
        """Whatever the cells are."""
        return self.of(isinstance(part, Rankings))

    def of(self, number: bool) -> Any:
        """For a column of numbers, or of symbols."""
        if self.fill is None:
            return 0.0 if number else "missing_value"
        return float(self.fill) if number else self.fill


@dataclass(frozen=True)
class ColumnFill(FilledColumns):
    """The value of each column."""

    plan: ColumnFillPlan
    schema: Schema
    values: tuple[Any, ...]  # (d,) None where a column had no cell
    empty: Array  # (d,) whether a column had none
    lacking: Array  # (d,) whether it lacked some

    @property
    def keeps_empty(self) -> bool:
        """Whether columns without any cell stay."""
        return self.plan.keep_empty

    @property
    def indicates(self) -> bool:
        """Whether indicators are added."""
        return self.plan.indicate

    def map(self, block: Block) -> Block:
        """Rows with nothing missing (n, d'), then indicators."""
        if len(block.parts) == 1 and is_sparse(block.parts[0]):
            return block._replace(parts=(self._sparse(block.parts[0]),))
        found = dict(self._columns(block))
        columns = {j: filled for j, (filled, _) in found.items()}
        kind = object if any(isinstance(part, Coded) for part in block.parts) else self._kind(block)
        for j in self.kept:
            if j not in columns:
                columns[j] = np.full(block.n, self._nothing(), dtype=kind)
        gaps = {j: gap for j, (_, gap) in found.items()}
        return block._replace(parts=(self.together(block.n, columns, gaps, kind),))

    def _sparse(self, X: Any) -> Any:
        """The same of sparse rows, which stay so."""
        X = _without(X, self.plan.missing)
        by = np.array([self._nothing() if value is None else value for value in self.values], dtype=np.float64)
        gap = np.isnan(X.data)
        rows = with_cells(X, np.where(gap, by[X.indices], X.data).astype(X.dtype, copy=False))[:, self.kept]
        if not self.indicated:
            return rows
        from scipy.sparse import hstack

        told = with_cells(X, gap.astype(X.dtype))[:, self.indicated]
        told.eliminate_zeros()
        return hstack([rows, told], format="csr")

    def gaps(self, block: Block) -> dict[int, int]:
        """How many cells of each column are missing."""
        X = block.parts[0]
        if is_sparse(X):
            X = _without(X, self.plan.missing)
            return dict(enumerate(np.bincount(X.indices[np.isnan(X.data)], minlength=X.shape[1]).tolist()))
        return {j: int(gap.sum()) for j, (_, gap) in self._columns(block)}

    def _kind(self, block: Block) -> Any:
        single = [part.dtype for part in block.parts if not isinstance(part, Coded)]
        return np.float32 if single and all(kind == np.float32 for kind in single) else np.float64

    def _nothing(self) -> Any:
        """What fills a column of which no cell was ever seen: as symbols where there are such."""
        if not hasattr(self.plan.how, "of"):
            return 0.0
        return self.plan.how.of(all(storage is Storage.NUMBERS for storage, _ in self.schema.parts))

    def _columns(self, block: Block) -> Iterator[tuple[int, tuple[Array, Array]]]:
        """Each column filled, and where it was missing."""
        for (_, places), raw in zip(self.schema.parts, block.parts, strict=True):
            part = _without(raw, self.plan.missing)
            for j, place in enumerate(places):
                if isinstance(part, Coded):
                    if self.values[place] is None:  # seen in rows of weight 0 at most: as if it were not
                        continue
                    codes = part.codes[:, j]
                    table = np.empty(len(part.labels[j]) + 1, dtype=object)
                    table[:-1], table[-1] = list(part.labels[j]), self.values[place]
                    yield place, (table[codes], codes < 0)
                else:
                    x = np.asarray(part[:, j])
                    gap = np.isnan(x)
                    value = self._nothing() if self.values[place] is None else self.values[place]
                    yield place, (self.plan.how.put(x, gap, value), gap)


@dataclass(frozen=True)
class IndicatedFill(ColumnFill):
    """Values and indicators: cells that were missing can be told again."""

    def inverse(self, Z: Array) -> Array:
        """Rows with cells missing where the indicators say so."""
        kept, told = self.kept, self.indicated
        X = np.full((len(Z), len(self.values)), np.nan)
        X[:, kept] = Z[:, : len(kept)]
        for i, j in enumerate(told):
            X[Z[:, len(kept) + i] > 0, j] = np.nan if self.plan.missing is None else self.plan.missing
        return X

"""How counts of words are weighted by how few rows have the word: the plan, learner and model. No scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from suffice.core.block import Array, Block, Words
from suffice.core.errors import bad
from suffice.core.kinds import Kind
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.sparse import is_sparse, with_cells
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.features.column_plan import ColumnLearner, NumberCells, pooled
from suffice.features.encode.row_norms import unit_rows
from suffice.summaries.counts import Counts


class TfidfReadings:
    """Weights of the words."""

    @property
    def idf_(self: Any) -> Array:
        """What the counts of each column are multiplied by (d,)."""
        return np.array(self._state()[0].model.idf)


@saved
@dataclass(frozen=True)
class TfidfPlan(NumberCells):
    """How counts are weighted and divided."""

    norm: str | None = "l2"
    weighted: bool = True
    smooth: bool = True
    sublinear: bool = False

    allow_nan: ClassVar[bool] = False

    def check_sparse(self) -> None:
        """Zeros stay zeros."""

    def check_counts(self, cells: Array) -> None:
        """Refuse cells that have no logarithm, where there is to be one."""
        if self.sublinear and cells.min(initial=0.0) < 0.0:
            remedy = "Correct the cell, or use sublinear_tf=False."
            raise bad(self.owner, "every count", "at least 0 where sublinear_tf=True", float(cells.min()), remedy)

    def learner(self, schema: Schema) -> TfidfLearner:
        """The learner."""
        return TfidfLearner(self, schema)

    def readings(self) -> tuple[type[Any], ...]:
        """Weights of the words."""
        return (TfidfReadings,)


@dataclass(frozen=True)
class TfidfLearner(ColumnLearner):
    """Counts rows, and those that have each word."""

    by_columns = False

    def shared(self, block: Block, R: Shares) -> Together:
        """Of the rows of each component."""
        X = block.parts[0] if block.parts else np.zeros((0, len(self.schema.columns)))
        self.plan.check_counts(X.data if is_sparse(X) else X)
        return Together((Tally.of(R), Counts.of_words(Words(X, range(X.shape[1]), owner=self.plan.owner), R, 0.0)))

    def estimate(self, summary: Any, model: Any = None) -> TfidfWeights:
        """Weights of the words."""
        kept: Any = summary if len(summary.parts[0].rows) == 1 else pooled(summary)
        tally, counts = kept.parts
        n, having = float(tally.weight.value[0]), np.zeros(len(self.schema.columns))
        having[list(counts.labels[0])] = counts.weight[0]
        more = float(self.plan.smooth)
        with np.errstate(divide="ignore"):  # a word of no row, where that is not smoothed
            return TfidfWeights(self.plan, np.log((n + more) / (having + more)) + 1.0)


@dataclass(frozen=True)
class TfidfWeights:
    """What the counts of each word are multiplied by."""

    plan: TfidfPlan
    idf: Array  # (d,)

    def map(self, block: Block) -> Block:
        """Weighted counts of the rows, sparse."""
        X = block.parts[0]
        if not is_sparse(X):
            from scipy.sparse import csr_matrix

            X = csr_matrix(X)
        cells = X.data.astype(np.float64)
        if self.plan.sublinear:
            self.plan.check_counts(cells)
            np.log(cells, where=cells > 0.0, out=cells)
            cells[X.data > 0.0] += 1.0  # a stored 0 is a word that is not there, and stays 0
        if self.plan.weighted:
            cells = cells * self.idf[X.indices]
        rows = with_cells(X, cells)
        rows = rows if self.plan.norm is None else unit_rows(rows, self.plan.norm)
        return block._replace(parts=(rows.astype(X.dtype if X.dtype == np.float32 else np.float64, copy=False),))

    def map_schema(self, schema: Schema) -> Schema:
        """The same columns, of which numbers are what any other number may be."""
        return Schema(tuple(replace(column, kind=Kind.QUANTITATIVE) for column in schema.columns))

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """The names of the columns stay."""
        return names

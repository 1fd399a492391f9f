"""A table as rows of numbers, for models that take nothing else: what was met in training says how. No scikit-learn.

A number is a column, a level of a symbol is one, and the missing cells of a column are one more, beside the mean in
their place. The columns are those that training has shown: a level or a gap that comes later is the average row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import bad
from suffice.core.kinds import Kind, Storage
from suffice.core.learner import Always, Source, learn
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.core.shares import Shares
from suffice.core.summary import Together
from suffice.core.tally import Tally
from suffice.estimators.design.factor_columns import FactorColumns
from suffice.estimators.design.factor_means import factor_means, kept_of_parts
from suffice.estimators.design.factors import Factor
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.numbers import Numbers
from suffice.sources.tables.table import Table, open_table


@saved
@dataclass(frozen=True)
class TableDesign:
    """The columns of numbers that a table became in training, and what stands in place of what it did not have.

    >>> table = {"age": [31.0, None, 44.0], "site": ["n", "s", "n"]}
    >>> design = design_of("SVC", table)
    >>> design.names, design.rows({"age": [None], "site": ["w"]}).round(2).tolist()
    (('age', 'age is missing', 'site=n', 'site=s'), [[37.5, 1.0, 0.67, 0.33]])
    """

    owner: str
    schema: Schema
    factors: tuple[Factor, ...]
    means: Mapping[Factor, float]
    gaps: bool = True  # whether cells may be missing

    def __post_init__(self) -> None:
        """Refuse pieces of a file that do not belong together."""
        known = set(self.schema.names)
        if not all(isinstance(f, Factor) and f.column in known and f in self.means for f in self.factors):
            raise TypeError("the factors of a design are of its columns, and have means")

    @cached_property
    def columns(self) -> FactorColumns:
        """How cells are read."""
        return FactorColumns(self.owner, self.schema, self.gaps)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(factor.name for factor in self.factors)

    @property
    def plain(self) -> bool:
        """Whether the columns are those of the table, all of them numbers."""
        return self.factors == tuple(Factor(column.name) for column in self.schema.columns)

    def rows(self, X: Any) -> Array:
        """The rows of a table (n, q)."""
        table = open_table(X)
        return self._matrix(table.parts(self.schema, slice(0, table.n)))

    def table(self, X: Any) -> Table:
        """The rows of a table, as a table of numbers."""
        return Numbers(self.rows(X), self.names, self.owner)

    def _matrix(self, parts: Any) -> Array:
        self.columns.refuse_missing(parts)
        cells = self.columns.cells(parts, self.factors, self.means)
        return np.ascontiguousarray(np.stack(cells, axis=1))


@dataclass(frozen=True)
class DesignLearner:
    """Finds the factors of rows and their means."""

    columns: FactorColumns

    def summarize(self, block: Block, model: None = None) -> Together:
        """Moments and counts of all rows."""
        self.columns.refuse_missing(block.parts, block.start)
        R = Shares.hard(np.zeros(block.n, dtype=np.int32), 1, block.w)
        return Together((Tally.of(R), kept_of_parts(self.columns.schema, block.parts, R)))

    def estimate(self, summary: Together, model: None = None) -> TableDesign:
        """All factors that were met: no level is a base, so that all are as far apart."""
        tally, kept = summary.parts
        assert isinstance(tally, Tally)
        assert isinstance(kept, Together)
        found = factor_means(self.columns.schema, kept, tally, self.columns.gaps)
        means = {factor: mean for factor, (mean, _) in found.items()}
        factors = tuple(self.columns.ordered(means, base=True))
        return TableDesign(self.columns.owner, self.columns.schema, factors, means, self.columns.gaps)


def has_symbols(schema: Schema) -> bool:
    """Whether some column is of symbols other than truth values, which are 0 and 1."""
    return any(c.kind.storage is Storage.SYMBOLS and c.kind is not Kind.BOOLEAN for c in schema.columns)


def design_of(owner: str, X: Any) -> TableDesign:
    """The design of a table in memory."""
    table = open_table(X)
    return design_from(owner, MemorySource(table, feature_schema(owner, table.infer())))


def design_from(owner: str, source: Source, gaps: bool = True) -> TableDesign:
    """The design of rows that are read with one schema."""
    look = DesignLearner(FactorColumns(owner, source.schema, gaps))
    return look.estimate(learn(Always(look), source).summary)


def feature_schema(owner: str, schema: Schema) -> Schema:
    """The same, if its columns can become numbers: texts cannot; a column without cells is one of numbers."""
    for column in schema.columns:
        if column.kind.storage is Storage.WORDS:
            remedy = "Leave it out, or count words."
            raise bad(owner, f"column {column.name!r}", "of numbers or symbols", column.kind.value, remedy)
    return schema.declare(owner, {c.name: Kind.QUANTITATIVE for c in schema.columns if c.kind is Kind.UNKNOWN})

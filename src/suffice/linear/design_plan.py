"""How tables become design matrices: what the plans of all linear models share. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from suffice.core.by_class import ByClass
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind, Storage
from suffice.core.schema import Schema
from suffice.core.summary import Together
from suffice.linear.terms import ByTerm
from suffice.sources.tables.matrix import Matrix
from suffice.sources.tables.sparse_numbers import SparseNumbers
from suffice.sources.tables.table import Table, open_table


class DesignPlan:
    """Takes any table; its kinds are those that show and those that were declared."""

    symbols: ClassVar[bool] = True  # levels of symbols are kept apart, whichever of them a model will know
    single: ClassVar[bool] = True  # models of float32 rows answer such rows in float32

    owner: str  # the estimator
    kinds: Mapping[Any, Any]  # by column
    gaps: bool  # whether cells may be missing

    def open(self, X: Any) -> Table:
        """Any table; the columns of a sparse matrix are numbers, and stay sparse unless powers are taken of them."""
        table = open_table(X)
        if isinstance(table, Matrix) and getattr(self, "degree", 1) == 1:
            return SparseNumbers(table.X, table.owner)
        return table

    def schema(self, table: Table) -> Schema:
        """What the columns show, then what the user declared; the columns of a sparse matrix are numbers."""
        sparse = isinstance(table, Matrix)
        shown = Schema.numbered([Kind.QUANTITATIVE] * table.X.shape[1]) if sparse else table.infer()  # type: ignore[attr-defined]
        return self.declare(shown)

    def declare(self, schema: Schema) -> Schema:
        """What the user declared in place of what the columns showed."""
        return schema.declare(self.owner, self.kinds)

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """A chunk of a file, whose kinds were declared when its rows were opened."""
        return table, schema

    def without_gaps(self) -> Any:
        """The same plan for rows without missing cells."""
        return replace(self, gaps=False)  # type: ignore[type-var]

    def lift(self, summary: Any, old: Schema, new: Schema) -> Any:
        """Terms are known by name, of truth values that turn out to be among more words by how they were written.

        Columns of which every cell was missing, so that no kind showed, are gaps now.
        """
        turned = {old.columns[place].name: words for place, words in old.turned(new).items()}
        summary = _spelled(summary, turned) if turned else summary
        pairs = zip(old.columns, new.columns, strict=True)
        empty = [b.name for a, b in pairs if a.kind is Kind.UNKNOWN and b.kind.storage is not Storage.NOTHING]
        if not empty:
            return summary
        if not self.gaps:
            rule, got = "present in every row (Input X contains NaN)", Said("rows in which all its cells are missing")
            raise bad(self.owner, f"column {empty[0]!r}", rule, got, "Fill them in, or leave the column out.")
        if isinstance(summary, ByClass):
            assert isinstance(summary.summary, ByTerm)
            return replace(summary, summary=summary.summary.without_cells(empty))
        return summary.without_cells(empty)


def _spelled(kept: Any, words: Mapping[Any, Mapping[Any, str]]) -> Any:
    """What is kept of rows, with other names for some levels."""
    if isinstance(kept, ByTerm):
        return kept.spelled(words)
    if isinstance(kept, Together):
        return Together(tuple(_spelled(part, words) for part in kept.parts))
    if isinstance(kept, ByClass):
        return ByClass(kept.labels, kept.tally, _spelled(kept.summary, words))
    return kept

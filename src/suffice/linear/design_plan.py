"""How tables become design matrices: what the plans of all linear models share. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from suffice.core.kinds import Kind
from suffice.core.schema import Schema
from suffice.sources.tables.matrix import Matrix
from suffice.sources.tables.sparse_numbers import SparseNumbers
from suffice.sources.tables.table import Table, open_table


class DesignPlan:
    """Takes any table; its kinds are those that show and those that were declared."""

    symbols: ClassVar[bool] = True  # levels of symbols are kept apart, whichever of them a model will know

    owner: str  # the estimator
    kinds: Mapping[Any, Any]  # by column

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

    def lift(self, summary: Any, old: Schema, new: Schema) -> Any:
        """Nothing to do: terms are known by name."""
        return summary

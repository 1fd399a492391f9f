"""How tables become design matrices: what the plans of all linear models share. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from suffice.core.by_class import ByClass
from suffice.core.kinds import Kind
from suffice.core.schema import Schema
from suffice.core.summary import Together
from suffice.linear.terms import ByTerm
from suffice.sources.tables.matrix import Matrix
from suffice.sources.tables.table import Table, open_table


class DesignPlan:
    """Takes any table; its kinds are those that show and those that were declared."""

    symbols: ClassVar[bool] = True  # levels of symbols are kept apart, whichever of them a model will know

    owner: str  # the estimator
    kinds: Mapping[Any, Any]  # by column

    def open(self, X: Any) -> Table:
        """Any table."""
        return open_table(X)

    def schema(self, table: Table) -> Schema:
        """What the columns show, then what the user declared; the columns of a sparse matrix are numbers."""
        shown = table.infer()
        if isinstance(table, Matrix):
            shown = Schema.numbered([Kind.QUANTITATIVE] * table.X.shape[1])
        return self.declare(shown)

    def declare(self, schema: Schema) -> Schema:
        """What the user declared in place of what the columns showed."""
        return schema.declare(self.owner, self.kinds)

    def chunk(self, table: Table, schema: Schema) -> tuple[Table, Schema]:
        """A chunk of a file, whose kinds were declared when its rows were opened."""
        return table, schema

    def lift(self, summary: Any, old: Schema, new: Schema) -> Any:
        """Terms are known by name; of truth values that turn out to be among more words, by how they were written."""
        turned = {old.columns[place].name: words for place, words in old.turned(new).items()}
        return _spelled(summary, turned) if turned else summary


def _spelled(kept: Any, words: Mapping[Any, Mapping[Any, str]]) -> Any:
    """What is kept of rows, with other names for some levels."""
    if isinstance(kept, ByTerm):
        return kept.spelled(words)
    if isinstance(kept, Together):
        return Together(tuple(_spelled(part, words) for part in kept.parts))
    if isinstance(kept, ByClass):
        return ByClass(kept.labels, kept.tally, _spelled(kept.summary, words))
    return kept

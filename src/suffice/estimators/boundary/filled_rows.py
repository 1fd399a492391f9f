"""The door of models that multiply rows as they lie: sparse rows are filled in, if there is room for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from suffice.core.errors import Said, bad
from suffice.estimators.boundary.number_rows import NumberRows
from suffice.estimators.boundary.sparse_form import SPARSE, filled
from suffice.estimators.state.origin import column_names
from suffice.sources.tables.numbers import Numbers
from suffice.sources.tables.sparse_numbers import MANY


@dataclass(frozen=True)
class FilledRows(NumberRows):
    """Numbers (n, d), sparse ones of few columns filled in; the estimator remembers that they came so."""

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as a table; `first` sets what later ones must be like."""
        table: Any = super().check(estimator, X, first=first, learning=learning)
        if first:
            vars(estimator).pop(SPARSE, None)
        if not hasattr(getattr(table, "X", None), "tocsr"):
            return table
        if first:
            vars(estimator)[SPARSE] = True
        elif not vars(estimator).get(SPARSE, False):
            owner = estimator._owner
            rule = f"an array, as in training (cannot use sparse input in {owner!r} trained on dense data)"
            raise bad(owner, "X", rule, Said("a sparse matrix"), "Fill it in: X.toarray().")
        if table.X.shape[1] >= MANY and not getattr(estimator, "_fills", True):
            return table
        return Numbers(filled(estimator._owner, table.X), column_names(estimator), estimator._owner)

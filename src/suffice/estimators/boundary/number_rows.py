"""The door of estimators whose rows are plain numbers: checked by scikit-learn, handed on as a table with names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from suffice.estimators.boundary.arrays import Arrays
from suffice.estimators.state.origin import column_names
from suffice.sources.tables.numbers import Numbers
from suffice.sources.tables.table import Table


@dataclass(frozen=True)
class NumberRows(Arrays):
    """Numbers (n, d) by the options of scikit-learn's `check_array`, as a table that knows the names of its columns."""

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as a table; `first` sets what later ones must be like."""
        if isinstance(X, Table) and not first:  # rows of a file, open already
            return X
        checked = super().check(estimator, X, first=first, learning=learning)
        return Numbers(checked, column_names(estimator), estimator._owner)

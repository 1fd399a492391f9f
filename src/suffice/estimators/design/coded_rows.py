"""The door of models of plain numbers that take any table: symbols and missing cells become columns of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.errors import BadInput
from suffice.estimators.boundary.doors import AnyTable, NumberRows
from suffice.estimators.boundary.sparse_form import SPARSE
from suffice.estimators.design.gap_choice import ARRAY, takes_gaps
from suffice.estimators.design.table_design import TableDesign, has_symbols
from suffice.estimators.state.origin import library
from suffice.sources.tables.grid import as_array
from suffice.sources.tables.table import Table, open_table


@dataclass(frozen=True)
class CodedRows:
    """Arrays by the door for numbers; tables with symbols or missing cells by their design."""

    numbers: NumberRows
    allow_nan: bool = False

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as a table of numbers, or to learn from, as it is; `first` sets what later ones must be like."""
        array = library(X) in (None, "scipy")
        if learning:
            vars(estimator)[ARRAY] = array
        before = None if first else estimator._before
        design = None if before is None else before.plan.design
        if design is not None and not design.plain:
            return self._designed(estimator, X, design, learning)
        if first and not array and has_symbols(open_table(X).infer()) and not _pairwise(estimator):
            return self._any(estimator, X, first)
        try:
            return self.numbers.check(estimator, X, first=first, learning=learning)
        except BadInput:
            if hasattr(X, "tocsr") or _pairwise(estimator):
                raise
            if first and learning and (takes_gaps(estimator) or _names_levels(X)):
                return self._any(estimator, X, first)
            if design is not None:
                return self._designed(estimator, X, design, learning)
            raise

    def tag(self, tags: Any) -> None:
        """What scikit-learn may expect of X."""
        self.numbers.tag(tags)
        tags.input_tags.allow_nan = self.allow_nan

    def _designed(self, estimator: Any, X: Any, design: TableDesign, learning: bool) -> Table:
        if isinstance(X, Table):  # rows of a file, open already
            return X
        return design.table(self._any(estimator, X, False))

    def _any(self, estimator: Any, X: Any, first: bool) -> Table:
        if first:
            vars(estimator).pop(SPARSE, None)  # of a fit before
        return open_table(AnyTable().check(estimator, X, first=first))


def _names_levels(X: Any) -> bool:
    """Whether it is an array of dates, or one or lists of objects with words: no message about floats helps there."""
    if isinstance(X, (list, tuple)):
        X = as_array(X)
    if isinstance(X, np.ndarray) and X.dtype.kind == "M":
        return True
    if not isinstance(X, np.ndarray) or X.dtype != object or X.ndim != 2:
        return False
    return any(isinstance(cell, str) for cell in X.ravel().tolist())


def _pairwise(estimator: Any) -> bool:
    """Whether X holds a value for each pair of rows."""
    return bool(estimator.__sklearn_tags__().input_tags.pairwise)


def coded_door(numbers: NumberRows) -> Any:
    """The door of an estimator with a parameter `missing`, by its door for numbers."""
    doors = CodedRows(numbers, False), CodedRows(numbers, True)
    return property(lambda estimator: doors[estimator.missing == "indicator"])

"""The check of X for estimators that take any table: scikit-learn looks at the number and the names of columns only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from suffice.core.errors import Said, bad
from suffice.estimators.foreign import in_our_name
from suffice.estimators.holder import Holder
from suffice.estimators.origin import library
from suffice.sources.grid import Grid, as_array
from suffice.sources.table import Table, open_table


class AnyTable(Holder):
    """Arrays, lists, sparse matrices, mappings of columns, and the tables of pandas, polars and Arrow."""

    n_features_in_: int

    def _check_X(self, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as it is; `first` sets what later tables must be like. What is learned from is what is predicted."""
        if isinstance(X, Table) and not first:  # rows of a file, open already
            return X
        if isinstance(X, Mapping) and not hasattr(X, "tocsr"):  # some sparse matrices are mappings too
            return self._check_mapping(X, first)
        if library(X) is not None or not hasattr(X, "shape"):
            X = _read(X)
        shape: tuple[int, ...] = X.shape
        if len(shape) != 2:
            as_array(X)  # says what to do
        if shape[1] == 0:
            note = f"(Found array with 0 feature(s) (shape={tuple(shape)}) while a minimum of 1 is required.)"
            raise bad(self._owner, "X", f"a table with columns {note}", Said("none"), "Give it columns to learn from.")
        with in_our_name(self._owner):
            validate_data(self, X, reset=first, skip_check_array=True)
        return X

    def _check_mapping(self, X: Mapping[Any, Any], first: bool) -> Mapping[Any, Any]:
        if first:
            self.n_features_in_, self.feature_names_in_ = len(X), np.array(list(X), dtype=object)
        return X

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def _read(X: Any) -> Any:
    """Lists as arrays, and tables that only speak Arrow as Arrow's; tables of two columns of one name are refused."""
    table: Any = X if hasattr(X, "tocsr") else open_table(X)
    if hasattr(X, "shape"):
        return X
    return table.X if isinstance(table, Grid) else table.frame.to_native()

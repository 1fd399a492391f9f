"""The door of estimators that take any table: scikit-learn looks at the number and the names of columns only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from suffice.core.errors import Said, bad
from suffice.estimators.boundary.plain_arrays import let_in
from suffice.estimators.boundary.remote import refuse_remote
from suffice.estimators.boundary.scikit_checks import in_our_name
from suffice.estimators.state.origin import library
from suffice.sources.tables.grid import Grid, as_array
from suffice.sources.tables.table import Table, open_table

ANY_CELLS = {"ensure_all_finite": False}


@dataclass(frozen=True)
class AnyTable:
    """Arrays, lists, sparse matrices, mappings of columns, and the tables of pandas, polars and Arrow."""

    allow_nan: bool = False  # whether a cell may be missing

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as it is; `first` sets what later tables must be like. What is learned from is what is predicted."""
        if let_in(estimator, X, ANY_CELLS, first):
            return X
        owner = estimator._owner
        refuse_remote(owner, X)
        if isinstance(X, Table) and not first:  # rows of a file, open already
            return X
        if isinstance(X, Mapping) and not hasattr(X, "tocsr"):  # some sparse matrices are mappings too
            return _check_mapping(estimator, X, first)
        if library(X) is not None or not hasattr(X, "shape"):
            X = _read(X)
        shape: tuple[int, ...] = X.shape
        if len(shape) != 2:
            as_array(X)  # says what to do
        if shape[1] == 0:
            note = f"(Found array with 0 feature(s) (shape={tuple(shape)}) while a minimum of 1 is required.)"
            raise bad(owner, "X", f"a table with columns {note}", Said("none"), "Give it columns to learn from.")
        with in_our_name(owner):
            validate_data(estimator, X, reset=first, skip_check_array=True)
        return X

    def tag(self, tags: Any) -> None:
        """What scikit-learn may expect of X."""
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = self.allow_nan


def _check_mapping(estimator: Any, X: Mapping[Any, Any], first: bool) -> Mapping[Any, Any]:
    if first:
        estimator.n_features_in_, estimator.feature_names_in_ = len(X), np.array(list(X), dtype=object)
    return X


def _read(X: Any) -> Any:
    """Lists as arrays, and tables that only speak Arrow as Arrow's; tables of two columns of one name are refused."""
    table: Any = X if hasattr(X, "tocsr") else open_table(X)
    if hasattr(X, "shape"):
        return X
    return table.X if isinstance(table, Grid) else table.frame.to_native()

"""Mappings of columns where rows of numbers are asked for: side by side, in the order of training."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import check_array

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.kinds import Kind
from suffice.core.schema import Column
from suffice.estimators.boundary.odd_cells import date_column, odd_cell, symbol_column
from suffice.estimators.state.origin import column_names
from suffice.sources.tables.columns import Columns


def check_columns(estimator: Any, X: Mapping[Any, Any], first: bool, rules: Mapping[str, Any]) -> Array:
    """The columns of a mapping as an array of numbers (n, d); `first` sets the names of later ones."""
    names = list(X) if first else _names_in_training(estimator, X)
    kind = estimator.__sklearn_tags__().estimator_type
    X = {name: X[name] for name in names}
    odd = date_column(estimator, X) or symbol_column(estimator._owner, X, kind)
    if odd is not None:
        raise odd
    columns = Columns(X)
    cells = [column.numbers(Column(name, Kind.QUANTITATIVE), slice(0, columns.n)) for name, column in columns.named()]
    rows = np.column_stack(cells) if cells else np.empty((columns.n, 0))
    try:
        checked: Array = check_array(rows, estimator=estimator, input_name="X", **rules)
    except ValueError as error:
        raise odd_cell(estimator._owner, rows, kind, names, str(error).splitlines()[0].rstrip(".")) or error from None
    if first:
        estimator.n_features_in_ = len(names)
        vars(estimator).pop("feature_names_in_", None)
        if names and all(isinstance(name, str) for name in names):
            estimator.feature_names_in_ = np.array(names, dtype=object)
    return checked


def _names_in_training(estimator: Any, X: Mapping[Any, Any]) -> list[Any]:
    known = column_names(estimator)
    names = list(X) if known is None else list(known)
    missing = [name for name in names if name not in X]
    if missing:
        rule = f"those of the training table, {missing[0]!r} among them"
        raise bad(estimator._owner, "the columns", rule, list(X), "Add the column.")
    if len(names) != estimator.n_features_in_:
        d = estimator.n_features_in_
        rule = f"{d}, as in training (is expecting {d} features as input)"
        raise bad(estimator._owner, "the number of columns", rule, Said(len(names)), "Give it the columns of training.")
    return names

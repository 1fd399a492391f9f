"""A mapping of columns as an array of numbers, for models that know their columns by place. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.schema import Schema
from suffice.estimators.boundary.odd_cells import date_column, odd_column
from suffice.sources.tables.numbers import NUMBERS, number_columns
from suffice.sources.tables.table import open_table


def mapped_numbers(estimator: Any, X: Mapping[Any, Any], names: Sequence[Any] | None) -> Array:
    """The columns (n, d) of these names, or all of them; what is no column of numbers is named.

    Parameters
    ----------
    estimator : who reads it
    X : column -> cells
    names : the columns of training; None: all of the mapping, in its order
    """
    table = open_table(X)
    shown = {column.name: column for column in table.infer().columns}
    wanted = list(shown) if names is None else list(names)
    absent = [name for name in wanted if name not in shown]
    if absent:
        rule = f"those of the training table, {absent[0]!r} among them"
        raise bad(estimator._owner, "the columns", rule, list(shown), "Give it the same columns.")
    if any(shown[name].kind not in NUMBERS for name in wanted):
        odd = date_column(estimator, X) or odd_column(estimator, X, "")
        if odd is not None:
            raise odd
    return number_columns(estimator._owner, table, Schema(tuple(shown[name] for name in wanted)))[1]

"""Tables whose columns stand in another order than the model's. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def in_order(X: Any, names: Sequence[Any]) -> Any:
    """The same table with its columns in this order, where it has just these; else as it is."""
    if isinstance(X, Mapping):
        return {name: X[name] for name in names} if list(X) != list(names) and set(X) == set(names) else X
    own = getattr(X, "column_names", None)  # Arrow
    own = getattr(X, "columns", None) if own is None else own  # pandas, polars
    if own is None or callable(own) or list(own) == list(names) or set(own) != set(names) or len(own) != len(names):
        return X
    return X.select(list(names)) if hasattr(X, "select") else X[list(names)]

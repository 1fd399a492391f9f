"""Symbols as codes: each table library codes its own column inside a block; what it lacks is done by a dictionary."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.errors import BadInput


def code_symbols(column: Any) -> Coded:
    """Codes (n, 1), -1 where missing, and the labels as Python values, in order of appearance."""
    if hasattr(column, "factorize") and not isinstance(column, np.ndarray):  # pandas
        codes, labels = column.factorize()
        return _coded(codes, labels.tolist())
    if hasattr(column, "to_arrow"):  # polars
        column = column.to_arrow()
    if hasattr(column, "dictionary_encode"):  # Arrow
        return _arrow(column)
    return code_cells(np.asarray(column).tolist())


def _arrow(column: Any) -> Coded:
    chunk = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    if not hasattr(chunk, "dictionary_encode"):
        return code_cells(chunk.to_pylist())
    coded = chunk if hasattr(chunk, "indices") else chunk.dictionary_encode()
    if not hasattr(coded, "indices"):  # a column of several chunks stays one
        return code_cells(column.to_pylist())
    codes = coded.indices.cast("int32").fill_null(-1).to_numpy(zero_copy_only=False)
    return _coded(codes, coded.dictionary.to_pylist())


def code_cells(cells: list[Any]) -> Coded:
    """The same for Python values, by a dictionary."""
    place: dict[Any, int] = {}
    try:
        codes = [-1 if cell is None or cell != cell else place.setdefault(cell, len(place)) for cell in cells]
    except (TypeError, ValueError):
        odd = next(cell for cell in cells if getattr(type(cell), "__hash__", None) is None)
        raise BadInput(f"X: a symbol must be a single value, got {type(odd).__name__}. Split the column.") from None
    return _coded(np.array(codes, dtype=np.int32), list(place))


def _coded(codes: Array, labels: list[Any]) -> Coded:
    """Labels that are missing values in disguise (None, NaN, NaT) become code -1."""
    absent = [i for i, label in enumerate(labels) if label is None or label != label]
    if absent:
        keep = [i for i in range(len(labels)) if i not in set(absent)]
        lookup = np.full(len(labels) + 1, -1, dtype=np.int32)
        lookup[keep] = np.arange(len(keep), dtype=np.int32)
        codes, labels = lookup[codes], [labels[i] for i in keep]
    return Coded(np.asarray(codes, dtype=np.int32)[:, None], (tuple(labels),))

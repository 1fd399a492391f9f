"""Class labels as codes, in one pass: never by sorting objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array, Coded
from suffice.core.errors import BadInput
from suffice.sources.symbols import code_symbols

SPAN = 1_000_000  # integers within such a range are coded by a table


def code_labels(y: Any) -> Coded:
    """Codes (n, 1) and the labels that occur, in order of first appearance or size; missing labels are refused."""
    native = getattr(y, "to_numpy", None)
    if native is not None and not isinstance(y, np.ndarray):
        return _complete(code_symbols(y))
    y = np.asarray(y)
    if y.ndim != 1:
        raise BadInput(f"y: labels must be one column, got shape {y.shape}. Pass one label a row.")
    if y.dtype.kind == "b":
        return _integers(y.view(np.uint8), (False, True))
    if y.dtype.kind == "f":
        return _whole(y)
    if y.dtype.kind in "iu":
        return _integers(y)
    return _complete(code_symbols(y))


def _integers(y: Array, names: tuple[Any, ...] | None = None) -> Coded:
    if not len(y):
        return Coded(np.zeros((0, 1), dtype=np.int32), ((),))
    low, high = int(y.min()), int(y.max())
    if high - low >= SPAN:
        return _complete(code_symbols(y))
    at = (y - low).astype(np.int32) if low else y.astype(np.int32)
    seen = np.zeros(high - low + 1, dtype=bool)
    seen[at] = True
    if seen.all():
        labels = tuple(range(low, high + 1))
    else:
        at = (np.cumsum(seen, dtype=np.int32) - np.int32(1))[at]
        labels = tuple((np.flatnonzero(seen) + low).tolist())
    return Coded(at[:, None], (labels if names is None else tuple(names[label] for label in labels),))


def _whole(y: Array) -> Coded:
    """Floats are labels if they are whole numbers."""
    if not np.isfinite(y).all():
        raise BadInput("y: every label must be present, got NaN or infinity (Input y contains NaN). Leave the row out.")
    if (y != np.rint(y)).any():
        raise BadInput(
            "y: labels must be classes, got fractions (Unknown label type: continuous). Group the numbers into classes, "
            "or use a regression model."
        )
    labels = np.unique(y)
    return Coded(np.searchsorted(labels, y).astype(np.int32)[:, None], (tuple(labels.tolist()),))


def _complete(coded: Coded) -> Coded:
    if (coded.codes < 0).any():
        row = int(np.flatnonzero(coded.codes[:, 0] < 0)[0])
        raise BadInput(f"y: every label must be present, got a missing one (Input y contains NaN) in row {row}.")
    return coded

"""How X is read where cells are squared before any sum looks at them: numbers whose squares can still be added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.boundary.targets import LARGEST
from suffice.sources.tables.numbers import number_schema


@dataclass(frozen=True)
class DistanceRows(NumberRows):
    """Numbers (n, d), none so large that a squared distance could be infinite."""

    asked: bool = True  # whether none may be in rows to predict either

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as a table; `first` sets what later ones must be like."""
        table: Any = super().check(estimator, X, first=first, learning=learning)
        rows = getattr(table, "X", None)
        if rows is not None and (learning or self.asked):
            refuse_far(estimator._owner, rows, table.names)
        return table


def refuse_far(owner: str, X: Any, names: Sequence[Any] | None = None) -> None:
    """Refuse the first cell whose square is too large to be added, by its column and row."""
    cells = X.data if hasattr(X, "tocsr") else X
    if not cells.size or cells.dtype.kind != "f" or cells.dtype == np.float32:  # the largest float32 is 3e38
        return
    flat = cells.ravel(order="K")
    if np.einsum("i,i->", flat, flat) <= LARGEST**2:  # each square is below their sum; NaN is not
        return
    far = np.abs(cells) > LARGEST
    if not far.any():  # what was missing is neither
        return
    stored = X.tocoo() if hasattr(X, "tocsr") else None
    row, place = np.argwhere(far)[0] if stored is None else _place(stored, np.abs(stored.data) > LARGEST)
    name = (number_schema(None, X.shape[1]).names if names is None else names)[place]
    rule = f"at most {LARGEST:g} in size, so that squares can be added"
    came = Said(f"{X[row, place]} in row {row}")
    raise bad(owner, f"column {name!r}", rule, came, "Correct the cell, or scale the column first.")


def _place(stored: Any, far: Array) -> tuple[int, int]:
    """Row and column of the first such cell of a sparse matrix."""
    first = int(far.argmax())
    return int(stored.row[first]), int(stored.col[first])

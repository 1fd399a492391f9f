"""How X is read where distances are taken: numbers whose squares can still be added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.errors import Said, bad
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.boundary.targets import LARGEST


@dataclass(frozen=True)
class DistanceRows(NumberRows):
    """Numbers (n, d), none so large that a squared distance could be infinite."""

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as a table; `first` sets what later ones must be like."""
        table: Any = super().check(estimator, X, first=first, learning=learning)
        rows = getattr(table, "X", None)
        if rows is not None:
            _refuse_far(estimator, rows)
        return table


def _refuse_far(estimator: Any, X: Any) -> None:
    cells = X.data if hasattr(X, "tocsr") else X
    if not cells.size or cells.dtype.kind != "f" or cells.dtype == np.float32:  # the largest float32 is 3e38
        return
    flat = cells.ravel(order="K")
    if np.einsum("i,i->", flat, flat) <= LARGEST**2:  # each square is below their sum; NaN is not
        return
    far = np.abs(cells) > LARGEST
    if far.any():  # what was missing is neither
        rule = f"at most {LARGEST:g} in size, so that distances can be squared and added"
        raise bad(estimator._owner, "X", rule, Said(f"a cell of {cells[far].flat[0]}"), "Scale the columns first.")

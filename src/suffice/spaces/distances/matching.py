"""Hamming distance: how many columns differ. On bits it is how many to flip; as a 0-norm it takes any numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.spaces.distances.distance import Axioms, Distance

CELLS = 1 << 22  # comparisons at a time


@saved
@dataclass(frozen=True)
class Hamming(Distance):
    """d(x, y) = the number of columns in which x and y differ, or their share of all columns.

    Rows may be numbers, symbols or strings of one length; a missing number differs from all.

    Parameters
    ----------
    share : divide by the number of columns, as scikit-learn and SciPy do under this name

    >>> Hamming().pair("karolin", "kathrin")
    3.0
    >>> Hamming(share=True).pair([1, 0, 1, 1], [1, 1, 1, 0])
    0.5
    """

    share: bool = False

    @property
    def axioms(self) -> Axioms:
        """All four."""
        return Axioms.METRIC

    def between(self, X: Any, Y: Any = None) -> Array:
        """Columns compared one after another, in tiles."""
        A = _symbols(X)
        B = A if Y is None else _symbols(Y)
        if A.shape[1] != B.shape[1]:
            rule = f"of as many columns as the other rows ({B.shape[1]})"
            raise bad(self, "X", rule, Said(str(A.shape[1])), "Take EditDistance() for strings of different lengths.")
        found = np.empty((len(A), len(B)))
        step = max(1, CELLS // max(1, B.size))
        for start in range(0, len(A), step):
            found[start : start + step] = (A[start : start + step, None] != B[None]).sum(axis=2)
        return found / max(1, A.shape[1]) if self.share else found


def _symbols(X: Any) -> Array:
    """Rows of symbols; strings are rows of letters."""
    if hasattr(X, "toarray"):
        X = X.toarray()
    rows = np.asarray(X)
    if rows.ndim == 1 and len(rows) and all(isinstance(x, str) for x in rows):
        lengths = {len(x) for x in rows}
        if len(lengths) > 1:
            raise bad(
                "Hamming", "X", "strings of one length", Said(f"lengths {sorted(lengths)}"), "Take EditDistance()."
            )
        return np.array([list(str(x)) for x in rows]).reshape(len(rows), -1)
    return rows if rows.ndim == 2 else rows.reshape(len(rows), -1 if rows.size else 0)

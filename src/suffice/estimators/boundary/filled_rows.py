"""The door of models that multiply rows as they lie: sparse rows are filled in, if there is room for them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.number_rows import NumberRows
from suffice.estimators.state.origin import column_names
from suffice.sources.tables.numbers import Numbers

SPARSE = "_sparse_rows"  # among the attributes of the estimator: whether it was learned from a sparse matrix


@dataclass(frozen=True)
class FilledRows(NumberRows):
    """Numbers (n, d), sparse ones filled in; the estimator remembers that they came so, to show its own likewise."""

    def check(self, estimator: Any, X: Any, *, first: bool, learning: bool = True) -> Any:
        """X as a table; `first` sets what later ones must be like."""
        table: Any = super().check(estimator, X, first=first, learning=learning)
        if first:
            vars(estimator).pop(SPARSE, None)
        if not hasattr(getattr(table, "X", None), "tocsr"):
            return table
        if first:
            vars(estimator)[SPARSE] = True
        elif not vars(estimator).get(SPARSE, False):
            owner = estimator._owner
            rule = f"an array, as in training (cannot use sparse input in {owner!r} trained on dense data)"
            raise bad(owner, "X", rule, Said("a sparse matrix"), "Fill it in: X.toarray().")
        return Numbers(filled(estimator._owner, table.X), column_names(estimator), estimator._owner)


def filled(owner: str, X: Any) -> Array:
    """A sparse matrix as an array; one that would not leave room for anything else is refused before it is made."""
    n, d = X.shape
    need = 8 * n * d
    if need > memory() // 4:
        rule = f"such that {n:,} rows of {d:,} columns, filled in, take less than a quarter of the memory"
        remedy = "Use fewer columns (rare words tell little), or a model that takes sparse rows, such as Perceptron."
        raise bad(owner, "the sparse rows", rule, Said(f"{need:,} bytes"), remedy)
    return np.ascontiguousarray(X.toarray(), dtype=np.float64)


def memory() -> int:
    """Bytes of memory of this machine."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on every system
        return 1 << 33


def as_came(holder: Any, values: Array) -> Any:
    """Rows or coefficients, sparse where the rows to learn from were."""
    if not vars(holder).get(SPARSE, False):
        return values
    from scipy.sparse import csr_matrix

    return csr_matrix(values)

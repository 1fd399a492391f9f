"""How rows are divided for cross-validation: scikit-learn's splitters as they are, and whether they part the rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.model_selection import check_cv

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.table_rows import take_rows


class Splits(NamedTuple):
    """Rows to learn from and rows to test with, split by split."""

    pairs: tuple[tuple[Array, Array], ...]  # (train, test), row numbers
    folds: Array | None  # (n,) the split that tests each row, where each row is tested once and else learned from


def read_splits(owner: str, cv: Any, y: Any, n: int, groups: Any, classes: bool) -> Splits:
    """The splits that a number of folds, a splitter or an iterable of pairs of row numbers gives for n rows."""
    try:
        splitter = check_cv(5 if cv is None else cv, y, classifier=classes)
        pairs = tuple((_numbers(a), _numbers(b)) for a, b in splitter.split(np.zeros(n), y, groups))
    except (TypeError, ValueError) as error:
        rule = "a number of folds from 2 up to the number of rows, a splitter, or pairs of row numbers"
        raise bad(owner, "cv", f"{rule} that fit these rows ({error})", cv, "Correct it.") from None
    if not pairs:
        raise bad(owner, "cv", "of at least one split", cv, "Give it splits.")
    return Splits(pairs, _folds(pairs, n))


def _numbers(rows: Any) -> Array:
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp)


def _folds(pairs: tuple[tuple[Array, Array], ...], n: int) -> Array | None:
    """The fold of each row; None where rows are tested twice or never, or left out of both parts."""
    folds = np.full(n, -1, dtype=np.int64)
    for k, (train, test) in enumerate(pairs):
        here = np.zeros(n, dtype=np.int64)
        np.add.at(here, np.concatenate([train, test]), 1)
        if (here != 1).any() or (folds[test] >= 0).any():
            return None
        folds[test] = k
    return folds if (folds >= 0).all() else None


def some_rows(X: Any, rows: Array) -> Any:
    """Some rows of any table, by their numbers; of nothing, nothing."""
    return None if X is None else take_rows(X, rows)

"""How good a subset of columns is: by cross-validation of any estimator, or of least squares without any new pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv, cross_val_score

from suffice.core.block import Array
from suffice.core.errors import Said, bad

SAFE = 1e-11  # share of the largest pivot from which a column is no repetition of others
Subset = tuple[int, ...]  # numbers of columns, rising


class SubsetScore(Protocol):
    """The higher the better."""

    columns: int

    def score(self, subset: Subset) -> float:
        """Of a subset of columns."""


@dataclass
class CrossValidated:
    """The mean score of folds, of any estimator on the columns of a subset; of no columns, minus infinity.

    Each fold learns from its own rows alone; the choice among subsets still saw them all, so that the score of the
    winner is too good: score the search itself in an outer loop.
    """

    estimator: Any
    X: Any
    y: Any
    cv: Any = 5
    scoring: Any = None

    def __post_init__(self) -> None:
        """Rows as an array."""
        self.X, self.y = np.asarray(self.X), np.asarray(self.y)
        if self.X.ndim != 2 or len(self.X) != len(self.y):
            raise bad("CrossValidated", "X and y", "a table with one target a row", Said(f"shape {self.X.shape}"))
        self.columns = int(self.X.shape[1])

    def score(self, subset: Subset) -> float:
        """Fit and score in each fold."""
        if not subset:
            return -np.inf
        found = cross_val_score(
            clone(self.estimator), self.X[:, list(subset)], self.y, cv=self.cv, scoring=self.scoring
        )
        return float(np.mean(found))


@dataclass
class LeastSquaresFolds:
    """Minus the mean squared error of folds, of least squares: all subsets from the products of one pass.

    Products of columns add over folds, and those of a subset are among them: fold k is predicted by the solution of the
    products of all others, and its error is read from its own. Columns are centred first.
    """

    X: Any
    y: Any
    cv: Any = 5

    def __post_init__(self) -> None:
        """One pass: the products of each fold."""
        rows, y = np.asarray(self.X, dtype=np.float64), np.asarray(self.y, dtype=np.float64)
        if rows.ndim != 2 or y.shape != rows.shape[:1] or not (np.isfinite(rows).all() and np.isfinite(y).all()):
            raise bad("LeastSquaresFolds", "X and y", "finite numbers, one target a row", Said(f"shape {rows.shape}"))
        self.columns = int(rows.shape[1])
        scale = rows.std(axis=0)
        centred = (rows - rows.mean(axis=0)) / np.where(scale > 0, scale, 1.0)
        design = np.column_stack([np.ones(len(rows)), centred, y - y.mean()])
        folds = check_cv(self.cv, y, classifier=False).split(rows, y)
        grams = [design[held].T @ design[held] for _, held in folds]
        self._rows, self._held = len(rows), np.array(grams)
        self._rest = self._held.sum(axis=0) - self._held

    def score(self, subset: Subset) -> float:
        """From the products alone, all folds at once."""
        at = [0, *(1 + j for j in subset)]
        ends = [*at, self.columns + 1]
        A, b = self._rest[:, at][:, :, at], self._rest[:, at, -1:]
        w = np.concatenate([_solved(A, b)[..., 0], np.full((len(A), 1), -1.0)], axis=1)
        return -float(np.einsum("fi,fij,fj->", w, self._held[:, ends][:, :, ends], w)) / self._rows


def _solved(A: Array, b: Array) -> Array:
    """Of the shortest solutions where columns repeat one another."""
    try:
        pivots = np.diagonal(np.linalg.cholesky(A), axis1=1, axis2=2) ** 2
        if (pivots.min(axis=1) > SAFE * pivots.max(axis=1)).all():
            return np.asarray(np.linalg.solve(A, b))
    except np.linalg.LinAlgError:
        pass
    return np.asarray(np.linalg.pinv(A, rcond=SAFE, hermitian=True) @ b)

"""How good a subset of columns is: by cross-validation of any estimator, or of least squares without any new pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Protocol

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv, cross_val_score

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.numerics.loop import CHUNK

SAFE = 1e-11  # share of the largest pivot from which a column is no repetition of others
CONSTANT = 1e-14  # share of its mean below which a column does not vary but by rounding
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
        self.X, self.y = np.asarray(self.X), None if self.y is None else np.asarray(self.y)
        if self.X.ndim != 2 or (self.y is not None and len(self.X) != len(self.y)):
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


FoldReading = Callable[[Array, Array, Array], Array]  # errors, rows and spreads of the targets of folds -> their scores


def _r2(errors: Array, rows: Array, spreads: Array) -> Array:
    perfect = np.where(errors == 0.0, 1.0, 0.0)
    return np.where(spreads > 0.0, 1.0 - errors / np.where(spreads > 0.0, spreads, 1.0), perfect)


SQUARES = "neg_mean_squared_error"
FOLD_READINGS: Mapping[str | None, FoldReading] = {  # scores that the squared errors of folds tell
    SQUARES: lambda errors, rows, spreads: -errors / rows,
    "neg_root_mean_squared_error": lambda errors, rows, spreads: -np.sqrt(errors / rows),
    "r2": _r2,
    None: _r2,  # what regressors score by
}


@dataclass
class LeastSquaresFolds:
    """The mean score of folds, of least squares or ridge regression: all subsets from the products of one pass.

    Products of columns add over folds, and those of a subset are among them: fold k is predicted by the solution of the
    products of all others, and its error is read from its own. Columns are centred first.
    """

    X: Any
    y: Any
    cv: Any = 5
    penalty: float = 0.0  # of the squares of coefficients
    intercept: bool = True
    scoring: str | None = SQUARES  # one of FOLD_READINGS

    def __post_init__(self) -> None:
        """One pass: the products of each fold."""
        rows, y = np.asarray(self.X, dtype=np.float64), np.asarray(self.y, dtype=np.float64)
        if rows.ndim != 2 or y.shape != rows.shape[:1] or not (_finite(rows) and _finite(y)):
            raise bad("LeastSquaresFolds", "X and y", "finite numbers, one target a row", Said(f"shape {rows.shape}"))
        if self.scoring not in FOLD_READINGS:
            rule = f"one of {', '.join(map(str, FOLD_READINGS))}"
            raise bad("LeastSquaresFolds", "scoring", rule, self.scoring, "Use CrossValidated.")
        if isinstance(self.cv, Integral) and not 2 <= int(self.cv) <= len(rows):
            raise bad("LeastSquaresFolds", "cv", f"a number of folds from 2 to that of the rows, {len(rows)}", self.cv)
        self.columns = int(rows.shape[1])
        centre, middle = (rows.mean(axis=0), y.mean()) if self.intercept else (np.zeros(self.columns), 0.0)
        folds = check_cv(self.cv, y, classifier=False).split(rows, y)
        about = np.append(centre, middle)
        grams = np.array([_products(rows, y, held, about) for _, held in folds])
        scale = np.sqrt(np.diagonal(grams.sum(axis=0))[1:-1] / len(rows))
        scale = np.where(scale > CONSTANT * np.abs(centre), scale, 1.0)
        unit = np.concatenate([[1.0], scale, [1.0]])
        self._held = grams / unit[:, None] / unit
        self._rest = self._held.sum(axis=0) - self._held
        shrunken = np.arange(1, self.columns + 1)
        self._rest[:, shrunken, shrunken] += self.penalty / scale**2
        self._sizes = self._held[:, 0, 0]
        self._spreads = self._held[:, -1, -1] - self._held[:, 0, -1] ** 2 / self._sizes

    def score(self, subset: Subset) -> float:
        """From the products alone, all folds at once."""
        at = [*((0,) if self.intercept else ()), *(1 + j for j in subset)]
        ends = [*at, self.columns + 1]
        A, b = self._rest[:, at][:, :, at], self._rest[:, at, -1:]
        w = np.concatenate([_solved(A, b)[..., 0], np.full((len(A), 1), -1.0)], axis=1)
        errors = np.maximum(np.einsum("fi,fij,fj->f", w, self._held[:, ends][:, :, ends], w), 0.0)
        return float(np.mean(FOLD_READINGS[self.scoring](errors, self._sizes, self._spreads)))


def _finite(cells: Array) -> bool:
    """Whether all cells are finite: their sum tells in one pass, unless it overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(cells.sum()) or np.isfinite(cells).all())


def _products(rows: Array, y: Array, held: Array, about: Array) -> Array:
    """Of 1, columns and target of some rows, about a centre (d + 2, d + 2): chunks, which stay in the cache."""
    d, total = rows.shape[1], np.zeros((rows.shape[1] + 2, rows.shape[1] + 2))
    buffer = np.ones((min(CHUNK, len(held)), d + 2))
    for a in range(0, len(held), CHUNK):
        some: Any = held[a : a + CHUNK]
        if some[-1] - some[0] == len(some) - 1 and (np.diff(some) == 1).all():  # as they lie
            some = slice(some[0], some[-1] + 1)
        design = buffer[: min(CHUNK, len(held) - a)]
        np.subtract(rows[some], about[:-1], out=design[:, 1:-1])
        np.subtract(y[some], about[-1], out=design[:, -1])
        total += design.T @ design
    return total


def _solved(A: Array, b: Array) -> Array:
    """Of the shortest solutions where columns repeat one another."""
    if not A.shape[1]:
        return b
    try:
        pivots = np.diagonal(np.linalg.cholesky(A), axis1=1, axis2=2) ** 2
        if (pivots.min(axis=1) > SAFE * pivots.max(axis=1)).all():
            return np.asarray(np.linalg.solve(A, b))
    except np.linalg.LinAlgError:
        pass
    return np.asarray(np.linalg.pinv(A, rcond=SAFE, hermitian=True) @ b)

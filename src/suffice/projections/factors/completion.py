"""Matrix completion: entries that are missing from factors of low rank that fit those that are there.

x_ij ~ m + a_i + b_j + u_i . v_j       by alternating ridge regressions, or by shrinking singular values (soft-impute)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved


@saved
@dataclass(frozen=True)
class Completed:
    """Factors of a matrix of which some entries were seen."""

    rows: Array  # (n, k)
    columns: Array  # (d, k)
    row_offset: Array  # (n,)
    column_offset: Array  # (d,)
    level: float
    penalty: float
    steps: int

    def cells(self, rows: Any, columns: Any) -> Array:
        """Single entries, by the numbers of their rows and columns."""
        i, j = np.asarray(rows, dtype=np.intp), np.asarray(columns, dtype=np.intp)
        for name, at, most in (("rows", i, len(self.rows)), ("columns", j, len(self.columns))):
            if ((at < 0) | (at >= most)).any():
                raise bad(self, name, f"numbers from 0 to {most - 1}", at, "Count from 0.")
        return np.asarray(
            self.level + self.row_offset[i] + self.column_offset[j] + (self.rows[i] * self.columns[j]).sum(axis=-1)
        )

    def matrix(self) -> Array:
        """All entries (n, d)."""
        return np.asarray(
            self.level + self.row_offset[:, None] + self.column_offset[None, :] + self.rows @ self.columns.T
        )

    def fill(self, X: Array) -> Array:
        """Other rows (n, d) with what is expected of their missing cells; seen cells stay."""
        out = np.array(X, dtype=np.float64)
        k = self.columns.shape[1]
        design = np.hstack([np.ones((len(self.columns), 1)), self.columns])  # an offset and k factors a row
        for i, row in enumerate(out):
            seen = ~np.isnan(row)
            A, b = design[seen], row[seen] - self.level - self.column_offset[seen]
            u = np.linalg.solve(A.T @ A + max(self.penalty, 1e-10) * np.eye(k + 1), A.T @ b)
            row[~seen] = self.level + self.column_offset[~seen] + design[~seen] @ u
            out[i] = row
        return out


def complete_entries(
    rows: Any,
    columns: Any,
    values: Any,
    shape: tuple[int, int],
    *,
    rank: int = 2,
    penalty: float = 0.1,
    max_iter: int = 50,
    tol: float = 1e-4,
    seed: int = 0,
) -> Completed:
    """Factors of low rank from entries that were seen, by alternating ridge regressions.

    Each row is regressed on the columns' factors over the entries it has, then each column on the rows' factors, until
    the fitted entries stay: sum (x_ij - fit)^2 + penalty (sum u^2 + sum v^2 + sum a^2 + sum b^2) only falls.

    Parameters
    ----------
    rows, columns, values : number of the row and of the column, and the value, of each entry that was seen
    shape : of the matrix
    rank : number of factors; 0 leaves the offsets alone
    penalty : of squared factors and offsets
    max_iter, tol : largest number of rounds, and change of the fitted entries (root mean square, in their deviation)
    seed : of the factors to begin with

    >>> found = complete_entries([0, 0, 1], [0, 1, 0], [1.0, 2.0, 3.0], (2, 2), rank=1, penalty=1e-6, max_iter=200)
    >>> abs(found.cells([0, 0, 1], [0, 1, 0]) - [1.0, 2.0, 3.0]).max() < 1e-3
    np.True_
    """
    i, j, x = _entries(rows, columns, values, shape)
    if not (isinstance(rank, (int, np.integer)) and 0 <= rank <= min(shape)):
        raise bad("complete_entries", "rank", f"a whole number from 0 to {min(shape)}", rank, "Ask for fewer.")
    if not (np.isfinite(penalty) and penalty >= 0):
        raise bad("complete_entries", "penalty", "finite and at least 0", penalty, "0 is none.")
    level = float(x.mean())
    sd = float(x.std()) or 1.0
    rng = np.random.default_rng(seed)
    U, V = np.zeros((shape[0], rank)), rng.normal(scale=0.1 * np.sqrt(sd), size=(shape[1], rank))
    a, b = np.zeros(shape[0]), np.zeros(shape[1])
    of_rows, of_columns = _Groups(i, shape[0]), _Groups(j, shape[1])
    fitted, steps = np.full(len(x), level), 0
    while steps < max_iter:
        steps += 1
        a, U = of_rows.ridge(V[j], x - level - b[j], penalty)
        b, V = of_columns.ridge(U[i], x - level - a[i], penalty)
        before, fitted = fitted, level + a[i] + b[j] + (U[i] * V[j]).sum(axis=1)
        if np.sqrt(((fitted - before) ** 2).mean()) <= tol * sd:
            break
    return Completed(U, V, a, b, level, float(penalty), steps)


def soft_impute(X: Any, penalty: float, *, max_iter: int = 200, tol: float = 1e-5) -> tuple[Array, Array]:
    """A matrix with NaN where nothing was seen, completed; and the singular values that are left.

    Fills in, takes the singular value decomposition, lessens each singular value by the penalty, and repeats: the least
    of sum of squared errors / 2 + penalty times the sum of singular values.

    >>> X = np.outer([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    >>> X[0, 0] = np.nan
    >>> filled, values = soft_impute(X, 0.5)
    >>> filled[2, 2].item(), len(values)
    (9.0, 1)

    References
    ----------
    R. Mazumder, T. Hastie, R. Tibshirani, Spectral regularization algorithms for learning large incomplete matrices
    (2010).
    """
    X = np.asarray(X, dtype=np.float64)
    seen = ~np.isnan(X)
    if X.ndim != 2 or not seen.any() or np.isinf(X).any():
        raise bad("soft_impute", "X", "a matrix with some finite entries, NaN elsewhere", X, "Mark gaps by NaN.")
    if not (np.isfinite(penalty) and penalty >= 0):
        raise bad("soft_impute", "penalty", "finite and at least 0", penalty, "0 is none.")
    Z = np.where(seen, X, X[seen].mean())
    kept = np.zeros(0)
    for _ in range(max_iter):
        U, s, V = np.linalg.svd(np.where(seen, X, Z), full_matrices=False)
        kept = np.maximum(s - penalty, 0.0)
        before, Z = Z, (U * kept) @ V
        if ((Z - before) ** 2).sum() <= tol**2 * max((before**2).sum(), 1e-300):
            break
    return np.where(seen, X, Z), kept[kept > 0]


class _Groups:
    """Entries by the row, or column, they are in."""

    def __init__(self, at: Array, size: int) -> None:
        self.order = np.argsort(at, kind="stable")
        self.at, self.size = at[self.order], size

    def ridge(self, Z: Array, y: Array, penalty: float) -> tuple[Array, Array]:
        """An offset and coefficients (size, k) for each group, from the entries it has; 0 where it has none."""
        k = Z.shape[1] + 1
        A = np.hstack([np.ones((len(Z), 1)), Z])[self.order]
        starts = np.searchsorted(self.at, np.arange(self.size + 1))
        some = np.flatnonzero(np.diff(starts))
        products, cross = np.zeros((self.size, k, k)), np.zeros((self.size, k))
        for p in range(k):
            cross[some, p] = np.add.reduceat(A[:, p] * y[self.order], starts[some])
            for q in range(p, k):
                products[some, p, q] = products[some, q, p] = np.add.reduceat(A[:, p] * A[:, q], starts[some])
        products += max(penalty, 1e-10) * np.eye(k)
        found = np.linalg.solve(products, cross[:, :, None])[:, :, 0]
        return found[:, 0], found[:, 1:]


def _entries(rows: Any, columns: Any, values: Any, shape: tuple[int, int]) -> tuple[Array, Array, Array]:
    i, j, x = np.asarray(rows), np.asarray(columns), np.asarray(values, dtype=np.float64)
    if not (i.shape == j.shape == x.shape and x.ndim == 1 and len(x)):
        got = Said(f"shapes {i.shape}, {j.shape}, {x.shape}")
        raise bad(
            "complete_entries", "rows, columns and values", "of one length, at least 1", got, "One each an entry."
        )
    if not np.isfinite(x).all():
        raise bad("complete_entries", "values", "finite", Said("NaN or infinity"), "Leave such entries out.")
    for name, at, most in (("rows", i, shape[0]), ("columns", j, shape[1])):
        if at.dtype.kind not in "iu" or (at < 0).any() or (at >= most).any():
            raise bad("complete_entries", name, f"whole numbers from 0 to {most - 1}", at, "Count from 0.")
    return i.astype(np.intp), j.astype(np.intp), x

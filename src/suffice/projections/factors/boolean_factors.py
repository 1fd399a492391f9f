"""Boolean factors: a table of yes and no as few groups of rows, each with a set of columns; 1 + 1 = 1.

x_ij = OR_k (u_ik AND v_kj)          another topic that says what one says already adds nothing
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved

MOST = 200_000  # sets of columns that an exact search may try


@saved
@dataclass(frozen=True)
class BooleanFactors:
    """Two Boolean matrices.

    >>> X = [[1, 1, 0], [1, 1, 1], [0, 1, 1]]
    >>> found = boolean_factors(X, 2, exact=True)
    >>> found.right.astype(int).tolist(), found.error
    ([[1, 1, 0], [0, 1, 1]], 0)
    >>> (found.product().astype(int) == np.array(X)).all().item()
    True
    """

    left: Array  # (n, k) bool
    right: Array  # (k, d) bool
    error: int = 0  # cells in which the product differs from the matrix it stands for

    def product(self) -> Array:
        """The product with OR for the sum (n, d)."""
        return boolean_product(self.left, self.right)


def boolean_product(left: Any, right: Any) -> Array:
    """Product of Boolean matrices with OR for the sum.

    >>> boolean_product([[1, 1]], [[1, 0], [1, 1]]).astype(int).tolist()
    [[1, 1]]
    """
    left, right = np.asarray(left, dtype=bool), np.asarray(right, dtype=bool)
    if left.ndim != 2 or right.ndim != 2 or left.shape[1] != len(right):
        got = Said(f"shapes {left.shape} and {right.shape}")
        raise bad("boolean_product", "the factors", "matrices that fit", got, "Columns of one are rows of the other.")
    return np.asarray(left.astype(np.int64) @ right.astype(np.int64) > 0)


def boolean_factors(X: Any, rank: int, *, exact: bool = False) -> BooleanFactors:
    """Groups of rows and sets of columns whose product differs from X in few cells.

    Parameters
    ----------
    X : matrix of 0 and 1
    rank : number of groups
    exact : whether all choices among the sets of columns that rows have in common are tried, for small matrices; else
        the best set is taken one at a time
    """
    X = _boolean(X)
    if not (isinstance(rank, (int, np.integer)) and rank >= 1):
        raise bad("boolean_factors", "rank", "a whole number of at least 1", rank, "It is the number of groups.")
    sets = common_sets(X)
    pick = _best if exact else _greedy
    right = pick(X, sets, min(int(rank), len(sets)))
    if len(right) < rank:
        right = np.vstack([right, np.zeros((rank - len(right), X.shape[1]), dtype=bool)])
    left = _rows_for(X, right)
    return BooleanFactors(left, right, int((boolean_product(left, right) != X).sum()))


def common_sets(X: Array) -> Array:
    """The sets of columns that rows, or pairs of rows, have in common, without the empty one: candidates for topics."""
    sets = np.unique(X, axis=0)
    pairs = (sets[:, None, :] & sets[None, :, :]).reshape(-1, X.shape[1])
    every = np.unique(np.vstack([sets, pairs]), axis=0)
    return every[every.any(axis=1)][::-1]


def _boolean(X: Any) -> Array:
    found = np.asarray(X)
    if found.ndim != 2 or not np.isin(found, (0, 1)).all():
        raise bad("boolean_factors", "X", "a matrix of 0 and 1", Said(f"shape {found.shape}"), "Threshold it first.")
    return found.astype(bool)


def _rows_for(X: Array, right: Array) -> Array:
    """Which sets each row takes: those that cost fewer wrong cells than they explain, the best first."""
    left = np.zeros((len(X), len(right)), dtype=bool)
    for i, row in enumerate(X):
        covered = np.zeros(len(row), dtype=bool)
        while True:
            new = right & ~covered
            gain = np.where(left[i], 0, (new & row).sum(axis=1) - (new & ~row).sum(axis=1))
            if not len(gain) or gain.max() <= 0:
                break
            k = int(np.argmax(gain))
            left[i, k], covered = True, covered | right[k]
    return left


def _error(X: Array, right: Array) -> int:
    return int((boolean_product(_rows_for(X, right), right) != X).sum())


def _greedy(X: Array, sets: Array, rank: int) -> Array:
    chosen: list[int] = []
    for _ in range(rank):
        rest = [k for k in range(len(sets)) if k not in chosen]
        chosen.append(min(rest, key=lambda k: _error(X, sets[[*chosen, k]])))
    return sets[chosen]


def _best(X: Array, sets: Array, rank: int) -> Array:
    kept: tuple[int, tuple[int, ...]] = (len(X) * X.shape[1] + 1, ())
    for number, some in enumerate(combinations(range(len(sets)), rank)):
        if number == MOST:
            got = Said(f"more than {MOST:,}")
            raise bad("boolean_factors", "choices of sets to try", f"at most {MOST:,}", got, "Use exact=False.")
        found = _error(X, sets[list(some)])
        if found < kept[0]:
            kept = found, some
        if found == 0:
            break
    return sets[list(kept[1])]

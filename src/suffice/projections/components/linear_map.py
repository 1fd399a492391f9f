"""Linear maps of rows as one value: scaling, selection, rotation, and one after the other.

W = (X - centre) T,     T diagonal (scaling), some columns of the identity (selection), orthogonal (rotation)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.registry import saved

ORTHOGONAL = 1e-10  # largest entry of T'T - I of a rotation


@saved
@dataclass(frozen=True)
class LinearMap:
    """Rows times a matrix, after a centre is taken away.

    >>> turn = LinearMap.rotation([[0.0, 1.0], [-1.0, 0.0]])
    >>> LinearMap.scaling([2.0, 3.0]).then(turn).rows([[1.0, 1.0]]).tolist()
    [[-3.0, 2.0]]
    >>> LinearMap.selection([1], 2).rows([[5.0, 7.0]]).tolist()
    [[7.0]]
    """

    T: Array  # (d, d')
    centre: Array  # (d,)

    @classmethod
    def of(cls, T: Any, centre: Any = None) -> LinearMap:
        """A matrix (d, d'), and what is taken away from the rows before."""
        T = _matrix("T", T)
        where = np.zeros(len(T)) if centre is None else np.asarray(centre, dtype=np.float64)
        if where.shape != (len(T),):
            raise bad(cls.__name__, "centre", f"{len(T)} numbers", Said(f"shape {where.shape}"), "One a column.")
        return cls(T, where)

    @classmethod
    def scaling(cls, factors: Any) -> LinearMap:
        """Each column times a factor: T is diagonal."""
        factors = np.asarray(factors, dtype=np.float64)
        if factors.ndim != 1:
            raise bad(cls.__name__, "factors", "one number a column", Said(f"shape {factors.shape}"), "Flatten them.")
        return cls.of(np.diag(factors))

    @classmethod
    def selection(cls, columns: Sequence[int], width: int) -> LinearMap:
        """Some of the columns, in an order: T is made of columns of the identity."""
        at = np.asarray(columns, dtype=np.intp)
        if at.ndim != 1 or not ((at >= 0) & (at < width)).all():
            raise bad(cls.__name__, "columns", f"numbers from 0 to {width - 1}", list(columns), "Count from 0.")
        return cls.of(np.eye(width)[:, at])

    @classmethod
    def rotation(cls, T: Any) -> LinearMap:
        """An orthogonal matrix, which keeps all distances."""
        T = _matrix("T", T)
        if T.shape[0] != T.shape[1] or np.abs(T.T @ T - np.eye(len(T))).max() > ORTHOGONAL:
            raise bad(cls.__name__, "T", "orthogonal (T'T = I)", Said("another matrix"), "Use LinearMap.of.")
        return cls.of(T)

    def then(self, other: LinearMap) -> LinearMap:
        """This map, and another after it, as one."""
        if self.T.shape[1] != len(other.T):
            got = Said(f"one of {len(other.T)} columns")
            raise bad(self, "the next map", f"one of rows with {self.T.shape[1]} columns", got, "Check the order.")
        # (x - c) T - c' is (x - c - z) T where z T = c'; without such a z the offset cannot be moved before T
        if not other.centre.any():
            return LinearMap(self.T @ other.T, self.centre)
        z, *_ = np.linalg.lstsq(self.T.T, other.centre, rcond=None)
        if not np.allclose(z @ self.T, other.centre):
            raise bad(self, "the next centre", "reached by the map before it", other.centre, "Centre the rows first.")
        return LinearMap(self.T @ other.T, self.centre + z)

    def rows(self, X: Any) -> Array:
        """Rows (n, d) as the map sends them (n, d')."""
        X = _matrix("X", X)
        if X.shape[1] != len(self.T):
            raise bad(self, "X", f"rows of {len(self.T)} columns", Said(f"shape {X.shape}"), "Give the same columns.")
        return np.asarray((X - self.centre) @ self.T)

    def inverse(self, Z: Any) -> Array:
        """The rows of least norm about the centre that are sent there: those that were, where T is invertible."""
        return np.asarray(_matrix("X", Z) @ np.linalg.pinv(self.T) + self.centre)


def _matrix(name: str, X: Any) -> Array:
    try:
        found = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad("LinearMap", name, "a matrix of numbers", X, "Turn symbols into numbers.") from None
    if found.ndim != 2 or not np.isfinite(found).all():
        raise bad("LinearMap", name, "a matrix of finite numbers", Said(f"shape {found.shape}"), "Rows and columns.")
    return found

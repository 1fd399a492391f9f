"""Weighted rows about their mean as a linear map, without making them: sparse rows stay sparse.

A = diag(root) (X - 1 mean')
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.numerics.row_products import row_products


@dataclass(frozen=True)
class CentredRows:
    """The map A, by what it does to columns of numbers.

    >>> A = CentredRows(np.array([[1.0, 2.0], [3.0, 2.0]]), np.array([2.0, 2.0]), np.ones(2))
    >>> A.times(np.eye(2)).tolist(), A.back(np.array([1.0, 2.0])).tolist()
    ([[-1.0, 0.0], [1.0, 0.0]], [1.0, 0.0])
    """

    X: Any  # (n, p), an array or sparse
    mean: Array  # (p,) 0 where rows are not centred
    root: Array  # (n,) square roots of the weights

    @classmethod
    def of(cls, X: Any, weights: Array, centred: bool) -> CentredRows:
        """About the weighted mean, or about 0."""
        mean = _summed(X, weights) / weights.sum() if centred else np.zeros(X.shape[1])
        return cls(X, mean, np.sqrt(weights))

    @property
    def sparse(self) -> bool:
        """Whether the rows are."""
        return hasattr(self.X, "indptr")

    def times(self, B: Array) -> Array:
        """A B for B (p,) or (p, t)."""
        return _by(self.root, self.X @ B - np.einsum("p,p...->...", self.mean, B))  # BLAS wakes threads for a sum

    def back(self, Z: Array) -> Array:
        """A'Z for Z (n,) or (n, t)."""
        Z = _by(self.root, Z)
        out = np.asarray(self._across @ Z)
        out -= np.multiply.outer(self.mean, Z.sum(axis=0))
        return out

    @cached_property
    def _across(self) -> Any:
        """X', which SciPy makes anew each time it is asked for."""
        return self.X.T

    def gram(self, products: Array | None = None) -> Array:
        """AA' (n, n): the products of the rows XX', written over where they are known, then about the mean."""
        K = self._products() if products is None else products
        if self.mean.any():
            share = self.root**2 / np.add.reduce(self.root**2)  # the mean is this sum of rows, so that these need not
            far = K @ share  # be read again to know how far they reach along it
            K -= far
            K -= (far - share @ far)[:, None]
        if (self.root != 1.0).any():
            K *= self.root
            K *= self.root[:, None]
        return K

    def _products(self) -> Array:
        return np.asarray((self.X @ self.X.T).toarray() if self.sparse else row_products(self.X))

    def squares(self) -> Array:
        """The length of each column of A, squared (p,)."""
        weights = self.root**2
        return np.asarray(np.maximum(_summed(self.X, weights, 2) - weights.sum() * self.mean**2, 0.0))

    def columns(self, places: Array) -> Array:
        """Some columns of A (n, m), filled in."""
        some = self.X[:, places]
        filled = some.toarray() if self.sparse else some
        return np.asarray(self.root[:, None] * (filled - self.mean[places]))

    def filled(self) -> Array:
        """All of A."""
        filled = self.X.toarray() if self.sparse else self.X
        return np.asarray(self.root[:, None] * (filled - self.mean))


@dataclass(frozen=True)
class SmallRows(CentredRows):
    """The same of a few dense rows that were made: about 0, of weight 1, so that nothing is left to be done."""

    @classmethod
    def made(cls, A: CentredRows) -> SmallRows:
        """All of A."""
        X = np.asfortranarray(A.filled())  # columns are asked for, again and again
        return cls(X, np.zeros(X.shape[1]), np.ones(len(X)))

    def back(self, Z: Array) -> Array:
        """A'Z."""
        return np.asarray(self.X.T @ Z)

    def columns(self, places: Array) -> Array:
        """Some columns of A (n, m)."""
        return np.asarray(self.X.T[places].T)


def _summed(X: Any, weights: Array, power: int = 1) -> Array:
    """Weighted sums of the columns (p,), or of their squares; of sparse rows without the matrices SciPy would make."""
    if getattr(X, "format", "") != "csr":
        return np.asarray(weights @ (X if power == 1 else X**power))
    cells = X.data if power == 1 else X.data**power
    cells = cells if (weights == 1.0).all() else cells * np.repeat(weights, np.diff(X.indptr))
    return np.bincount(X.indices, cells, X.shape[1])


def _by(root: Array, values: Array) -> Array:
    return np.asarray(root * values if values.ndim == 1 else root[:, None] * values)

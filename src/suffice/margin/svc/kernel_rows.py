"""The kernel matrix of the training rows, as far as it is needed: a square of it, and what it does to multipliers.

Three forms: the matrix itself (few rows, or a table of kernel values); inputs alone, dense or sparse, for the linear
kernel, whose matrix never has to exist; rows of the matrix, worked out by matrix products when first asked for and
kept in a cache of bounded size.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from suffice.core.block import Array
from suffice.spaces.kernels import Kernel, LinearKernel
from suffice.spaces.sparse_kernels import SparseKernel

FEW = 512  # rows whose dual problem is solved sharply
WHOLE = 1024  # rows up to which the whole matrix is made at once
AT_ONCE = 32  # rows of the matrix that are worked out together


class KernelRows(Protocol):
    """A symmetric matrix K (n, n)."""

    @property
    def diagonal(self) -> Array:
        """K_ii (n,)."""

    def square(self, some: Array) -> Array:
        """K over some rows and the same columns (m, m)."""

    def block(self, some: Array, others: Array) -> Array:
        """K over some rows and other columns (m, l)."""

    def times(self, some: Array, delta: Array) -> Array:
        """K delta (n,), where delta is 0 but for some entries."""

    def among(self, some: Array) -> KernelRows:
        """The matrix over some rows."""


@dataclass(frozen=True)
class WholeMatrix:
    """The matrix itself."""

    K: Array

    @property
    def diagonal(self) -> Array:
        """Its diagonal."""
        return np.diagonal(self.K)

    def square(self, some: Array) -> Array:
        """Rows and columns of the matrix, in their order: all of them are the matrix itself."""
        return self.K if len(some) == len(self.K) else np.asarray(self.K[some[:, None], some])

    def block(self, some: Array, others: Array) -> Array:
        """Rows and columns of the matrix."""
        return np.asarray(self.K[np.ix_(some, others)])

    def times(self, some: Array, delta: Array) -> Array:
        """A product."""
        return np.asarray(delta @ self.K[some])

    def among(self, some: Array) -> WholeMatrix:
        """A smaller matrix."""
        return WholeMatrix(self.square(some))

    def runs(self, first: slice, second: slice) -> WholeMatrix:
        """The matrix over two runs of rows, which are copied five times as fast as rows picked one by one."""
        m, K = first.stop - first.start, self.K
        out = np.empty((m + second.stop - second.start,) * 2)
        for rows, here in ((first, slice(0, m)), (second, slice(m, None))):
            out[here, :m], out[here, m:] = K[rows, first], K[rows, second]
        return WholeMatrix(out)


class InputProducts:
    """X X^T by way of X: the linear kernel."""

    def __init__(self, X: Array) -> None:
        """Keep the inputs, which should be centred: K may have lost its digits where X has not."""
        self.X = X
        self.diagonal = np.einsum("ij,ij->i", X, X)

    def square(self, some: Array) -> Array:
        """A product of the inputs."""
        rows = self.X[some]
        return rows @ rows.T

    def block(self, some: Array, others: Array) -> Array:
        """A product of the inputs."""
        return np.asarray(self.X[some] @ self.X[others].T)

    def times(self, some: Array, delta: Array) -> Array:
        """By way of the weights w = X^T delta."""
        return np.asarray(self.X @ (delta @ self.X[some]))

    def among(self, some: Array) -> InputProducts:
        """Fewer inputs."""
        return InputProducts(self.X[some])


class SparseProducts(InputProducts):
    """The same of sparse rows: a product with all of them takes less time than their kernel values take to be read."""

    X: Any

    def __init__(self, X: Any) -> None:
        """Keep the rows, as they are: about their mean they would not be sparse."""
        self.X = X
        self.diagonal = SparseKernel(LinearKernel()).diagonal(X)

    def square(self, some: Array) -> Array:
        """A product of the rows, filled in."""
        return self.block(some, some)

    def block(self, some: Array, others: Array) -> Array:
        """A product of the rows, filled in."""
        return np.asarray((self.X[some] @ self.X[others].T).toarray())

    def times(self, some: Array, delta: Array) -> Array:
        """By way of the weights w = X^T delta."""
        return np.asarray(self.X @ (self.X[some].T @ delta))

    def among(self, some: Array) -> SparseProducts:
        """Fewer rows."""
        return SparseProducts(self.X[some])


@dataclass
class CachedRows:
    """Rows of the matrix, kept as they are worked out; the oldest make room for new ones."""

    kernel: Kernel
    X: Array
    most: int  # rows that are kept
    diagonal: Array = field(init=False)

    def __post_init__(self) -> None:
        """Nothing is worked out yet but the diagonal; memory is taken as it is filled."""
        n = self.X.shape[0]
        self.diagonal = self.kernel.diagonal(self.X)
        self._towards = self.kernel.towards(self.X)
        self._kept = np.empty((min(self.most, n), n))
        self._place = np.full(n, -1)  # of each row in the cache
        self._owner = np.full(len(self._kept), -1)  # of each place
        self._next = 0

    def square(self, some: Array) -> Array:
        """From the inputs: the cache would be read all over."""
        return self.kernel.between(self.X[some])

    def block(self, some: Array, others: Array) -> Array:
        """From the inputs."""
        return self.kernel.between(self.X[some], self.X[others])

    def times(self, some: Array, delta: Array) -> Array:
        """A sum of rows of the matrix."""
        from scipy.linalg.blas import daxpy

        result = np.zeros(self.X.shape[0])
        known = self._place[some] >= 0
        for place, factor in zip(self._place[some[known]].tolist(), delta[known].tolist(), strict=True):
            daxpy(self._kept[place], result, a=factor)
        missing, factors = some[~known], delta[~known]
        for start in range(0, len(missing), AT_ONCE):
            rows = self._towards(self.X[missing[start : start + AT_ONCE]])
            result += factors[start : start + AT_ONCE] @ rows
            self._keep(missing[start : start + AT_ONCE], rows)
        return result

    def among(self, some: Array) -> CachedRows:
        """Fewer rows, with what is known of them."""
        fewer = CachedRows(self.kernel, self.X[some], max(self.most, len(some)) if self._all else self.most)
        known = np.flatnonzero(self._place[some] >= 0)[: len(fewer._kept)]
        for start in range(0, len(known), AT_ONCE):
            part = known[start : start + AT_ONCE]
            fewer._keep(part, self._kept[self._place[some[part]]][:, some])
        return fewer

    @property
    def _all(self) -> bool:
        return bool(len(self._kept) == self.X.shape[0])

    def _keep(self, some: Array, rows: Array) -> None:
        """Put rows into the next places, round and round."""
        places = (self._next + np.arange(len(some))) % len(self._kept)
        before = self._owner[places]
        self._place[before[before >= 0]] = -1
        self._kept[places], self._owner[places], self._place[some] = rows, some, places
        self._next = int((self._next + len(some)) % len(self._kept))


def matrix_of(kernel: Kernel, X: Array, megabytes: float) -> KernelRows:
    """The form that suits a kernel and a number of rows; inputs of the linear kernel should be centred."""
    few = X.shape[0] <= WHOLE
    if isinstance(kernel, LinearKernel) and not (few and X.shape[0] < X.shape[1]):
        return InputProducts(X)
    if few:
        return WholeMatrix(kernel.between(X))
    if isinstance(kernel, SparseKernel) and isinstance(kernel.base, LinearKernel):
        return SparseProducts(X)
    return CachedRows(kernel, X, max(2 * AT_ONCE, int(megabytes * 2**20 / (8 * X.shape[0]))))

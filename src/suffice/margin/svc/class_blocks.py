"""The kernel matrix of all rows, as pairs of classes share it.

Values of a class and itself are needed by every pair it is in, and made once; those of two classes by one pair alone,
and made when that pair is solved. So every value is made once, while its block is in the cache, and no matrix of all
rows is held. Of few rows, one matrix takes fewer calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from suffice.core.block import Array
from suffice.margin.svc.kernel_rows import WholeMatrix
from suffice.spaces.kernels import Kernel

FEW = 512  # rows whose kernel matrix is made at once

PairMatrix = Callable[[int, int], WholeMatrix]  # the matrix over the rows of two classes, one after the other


def pair_matrices(kernel: Kernel, X: Array, runs: Sequence[slice]) -> PairMatrix:
    """The matrices of all pairs of classes, of rows that are sorted by class; `runs` are the rows of each."""
    if X.shape[0] > FEW and isinstance(X, np.ndarray):
        return ClassBlocks(kernel, X, runs).pair
    whole = WholeMatrix(kernel.between(X))
    return lambda i, j: whole.runs(runs[i], runs[j])


class ClassBlocks:
    """Rows by class, and the kernel matrix of each class by itself."""

    def __init__(self, kernel: Kernel, X: Array, runs: Sequence[slice]) -> None:
        """Work out what pairs share."""
        self.block = kernel.blocks(X, runs)
        self.own = [self.block(i, i) for i in range(len(runs))]
        largest = sum(sorted(len(own) for own in self.own)[-2:])
        self.room = np.empty(largest**2)  # new pages would take longer than to fill them

    def pair(self, i: int, j: int) -> WholeMatrix:
        """The matrix over the rows of two classes, exactly symmetric; the next pair is written over it."""
        m, n = len(self.own[i]), len(self.own[j])
        out = self.room[: (m + n) ** 2].reshape(m + n, m + n)
        out[:m, :m], out[m:, m:] = self.own[i], self.own[j]
        out[:m, m:] = across = self.block(i, j)
        out[m:, :m] = across.T
        return WholeMatrix(out)

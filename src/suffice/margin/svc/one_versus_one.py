"""A machine for each pair of classes, and all their multipliers in one table."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.margin.svc.class_blocks import PairMatrix, pair_matrices
from suffice.margin.svc.dual_problem import Dual, solve_dual
from suffice.margin.svc.kernel_rows import WHOLE, KernelRows, WholeMatrix, matrix_of
from suffice.margin.svc.pairs_of_classes import pairs
from suffice.numerics.blas_threads import one_thread_each
from suffice.spaces.given_kernels import GivenKernel
from suffice.spaces.kernels import Kernel, LinearKernel


@dataclass(frozen=True)
class PairTraining:
    """The rows, checked, and what was asked."""

    owner: str
    kernel: Kernel
    X: Array  # (n, d), centred for the linear kernel; (n, n) kernel values where they are given
    codes: Array  # (n,) number of the class
    C: Array  # (n,) above 0
    tol: float
    most: int | None  # steps
    megabytes: float  # of kernel values to keep

    def shared(self, K: int, order: Array, runs: list[slice]) -> PairMatrix | None:
        """The kernel matrix of two classes, where many pairs share values and there is room; else None."""
        n = len(self.codes)
        if K < 3 or isinstance(self.kernel, (GivenKernel, LinearKernel)) or 8 * n * n > self.megabytes * 2**20:
            return None
        return pair_matrices(self.kernel, self.X[order], runs) if 2 * n // K <= WHOLE else None

    def matrix(self, some: Array) -> KernelRows:
        """The kernel matrix over some rows."""
        if isinstance(self.kernel, GivenKernel):
            return WholeMatrix(np.ascontiguousarray(self.X[np.ix_(some, some)]))
        return matrix_of(self.kernel, self.X[some], self.megabytes)


class Trained(NamedTuple):
    """The answer of each pair of classes, over all rows."""

    beta: Array  # (n, P) multipliers with their signs, 0 for rows of other classes
    answers: list[Dual]


def train_pairs(training: PairTraining, K: int) -> Trained:
    """A value above 0 says the second class of two; of more, the first of a pair (both as in scikit-learn)."""
    sizes = np.bincount(training.codes, minlength=K)
    few = 2 * int(sizes.max()) <= WHOLE  # of whose products one thread ends sooner than another wakes up
    with one_thread_each() if few else nullcontext():
        return _trained(training, K, sizes)


def _trained(training: PairTraining, K: int, sizes: Array) -> Trained:
    """Pair after pair."""
    beta, answers = np.zeros((len(training.codes), len(pairs(K)))), []
    cells = sum(int(sizes[i] + sizes[j]) ** 2 for i, j in pairs(K))  # what decides whether compiled steps pay
    order, ends = np.argsort(training.codes, kind="stable"), np.append(0, np.cumsum(sizes)).tolist()
    runs = [slice(a, b) for a, b in pairwise(ends)]  # the rows of each class
    shared = training.shared(K, order, runs)
    for column, (i, j) in enumerate(pairs(K)):
        some = np.concatenate([order[runs[i]], order[runs[j]]])
        some = np.sort(some) if shared is None else some
        positive = j if K == 2 else i
        signs = np.where(training.codes[some] == positive, 1.0, -1.0)
        rows = training.matrix(some) if shared is None else shared(i, j)
        answers.append(solve_dual(training.owner, rows, signs, training.C[some], training.tol, training.most, cells))
        beta[some, column] = answers[-1].beta
    return Trained(beta, answers)


def compact(beta: Array, codes: Array, K: int) -> Array:
    """Multipliers of support vectors in scikit-learn's form (K - 1, m): row k of a vector is its k-th other class."""
    table = np.zeros((K - 1, len(codes)))
    for column, (i, j) in enumerate(pairs(K)):
        for own, other in ((i, j), (j, i)):
            mine = np.flatnonzero(codes == own)
            table[other - (other > own), mine] = beta[mine, column]
    return table

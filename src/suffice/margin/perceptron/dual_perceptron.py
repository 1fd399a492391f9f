"""The perceptron in its dual form: it counts the mistakes on each row, and needs rows only through their products.

f(x_i) = sum_j alpha_j gain_j y_j (k(x_j, x_i) + bias);     where  y_i f(x_i) <= 0:   alpha_i <- alpha_i + 1

With k(x, z) = x.z and bias = 1 it is the primal perceptron with an intercept: w = sum_j alpha_j y_j x_j, b = sum_j
alpha_j y_j.

Reference: M. Aizerman, E. Braverman and L. Rozonoer, Theoretical foundations of the potential function method (1964).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.margin.perceptron.perceptron_training import Sides
from suffice.margin.svc.kernel_rows import KernelRows

AT_ONCE = 64  # rows whose mistakes are found from their products with one another, before other rows hear of them


class Counted(NamedTuple):
    """What the sweeps over one problem gave."""

    alpha: Array  # (n,) mistakes on each row
    sweeps: int
    clean: bool  # whether the last sweep was without mistakes


def count_mistakes(kernel: KernelRows, sides: Sides, orders: Iterator[Array], *, bias: float, max_iter: int) -> Counted:
    """Sweep until no row is on the wrong side.

    Parameters
    ----------
    kernel : the kernel matrix (n, n)
    sides : the side of each row, and how much it counts when it is wrong
    orders : the order of each sweep
    bias : added to the kernel; 0 where there is no intercept
    max_iter : most sweeps
    """
    alpha, scores = np.zeros(len(sides.signs), dtype=np.int64), np.zeros(len(sides.signs))
    for sweeps in range(1, max_iter + 1):
        order = next(orders)
        clean = True
        for start in range(0, len(order), AT_ONCE):
            clean &= not _visit(kernel, sides, order[start : start + AT_ONCE], bias, alpha, scores)
        if clean:
            return Counted(alpha, sweeps, True)
    return Counted(alpha, max_iter, False)


def _visit(kernel: KernelRows, sides: Sides, some: Array, bias: float, alpha: Array, scores: Array) -> bool:
    """Some rows, in order; whether any was wrong. Scores change by mistakes alone: right rows need no kernel."""
    own, here, moves = sides.signs[some], scores[some], sides.signs[some] * sides.gains[some]
    if ((own * here > 0.0) | (moves == 0.0)).all():
        return False
    square = kernel.square(some) + bias
    counts = np.zeros(len(some), dtype=np.int64)
    for j, sign in enumerate(own):
        if sign * here[j] <= 0.0 and moves[j]:
            counts[j] = 1
            here += moves[j] * square[j]
    wrong = np.flatnonzero(counts)
    alpha[some[wrong]] += 1
    scores += kernel.times(some[wrong], moves[wrong])
    scores += bias * moves[wrong].sum()
    return True

"""Least squares by conjugate gradients: two products with the rows a step, and nothing larger than the coefficients.

minimise |A B - Y|^2 + penalty |B|^2, all columns of Y side by side, each with its own step lengths
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.linear.wide.centred_rows import CentredRows
from suffice.linear.wide.sparse_descent import descent_pays, sparse_descent, sparse_steps

TOLERANCE = 1e-8  # length of the gradient, as a share of the one at 0, at which all is done
STEPS = 10_000
UNEVEN = 8.0  # times a short column, square and penalty, that the longest is, from which they become of one length
SHORT = 4  # of so many columns that are not empty one is shorter


class Gradients(NamedTuple):
    """Where conjugate gradients came to."""

    coef: Array  # (p, t)
    steps: int
    settled: bool


def conjugate_gradients(A: CentredRows, Y: Array, penalty: float, tol: float = TOLERANCE) -> Gradients:
    """Coefficients (p, t); without a penalty the shortest of all that do as well, as the way begins at 0.

    With a penalty the answer is unique, so that columns may be brought to one length. That spares three of four steps
    where they differ as words do; where they are much alike it costs a quarter more, as what is one penalty for all
    directions that no row has then differs from one to the other.

    >>> A = CentredRows(np.array([[1.0, 0.0], [0.0, 2.0]]), np.zeros(2), np.ones(2))
    >>> conjugate_gradients(A, np.array([[2.0], [5.0]]), 1.0).coef.round(9).tolist()
    [[1.0], [2.0]]
    """
    shrink = _lengths(A, penalty) if penalty > 0.0 else np.ones(len(A.mean))
    if A.sparse and descent_pays(A.X):
        return _compiled(A, Y, penalty, shrink, tol)
    return sparse_steps.instead(_in_steps, A, Y, penalty, shrink, tol)


def _lengths(A: CentredRows, penalty: float) -> Array:
    """By what columns become of one length (p,), squared; 1 where they nearly are."""
    squares = A.squares()
    met = np.sort(squares[squares > 0.0]) + penalty
    uneven = len(met) > 0 and met[-1] > UNEVEN * met[len(met) // SHORT]
    return np.asarray(1.0 / (squares + penalty) if uneven else np.ones(len(squares)))


def _compiled(A: CentredRows, Y: Array, penalty: float, shrink: Array, tol: float) -> Gradients:
    """By a loop over sparse rows, for one column of Y after the other."""
    options: dict[str, Any] = {"penalty": penalty, "intercept": False, "enough": (tol**2, np.inf, 0.0), "steps": STEPS}
    options |= {"start": np.zeros(1 + len(A.mean)), "shrink": np.append(0.0, shrink)}
    found = [sparse_descent(A.X, A.mean, -A.root * y, A.root**2, **options) for y in Y.T]
    coef = np.stack([each.change[1:] for each in found], axis=1)
    return Gradients(coef, max(each.steps for each in found), all(each.settled for each in found))


def _in_steps(A: CentredRows, Y: Array, penalty: float, shrink: Array, tol: float) -> Gradients:
    """By products of NumPy or SciPy, all columns of Y side by side."""
    flat = Y.shape[1] == 1
    residual = Y[:, 0].copy() if flat else Y.copy()
    shrink = shrink if flat else shrink[:, None]
    coef = np.zeros(len(A.mean) if flat else (len(A.mean), Y.shape[1]))
    gradient = A.back(residual)
    direction = pulled = shrink * gradient
    size = (gradient * pulled).sum(axis=0)
    least = tol**2 * size
    for step in range(STEPS):
        if not np.any(size > least):
            return Gradients(coef[:, None] if flat else coef, step, True)
        image = A.times(direction)
        bend = (image * image).sum(axis=0) + penalty * (direction * direction).sum(axis=0)
        length = np.divide(size, bend, out=np.zeros_like(size), where=(size > least) & (bend > 0.0))
        coef += length * direction
        residual -= length * image
        gradient = A.back(residual)
        if penalty > 0.0:
            gradient -= penalty * coef
        pulled = shrink * gradient if penalty > 0.0 else gradient
        before, size = size, (gradient * pulled).sum(axis=0)
        turn = np.divide(size, before, out=np.zeros_like(size), where=before > 0.0)
        direction = turn * direction
        direction += pulled
    return Gradients(coef[:, None] if flat else coef, STEPS, False)

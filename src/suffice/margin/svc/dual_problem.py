"""Two classes apart by the widest margin: the dual problem and its answer.

    min  1/2 norm(w)^2 + sum_i C_i xi_i      y_i (w.phi(x_i) - t) >= 1 - xi_i,  xi_i >= 0
    max  sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j k(x_i, x_j)      0 <= alpha_i <= C_i,  sum_i alpha_i y_i = 0

C_i = infinity for all i is the hard margin. The slack xi is the hinge loss; no C stands before the constraints in the
Lagrangian: the slacks' own multipliers mu_i >= 0 satisfy C_i - alpha_i - mu_i = 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.margin.svc.box_constraints import BoxConstraints
from suffice.margin.svc.dual_ascent import Patience, climb
from suffice.margin.svc.free_vectors import finish
from suffice.margin.svc.kernel_rows import FEW, KernelRows
from suffice.margin.svc.separation import separable_by
from suffice.numerics.arrays import every

SHARP = 1e-10  # tolerance that few rows are brought to in any case
DOUBTFUL = 1e-6  # tolerance below which the gradient is worked out anew: steps leave some rounding in it
ROUNDS = 12  # of equations for free rows and steps for all
DOUBTS = 50  # steps a row after which a hard margin asks whether there is one
ENDLESS = 2**62


class Dual(NamedTuple):
    """The answer: multipliers with their signs, and where the threshold lies."""

    beta: Array  # (n,) y_i alpha_i
    intercept: float  # -t: the mean over free rows (0 < alpha < C), else the middle of the interval
    interval: tuple[float, float]  # of optimal intercepts, a point where some row is free
    gap: float  # by how much the conditions of an optimum are missed
    steps: int
    settled: bool


def solve_dual(
    owner: str,
    rows: KernelRows,
    signs: Array,
    C: Array,
    tol: float = 1e-3,
    most: int | None = None,
    cells: int | None = None,
) -> Dual:
    """The multipliers of rows with signs +1 and -1, each at most its C, of which infinity is one.

    Parameters
    ----------
    owner : who asks, for messages
    rows : the kernel matrix
    signs : (n,) +1 or -1, both present
    C : (n,) above 0
    tol : by how much the conditions of an optimum may be missed
    most : steps that may be taken; None for as many as it takes
    cells : of the kernel matrices of all problems that are solved one after the other; None for this one alone
    """
    _check_finite(owner, rows.diagonal)
    above = signs > 0
    box = BoxConstraints(np.zeros(len(signs)), np.where(above, 0.0, -C), np.where(above, C, 0.0), signs.astype(float))
    patience = Patience(ENDLESS if most is None else most, cells or len(signs) ** 2)
    if not np.maximum.reduce(C) < np.inf:
        _doubt(owner, rows, signs, box, tol, patience)
    gap = climb(rows, box, tol, patience)
    if not patience.spent:
        gap = _sharpen(rows, signs, box, gap, tol, patience)
    _check_finite(owner, box.beta, box.g)
    return _answer(box, gap, patience)


def _check_finite(owner: str, *values: Array) -> None:
    if not all([every(np.isfinite(some)) for some in values]):
        rule = "small enough for kernel values to be numbers (The dual coefficients or intercepts are not finite)"
        raise bad(owner, "the values of X", rule, Said("larger ones"), "Bring the columns to a like scale.")


def _sharpen(rows: KernelRows, signs: Array, box: BoxConstraints, gap: float, tol: float, patience: Patience) -> float:
    """The last digits: always of the free rows, and of few rows so many that the way they were found does not show."""
    goal = min(tol, SHARP) if len(signs) <= FEW else tol
    some = Patience(min(patience.most, patience.taken * 3 // 2 + 20 * FEW), patience.cells, patience.taken)
    for _ in range(ROUNDS):
        before = box.beta.copy()
        finish(rows, box, again=goal < DOUBTFUL)
        gap = _look_again(rows, signs, box) if goal < DOUBTFUL else _gap(box)
        if not gap > goal or some.spent:
            break
        climb(rows, box, max(goal, 0.1 * gap), patience if gap > tol else some)
        if (before == box.beta).all():
            break
    patience.taken = max(patience.taken, some.taken)
    return gap


def _doubt(owner: str, rows: KernelRows, signs: Array, box: BoxConstraints, tol: float, patience: Patience) -> None:
    """Climb for a while; where that does not end, ask first whether it can: without a margin there is no optimum."""
    some = Patience(min(patience.most, DOUBTS * (len(signs) + 100)), patience.cells)
    gap = climb(rows, box, tol, some)
    patience.taken = some.taken
    if gap <= max(tol, DOUBTFUL) and np.isfinite(box.beta).all():
        return
    if not separable_by(rows, signs):
        rule = "separable by the kernel where C is infinite"
        raise bad(owner, "the classes", rule, Said("rows that no such margin tells apart"), "Use a finite C.")


def _look_again(rows: KernelRows, signs: Array, box: BoxConstraints) -> float:
    """The gradient from the multipliers alone; the gap it shows."""
    some = box.beta.nonzero()[0]
    box.g = signs - (rows.times(some, box.beta[some]) if len(some) else 0.0)
    return _gap(box)


def _gap(box: BoxConstraints) -> float:
    top, bottom = box.ends()
    return top - bottom


def _answer(box: BoxConstraints, gap: float, patience: Patience) -> Dual:
    mine = box.g[(box.beta > box.lo) & (box.beta < box.hi)]  # of free rows
    if len(mine):
        middle = float(np.add.reduce(mine)) / len(mine)
        ends = (middle, middle)
    else:
        top, bottom = box.ends()
        ends = (min(top, bottom), max(top, bottom))
        middle = 0.5 * (top + bottom)
    return Dual(box.beta, middle, ends, max(gap, 0.0), patience.taken, not patience.spent)

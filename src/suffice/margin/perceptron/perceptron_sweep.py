"""One sweep of the perceptron: row after row, weights move where the row lies on the wrong side.

where  sign (w.x + b) <= 0:   w <- w + rate gain sign x,   b <- b + rate gain sign share

The test is not strict: from w = 0 a strict one would find no mistake and never begin. A penalty shrinks w at every row:
its squares by a factor, which is kept apart from w, its sizes by what has piled up since the column was last met.

Loops and twins add in one order, so that a row on the boundary falls to the same side whichever of them runs, and the
model does not depend on what else the process has done.

Reference: Y. Tsuruoka, J. Tsujii and S. Ananiadou, Stochastic gradient descent training for L1-regularized log-linear
models with cumulative penalty (2009).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.margin.perceptron.flat_rows import FlatRows
from suffice.numerics.loop import CHUNK, loop
from suffice.numerics.tiles import LINE, ask_for

AHEAD = 16  # rows that are brought from memory before they are met
LEAST = 1e-9  # the common factor of the weights below which it is multiplied into them


class PerceptronStep(NamedTuple):
    """How weights move."""

    rate: float = 1.0
    shrink: float = 1.0  # factor of the weights at every row
    rise: float = 0.0  # what sizes lose at every row
    squares: float = 0.0  # part of the squared length in the objective
    sizes: float = 0.0  # part of the sum of sizes in the objective
    share: float = 1.0  # of an update that the intercept gets
    boundary: float = 1.0  # 1: the boundary is wrong for both sides, 0: right for the side of -1

    @property
    def penalised(self) -> bool:
        """Whether weights change without mistakes."""
        return self.shrink < 1.0 or self.rise > 0.0


class PerceptronSweep(NamedTuple):
    """What one sweep found."""

    changes: int  # mistakes that moved the weights
    objective: float  # the sum over all rows of loss and penalty


@dataclass
class Weights:
    """Weights while they are learned: w is `stored` times the first of `state`."""

    stored: Array  # (d,)
    taken: Array  # (d,) what sizes have lost
    state: Array  # common factor, intercept, loss of size that is due, squared length and sum of sizes of `stored`
    # after the last mistake, where the penalty asks for them: those are the lengths of scikit-learn's objective

    @classmethod
    def of(cls, coef: Array, intercept: float) -> Weights:
        """Begin with copies."""
        w = np.array(coef, dtype=np.float64)
        return cls(w, np.zeros_like(w), np.array([1.0, intercept, 0.0, w @ w, np.abs(w).sum()]))

    @property
    def coef(self) -> Array:
        """The coefficients (d,)."""
        return np.asarray(self.stored * self.state[0])

    @property
    def intercept(self) -> float:
        """The intercept."""
        return float(self.state[1])

    def penalty(self, step: PerceptronStep) -> float:
        """What the weights cost now."""
        w = self.coef
        return float(step.squares * (w @ w) + step.sizes * np.abs(w).sum())

    @property
    def finite(self) -> bool:
        """Whether no number has overflowed."""
        return bool(np.isfinite(self.state[:2]).all() and np.isfinite(self.stored).all())


def sweep(
    rows: FlatRows, order: Array, signs: Array, gains: Array, weights: Weights, step: PerceptronStep, compiled: bool
) -> PerceptronSweep:
    """Visit the rows in an order; `weights` are changed.

    Parameters
    ----------
    rows : the table
    order : numbers of the rows to visit
    signs : (n,) the side of each row, 1 or -1
    gains : (n,) how much a row counts when it is wrong
    weights : where to begin, and where to end
    step : how they move
    compiled : whether to use the loops
    """
    of_rows, kept = (order, signs, gains), (weights.stored, weights.taken, weights.state)
    run = _penalised if step.penalised else _plain
    with np.errstate(over="ignore", invalid="ignore"):
        if compiled:
            changes, objective = run(rows.data, rows.columns, rows.starts, *of_rows, *kept, tuple(step))
        elif rows.dense and not step.penalised:
            changes, objective = run.instead(_dense_twin, rows.table, *of_rows, weights.stored, weights.state, step)
        else:
            changes, objective = run.instead(_twin, rows, *of_rows, *kept, step)
        if (
            not rows.dense and step.penalised
        ):  # of sparse rows only the weights of their columns are met: lengths wait for the end
            objective += len(order) * weights.penalty(step)
    return PerceptronSweep(int(changes), float(objective))


def loop_pays(step: PerceptronStep, cells: int) -> bool:
    """Whether to sweep by a loop."""
    return (_penalised if step.penalised else _plain).pays(cells)


def in_order(products: Array, by_four: bool) -> float:
    """The sum as the loops add: four sums at a time and what is left to the first, or one by one."""
    if not len(products):
        return 0.0
    quick = len(products) - len(products) % 4 if by_four else 0
    if not quick:
        return float(np.add.accumulate(products)[-1])
    p0, p1, p2, p3 = np.add.reduce(products[:quick].reshape(-1, 4), axis=0).tolist()
    for more in products[quick:].tolist():
        p0 += more
    return float((p0 + p1) + (p2 + p3))


def _twin(
    rows: FlatRows, order: Array, signs: Array, gains: Array, w: Array, q: Array, state: Array, step: PerceptronStep
) -> tuple[int, float]:
    """Both loops, in NumPy: the same row by row."""
    rate, shrink, rise, on_squares, on_sizes, share, boundary = step
    dense, objective, changes = rows.dense, 0.0, 0
    scale, b, due, squares, sizes = state.tolist()
    for (x, at), sign, gain in zip(rows.visit(order), signs[order].tolist(), gains[order].tolist(), strict=True):
        z = (in_order(x * w[at], dense or not step.penalised) * scale + b) * sign
        if dense:
            objective += (on_squares * squares * scale + on_sizes * sizes) * scale
        scale *= shrink
        if scale < LEAST:
            w *= scale
            scale, squares, sizes = 1.0, squares * scale * scale, sizes * scale
        if z < 0.0 or (z == 0.0 and (boundary or sign > 0.0)):
            objective -= z
            c = rate * gain * sign
            if c:
                changes, b = changes + 1, b + c * share
                w[at] += x * (c / scale)
                if dense and step.penalised:
                    squares = in_order(w * w, dense) if on_squares else 0.0
                    sizes = in_order(np.abs(w), False) if on_sizes else 0.0
        if rise:
            due += rise
            _take(w, q, at, due, scale)
    state[:] = scale, b, due, squares, sizes
    return changes, objective


def _dense_twin(
    X: Array, order: Array, signs: Array, gains: Array, w: Array, state: Array, step: PerceptronStep
) -> tuple[int, float]:
    """The same for rows whose every cell is there, without a penalty: little is left to do for a row.

    What BLAS says of a row is enough where no order of addition could bring it to the other side.
    """
    rate, share, boundary = step.rate, step.share, step.boundary
    b, loss, changes = float(state[1]), 0.0, 0
    slack, far = 4.0 * (len(w) + 4) * 2.0**-53, sqrt(w.dot(w))  # far: at least the length of w
    for start in range(0, len(order), CHUNK):
        some = order[start : start + CHUNK]
        rows, sides, weights = np.asarray(X[some], dtype=np.float64), signs[some].tolist(), gains[some].tolist()
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows)).tolist()
        for x, sign, gain, length in zip(rows, sides, weights, lengths, strict=True):
            if (float(x.dot(w)) + b) * sign > slack * (length * far + abs(b)):
                continue
            z = (in_order(x * w, True) + b) * sign
            if z < 0.0 or (z == 0.0 and (boundary or sign > 0.0)):
                loss -= z
                c = rate * gain * sign
                if c:
                    changes, b, far = changes + 1, b + c * share, (far + abs(c) * length) * (1.0 + slack)
                    w += x * c
    state[1] = b
    return changes, loss


def _take(w: Array, q: Array, at: Any, due: float, scale: float) -> None:
    """Take from the sizes of some weights what is due, and no more than there is."""
    old = w[at].copy()
    low, high = np.minimum(old + (due - q[at]) / scale, 0.0), np.maximum(old - (due + q[at]) / scale, 0.0)
    w[at] = np.where(old > 0.0, high, np.where(old < 0.0, low, old))
    q[at] += scale * (w[at] - old)


@loop
def _plain(data, columns, starts, order, signs, gains, w, q, state, step):  # type: ignore[no-untyped-def]
    """A sweep without a penalty."""
    rate, share, boundary = step[0], step[5], step[6]
    d, dense, b, loss, changes = len(w), len(starts) == 0, state[1], 0.0, 0
    cells, last = data.reshape((-1, 1)), len(order) - 1
    for t in range(len(order)):
        i = order[t]
        if dense:
            ahead = order[min(t + AHEAD, last)] * d
            for e in range(0, d, LINE):
                ask_for(cells, ahead + e, 0)
        first, end = (i * d, i * d + d) if dense else (np.int64(starts[i]), np.int64(starts[i + 1]))
        x, at = data[first:end], columns[first:end]
        p0, p1, p2, p3 = 0.0, 0.0, 0.0, 0.0  # four sums at a time: one would wait for its own last addition
        quick = (end - first) - (end - first) % 4
        if dense:
            for e in range(0, quick, 4):
                p0 += x[e] * w[e]
                p1 += x[e + 1] * w[e + 1]
                p2 += x[e + 2] * w[e + 2]
                p3 += x[e + 3] * w[e + 3]
        else:
            for e in range(0, quick, 4):
                p0 += x[e] * w[at[e]]
                p1 += x[e + 1] * w[at[e + 1]]
                p2 += x[e + 2] * w[at[e + 2]]
                p3 += x[e + 3] * w[at[e + 3]]
        for e in range(quick, end - first):
            p0 += x[e] * w[e if dense else at[e]]
        z = (((p0 + p1) + (p2 + p3)) + b) * signs[i]
        if z < 0.0 or (z == 0.0 and (boundary != 0.0 or signs[i] > 0.0)):
            loss -= z
            c = rate * gains[i] * signs[i]
            if c != 0.0:
                changes += 1
                b += c * share
                for e in range(end - first):
                    w[e if dense else at[e]] += x[e] * c
    state[1] = b
    return changes, loss


@loop
def _penalised(data, columns, starts, order, signs, gains, w, q, state, step):  # type: ignore[no-untyped-def]
    """A sweep in which weights shrink at every row."""
    rate, shrink, rise, on_squares, on_sizes, share, boundary = step
    d, dense, objective, changes = len(w), len(starts) == 0, 0.0, 0
    scale, b, due, squares, sizes = state
    cells, last = data.reshape((-1, 1)), len(order) - 1
    for t in range(len(order)):
        i = order[t]
        if dense:
            ahead = order[min(t + AHEAD, last)] * d
            for e in range(0, d, LINE):
                ask_for(cells, ahead + e, 0)
        first, end = (i * d, i * d + d) if dense else (np.int64(starts[i]), np.int64(starts[i + 1]))
        x, at = data[first:end], columns[first:end]
        p0, p1, p2, p3 = 0.0, 0.0, 0.0, 0.0
        quick = d - d % 4 if dense else 0
        for e in range(0, quick, 4):
            p0 += x[e] * w[e]
            p1 += x[e + 1] * w[e + 1]
            p2 += x[e + 2] * w[e + 2]
            p3 += x[e + 3] * w[e + 3]
        for e in range(quick, end - first):
            p0 += x[e] * w[e if dense else at[e]]
        z = (((p0 + p1) + (p2 + p3)) * scale + b) * signs[i]
        if dense:
            objective += (on_squares * squares * scale + on_sizes * sizes) * scale
        scale *= shrink
        if scale < LEAST:
            for k in range(d):
                w[k] *= scale
            scale, squares, sizes = 1.0, squares * scale * scale, sizes * scale
        if z < 0.0 or (z == 0.0 and (boundary != 0.0 or signs[i] > 0.0)):
            objective -= z
            c = rate * gains[i] * signs[i]
            if c != 0.0:
                changes, b, c, squares, sizes = changes + 1, b + c * share, c / scale, 0.0, 0.0
                for e in range(end - first):
                    w[e if dense else at[e]] += x[e] * c
                if dense and on_squares > 0.0:
                    p0, p1, p2, p3 = 0.0, 0.0, 0.0, 0.0
                    for e in range(0, quick, 4):
                        p0 += w[e] * w[e]
                        p1 += w[e + 1] * w[e + 1]
                        p2 += w[e + 2] * w[e + 2]
                        p3 += w[e + 3] * w[e + 3]
                    for e in range(quick, d):
                        p0 += w[e] * w[e]
                    squares = (p0 + p1) + (p2 + p3)
                if dense and on_sizes > 0.0:
                    for e in range(d):
                        sizes += abs(w[e])
        if rise > 0.0:
            due += rise
            for e in range(end - first):
                j = e if dense else np.int64(at[e])
                old = w[j]
                if old > 0.0:
                    w[j] = max(0.0, old - (due + q[j]) / scale)
                elif old < 0.0:
                    w[j] = min(0.0, old + (due - q[j]) / scale)
                q[j] += scale * (w[j] - old)
    state[:] = np.array([scale, b, due, squares, sizes])
    return changes, objective

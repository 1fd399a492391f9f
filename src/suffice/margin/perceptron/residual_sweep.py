"""One sweep of perceptron regression: row after row, weights move along the residual.

e = y - (w.x + b);     w <- w + rate e x,     b <- b + rate e share

The residual keeps its sign: its square could only raise the intercept. (The rule is Widrow's and Hoff's, 1960.)
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.margin.perceptron.flat_rows import FlatRows
from suffice.numerics.loop import loop


def residual_sweep(
    rows: FlatRows, order: Array, y: Array, rates: Array, w: Array, intercept: float, share: float, compiled: bool
) -> float:
    """Visit the rows in an order; `w` is changed, the intercept is returned.

    Parameters
    ----------
    rows : the table
    order : numbers of the rows to visit
    y : (n,) targets
    rates : (n,) of learning from each row
    w : (d,) where to begin, and where to end
    intercept : where to begin
    share : of an update that the intercept gets, 0 where there is none
    compiled : whether to use the loop
    """
    with np.errstate(over="ignore", invalid="ignore"):
        if not compiled:
            return _twin(rows, order, y, rates, w, intercept, share)
        return float(_sweep(rows.data, rows.columns, rows.starts, order, y, rates, w, intercept, share))


def _twin(rows: FlatRows, order: Array, y: Array, rates: Array, w: Array, b: float, share: float) -> float:
    """The loop, in NumPy."""
    for (x, at), target, rate in zip(rows.visit(order), y[order].tolist(), rates[order].tolist(), strict=True):
        c = rate * (target - (float(x @ w[at]) + b))
        w[at] += c * x
        b += c * share
    return float(b)


@loop
def _sweep(data, columns, starts, order, y, rates, w, b, share):  # type: ignore[no-untyped-def]
    """All rows of an order."""
    d, dense = len(w), len(starts) == 0
    for t in range(len(order)):
        i = order[t]
        first, last = (i * d, i * d + d) if dense else (np.int64(starts[i]), np.int64(starts[i + 1]))
        x, at = data[first:last], columns[first:last]
        p = b
        for e in range(last - first):
            p += x[e] * w[e if dense else at[e]]
        c = rates[i] * (y[i] - p)
        for e in range(last - first):
            w[e if dense else at[e]] += x[e] * c
        b += c * share
    return b

"""The log-likelihood of a pass, as a summary that adds."""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import exact
from suffice.summaries.moments import Moments


def heights(rows: Array, w: Array | None) -> Moments:
    """Moments of what rows add to the log-likelihood (n,).

    The first column holds it, where it is finite: a row that is impossible is a missing cell. The second counts rows.
    Squares are not kept: nobody asks for them, and those of far rows are no numbers.
    """
    fine, weight = np.isfinite(rows), np.ones(len(rows)) if w is None else w
    h = np.where(fine, rows, 0.0)
    counted = int((fine & (weight > 0)).sum()), int((weight > 0).sum())
    return summed_heights(float(weight @ h), *counted, float(weight.sum()))


def summed_heights(height: float, finite: int, rows: int, weight: float) -> Moments:
    """The same from the sum over rows, of which so many are finite."""
    sums = (exact(np.array([pair])) for pair in ((weight, weight), (height, 0.0), (0.0, 0.0)))
    return Moments(np.zeros(2), np.array([[finite, rows]]), *sums)


def mean_height(seen: Moments, more: float = 0.0) -> float:
    """Mean over the rows, with something more added to their sum; -inf where a row is impossible."""
    weight = float(seen.weight.value[0, 1])
    if seen.rows[0, 0] < seen.rows[0, 1]:
        return -np.inf
    return (float(seen.first.value[0, 0]) + more) / weight if weight > 0 else 0.0

"""Rows as curves and as points: Andrews curves and anchors on a circle, two ways to see more than two columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.plots.numbers.number_columns import read_columns


def andrews_curves(X: Any, t: Any) -> Array:
    """Each row as a curve (n, m), so that close rows are close curves.

        f(t) = x1 / sqrt(2) + x2 sin t + x3 cos t + x4 sin 2t + x5 cos 2t + ...

    The integral of (f - g)^2 from -pi to pi is pi times the squared distance of the two rows.

    Parameters
    ----------
    X : table of numbers; the first columns are the slow waves, which the eye sees first
    t : (m,) angles in radians

    >>> andrews_curves([[0.0, 1.0, 2.0]], [0.0, np.pi / 2]).round(12)
    array([[2., 1.]])

    References
    ----------
    D. F. Andrews, Plots of high-dimensional data (1972).
    """
    x, angles = _finite(read_columns("andrews_curves", X).values), np.asarray(t, dtype=np.float64)
    if angles.ndim != 1:
        raise bad("andrews_curves", "t", "a list of angles", Said(f"shape {angles.shape}"))
    return np.asarray(x @ waves(x.shape[1], angles))


def _finite(values: Array) -> Array:
    """Cells, of which the infinite are missing: they have no place in a picture."""
    return np.where(np.isfinite(values), values, np.nan)


def waves(d: int, t: Array) -> Array:
    """The waves (d, m) of d columns: a constant, then sine and cosine of each frequency."""
    order = np.arange(d)
    phase = np.multiply.outer((order + 1) // 2, t)
    both = np.where((order % 2 == 1)[:, None], np.sin(phase), np.cos(phase))
    both[:1] = np.sqrt(0.5)
    return both


def radial_points(X: Any) -> Array:
    """Each row as a point (n, 2): the mean of anchors on a circle, one for each column, weighted by its values.

        u = sum_j x_j a_j / sum_j x_j,     a_j = (cos 2 pi j / d, sin 2 pi j / d)

    A row of equal values falls in the centre, and so does one of zeros, which has no mean of its own.

    Parameters
    ----------
    X : table of numbers from 0 to 1: scale the columns first

    >>> (radial_points([[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5]]).round(12) + 0.0).tolist()
    [[1.0, 0.0], [0.0, 0.0]]

    References
    ----------
    P. Hoffman and others, DNA visual and analytic data mining (1997).
    """
    x = read_columns("radial_points", X).values
    outside = (x < 0.0) | (x > 1.0)
    if outside.any():
        remedy = "Scale the columns, by (x - min) / (max - min)."
        raise bad("radial_points", "X", "numbers from 0 to 1", Said(f"{float(x[outside][0])}"), remedy)
    total = x.sum(axis=1, keepdims=True)
    share = np.divide(x, total, out=np.full_like(x, 1.0 / x.shape[1]), where=total != 0.0)
    return np.asarray(share @ anchors(x.shape[1]))


def anchors(d: int) -> Array:
    """Points (d, 2) at equal distances on the unit circle, the first on the right."""
    angle = 2.0 * np.pi * np.arange(d) / d
    return np.column_stack([np.cos(angle), np.sin(angle)])


def scaled_columns(values: Array) -> Array:
    """Columns from 0 to 1 between their least and their largest number; one that does not vary is 1/2."""
    values = _finite(values)
    low, high = np.nanmin(values, axis=0), np.nanmax(values, axis=0)
    width = high - low
    return np.where(width > 0.0, (values - low) / np.where(width > 0.0, width, 1.0), 0.5 + 0.0 * values)

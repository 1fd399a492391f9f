"""Curve coefficients: a polynomial fitted to each series of a case, whose coefficients stand for the series."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad


def curve_coefficients(series: Any, degree: int = 3, times: Any = None) -> Array:
    """Coefficients of the polynomial nearest to each series, least squares, constant first (n, degree + 1).

    Several series a case, (n, s, t), give s (degree + 1) columns. Missing cells are left out of their series. Times are
    moved to [-1, 1], where powers hardly depend on one another, unless they are given.

    Parameters
    ----------
    series : (n, t) one series a row, or (n, s, t)
    degree : of the polynomial
    times : (t,) when the cells were measured; None: evenly from -1 to 1

    Examples
    --------
    >>> curve_coefficients([[1.0, 2.0, 5.0]], degree=2).round(12).tolist()
    [[2.0, 2.0, 1.0]]
    """
    Y = np.asarray(series, dtype=np.float64)
    if Y.ndim not in (2, 3):
        raise bad("curve_coefficients", "series", "of shape (n, t) or (n, s, t)", Y.shape, "One series a row.")
    if not (isinstance(degree, (int, np.integer)) and degree >= 0):
        raise bad("curve_coefficients", "degree", "a whole number of at least 0", degree, "A cubic has 3.")
    t = np.linspace(-1.0, 1.0, Y.shape[-1]) if times is None else np.asarray(times, dtype=np.float64)
    if t.shape != Y.shape[-1:] or not np.isfinite(t).all():
        raise bad("curve_coefficients", "times", f"{Y.shape[-1]} numbers", t.shape, "One a cell.")
    if np.isinf(Y).any():
        raise bad("curve_coefficients", "series", "finite numbers, or missing", np.inf, "Correct the cells.")
    powers, rows = np.vander(t, degree + 1, increasing=True), Y.reshape(-1, Y.shape[-1])
    out = np.empty((len(rows), degree + 1))
    present, group = np.unique(~np.isnan(rows), axis=0, return_inverse=True)
    for p, here in enumerate(present):
        if len(np.unique(t[here])) <= degree:
            few = int(np.flatnonzero(group == p)[0])
            rule = f"more than {degree} cells at different times in every series"
            raise bad("curve_coefficients", "a series", rule, few, "Lower the degree, or leave it out.", "must have")
        some = np.flatnonzero(group == p)
        out[some] = np.linalg.lstsq(powers[here], rows[some][:, here].T, rcond=None)[0].T
    return out.reshape(len(Y), -1)

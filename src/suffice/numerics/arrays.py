"""The type of NumPy arrays, as all rooms name it; whether one is finite."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
LONG = 16  # cells of a row that BLAS adds faster than NumPy where rows lie apart
SMALL = 4096  # numbers below which each is tested, as silencing a sum takes longer


def all_finite(X: Array) -> bool:
    """Whether all numbers are finite, going by their sum where they are many; False may then be said wrongly.

    >>> all_finite(np.array([1.0, -1e308])), all_finite(np.array([1.0, np.nan]))
    (True, False)
    """
    if X.size < SMALL:
        return bool(np.logical_and.reduce(np.isfinite(X), axis=None))
    with np.errstate(over="ignore", invalid="ignore"):
        apart = X.ndim == 2 and not X.flags.forc  # of what lies in one piece, NumPy adds as fast, and wakes no thread
        if apart and X.shape[1] >= LONG and X.dtype.kind == "f" and X.itemsize in X.strides:
            return isfinite(np.add.reduce(X @ np.ones(X.shape[1], dtype=X.dtype)))  # BLAS adds faster
        return isfinite(np.add.reduce(X, axis=None))


def every(mask: Array) -> bool:
    """Whether a mask holds everywhere: what `mask.all()` says, in a third of the time where it is small.

    >>> every(np.array([True, False])), every(np.array([], dtype=bool))
    (False, True)
    """
    return bool(np.count_nonzero(mask) == mask.size)


def unmasked(X: Array) -> Array:
    """A masked array as a plain one: masked cells become NaN, or None where cells are no numbers.

    >>> unmasked(np.ma.array([1, 2], mask=[False, True]))
    array([ 1., nan])
    """
    masked: Any = X
    if not np.ma.is_masked(masked):
        return np.asarray(masked.data)
    if masked.dtype.kind in "fc":
        return np.asarray(masked.filled(np.nan))
    if masked.dtype.kind in "biu":
        return np.asarray(masked.astype(np.float64).filled(np.nan))
    cells: Array = masked.data.astype(object)
    cells[np.ma.getmaskarray(masked)] = None
    return cells

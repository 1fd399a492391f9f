"""The type of NumPy arrays, as all rooms name it; whether one is finite."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
SMALL = 4096  # numbers below which each is tested, as silencing a sum takes longer


def all_finite(X: Array) -> bool:
    """Whether all numbers are finite, going by their sum where they are many; False may then be said wrongly.

    >>> all_finite(np.array([1.0, -1e308])), all_finite(np.array([1.0, np.nan]))
    (True, False)
    """
    if X.size < SMALL:
        return bool(np.logical_and.reduce(np.isfinite(X), axis=None))
    with np.errstate(over="ignore", invalid="ignore"):
        return isfinite(np.add.reduce(X, axis=None))

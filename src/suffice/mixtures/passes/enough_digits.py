"""When products of columns about one centre have digits enough."""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.core.double_double import Pair

LARGE = 2.0**20  # terms of a log density up to this size cancel with an error below 1e-10, as a rule of 1e-12


def centre_of(mean: Pair, log_weights: Array) -> Array:
    """The mean of the means (d,); a column that is constant is exactly its own centre."""
    one = mean.high[0]
    return np.asarray(one + np.exp(log_weights) @ (mean.high - one))


def finite(log_weights: Array) -> Array:
    """Logs of weights, 0 for a component without any, which no product may meet: it is infinitely far down."""
    return np.where(np.isneginf(log_weights), 0.0, log_weights)


def mean_of(X: Array, r: Array) -> Array:
    """Weighted mean of rows (d,), from one of them on: rows far from 0, or all but there, lose nothing."""
    one = np.asarray(X[r.argmax()], dtype=np.float64)
    return np.asarray(one + (r @ (X - one)) / r.sum())

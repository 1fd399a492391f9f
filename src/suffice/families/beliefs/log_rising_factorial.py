"""The rising factorial as a logarithm, without the digits that a difference of log-gammas loses.

    log (a)(a + 1) ... (a + x - 1) = log G(a + x) - log G(a),     G the gamma function

Predictive distributions are made of these. With a million rows behind a, log G(a) is some 10^7, so that the difference
itself would be wrong by 10^-9.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaln

from suffice.core.block import Array

LARGE = 16.0  # from here Stirling's series is exact to the last digit
SERIES = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)  # of 1/z, 1/z^3, ...


def log_rising(a: Any, x: Any) -> Array:
    """log G(a + x) - log G(a) for a, x of at least 0; -inf at a = 0, but 0 where x = 0.

    >>> float(np.exp(log_rising(3.0, 2.0)).round(12))  # 3 * 4
    12.0
    """
    a, x = np.broadcast_arrays(np.asarray(a, dtype=np.float64), np.asarray(x, dtype=np.float64))
    large = a >= LARGE
    b = np.where(large, a, LARGE)
    stirling = (b - 0.5) * np.log1p(x / b) + x * (np.log(b + x) - 1.0) + (_rest(b + x) - _rest(b))
    small = np.where(large | (x == 0.0), 1.0, a)
    return np.where(x == 0.0, 0.0, np.where(large, stirling, gammaln(small + x) - gammaln(small)))


def _rest(z: Array) -> Array:
    """What Stirling's formula leaves of log G(z)."""
    inverse = 1.0 / z
    square, total = inverse * inverse, np.zeros_like(z)
    for coefficient in reversed(SERIES):
        total = total * square + coefficient
    return total * inverse

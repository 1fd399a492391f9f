"""The probability that one unknown number is larger than another: exact where there is a closed form, else integrated.

P(A > B) = integral over u from 0 to 1 of P(B < x_u),  x_u the u-quantile of A
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from suffice.families.beliefs.log_rising_factorial import log_rising

FINE = 1e-12  # an error that needs no second opinion
DIGITS = 1e-13  # what SciPy's distribution functions may be off by
MOST = 100_000  # terms of a sum; beyond, the integral is as good
EPS = float(np.finfo(np.float64).eps)
QUANTILES = (1e-12, 1e-6, 1e-3, 0.02, 0.16, 0.5, 0.84, 0.98, 1 - 1e-3, 1 - 1e-6, 1 - 1e-12)


class Chance(NamedTuple):
    """A probability and how far off it may be."""

    probability: float
    error: float


def exceedance(a: Any, b: Any, by: float = 0.0) -> Chance:
    """P(A > B + by) for independent A and B, given as frozen SciPy distributions.

    >>> from scipy.stats import beta
    >>> chance = exceedance(beta(2, 1), beta(1, 2))
    >>> round(chance.probability, 12), chance.error < 1e-12  # 5/6
    (0.833333333333, True)
    """
    closed = CLOSED.get((a.dist.name, b.dist.name)) if by == 0.0 else None
    found = closed(a, b) if closed else None
    if found is not None and found.error <= FINE:
        return found
    other = integrated(a, b, by)
    return other if found is None or other.error < found.error else found


def integrated(a: Any, b: Any, by: float) -> Chance:
    """By quadrature over quantiles, cut where either distribution changes, with the error that the quadrature states.

    Over values instead, the density would be needed, whose digits are few where parameters are large.
    """
    from scipy.integrate import quad

    cuts = np.unique([0.0, 1.0, *QUANTILES, *np.clip(a.cdf(b.ppf(QUANTILES) + by), 0.0, 1.0)])
    total, error = 0.0, DIGITS
    for start, stop in pairwise(cuts):
        part, off = quad(lambda u: b.cdf(a.ppf(u) - by), start, stop, epsabs=1e-14, epsrel=1e-11)
        total, error = total + part, error + min(off, stop - start)
    return Chance(float(min(max(total, 0.0), 1.0)), float(error))


def _betas(a: Any, b: Any) -> Chance | None:
    """A sum of as many terms as a whole parameter has units, any of the four; None where none is whole."""
    (a1, a0), (b1, b0) = a.args, b.args
    ways = [  # the parameters of a sum for P(A > B) or, with False, for P(B > A)
        (True, (b1, b0, a1, a0)),
        (False, (a1, a0, b1, b0)),
        (True, (a0, a1, b0, b1)),  # 1 - B > 1 - A
        (False, (b0, b1, a0, a1)),
    ]
    whole = [way for way in ways if way[1][2] == int(way[1][2]) and way[1][2] <= MOST]
    if not whole:
        return None
    straight, parameters = min(whole, key=lambda way: way[1][2])
    found, error = _beta_sum(*parameters)
    return Chance(min(max(found if straight else 1.0 - found, 0.0), 1.0), error)


def _beta_sum(a1: float, a0: float, b1: float, b0: float) -> Chance:
    """P(Beta(b1, b0) > Beta(a1, a0)) for whole b1: sum_i B(a1 + i, a0 + b0) / ((b0 + i) B(1 + i, b0) B(a1, a0)).

    The first term rises by the smaller of a1 and b0, the next ones by ratios; logs lose digits by their size.
    """
    i, few, many = np.arange(b1 - 1.0), min(a1, b0), max(a1, b0)
    logs = float(log_rising(a0, few)), float(log_rising(a0 + many, few))
    steps = np.log((a1 + i) / (a1 + a0 + b0 + i)) + np.log((b0 + i) / (1.0 + i))
    total = float(np.exp(logs[0] - logs[1] + np.concatenate([[0.0], np.cumsum(steps)])).sum())
    return Chance(total, 8.0 * EPS * (b1 + abs(logs[0]) + abs(logs[1]) + 8.0))


def _gammas(a: Any, b: Any) -> Chance:
    """Two gammas: their share of the sum is a Beta."""
    from scipy.special import betainc

    scale_a, scale_b = a.kwds["scale"], b.kwds["scale"]
    return Chance(float(betainc(b.args[0], a.args[0], scale_a / (scale_a + scale_b))), _off(a, b))


def _inverse_gammas(a: Any, b: Any) -> Chance:
    """A > B where 1 / A < 1 / B."""
    from scipy.special import betainc

    scale_a, scale_b = a.kwds["scale"], b.kwds["scale"]
    return Chance(float(betainc(a.args[0], b.args[0], scale_a / (scale_a + scale_b))), _off(a, b))


def _off(a: Any, b: Any) -> float:
    """The rounding of a share, times the largest slope there is."""
    return float(64.0 * EPS * (1.0 + np.sqrt(a.args[0] + b.args[0])))


CLOSED: dict[tuple[str, str], Callable[[Any, Any], Chance | None]] = {
    ("beta", "beta"): _betas,
    ("gamma", "gamma"): _gammas,
    ("invgamma", "invgamma"): _inverse_gammas,
}

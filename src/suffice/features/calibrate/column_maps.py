"""Maps from the cells of one column to the probability of a class: by value, by a line, by steps. NumPy alone.

F^c = P(+ | cell) with classes balanced, F^d = ln(F^c / (1 - F^c)); each follows from the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, logit, ndtri

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.maps.isotonic_map import half_way
from suffice.decision.maps.pool_adjacent import pool

Smoothing = Callable[[Any, Any, float, float], Array]  # m positives of n, prior odds c, strength k -> F^c
FAR = 700.0  # log odds of what is certain


def raw(m: Any, n: Any, c: float, k: float = 1.0) -> Array:
    """m / n; without rows the prior."""
    m, n = np.asarray(m, dtype=np.float64), np.asarray(n, dtype=np.float64)
    return np.where(n > 0, m / np.where(n > 0, n, 1.0), c / (1.0 + c))


def prior_corrected(m: Any, n: Any, c: float, k: float = 1.0) -> Array:
    """m / (m + c (n - m)): the likelihood ratio as a probability, with its neutral point at 1/2.

    >>> prior_corrected([1, 1], [18, 55], 1 / 48).round(2).tolist()
    [0.74, 0.47]
    """
    m, n = np.asarray(m, dtype=np.float64), np.asarray(n, dtype=np.float64)
    total = m + c * (n - m)
    return np.where(n > 0, m / np.where(n > 0, total, 1.0), 0.5)


def smoothed(m: Any, n: Any, c: float, k: float = 1.0) -> Array:
    """(m + 1) / (m + 1 + c (n - m + 1)), as printed: a value without rows goes to 1 / (1 + c), not to 1/2.

    >>> smoothed([1, 1, 0], [18, 55, 0], 1 / 48).round(4).tolist()
    [0.8421, 0.6358, 0.9796]
    """
    m, n = np.asarray(m, dtype=np.float64), np.asarray(n, dtype=np.float64)
    return np.asarray((m + k) / (m + k + c * (n - m + k)))


def neutral(m: Any, n: Any, c: float, k: float = 1.0) -> Array:
    """The same with k rows of each value in the shares of the classes, so that a value without rows goes to 1/2."""
    share = c / (1.0 + c)
    m, n = np.asarray(m, dtype=np.float64), np.asarray(n, dtype=np.float64)
    m = m + 2.0 * k * share
    return np.asarray(m / (m + c * (n + 2.0 * k - m)))


SMOOTHINGS: Mapping[str, Smoothing] = {
    "raw": raw,
    "prior": prior_corrected,
    "smoothed": smoothed,
    "neutral": neutral,
}


def log_odds(p: Any) -> Array:
    """ln(p / (1 - p)), at most 700 in size."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.clip(logit(np.asarray(p, dtype=np.float64)), -FAR, FAR))


@dataclass(frozen=True)
class ValueMap:
    """One log odds a value; others, and missing cells, have their own."""

    values: Mapping[Any, float]
    unseen: float
    missing: float

    def symbols(self, labels: Any, codes: Array) -> Array:
        """Of cells that are codes, -1 where missing."""
        table = np.array([*(self.values.get(label, self.unseen) for label in labels), self.missing])
        return np.asarray(table[codes])


@dataclass(frozen=True)
class StepMap:
    """Constant between limits; a value at a limit belongs to the step above."""

    limits: Array  # (S - 1,)
    levels: Array  # (S,) log odds
    missing: float

    def numbers(self, x: Array) -> Array:
        """Of numbers, NaN where missing."""
        found = self.levels[np.searchsorted(self.limits, x, side="right")]
        return np.where(np.isnan(x), self.missing, found)


@dataclass(frozen=True)
class LineMap:
    """F^d = d' (x - centre) / sigma: linear, and invertible unless d' is 0."""

    centre: float
    sigma: float
    d_prime: float
    missing: float

    def numbers(self, x: Array) -> Array:
        """Of numbers, NaN where missing."""
        return np.where(np.isnan(x), self.missing, self.d_prime * ((x - self.centre) / self.sigma))


def logistic_line(positive: tuple[Array, Array], negative: tuple[Array, Array], sigma: float | None = None) -> LineMap:
    """From values and weights of both classes; sigma is pooled within them unless it is given.

    z = (x - (mu+ + mu-) / 2) / sigma,    d' = (mu+ - mu-) / sigma,    F^d = d' z
    """
    (x, w), (v, u) = positive, negative
    if not (w.sum() > 0 and u.sum() > 0):
        return LineMap(0.0, 1.0, 0.0, 0.0)
    start = float(x[0])
    up, down = (float(np.average(some - start, weights=weight)) for some, weight in (positive, negative))
    if sigma is None:
        squares = (w * (x - start - up) ** 2).sum() + (u * (v - start - down) ** 2).sum()
        sigma = float(np.sqrt(squares / (w.sum() + u.sum())))
    if not sigma > 0.0:
        sigma = 1.0 if up == down else abs(up - down) / FAR  # classes without spread, apart: nearly certain
    return LineMap(start + (up + down) / 2.0, sigma, (up - down) / sigma, 0.0)


def isotonic_steps(values: Array, positive: Array, weight: Array, c: float, smooth: Smoothing, k: float) -> StepMap:
    """Steps along the segments of the ROC hull, in the direction in which the column ranks classes better.

    Parameters
    ----------
    values : (V,) rising
    positive, weight : (V,) of the positives and of all rows
    c : prior odds; smooth, k : how a segment with m of n positives is read
    """
    rising = _ranks_upwards(positive, weight)
    p, w = (positive, weight) if rising else (positive[::-1], weight[::-1])
    start = pool(p, w)
    m, n = np.add.reduceat(p, start), np.add.reduceat(w, start)
    levels = log_odds(smooth(m, n, c, k))
    begins = start if rising else (len(values) - np.append(start[1:], len(values)))[::-1]
    first = begins[1:]
    limits = half_way(values[first - 1], values[first]) if len(first) else np.zeros(0)
    return StepMap(limits, levels if rising else levels[::-1], 0.0)


def _ranks_upwards(positive: Array, weight: Array) -> bool:
    """Whether the area under the ROC curve is at least 1/2."""
    negative = weight - positive
    below = negative.cumsum() - negative / 2.0
    return bool((positive * below).sum() * 2.0 >= positive.sum() * negative.sum())


def calibrated_density(p: Any, d_prime: float, positive: bool = True) -> Array:
    """Density of a calibrated feature: logit(F^c) is normal with mean d'^2 / 2 (its negative) and variance d'^2.

    Parameters
    ----------
    p : values of F^c between 0 and 1
    d_prime : distance of the class means in standard deviations, not 0
    positive : of the positives, or of the negatives

    >>> calibrated_density([0.536], 0.5).round(2).tolist()
    [3.21]
    """
    p = np.asarray(p, dtype=np.float64)
    if not ((p > 0) & (p < 1)).all():
        raise bad("calibrated_density", "p", "probabilities between 0 and 1", p)
    if not (np.isfinite(d_prime) and d_prime != 0):
        raise bad("calibrated_density", "d_prime", "a finite number that is not 0", d_prime)
    d = abs(float(d_prime))
    z = (logit(p) - (d * d / 2.0 if positive else -d * d / 2.0)) / d
    return np.asarray(np.exp(-z * z / 2.0) / (np.sqrt(2.0 * np.pi) * d * p * (1.0 - p)))


def as_space(F: Array, space: str) -> Array:
    """Log odds as they are, or as probabilities."""
    return F if space == "log_odds" else np.asarray(expit(F))


def d_prime_of(auc: float) -> float:
    """The d' at which two normals of one variance have this area under the ROC curve."""
    return float(np.sqrt(2.0) * ndtri(auc))

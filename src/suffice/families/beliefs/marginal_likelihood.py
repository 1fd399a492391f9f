"""Log marginal likelihoods of conjugate families, elementwise: what the rows weigh once the parameters are integrated.

A row of weight w counts as w copies. Factors of the likelihood that hold no parameter are left out.
"""

from __future__ import annotations

import numpy as np

from suffice.core.block import Array
from suffice.families.beliefs.log_rising_factorial import log_rising


def of_labels(weight: Array, pseudo: Array) -> Array:
    """Labels with a Dirichlet prior, over the last axis: prod (a_l) rising n_l over (sum a) rising N.

    >>> float(np.exp(of_labels(np.array([9.0, 1.0]), np.ones(2))).round(12))  # 9! 1! / 11!
    0.009090909091
    """
    return np.asarray(log_rising(pseudo, weight).sum(axis=-1) - log_rising(pseudo.sum(axis=-1), weight.sum(axis=-1)))


def of_events(shape: Array | float, rate: Array | float, events: Array | float, rows: Array | float) -> Array:
    """Poisson events in some rows with a Gamma(shape, rate) prior, without 1 / prod x!."""
    rate, rows, events = (np.asarray(v, dtype=np.float64) for v in (rate, rows, events))
    return np.asarray(log_rising(shape, events) - shape * np.log1p(rows / rate) - events * np.log(rate + rows))


def of_waits(yes: Array | float, no: Array | float, successes: Array, failures: Array) -> Array:
    """Successes and failures with a Beta(yes, no) prior."""
    together = log_rising(np.add(yes, no), np.add(successes, failures))
    return np.asarray(log_rising(yes, successes) + log_rising(no, failures) - together)


def of_normals(
    strength: Array | float, mean_strength: Array | float, spread: Array | float, weight: Array, after: Array
) -> Array:
    """Normal rows with a normal-inverse-gamma prior; `spread` is strength times variance, `after` the same after."""
    strength, k = np.asarray(strength, dtype=np.float64), np.asarray(mean_strength, dtype=np.float64)
    half, more = strength / 2.0, np.asarray(weight) / 2.0
    fit = half * np.log(spread) - (half + more) * np.log(after)
    return np.asarray(log_rising(half, more) - more * np.log(np.pi) - 0.5 * np.log1p(weight / k) + fit)

"""Maximum a posteriori: the most probable parameters under any prior and any likelihood, found numerically.

    theta = argmax log p(rows | theta) + log p(theta)

A flat prior is maximum likelihood. The answer depends on what is called the parameter: the mode of a variance is not
the square of the mode of a standard deviation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.families.beliefs.likelihood import Likelihood
from suffice.families.beliefs.parameter_ranges import Range, read_range

WORST = 1e100  # in place of a log posterior of -inf, so that line searches turn back
SETTLED = 1e-6  # of the log posterior: what the gradient may still promise


class Optimum(NamedTuple):
    """The most probable parameters."""

    theta: Array  # (d,)
    log_posterior: float  # up to the constant log p(rows)
    converged: bool
    rounds: int


def maximum_a_posteriori(
    log_likelihood: Callable[[Array], float],
    log_prior: Callable[[Array], float] | None = None,
    start: Any = None,
    *,
    within: Any = None,
    max_iter: int = 1000,
) -> Optimum:
    """The most probable parameters, to about seven digits; a place at the edge of its range is approached from inside.

    Parameters
    ----------
    log_likelihood : function of the parameters (d,), or `likelihood_of(family, summary)`
    log_prior : function of the parameters; None is flat, so that the answer is maximum likelihood
    start : (d,) where to begin; a likelihood of ours knows a place
    within : a (low, high) pair for each parameter, None for no bound, or a `Simplex()`; a likelihood of ours knows it
    max_iter : rounds of the optimiser

    >>> best = maximum_a_posteriori(lambda t: -0.5 * (t[0] - 3.0) ** 2, lambda t: -0.5 * t[0] ** 2, [0.0])
    >>> best.theta.round(6)
    array([1.5])
    """
    theta, inside = beginning("maximum_a_posteriori", log_likelihood, start, within)

    def surprise(u: Array) -> float:
        at = inside.natural(u)
        value = log_likelihood(at) + (0.0 if log_prior is None else log_prior(at))
        return float(-value) if np.isfinite(value) else WORST

    u = inside.free(theta)
    if surprise(u) == WORST:
        rule = "where the rows and the prior are possible"
        raise bad("maximum_a_posteriori", "start", rule, theta, "Begin elsewhere.")
    with np.errstate(all="ignore"):
        options = {"maxiter": max_iter, "gtol": 1e-9}
        found = minimize(surprise, u, jac="3-point", method="BFGS", options=options)
        again = minimize(surprise, found.x, jac="3-point", method="BFGS", options=options)  # with a fresh curvature
    best = again if again.fun <= found.fun else found
    settled = float(np.abs(best.jac).max(initial=0.0)) <= SETTLED * max(1.0, abs(float(best.fun)))
    rounds = int(found.nit + again.nit)
    return Optimum(inside.natural(best.x), -float(best.fun), bool(best.success or settled), rounds)


def beginning(owner: str, log_density: Any, start: Any, within: Any) -> tuple[Array, Range]:
    """Where to begin and where to stay: as given, or as a likelihood of ours says."""
    if isinstance(log_density, Likelihood):
        start = log_density.start if start is None else start
        within = log_density.within if within is None else within
    if start is None:
        raise bad(owner, "start", "given for a function", None, "Say where to begin.")
    theta = np.atleast_1d(np.asarray(start, dtype=np.float64))
    if theta.ndim != 1 or not theta.size or not np.isfinite(theta).all():
        raise bad(owner, "start", "a list of finite numbers", start, "One number a parameter.")
    inside = read_range(owner, within, len(theta))
    if not inside.holds(theta):
        raise bad(owner, "start", "inside its range", start, "Begin strictly between the bounds.")
    return theta, inside

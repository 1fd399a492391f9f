"""Answers from several imputed tables as one: Rubin's rules, with Barnard and Rubin's degrees of freedom.

    q = mean of q_i,     U = mean of U_i,     B = variance of q_i,     T = U + (1 + 1/m) B
    v = 1 / (1 / v_old + 1 / v_obs),     v_old = (m - 1) / g^2,     v_obs = (v_com + 1) / (v_com + 3) v_com (1 - g)

with g = (1 + 1/m) B / T, and v_com the degrees of freedom that the complete table would have.

Reference: J. Barnard, D. Rubin, Small-sample degrees of freedom with multiple imputation (1999).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import t

from suffice.core.block import Array
from suffice.core.errors import bad


@dataclass(frozen=True)
class Pooled:
    """An estimate, and how sure it is."""

    estimate: Array
    within: Array  # mean variance of the estimates
    between: Array  # variance of the estimates
    total: Array  # variance of the pooled estimate
    freedom: Array  # degrees of freedom of its t distribution
    missing: Array  # share of the variance that is due to what is missing

    def interval(self, level: float = 0.95) -> tuple[Array, Array]:
        """Ends of an interval that covers the truth with this probability."""
        if not 0 < level < 1:
            raise bad("Pooled", "level", "between 0 and 1", level, "Most take 0.95.")
        half = t.ppf((1.0 + level) / 2.0, self.freedom) * np.sqrt(self.total)
        return self.estimate - half, self.estimate + half


def pool(estimates: Any, variances: Any, freedom: float = np.inf) -> Pooled:
    """Put together what m imputed tables say.

    Parameters
    ----------
    estimates : (m,) or (m, p), one row a table
    variances : squared standard errors, likewise
    freedom : degrees of freedom of the analysis of a complete table; inf where it assumes a normal distribution

    Examples
    --------
    >>> told = pool([10.0, 11.0, 12.0], [1.0, 1.0, 1.0])
    >>> float(told.estimate), float(told.total.round(6)), float(told.freedom.round(3))
    (11.0, 2.333333, 6.125)
    """
    q, U = np.asarray(estimates, dtype=np.float64), np.asarray(variances, dtype=np.float64)
    if q.shape != U.shape or q.ndim not in (1, 2) or len(q) < 2 or not np.isfinite(q).all():
        rule = "numbers of the shape of variances, of at least two tables"
        raise bad("pool", "estimates", rule, q.shape, "One row a table.")
    if not (np.isfinite(U).all() and (U >= 0).all()):
        raise bad("pool", "variances", "numbers of at least 0", variances, "They are squared standard errors.")
    if not freedom > 0:
        raise bad("pool", "freedom", "above 0", freedom, "Rows less parameters, or infinity.")
    m = len(q)
    within, between = U.mean(axis=0), q.var(axis=0, ddof=1)
    more = (1.0 + 1.0 / m) * between
    total = within + more
    with np.errstate(divide="ignore", invalid="ignore"):
        g = np.where(total > 0, more / total, 0.0)
        old = (m - 1) / g**2
        seen = (
            (freedom + 1.0) / (freedom + 3.0) * freedom * (1.0 - g) if np.isfinite(freedom) else np.full_like(g, np.inf)
        )
        v = 1.0 / (1.0 / old + 1.0 / seen)
    return Pooled(q.mean(axis=0), within, between, total, np.asarray(v), g)

"""How many rows are enough: union bound, Hoeffding, and sample sizes of probably approximately correct learning.

consistent learner   m >= ln(|H| / delta) / eps             error of every consistent h at most eps
agnostic learner     m >= ln(|H| / delta) / (2 eps^2)       risk and error of no h further apart than eps, one-sided
no inductive bias    m >= (2^n ln 2 + ln(1 / delta)) / (2 eps^2),  |H| = 2^(2^n)          (C.E11)
risk minimiser       E(h') <= min E(h) + 2 sqrt(ln((|H| + 1) / delta) / (2 m))            (C.E13)

Solved for eps, m rows guarantee an error of at most ln(|H| / delta) / m: eps is at least that number (C.E12). The last
line needs one bound for each h from below, and one more, from above, for the best h alone: |H| + 1 in all.

Reference: M. Kearns and U. Vazirani, An introduction to computational learning theory (1994).
"""

from __future__ import annotations

from math import ceil, exp, log, sqrt
from numbers import Integral, Real
from typing import Any

import numpy as np

from suffice.core.errors import bad


def union_bound(probabilities: Any) -> float:
    """The most that the probability of any of some events can be: the sum of theirs, at most 1.

    >>> union_bound([0.25, 0.5])
    0.75
    """
    p = np.asarray(probabilities, dtype=np.float64)
    if not ((p >= 0.0) & (p <= 1.0)).all():
        raise bad("union_bound", "probabilities", "between 0 and 1", probabilities)
    return min(1.0, float(p.sum()))


def hoeffding(gap: float, m: int, *, two_sided: bool = True) -> float:
    """The most that the probability of a mean of m values in [0, 1] being further than `gap` off can be.

    P(|mean - expectation| > gap) <= 2 exp(-2 gap^2 m); without the 2 on one side

    >>> round(hoeffding(0.1, 100), 4)
    0.2707
    """
    _positive("hoeffding", "gap", gap)
    _rows("hoeffding", m)
    return min(1.0, (2.0 if two_sided else 1.0) * exp(-2.0 * gap**2 * m))


def hoeffding_gap(m: int, delta: float, *, two_sided: bool = True) -> float:
    """The gap that is passed with probability at most `delta`.

    >>> round(hoeffding(hoeffding_gap(100, 0.05), 100), 12)
    0.05
    """
    _rows("hoeffding_gap", m)
    _share("hoeffding_gap", "delta", delta, 1.0)
    return sqrt(log((2.0 if two_sided else 1.0) / delta) / (2.0 * m))


def hoeffding_rows(gap: float, delta: float, *, two_sided: bool = True) -> int:
    """The rows from which the gap is passed with probability at most `delta`."""
    _positive("hoeffding_rows", "gap", gap)
    _share("hoeffding_rows", "delta", delta, 1.0)
    return ceil(log((2.0 if two_sided else 1.0) / delta) / (2.0 * gap**2))


def consistent_rows(log_size: float, eps: float, delta: float) -> float:
    """Rows for a learner without training errors, before they are rounded up.

    Parameters
    ----------
    log_size : the logarithm of the number of hypotheses
    eps : the error that is approximately right, below 1/2
    delta : the probability with which it may be passed, below 1/2

    >>> round(consistent_rows(log(1000), 0.1, 0.05), 2)
    99.03
    """
    _pac("consistent_rows", eps, delta)
    return (_size("consistent_rows", log_size) - log(delta)) / eps


def consistent_error(log_size: float, m: int, delta: float) -> float:
    """The error that every consistent hypothesis keeps to, but with probability `delta`: the inverse in eps.

    >>> round(consistent_error(log(1000), 100, 0.05), 4)
    0.099
    """
    _rows("consistent_error", m)
    _share("consistent_error", "delta", delta, 1.0)
    return (_size("consistent_error", log_size) - log(delta)) / m


def consistent_doubt(log_size: float, m: int, eps: float) -> float:
    """The most that the probability of a bad consistent hypothesis can be: |H| exp(-eps m), the inverse in delta."""
    _rows("consistent_doubt", m)
    _share("consistent_doubt", "eps", eps, 1.0)
    return exp(min(0.0, _size("consistent_doubt", log_size) - eps * m))


def agnostic_rows(log_size: float, eps: float, delta: float) -> float:
    """Rows for a learner with training errors, before they are rounded up.

    >>> round(agnostic_rows(log(1000), 0.1, 0.05), 2)
    495.17
    """
    _pac("agnostic_rows", eps, delta)
    return (_size("agnostic_rows", log_size) - log(delta)) / (2.0 * eps**2)


def agnostic_gap(log_size: float, m: int, delta: float) -> float:
    """How much more than its risk on the sample the error of any hypothesis is, but with probability `delta`."""
    _rows("agnostic_gap", m)
    _share("agnostic_gap", "delta", delta, 1.0)
    return sqrt((_size("agnostic_gap", log_size) - log(delta)) / (2.0 * m))


def unbiased_rows(n: int, eps: float, delta: float) -> float:
    """Rows where every subset of the 2^n cases of n Boolean features is a hypothesis: more than there are cases.

    >>> round(unbiased_rows(5, 0.1, 0.05), 1)
    1258.8
    """
    if not isinstance(n, Integral) or not 1 <= n <= 1000:
        raise bad("unbiased_rows", "n", "a whole number from 1 to 1000", n)
    return agnostic_rows(2.0 ** int(n) * log(2.0), eps, delta)


def minimiser_gap(log_size: float, m: int, delta: float) -> float:
    """How much worse than the best hypothesis the one of least risk on the sample is, but with probability `delta`.

    E(h') - min E(h) <= 2 sqrt(ln((|H| + 1) / delta) / (2 m)),     an upper bound

    >>> minimiser_gap(log(10), 1000, 0.05) < 2 * sqrt(log(2 * 10 / 0.05) / 2000)
    True
    """
    _rows("minimiser_gap", m)
    _share("minimiser_gap", "delta", delta, 1.0)
    size = float(np.logaddexp(_size("minimiser_gap", log_size), 0.0))
    return 2.0 * sqrt((size - log(delta)) / (2.0 * m))


def probably_approximately_correct(errors: Any, eps: float, delta: float) -> bool:
    """Whether, of the true errors of many runs, at most the share `delta` is above `eps`.

    >>> probably_approximately_correct([0.05] * 19 + [0.4], 0.1, 0.05)
    True
    """
    _pac("probably_approximately_correct", eps, delta)
    found = np.asarray(errors, dtype=np.float64)
    return bool((found > eps).mean() <= delta)


def vc_term(dimension: int, m: int, delta: float, constant: float = 1.0) -> float:
    """What is added to the risk on the sample: of the order of the square root of the dimension over the rows.

    constant sqrt((VC / m) ln(m / VC) + ln(1 / delta) / m);     dimension and rows both sit under the root (C.E38)

    >>> [round(vc_term(3, m, 0.05), 4) for m in (100, 1000, 10000)]
    [0.3676, 0.1429, 0.0523]
    """
    if not isinstance(dimension, Integral) or dimension < 1:
        raise bad("vc_term", "dimension", "a whole number of at least 1", dimension)
    _rows("vc_term", m)
    _share("vc_term", "delta", delta, 1.0)
    _positive("vc_term", "constant", constant)
    if m < dimension:
        raise bad("vc_term", "m", f"at least the dimension, {dimension}", m, "With fewer rows nothing is bounded.")
    return constant * sqrt(dimension / m * log(m / dimension) - log(delta) / m)


def _pac(owner: str, eps: float, delta: float) -> None:
    _share(owner, "eps", eps, 0.5)
    _share(owner, "delta", delta, 0.5)


def _share(owner: str, name: str, value: float, top: float) -> None:
    if not isinstance(value, Real) or not 0.0 < value < top:
        raise bad(owner, name, f"between 0 and {top:g}", value)


def _positive(owner: str, name: str, value: float) -> None:
    if not isinstance(value, Real) or not 0.0 < value < np.inf:
        raise bad(owner, name, "greater than 0", value)


def _rows(owner: str, m: int) -> None:
    if not isinstance(m, Integral) or m < 1:
        raise bad(owner, "m", "a whole number of rows, at least 1", m)


def _size(owner: str, log_size: float) -> float:
    if not isinstance(log_size, Real) or not 0.0 <= log_size < np.inf:
        raise bad(owner, "log_size", "the logarithm of a number of hypotheses, at least 0", log_size, "Use log(1000).")
    return float(log_size)

"""The class prior of rows without labels, by expectation-maximisation over their posteriors."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.decide.read_wishes import checked_proba, checked_weights, read_prior

OWNER = "estimate_prior"


class PriorEstimate(NamedTuple):
    """A class prior, and how it was come to."""

    prior: Array  # (K,)
    settled: bool  # False: `max_iter` ended it
    gap: float  # no prior has a mean log likelihood higher than this one's by more than this
    trace: Array  # (steps + 1, K) the priors on the way, the one of training first

    @property
    def steps(self) -> int:
        """How often the prior was improved."""
        return len(self.trace) - 1


def estimate_prior(
    proba: Any,
    prior: Any,
    *,
    classes: Any = None,
    sample_weight: Any = None,
    max_iter: int = 10_000,
    tol: float = 1e-8,
) -> PriorEstimate:
    """The class prior under which rows without labels are most likely, given what a classifier says of each.

        maximise  mean_i log sum_c new(c) p(c | x_i) / prior(c)   by   new(c) <- mean_i p_new(c | x_i)

    The classes must look as they did in training, only their shares may differ, and the probabilities must be
    calibrated: a classifier that is too sure of itself (naive Bayes with features that repeat one another) misleads it.
    It stops when no prior can be better by more than `tol`, which follows from the gradient because the likelihood is
    concave; where `max_iter` ended it, `settled` is False and a warning says so. A class of prior 0 stays at 0.

    Parameters
    ----------
    proba: (n, K) probabilities of the rows, for example of `predict_proba`.
    prior: the class prior they assume, most often the class shares in training; in class order, by label, or "uniform".
    classes: the K labels in order, to name them in `prior`; None numbers the classes from 0.
    sample_weight: (n,) weight w counts as w copies.
    max_iter: largest number of steps.
    tol: how much less than the best possible the mean log likelihood may be.

    >>> sure = np.array([[0.99, 0.01]] * 30 + [[0.01, 0.99]] * 10)
    >>> estimate_prior(sure, "uniform").prior.round(3)
    array([0.755, 0.245])

    M. Saerens, P. Latinne, C. Decaestecker: Adjusting the outputs of a classifier to new a priori probabilities,
    Neural Computation 14 (2002).
    """
    p = checked_proba(OWNER, "proba", proba)
    if not len(p):
        raise bad(OWNER, "proba", "of at least one row", p.shape, "Without rows there is no share to estimate.")
    old = read_prior(OWNER, prior, range(p.shape[1]) if classes is None else classes)
    w = checked_weights(OWNER, "sample_weight", sample_weight, len(p), "rows")
    _check_limits(max_iter, tol)
    if (p[w > 0][:, old == 0.0] > 0.0).any():
        raise bad(OWNER, "prior", "above 0 for every class that has a probability somewhere", prior)
    found = _climb(np.divide(p, old, out=np.zeros_like(p), where=old > 0.0), w / w.sum(), old, max_iter, tol)
    if not found.settled:
        warnings.warn(_unsettled(found, max_iter), RuntimeWarning, stacklevel=2)
    return found


def _climb(likelihood: Array, w: Array, start: Array, max_iter: int, tol: float) -> PriorEstimate:
    """Expectation and maximisation in one product: each share times the mean of what it explains."""
    prior, trace = start, [start]
    gap = np.inf
    for step in range(max_iter + 1):
        gain = (w / (likelihood @ prior)) @ likelihood  # (K,) the gradient; its mean under the prior is 1
        gap = float(gain.max() - 1.0)
        if gap <= tol or step == max_iter:
            break
        prior = prior * gain
        prior = prior / prior.sum()
        trace.append(prior)
    return PriorEstimate(prior, gap <= tol, max(gap, 0.0), np.array(trace))


def _check_limits(max_iter: Any, tol: Any) -> None:
    """How long and how exactly."""
    if isinstance(max_iter, bool) or not isinstance(max_iter, int | np.integer) or max_iter < 1:
        raise bad(OWNER, "max_iter", "a whole number of at least 1", max_iter)
    if isinstance(tol, bool) or not isinstance(tol, int | float | np.number) or not 0.0 <= tol < np.inf:
        raise bad(OWNER, "tol", "a finite number of at least 0", tol)


def _unsettled(found: PriorEstimate, max_iter: int) -> str:
    """What to say when the steps ran out."""
    return (
        f"{OWNER}: the prior has not settled in {max_iter} steps; its mean log likelihood may be up to "
        f"{found.gap:.3g} short of the best. Raise max_iter or tol."
    )

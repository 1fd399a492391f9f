"""Fusing what classifiers say who look at separate features of the same rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.decide.posterior import Posterior
from suffice.decision.decide.read_wishes import checked_prior, checked_proba, checked_weights
from suffice.numerics.log_space import normalize


def fuse(opinions: Iterable[Any], prior: Any = None) -> Posterior:
    """The posterior given all features, from one posterior for each block of features.

        p(c | x_1 .. x_m) ~ prod_j p(c | x_j) / prior(c)^(m-1)

    Exact where the blocks are independent given the class. Each opinion counts with its full weight: classifiers that
    saw the same features are averaged (`average`) or vote (`vote`) instead. A row whose opinions exclude one another
    says nothing, and gets the prior.

    Parameters
    ----------
    opinions: a `Posterior` for each block, or arrays (n, K) of probabilities that all assume `prior`.
    prior: (K,) the class prior of the result; None is the one the opinions assume. With opinions that come with priors
        of their own, each is taken out of its opinion and this one is put in, once.

    >>> x_ray, blood = [[0.8, 0.2]], [[0.6, 0.4]]
    >>> fuse([x_ray, blood], [0.5, 0.5]).proba.round(4)
    array([[0.8571, 0.1429]])
    """
    posteriors = read_opinions("fuse", opinions, prior)
    new = posteriors[0].prior if prior is None else checked_prior("fuse", prior, posteriors[0].prior.size)
    if prior is None and not all(np.array_equal(each.prior, new) for each in posteriors):
        shares = [each.prior.tolist() for each in posteriors]
        raise bad("fuse", "opinions", "of one prior", shares, "Give prior=, the one the result shall assume.")
    with np.errstate(divide="ignore"):
        log_prior = np.log(new)
        log_joint = log_prior + sum(_log_likelihood(each, new) for each in posteriors)
    return Posterior(np.exp(normalize(log_joint, log_prior)), new)


def average(opinions: Iterable[Any], prior: Any = None, weights: Any = None) -> Posterior:
    """The mean of what several classifiers say of the same rows.

        p(c | x) = sum_j weight_j p_j(c | x) / sum_j weight_j

    Parameters
    ----------
    opinions: as for `fuse`; posteriors that come with a prior of their own are shifted to `prior` first.
    prior: (K,) the class prior of the result; None is that of the first opinion.
    weights: one weight of at least 0 for each opinion; None weighs them alike.

    >>> average([[[0.9, 0.1]], [[0.6, 0.4]]], [0.5, 0.5]).proba
    array([[0.75, 0.25]])
    """
    posteriors = read_opinions("average", opinions, prior)
    new = posteriors[0].prior if prior is None else checked_prior("average", prior, posteriors[0].prior.size)
    w = checked_weights("average", "weights", weights, len(posteriors), "opinions")
    proba = sum(share * each.shift(new).proba for share, each in zip(w / w.sum(), posteriors, strict=True))
    return Posterior(np.asarray(proba), new)


def read_opinions(owner: str, opinions: Iterable[Any], prior: Any) -> list[Posterior]:
    """Posteriors of the same rows and classes, checked."""
    read = [_opinion(owner, each, prior) for each in opinions]
    if not read:
        raise bad(owner, "opinions", "at least one posterior", read)
    shapes = [each.proba.shape for each in read]
    if len(set(shapes)) > 1:
        raise bad(owner, "opinions", "of the same rows and classes", shapes)
    return read


def _opinion(owner: str, opinion: Any, prior: Any) -> Posterior:
    if isinstance(opinion, Posterior):
        p = checked_proba(owner, "opinions", opinion.proba)
        return Posterior(p, checked_prior(owner, opinion.prior, p.shape[1]))
    if prior is None:
        raise bad(owner, "prior", "the class prior that the opinions assume", prior, "Arrays do not say it.")
    p = checked_proba(owner, "opinions", opinion)
    return Posterior(p, checked_prior(owner, prior, p.shape[1]))


def _log_likelihood(posterior: Posterior, new: Array) -> Array:
    """log p(x | c) up to a term for each row; a class of prior 0 has left no trace, and can only stay at 0."""
    lost = (posterior.prior == 0.0) & (new > 0.0)
    if lost.any():
        c = int(lost.argmax())
        rule = f"0 for class number {c} (from 0), whose prior is 0 in one of the opinions"
        raise bad("fuse", "prior", rule, float(new[c]), "Learn that opinion again with rows of that class.")
    seen = posterior.prior > 0.0
    return np.where(seen, np.log(posterior.proba) - np.log(np.where(seen, posterior.prior, 1.0)), -np.inf)

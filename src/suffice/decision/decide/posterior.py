"""Posterior: class probabilities that remember the prior they assume, so that it can be exchanged."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.decide.read_wishes import checked_prior, checked_proba, read_prior, uniform
from suffice.numerics.log_space import normalize

FAINT = 1e-290  # below this, a sum of products may have lost digits to underflow


class Posterior(NamedTuple):
    """The probability of each class given each row, and the class prior it was learned under.

        p(c | x) = p(x | c) prior(c) / p(x)

    >>> balanced = Posterior(np.array([[0.9, 0.1]]), np.array([0.5, 0.5]))
    >>> balanced.shift([0.001, 0.999]).proba.round(5)
    array([[0.00893, 0.99107]])
    """

    proba: Array  # (n, K)
    prior: Array  # (K,)

    def shift(self, prior: Any) -> Posterior:
        """The posterior under another class prior, by the scaled-likelihood trick; nothing is learned again.

            p_new(c | x) = p(c | x) / prior(c) * prior_new(c), divided by its sum over the classes

        A class of prior 0 has left no trace in the posterior: it stays at 0, and asking for more is refused.
        A row that no class of the new prior can explain gets the new prior itself.

        Parameters
        ----------
        prior: (K,) probabilities in class order.
        """
        proba, old = self.arrays()
        new = checked_prior("Posterior", prior, old.size)
        if np.array_equal(old, new):
            return Posterior(proba, old)
        lost = (old == 0.0) & (new > 0.0)
        if lost.any():
            c = int(lost.argmax())
            rule = f"0 for class number {c} (from 0), whose prior was 0 when the posterior was learned"
            raise bad("Posterior", "prior", rule, float(new[c]), "Learn again with rows of that class.")
        return Posterior(_reweigh(proba, old, new), new)

    def likelihood(self) -> Array:
        """The scaled likelihood (n, K): p(x | c) up to a factor, each row summing to 1; the uniform-prior posterior."""
        return self.shift(uniform(len(self.prior))).proba

    def arrays(self) -> tuple[Array, Array]:
        """Both as float64, with shapes (n, K) and (K,) that fit."""
        proba, prior = np.asarray(self.proba, dtype=np.float64), np.asarray(self.prior, dtype=np.float64)
        if prior.ndim != 1 or proba.ndim != 2 or proba.shape[1] != prior.size or prior.size == 0:
            rule = f"of shape (n, K), with K the length of the prior, {prior.size}"
            raise bad("Posterior", "proba", rule, proba.shape)
        return proba, prior


def shift_prior(proba: Any, prior: Any, new: Any, classes: Any = None) -> Array:
    """Class probabilities (n, K) under another class prior, from those of any classifier; nothing is learned again.

        p_new(c | x) = p(c | x) / prior(c) * new(c), divided by its sum over the classes

    Parameters
    ----------
    proba: (n, K) probabilities, for example of `predict_proba`.
    prior: the class prior they assume, most often the class shares in training; in class order, by label, or "uniform".
    new: the class prior to assume instead, in the same forms.
    classes: the K labels in order, to name them in `prior` and `new`; None numbers the classes from 0.

    >>> shift_prior([[0.9, 0.1]], "uniform", {"case": 0.001, "normal": 0.999}, ["case", "normal"]).round(5)
    array([[0.00893, 0.99107]])
    """
    p = checked_proba("shift_prior", "proba", proba)
    labels = range(p.shape[1]) if classes is None else classes
    old = read_prior("shift_prior", prior, labels)
    return Posterior(p, old).shift(read_prior("shift_prior", new, labels)).proba


def _reweigh(proba: Array, old: Array, new: Array) -> Array:
    """Products where they are safe, logarithms in the few rows where they are not."""
    seen = old > 0.0  # elsewhere the new prior is 0 too
    with np.errstate(all="ignore"):
        joint = proba * new / np.where(seen, old, 1.0)
        total = joint.sum(axis=1, keepdims=True)
        shifted = joint / total
        odd = ~((total > FAINT) & (total < np.inf))[:, 0]
        if odd.any():
            log_ratio = np.where(seen, np.log(new) - np.log(old), -np.inf)
            shifted[odd] = np.exp(normalize(np.log(proba[odd]) + log_ratio, np.log(new)))
    return np.asarray(shifted)

"""Recalibrated likelihoods: class weights chosen for what they cost on rows held out."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.decide.costs import read_costs, zero_one
from suffice.decision.decide.decision import Decision
from suffice.decision.decide.held_out import HeldOut
from suffice.decision.decide.posterior import Posterior
from suffice.decision.decide.read_wishes import checked_answers, checked_proba, checked_weights, label_tuple, read_prior

OWNER = "recalibrate"
SMALLEST = 5e-324  # stands for a probability of 0, whose logarithm could not be compared


class Recalibration(NamedTuple):
    """Class weights that sum to 1, so that they are a class prior to decide with: `Decision(prior=weights)`."""

    weights: Array  # (K,)
    cost: float  # mean cost of the rows held out, decided with the weights
    before: float  # the same under the prior of training


def recalibrate(
    proba: Any,
    prior: Any,
    y: Any,
    *,
    classes: Any = None,
    costs: Any = None,
    order: Any = None,
    sample_weight: Any = None,
    rounds: int = 10,
) -> Recalibration:
    """Class weights that make few errors, or cheap ones, on rows held out: a remedy for likelihoods that are off.

        decide(x) = argmax_c weight(c) p(x | c)

    Two classes: the best weights there are, by the sweep over all thresholds on the likelihood ratio. More classes,
    where the best cannot be found in reasonable time: class by class, each is separated from those before it by the
    same sweep, on the rows of these classes alone. Then each weight is chosen again given all others, on all rows,
    round after round while that helps, from there and from the prior of training; the better end is kept, so that on
    these rows the weights are never worse than that prior. Equal weights are maximum likelihood, the prior maximum a
    posteriori; a class of weight 0 is never answered.

    Parameters
    ----------
    proba: (n, K) probabilities of rows that were not learned from, for example of `predict_proba`.
    prior: the class prior they assume, most often the class shares in training; in class order, by label, or "uniform".
    y: (n,) the true labels.
    classes: the K labels in order; None numbers the classes from 0.
    costs: costs[true, answer], alike for all rows or (n, K, K), as for a `Decision`; None counts errors.
    order: the labels in the order in which their weights are set; None is the order of the columns.
    sample_weight: (n,) weight w counts as w copies.
    rounds: how often, at most, every weight is chosen again; 0 stops after the first pass.

    >>> proba = [[0.9, 0.1], [0.6, 0.4], [0.7, 0.3], [0.2, 0.8]]
    >>> found = recalibrate(proba, "uniform", [0, 1, 1, 1])
    >>> found.weights.round(2), found.cost, found.before
    (array([0.18, 0.82]), 0.0, 0.5)
    """
    p = checked_proba(OWNER, "proba", proba)
    n, K = p.shape
    if not n:
        raise bad(OWNER, "proba", "of at least one row", p.shape, "Without rows no weights are better than others.")
    labels = tuple(range(K)) if classes is None else label_tuple(classes)
    codes = checked_answers(OWNER, "y", y, classes, K, n)
    old = read_prior(OWNER, prior, labels)
    w = checked_weights(OWNER, "sample_weight", sample_weight, n, "rows")
    paid = _paid(codes, costs, labels) * w[:, None]
    held = HeldOut(_log_likelihood(p, old), codes, paid)
    path = [c for c in _path(order, labels) if old[c] > 0.0]
    ends = [held.one_by_one(path, old)]
    if _rounds(rounds):
        ends = [held.again(path, log_w, rounds) for log_w in (*ends, _log(old))]
    posterior, total = Posterior(p, old), float(w.sum())
    found = [_weights(log_w) for log_w in ends]
    prices = [held.cost(Decision(prior=each).decide(posterior)) / total for each in found]
    best = int(np.argmin(prices))
    return Recalibration(found[best], prices[best], held.cost(Decision().decide(posterior)) / total)


def _paid(codes: Array, costs: Any, labels: tuple[Any, ...]) -> Array:
    """What each answer costs in each row (n, K), given its true class."""
    K = len(labels)
    table = zero_one(K) if costs is None else read_costs(OWNER, costs, labels)
    if table.ndim == 2:
        return np.asarray(table[codes])
    if len(table) != len(codes):
        raise bad(OWNER, "costs", f"one table for each of the {len(codes)} rows", table.shape)
    return np.asarray(table[np.arange(len(codes)), codes])


def _path(order: Any, labels: tuple[Any, ...]) -> list[int]:
    """The class numbers in the order in which their weights are set."""
    given = labels if order is None else label_tuple(order)
    if len(given) != len(labels) or set(given) != set(labels):
        raise bad(OWNER, "order", f"the classes {labels}, each once", given)
    return [labels.index(label) for label in given]


def _rounds(rounds: Any) -> int:
    if isinstance(rounds, bool) or not isinstance(rounds, int | np.integer) or rounds < 0:
        raise bad(OWNER, "rounds", "a whole number of at least 0", rounds)
    return int(rounds)


def _log(prior: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.log(prior)


def _log_likelihood(p: Array, old: Array) -> Array:
    """log p(x | c) up to a term for each row; of classes without a prior nothing is known, and nothing asked."""
    return np.log(np.maximum(p, SMALLEST)) - np.log(np.where(old > 0.0, old, 1.0))


def _weights(log_w: Array) -> Array:
    """Weights that sum to 1."""
    w = np.exp(log_w - log_w.max())
    return np.asarray(w / w.sum())

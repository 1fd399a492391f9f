"""Two classes in odds: evidence multiplies, and a prior at which the answer flips can be told in advance."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.decide.costs import checked_costs
from suffice.decision.decide.posterior import Posterior
from suffice.decision.decide.read_wishes import as_numbers

POSITIVE = "numbers of at least 0"


def odds(probability: Any) -> Any:
    """The odds for something of this probability: p / (1 - p).

    >>> float(odds(0.75))
    3.0
    """
    p = as_numbers("odds", "probability", "numbers from 0 to 1", probability)
    if not ((p >= 0.0) & (p <= 1.0)).all():
        raise bad("odds", "probability", "numbers from 0 to 1", probability)
    with np.errstate(divide="ignore"):
        return (p / (1.0 - p))[()]


def probability(odds: Any) -> Any:
    """The probability behind odds: o / (1 + o).

    >>> float(probability(3.0))
    0.75
    """
    o = _at_least_0("probability", "odds", odds)
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(o), 1.0, o / (1.0 + o))[()]


def likelihood_ratio(posterior: Posterior) -> Array:
    """p(x | second class) / p(x | first class) of each row (n,); the odds of the classes are it times the prior odds.

        p(1 | x) / p(0 | x) = LR(x) * prior(1) / prior(0)

    >>> likelihood_ratio(Posterior(np.array([[0.6, 0.4]]), np.array([0.75, 0.25])))
    array([2.])
    """
    proba, prior = posterior.arrays()
    if prior.size != 2 or not prior.all():
        raise bad("likelihood_ratio", "posterior", "of two classes with a prior above 0", prior.tolist())
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(proba[:, 1] / proba[:, 0] * (prior[0] / prior[1]))


def even_odds(costs: Any = None) -> float:
    """The odds for the second class at which both answers cost the same; above them it is answered.

        (costs[0, 1] - costs[0, 0]) / (costs[1, 0] - costs[1, 1])

    Parameters
    ----------
    costs: (2, 2) costs[true, answer], where an error costs more than the right answer; None is 0 and 1.

    >>> even_odds([[0, 1], [5, 0]])
    0.2
    """
    if costs is None:
        return 1.0
    table = checked_costs("even_odds", costs, 2)
    if table.ndim != 2:
        raise bad("even_odds", "costs", "a table of shape (2, 2)", table.shape)
    alarm, miss = float(table[0, 1] - table[0, 0]), float(table[1, 0] - table[1, 1])
    if alarm <= 0.0 or miss <= 0.0:
        raise bad("even_odds", "costs", "higher for an error than for the right answer, in both classes", costs)
    return alarm / miss


def break_even_odds(ratio: Any, costs: Any = None) -> Any:
    """The prior odds for the second class at which the answer flips, given a likelihood ratio: 1 / LR without costs.

    >>> float(break_even_odds(1.5))
    0.6666666666666666
    """
    with np.errstate(divide="ignore"):
        return (even_odds(costs) / _at_least_0("break_even_odds", "ratio", ratio))[()]


def break_even_prior(ratio: Any, costs: Any = None) -> Any:
    """The prior of the second class at which the answer flips, given a likelihood ratio.

    Above it that class is answered.

    >>> float(break_even_prior(1.5))
    0.4
    """
    return probability(break_even_odds(ratio, costs))


def _at_least_0(owner: str, name: str, values: Any) -> Array:
    numbers = as_numbers(owner, name, POSITIVE, values)
    if not (numbers >= 0.0).all():
        raise bad(owner, name, POSITIVE, values)
    return numbers

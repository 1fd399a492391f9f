"""CostCurve: what the best threshold costs under every prior and every pair of costs, in one picture.

    probability-cost  x = prior(+) c(+) / (prior(+) c(+) + prior(-) c(-)),   c(class) what a wrong answer costs more
    normalised cost   x (1 - tpr) + (1 - x) fpr,   the expected cost over that of being wrong everywhere

A point of ROC space is a line here, and the hull of a ROC curve the lower envelope of the lines of its points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.decision.curves.isometrics import two_class_costs
from suffice.decision.curves.roc_curve import RocCurve
from suffice.decision.decide.read_wishes import as_numbers, checked_prior


@dataclass(frozen=True, eq=False)
class CostCurve:
    """The least normalised expected cost at each probability-cost: a broken line, and the threshold of each piece.

    >>> curve = CostCurve.of(RocCurve.of([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]))
    >>> curve.probability_cost, curve.cost
    (array([0. , 0. , 0.5, 1. , 1. ]), array([0.  , 0.  , 0.25, 0.  , 0.  ]))
    >>> curve.at([0.2, 0.5]), curve.threshold(0.2)
    (array([0.1 , 0.25]), array(0.8))

    References
    ----------
    C. Drummond and R. Holte, Cost curves: an improved method for visualizing classifier performance (2006).
    """

    probability_cost: Array  # (v + 1,) from 0 to 1, where one threshold gives way to the next
    cost: Array  # (v + 1,)
    thresholds: Array  # (v,) the best between two such places, falling

    @classmethod
    def of(cls, curve: RocCurve) -> CostCurve:
        """From the hull of a ROC curve."""
        hull = curve.hull()
        across, up = np.diff(hull.fpr), np.diff(hull.tpr)
        x = np.concatenate([[0.0], across / (across + up), [1.0]])
        last = np.concatenate([np.arange(len(hull.fpr)), [len(hull.fpr) - 1]])
        return cls(x, normalised_cost(hull.fpr[last], hull.tpr[last], x), hull.thresholds)

    def at(self, probability_cost: Any) -> Array:
        """The least normalised cost at some probability-costs."""
        return np.asarray(np.interp(_places(probability_cost), self.probability_cost, self.cost))

    def threshold(self, probability_cost: Any) -> Array:
        """The best threshold at some probability-costs; the higher one where two are as good."""
        inner = self.probability_cost[1:-1]
        return np.asarray(self.thresholds[np.searchsorted(inner, _places(probability_cost), side="left")])

    @property
    def area(self) -> float:
        """The mean normalised cost if every probability-cost is as likely, the best threshold being used for each."""
        return float(np.diff(self.probability_cost) @ (0.5 * (self.cost[1:] + self.cost[:-1])))


def normalised_cost(fpr: Any, tpr: Any, probability_cost: Any) -> Array:
    """The normalised expected cost of a rule with given rates: x (1 - tpr) + (1 - x) fpr.

    Parameters
    ----------
    fpr, tpr : rates of the rule
    probability_cost : x, from 0 to 1

    >>> float(normalised_cost(0.2, 0.9, 0.5))
    0.15
    """
    x = _places(probability_cost)
    return np.asarray(x * (1.0 - np.asarray(tpr)) + (1.0 - x) * np.asarray(fpr))


def probability_cost(prior: Any, costs: Any = None) -> float:
    """Where a prior and costs lie on the axis of cost curves.

    Parameters
    ----------
    prior : (2,) probabilities of negative and positive
    costs : (2, 2) costs[true, called], the negative class first; None costs 1 if wrong

    >>> round(probability_cost([0.9, 0.1], [[0, 1], [9, 0]]), 12)
    0.5
    """
    (spared, false_alarm), (miss, hit) = two_class_costs("probability_cost", costs).tolist()
    regret = np.array([false_alarm - spared, miss - hit])
    wrong = checked_prior("probability_cost", prior, 2) * regret
    if (regret < 0.0).any() or not wrong.sum() > 0.0:
        rule = "higher for a wrong answer than for the right one"
        raise bad("probability_cost", "costs", rule, costs, "Otherwise one answer is always best.")
    return float(wrong[1] / wrong.sum())


def _places(probability_cost: Any) -> Array:
    """Numbers from 0 to 1."""
    x = as_numbers("CostCurve", "probability_cost", "numbers from 0 to 1", probability_cost)
    outside = ~((x >= 0.0) & (x <= 1.0))
    if outside.any():
        raise bad("CostCurve", "probability_cost", "numbers from 0 to 1", Said(str(float(x[outside].flat[0]))))
    return x

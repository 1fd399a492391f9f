"""The numbers of boosting: the weight of a member from its error, and the weights of rows after it. No scikit-learn.

alpha = ln((1 - eps) / eps)        errors are multiplied by exp(alpha), then all are divided by their sum
alpha = 1/2 ln((1 - eps) / eps)    errors by exp(alpha), right answers by exp(-alpha): the same weights of rows
alpha = 1/2 ln(eps+ / eps-)        of a rule that abstains; it minimises Z = eps0 + eps+ e^-alpha + eps- e^alpha
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad


class BoostStep(NamedTuple):
    """One round."""

    error: float  # weighted error
    alpha: float  # weight of the member
    weights: Array  # of the rows after the round, of sum 1


def boost_step(weights: Array, wrong: Array, half: bool = False, classes: int = 2, rate: float = 1.0) -> BoostStep:
    """The weight of a member, and the weights of rows after it.

    Parameters
    ----------
    weights : of the rows before (n,), of sum 1
    wrong : where (n,) the member errs
    half : whether alpha has the factor 1/2, and right answers lose weight; the weights of rows are the same
    classes : number of classes
    rate : factor of alpha

    >>> step = boost_step(np.full(10, 0.1), np.arange(10) < 3, half=True)
    >>> round(step.alpha, 4), step.weights[[0, 9]].round(4).tolist()
    (0.4236, [0.1667, 0.0714])
    """
    weights, wrong = np.asarray(weights, dtype=np.float64), np.asarray(wrong, dtype=bool)
    if weights.ndim != 1 or weights.shape != wrong.shape or not (weights >= 0).all() or not weights.sum() > 0:
        raise bad("boost_step", "weights and wrong", "one number of at least 0 and one truth a row", weights.shape, "")
    error = float(weights[wrong].sum() / weights.sum())
    if not 0.0 < error < 1.0 - 1.0 / classes:
        rule = f"above 0 and below {1.0 - 1.0 / classes:.6g}, as alpha is infinite at 0 and none helps beyond"
        raise bad("boost_step", "the weighted error", rule, error, "Stop boosting here.")
    alpha = rate * (float(np.log((1.0 - error) / error)) + float(np.log(classes - 1.0)))
    raised = alpha / 2.0 * np.where(wrong, 1.0, -1.0) if half else alpha * wrong
    after = weights * np.exp(raised - raised.max())  # the largest factor is 1: nothing can be too large
    return BoostStep(error, alpha / 2.0 if half else alpha, after / after.sum())


class RuleWeight(NamedTuple):
    """The weight of a rule that abstains, and by what the weights of rows are divided after it."""

    alpha: float
    Z: float


def rule_weight(covered_right: float, covered_wrong: float, uncovered: float, floor: float = 0.0) -> RuleWeight:
    """The alpha that minimises Z, from the weight of covered positives, covered negatives and uncovered rows.

    `floor` is added to both, so that a pure rule has a finite weight.

    >>> alpha, Z = rule_weight(0.35, 0.15, 0.5)
    >>> round(alpha, 4), round(Z, 6)
    (0.4236, 0.958258)
    """
    given = (covered_right, covered_wrong, uncovered, floor)
    if not all(np.isfinite(v) and v >= 0 for v in given) or not covered_right + covered_wrong > 0:
        raise bad("rule_weight", "weights", "at least 0, and above 0 for some covered row", given, "Give shares.")
    plus, minus = covered_right + floor, covered_wrong + floor
    if plus == 0.0 or minus == 0.0:
        raise bad("rule_weight", "a pure rule", "given a floor above 0, as alpha is infinite", floor, "Give 1/(2n).")
    alpha = 0.5 * float(np.log(plus / minus))
    return RuleWeight(alpha, uncovered + covered_right * float(np.exp(-alpha)) + covered_wrong * float(np.exp(alpha)))


def exponential_loss(scores: Array, signs: Array, weights: Array | None = None) -> float:
    """The mean of exp(-t f(x)), which boosting lowers step by step; f = 1/2 sum alpha_j y_j for alphas without 1/2.

    Parameters
    ----------
    scores : f(x) (n,)
    signs : t, -1 or +1 (n,)
    weights : of the rows (n,)
    """
    scores, signs = np.asarray(scores, dtype=np.float64), np.asarray(signs, dtype=np.float64)
    if scores.shape != signs.shape or scores.ndim != 1 or not np.isin(signs, (-1.0, 1.0)).all():
        raise bad("exponential_loss", "scores and signs", "one number and one of -1, +1 a row", signs.shape, "")
    return float(np.average(np.exp(-signs * scores), weights=weights))

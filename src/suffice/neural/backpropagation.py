"""Backpropagation: the derivative of the error by every weight, from the outputs back.

delta_L = dE/dz_L,   delta_l = (delta_(l+1) W_(l+1)^T) * slope_l,   dE/dW_l = s_(l-1)^T delta_l,   dE/db_l = sum delta_l

A unit n of a hidden layer is charged with sum_p delta_p w_(n to p), over the units p it feeds; a weight moves by the
delta of the unit it leads to, times what the unit it comes from, m, had answered; at last all weights are changed at
once, by the deltas of one and the same pass (C.E26).

Reference: D. Rumelhart, G. Hinton and R. Williams, Learning representations by back-propagating errors (1986).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.neural.flat_weights import FlatWeights


def backpropagate(parameters: FlatWeights, X: Any, T: Array, w: Array | None, alpha: float, out: Array) -> float:
    """The mean error of some rows, and into `out` its derivative by all weights.

    E = (sum_i w_i E_i + alpha / 2 sum of squared weights) / sum_i w_i,     intercepts are not penalised

    Parameters
    ----------
    parameters : the net
    X : (m, d) rows, dense or sparse
    T : (m, t) targets
    w : (m,) weights of the rows, or None
    alpha : of the penalty
    out : as long as the parameters
    """
    total = float(X.shape[0]) if w is None else float(w.sum())
    gradient = parameters.at(out)
    answers = _answers(parameters, X)
    errors = parameters.layer.errors(T, answers[-1])
    error = float(errors.sum() if w is None else errors @ w)
    delta = parameters.layer.delta(T, answers[-1])
    if w is not None:
        delta *= w[:, None]
    for level in range(len(parameters.coefs) - 1, -1, -1):
        if level or not hasattr(X, "tocsr"):
            np.matmul(answers[level].T, delta, out=gradient.coefs[level])
        else:
            gradient.coefs[0][...] = X.T @ delta
        delta.sum(axis=0, out=gradient.intercepts[level])
        if level:
            delta = delta @ parameters.coefs[level].T
            parameters.activation.times_slope(answers[level], delta)
    weights = parameters.flat[: parameters.weights]
    if alpha:
        out[: parameters.weights] += alpha * weights
        error += 0.5 * alpha * float(weights @ weights)
    out /= total
    return error / total


def _answers(parameters: FlatWeights, X: Any) -> list[Any]:
    """What every layer answers, the inputs first."""
    answers, last = [X], len(parameters.coefs) - 1
    for level, (coef, intercept) in enumerate(zip(parameters.coefs, parameters.intercepts, strict=True)):
        rows = np.asarray(answers[-1] @ coef)
        rows += intercept
        (parameters.activation if level < last else parameters.layer).apply(rows)
        answers.append(rows)
    return answers


def finite_differences(
    parameters: FlatWeights, X: Any, T: Array, w: Array | None = None, alpha: float = 0.0, step: float = 1e-6
) -> Array:
    """The derivative by central differences: slow, and what backpropagation is checked against.

    (E(theta + step e_i) - E(theta - step e_i)) / (2 step)

    Parameters
    ----------
    parameters, X, T, w, alpha : as for `backpropagate`
    step : half the distance of the two points
    """
    spare, slopes = np.empty_like(parameters.flat), np.empty_like(parameters.flat)
    for i in range(len(slopes)):
        ends = []
        for way in (step, -step):
            moved = parameters.flat.copy()
            moved[i] += way
            ends.append(backpropagate(parameters.at(moved), X, T, w, alpha, spare))
        slopes[i] = (ends[0] - ends[1]) / (2.0 * step)
    return slopes

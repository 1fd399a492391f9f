"""What a logistic regression lets one say of its coefficients, from one more pass over its rows.

    cov(coef) = (H + P)^-1 H (H + P)^-1     H: curvature of the loss at the coefficients, P: that of the penalty

Without a penalty this is the inverse of Fisher's information. With more than two classes coefficients of all classes
may move together without a change; the covariance is that of coefficients that sum to 0 over the classes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.learner import Always, Source, learn
from suffice.linear.coefficient_tests import CoefficientTests, check_room, check_rows
from suffice.linear.logistic.logistic_learner import LogisticLearner, LogisticModel
from suffice.linear.logistic.proximal_newton import CoefficientPenalty
from suffice.linear.terms import term_name
from suffice.linear.wide.wide_logistic import wide_rows


def logistic_results(source: Source, model: LogisticModel, l2: float, intercept: bool) -> CoefficientTests:
    """Tests of the coefficients of all classes that have some; `source` holds the rows they were learned from."""
    L, q = model.theta.shape
    check_room(model.design.owner, L * q)
    if (wide := wide_rows(source, model.design)) is not None:
        check_rows(model.design.owner, wide.n, q - 1 + intercept)
    found: Any = learn(Always(LogisticLearner(CoefficientPenalty(), intercept)), source, model).summary
    free = np.tile(np.arange(q) > 0 if not intercept else np.ones(q, dtype=bool), L)
    pull = np.tile(np.append(0.0, l2 / model.scale**2), L)[free]
    H: Array = found.curvature.value[0][np.ix_(free, free)]
    inverse = np.linalg.pinv(H + np.diag(pull), hermitian=True)
    back = np.kron(np.eye(L), _to_table(model))[:, free]
    covariance = back @ (inverse @ H @ inverse) @ back.T
    first = slice(None) if intercept else slice(1, None)
    kept = np.concatenate([np.arange(k * q, (k + 1) * q)[first] for k in range(L)])
    coef = np.column_stack([model.intercept, model.coef])[:, first].ravel()
    used, n = float(np.trace(inverse @ H)), float(found.weight.value[0])
    likelihood = -float(found.loss.value[0])
    names = _names(model, intercept)
    return CoefficientTests(
        model.design.owner, names, coef, covariance[np.ix_(kept, kept)], used, n, likelihood, float("inf")
    )


def _to_table(model: LogisticModel) -> Array:
    """From (level at the centre, slopes in units of the scale) to (intercept, coefficients) of the table (q, q)."""
    out = np.diag(np.append(1.0, 1.0 / model.scale))
    out[0, 1:] = -model.centre / model.scale
    return out


def _names(model: LogisticModel, intercept: bool) -> tuple[str, ...]:
    own = [*(["intercept"] if intercept else []), *(term_name(term) for term in model.terms)]
    if len(model.theta) == 1:
        return tuple(own)
    return tuple(f"{label}: {name}" for label in model.classes for name in own)

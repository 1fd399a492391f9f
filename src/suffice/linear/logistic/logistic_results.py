"""What a logistic regression lets one say of its coefficients, from one more pass over its rows.

    cov(coef) = (H + P)^-1 H (H + P)^-1     H: curvature of the loss at the coefficients, P: that of the penalty

Without a penalty this is the inverse of Fisher's information. With more than two classes coefficients of all classes
may move together without a change; the covariance is that of coefficients that sum to 0 over the classes. Under a
penalty rows may be fewer than columns: they are turned to as many columns as there are rows first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.learner import Always, Source, learn
from suffice.linear.coefficient_tests import CoefficientTests, check_room, check_rows
from suffice.linear.logistic.logistic_learner import LogisticLearner, LogisticModel
from suffice.linear.logistic.proximal_newton import CoefficientPenalty
from suffice.linear.terms import term_name
from suffice.linear.wide.wide_logistic import turn, wide_rows


def logistic_results(
    source: Source, model: LogisticModel, penalty: CoefficientPenalty, intercept: bool
) -> CoefficientTests:
    """Tests of the coefficients of all classes that have some; `source` holds the rows they were learned from."""
    (L, q), l2 = model.theta.shape, penalty.l2
    check_room(model.design.owner, L * q)
    read = _Read(source, model, _to_table(model))
    wide = wide_rows(source, model.design)
    few = "Use fewer columns, or a penalty (C)."
    if wide is not None and wide.n < q - 1 + intercept:
        if l2 == 0.0:  # before products of them are made
            check_rows(model.design.owner, wide.n, q - 1 + intercept, few)
        read = _turned(wide, model, intercept and not penalty.constant)
    found: Any = learn(Always(LogisticLearner(CoefficientPenalty(), intercept)), read.source, read.model).summary
    if l2 == 0.0:
        check_rows(model.design.owner, int(found.rows[0]), q - 1 + intercept, few)
    free = np.tile(np.append(intercept, np.ones(len(read.model.scale), dtype=bool)), L)
    pull = np.tile(np.append(0.0, l2 / read.model.scale**2), L)[free]
    H: Array = found.curvature.value[0][np.ix_(free, free)]
    pulled = np.diag(pull)
    if penalty.constant and l2:  # on intercepts at 0, which the level and the slopes about the centre make up
        level = read.to_table[0] / penalty.constant
        pulled += np.kron(np.eye(L), l2 * np.outer(level, level))
    inverse = np.linalg.pinv(H + pulled, hermitian=True)
    back = np.kron(np.eye(L), read.to_table)[:, free]
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


class _Read(NamedTuple):
    """Rows, the model in their coordinates, and what makes coefficients of the table of its own (q, 1 + r)."""

    source: Source
    model: LogisticModel
    to_table: Array


def _turned(block: Block, model: LogisticModel, intercept: bool) -> _Read:
    """Of rows fewer than columns: in coordinates of their span the penalty is the same; beyond it nothing varies."""
    rows = turn(block, model, intercept)
    axes = rows.axes
    out = np.zeros((1 + axes.shape[1], 1 + len(axes)))
    out[0, 0], out[0, 1:], out[1:, 1:] = 1.0, -axes @ rows.shift, axes.T
    return _Read(rows.source, rows.model, out)


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

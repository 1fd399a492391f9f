"""The passes of logistic regression: a start from some of the rows, then slopes of all of them.

The curvature only says how long a step should be. Where there are many rows for each coefficient, a tenth of them says
that well enough; what is converged to depends on the slopes, which are of all rows. The last digits, where `tol` asks
for them, take the curvature of all rows: with it each step doubles the digits, without it none adds more than some.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from suffice.core.block import Block
from suffice.core.learner import Passes, Source, iterate
from suffice.linear.logistic.constant_column import with_constant
from suffice.linear.logistic.logistic_learner import LogisticLearner, LogisticModel
from suffice.linear.logistic.many_coefficients import MANY as MANY_COEFFICIENTS
from suffice.linear.logistic.many_coefficients import descend_directly, descend_many
from suffice.linear.logistic.proximal_newton import CoefficientPenalty
from suffice.linear.wide.wide_logistic import descended, turned, wide_rows
from suffice.numerics.arrays import all_finite
from suffice.numerics.blas_threads import one_thread_each, one_thread_if_small
from suffice.sources.engines.memory import MemorySource

MANY = 20_000  # rows from which passes are worth sparing
ENOUGH = 25  # rows a coefficient from which some of them say the curvature
SCARCE = 20  # rows that every class should keep
THINNEST = 10
FEW = 10  # passes that the start, or the quick way, may take
DIRECT = 100  # columns that wide rows are turned to, up to which equations of steps are solved at once
QUICK = 1e-6  # the smallest `tol` that the quick way is asked for


def learn_logistic(
    source: Source,
    start: LogisticModel,
    penalty: CoefficientPenalty,
    *,
    intercept: bool,
    rows: int,
    rarest: int,
    max_iter: int,
    tol: float,
) -> Passes[LogisticModel]:
    """Pass after pass until it has settled.

    Parameters
    ----------
    source : the rows
    start : where to begin
    penalty : on the coefficients
    intercept : whether there is one
    rows, rarest : how many rows there are, and how many the rarest class has
    max_iter, tol : passes over all rows, and the share of the objective that may be left to gain, its square root
    """
    if penalty.constant and (own := wide_rows(source, start.design) or _in_one_piece(source, start)) is not None:
        bare = replace(penalty, constant=0.0)
        more: Any = {"intercept": False, "rows": rows, "rarest": rarest, "max_iter": max_iter, "tol": tol}
        return with_constant(own, start, penalty.constant, lambda a, b: learn_logistic(a, b, bare, **more))
    block = wide_rows(source, start.design)
    if block is not None and (len(start.classes) == 2 or penalty.l1 == 0.0):
        if hasattr(block.parts[0], "indptr") or penalty.l1 > 0.0:
            return descended(block, start, penalty, intercept, max_iter, tol)

        def narrow(rows: MemorySource, model: LogisticModel) -> Passes[LogisticModel]:
            some = rows.block(slice(0, rows.table.n))
            if len(model.terms) > DIRECT:
                return descended(some, model, penalty, intercept, max_iter, tol)
            if len(model.classes) == 2 and penalty.l1 == 0.0 < penalty.l2 and max_iter > 0:
                return descend_directly(some, model, penalty, intercept, max_iter, tol)
            return _settled(rows, model, LogisticLearner(penalty, intercept), 1, max_iter, tol)

        with one_thread_if_small(block.n):
            return turned(block, start, intercept, narrow)
    thin = max(1, min(THINNEST, rows // (ENOUGH * start.theta.size), rarest // SCARCE)) if rows >= MANY else 1
    with one_thread_each():  # a step solves small equations, which threads of their own only delay
        learner = LogisticLearner(penalty, intercept)
        some = _in_one_piece(source, start) if penalty.l1 == 0.0 < penalty.l2 and max_iter > 0 and rows < MANY else None
        if some is None:
            return _settled(source, start, learner, thin, max_iter, tol)
        found = descend_many(some, start, penalty, intercept, max_iter, max(tol, QUICK))
        if tol >= QUICK or not found.settled or found.passes == max_iter:
            return found
        last = _settled(source, found.model, learner, 1, max_iter - found.passes, tol)
        return last._replace(passes=found.passes + last.passes)


def _in_one_piece(source: Source, start: LogisticModel) -> Block | None:
    """All rows of a table of numbers in memory, none of them missing, where coefficients are many; else None."""
    if start.theta.size < MANY_COEFFICIENTS or not (isinstance(source, MemorySource) and start.design.bare):
        return None
    block = source.block(slice(0, source.table.n))
    dense = isinstance(block.parts[0], np.ndarray) and start.design.plain(start.terms)
    return block if dense and all_finite(block.parts[0]) else None


def _settled(
    source: Source, model: LogisticModel, learner: LogisticLearner, thin: int, max_iter: int, tol: float
) -> Passes[LogisticModel]:
    if max_iter == 0:
        return Passes(model, 0, False)
    spent = 0
    if thin > 1 and max_iter > FEW:
        some = iterate(replace(learner, every=thin), source, model, max_iter=FEW, tol=0.01)
        start = replace(_fresh(some.model), known=some.model.known)  # what some rows said of the curvature still holds
        found = iterate(replace(learner, curved=thin), source, start, max_iter=FEW, tol=max(tol, QUICK))
        if found.settled and tol >= QUICK:
            return found
        model, spent = found.model, found.passes
    found = iterate(learner, source, _fresh(model), max_iter=max_iter - spent, tol=tol)
    return found._replace(passes=found.passes + spent)


def _fresh(model: LogisticModel) -> LogisticModel:
    """The same coefficients, with nothing known of the step that led to them."""
    return replace(model, before=None, objective=float("inf"), decrement=float("inf"), known=None)

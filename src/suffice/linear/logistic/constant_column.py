"""Intercepts that bear a penalty, as liblinear has them: each is the coefficient of a column that never varies.

Passes know of it by their penalty alone (`CoefficientPenalty.constant`), and no row is touched. Tables in memory that
are wide, sparse or of many columns get the column, and go the way of rows without intercepts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.kinds import Kind
from suffice.core.learner import Passes
from suffice.core.schema import Schema
from suffice.linear.logistic.logistic_learner import LogisticModel
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.grid import Grid
from suffice.sources.tables.sparse_numbers import SparseNumbers

Learn = Callable[[MemorySource, LogisticModel], Passes[LogisticModel]]


def about_zero(start: LogisticModel) -> LogisticModel:
    """The same coefficients with columns about 0, where intercepts are what is penalised."""
    return replace(start, centre=np.zeros_like(start.centre)).at(start.coef, start.intercept)


def with_constant(block: Block, start: LogisticModel, constant: float, learn: Learn) -> Passes[LogisticModel]:
    """Learn from rows with one column more, then take its coefficients for intercepts."""
    rows = _rows(block.parts[0], constant)
    schema = Schema.numbered([Kind.QUANTITATIVE] * rows.shape[1])
    table: Any = SparseNumbers(rows) if hasattr(rows, "indptr") else Grid(rows)
    design = replace(start.design, schema=schema)
    own = replace(
        start,
        design=design,
        terms=design.numbers,
        centre=np.zeros(rows.shape[1]),
        scale=np.append(start.scale, constant),
        theta=np.column_stack([np.zeros(len(start.theta)), start.theta[:, 1:], start.intercept]),
    )
    found = learn(MemorySource(table, schema, block.y, block.w, 1), own)
    coef = found.model.coef
    back = replace(about_zero(start), separated=found.model.separated).at(coef[:, :-1], constant * coef[:, -1])
    return found._replace(model=back)


def _rows(X: Any, constant: float) -> Array | Any:
    column = np.full((X.shape[0], 1), constant)
    if not hasattr(X, "indptr"):
        return np.hstack([np.asarray(X, dtype=np.float64), column])
    from scipy.sparse import csr_array, hstack

    return hstack([X, csr_array(column)], format="csr")

"""What a fitted sparse model tells of itself beside its coefficients, as properties of its estimators."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.linear.regression.sparse_solver import Sparse


def _sparse_coef(holder: Any) -> Any:
    """The coefficients as a sparse matrix."""
    from scipy.sparse import csr_matrix

    return csr_matrix(np.atleast_2d(holder.coef_))


def _dual_gap(holder: Any) -> Any:
    """How far the objective can still fall at most: a number, or one a target."""
    state: Any = holder._state()[0]
    gaps = [_gap(state, j) for j in range(len(state.model.coef))]
    return gaps[0] if holder._origin.flat else np.array(gaps)


def _n_iter(holder: Any) -> Any:
    """Sweeps over the coefficients: a number, or one a target."""
    state: Any = holder._state()[0]
    problem, solver = state.model.problem, state.plan.solver
    sweeps = [_sweeps(solver, problem, j) for j in range(len(state.model.coef))]
    return sweeps[0] if holder._origin.flat else sweeps


def _gap(state: Any, target: int) -> float:
    model, solver = state.model, state.plan.solver
    return float(solver.gap(model.problem, target, model.coef[target]))


def _sweeps(solver: Sparse, problem: Any, target: int) -> int:
    if solver.alpha * solver.l1_ratio == 0.0:
        return 1
    return int(solver.found(problem, target).sweeps[0])


sparse_coef, dual_gap, sweeps = property(_sparse_coef), property(_dual_gap), property(_n_iter)

"""What a fitted linear model tells of itself: the same for estimators and for loaded models. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.holder import Holder
from suffice.linear.coefficient_tests import CoefficientTests
from suffice.linear.regression.linear_results import LinearResults
from suffice.linear.regression.ridge_results import ridge_results
from suffice.linear.regression.solvers import LeastSquares, Shrunken


class Coefficients:
    """Coefficients and their names, read from the summary."""

    @property
    def coef_(self: Any) -> Array:
        """One coefficient a term: (p,) where y was one number a row, else (t, p)."""
        state: Any = self._state()[0]
        coef = told_of(state.model)[0]
        flattens = getattr(state.plan, "flattens", False) and len(coef) == 1
        coef = coef[0] if self._origin.flat or flattens else coef
        return np.asarray(self._origin.typed(np.ascontiguousarray(coef)))

    @property
    def intercept_(self: Any) -> Any:
        """f(0): a number where y was one number a row, else (t,); 0.0 without an intercept."""
        state: Any = self._state()[0]
        if not state.model.problem.intercept:
            return 0.0
        intercept = self._origin.typed(told_of(state.model)[1])
        return intercept[0] if self._origin.flat else intercept

    def get_feature_names_out(self: Holder, input_features: Any = None) -> Array:
        """The name of each coefficient: columns, levels of symbols as column=level, products as x^2 and x y."""
        return np.array(self._state()[0].model.names, dtype=object)

    @property
    def condition_(self: Holder) -> float:
        """Condition number of the terms, each made of length 1: about as many digits as it has may be lost."""
        return float(self._state()[0].model.problem.condition())


class Tested(Coefficients):
    """Coefficients of least squares, which come with standard errors and tests."""

    def results(self: Any, target: int = 0) -> LinearResults | CoefficientTests:
        """Standard errors, tests, intervals and criteria, from the summary alone; of ridge, with its degrees used.

        Parameters
        ----------
        target : the number of the target, where there are several
        """
        state: Any = self._state()[0]
        if isinstance(state.plan.solver, Shrunken):
            return ridge_results(state.model, state.plan.solver.penalty, target)
        if not isinstance(state.plan.solver, LeastSquares):
            rule = "of least squares or ridge for results"
            remedy = "Use LinearRegression or Ridge, without bounds."
            raise bad(self._owner, "the model", rule, type(state.plan.solver).__name__, remedy)
        model = state.model
        if model.raw is not None:
            model = state.plan.learner(state.schema).about_zero(state.summary, model)
        return LinearResults(model, state, target)


def told_of(model: Any) -> tuple[Array, Array]:
    """Coefficients (t, p) and values at 0 (t,), of terms about 0 whatever those of the model are about."""
    raw: tuple[Array, Array] | None = getattr(model, "raw", None)
    return (model.coef, model.intercept) if raw is None else raw

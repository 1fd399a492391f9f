"""PerceptronRegressor: a linear function learned row by row.

w <- w + rate (y - yhat) x,     b <- b + rate (y - yhat)
"""

from __future__ import annotations

import warnings
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.design.coded_rows import coded_door
from suffice.estimators.design.missing_option import MISSING_RULE
from suffice.estimators.glue.sequential_regressor import SequentialRegressor
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.margin.perceptron.flat_rows import FlatRows
from suffice.margin.perceptron.linear_function import LinearFunction, LineReadings
from suffice.margin.perceptron.perceptron_order import as_they_come, shuffled
from suffice.margin.perceptron.perceptron_seeds import seeds_of
from suffice.margin.perceptron.residual_sweep import residual_sweep
from suffice.margin.plans import LinePlan
from suffice.numerics.loop import pays
from suffice.sources.engines.memory import MemorySource


class PerceptronRegressor(LineReadings, SequentialRegressor):
    """A line drawn towards each row in turn: it comes near the least squares, but does not settle there unless all
    rows lie on a line. In memory: it visits the rows in order; `partial_fit` takes them as they come.

    Parameters
    ----------
    eta0 : the learning rate; None: 1 over the largest squared length of a row (1, x), times its weight. From twice that
        on, a step leaves the row worse than before, and weights may overflow
    max_iter : most sweeps over the rows
    bound : sum of squared residuals under which to stop; None: sweep `max_iter` times
    fit_intercept : whether there is an intercept
    shuffle : whether each sweep has an order of its own
    random_state : of the orders
    missing : "indicator" gives the missing cells of a column a column of their own, with the mean in place of the
        number; "error" refuses them; None refuses those of arrays alone, as scikit-learn does

    Attributes
    ----------
    coef_, intercept_, n_features_in_, feature_names_in_ : as in scikit-learn's linear models
    n_iter_ : sweeps
    squared_residuals_ : their weighted sum, after the last sweep

    Examples
    --------
    >>> from suffice import PerceptronRegressor
    >>> model = PerceptronRegressor(eta0=0.1, max_iter=400).fit([[-1.0], [0.0], [1.0]], [-3.0, -1.0, 1.0])
    >>> model.coef_.round(6).tolist(), round(model.intercept_, 6)
    ([2.0], -1.0)

    References
    ----------
    B. Widrow and M. Hoff, Adaptive switching circuits (1960).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "eta0": [Interval(Real, 0, None, closed="neither"), None],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "bound": [Interval(Real, 0, None, closed="neither"), None],
        "fit_intercept": ["boolean"],
        "shuffle": ["boolean"],
        "random_state": ["random_state"],
        "missing": MISSING_RULE,
    }

    _door = coded_door(
        NumberRows({"accept_sparse": "csr", "dtype": np.float64, "order": "C", "accept_large_sparse": False})
    )
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    def __init__(
        self,
        *,
        eta0: float | None = None,
        max_iter: int = 100,
        bound: float | None = None,
        fit_intercept: bool = True,
        shuffle: bool = True,
        random_state: Any = 0,
        missing: str | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.eta0 = eta0
        self.max_iter = max_iter
        self.bound = bound
        self.fit_intercept = fit_intercept
        self.shuffle = shuffle
        self.random_state = random_state
        self.missing = missing

    def fit(
        self,
        X: Any,
        y: Any = None,
        coef_init: Any = None,
        intercept_init: float = 0.0,
        sample_weight: Any = None,
        *,
        target: Any = None,
        in_memory: bool = False,
    ) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : any table; sparse rows too; or files, with `in_memory=True`
        y : one number a row; None where the rows come from files
        coef_init, intercept_init : weights to begin with; zero unless given
        sample_weight : one weight a row; its steps are so many times as long
        target : the column of numbers to predict, where the rows come from files
        in_memory : whether the rows of files may be read whole
        """
        step = partial(self._sweeps, coef_init, intercept_init)
        self._fit(X, y, sample_weight, step, target, in_memory)
        return self

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from more rows: one sweep over them.

        Parameters
        ----------
        X : any table; sparse rows too
        y : one number a row
        sample_weight : one weight a row; its steps are so many times as long
        """
        self._learn_on(X, y, sample_weight, self._one_sweep)
        return self

    def _plan(self) -> LinePlan:
        return LinePlan(self._owner)

    def _sweeps(self, coef: Any, intercept: float, source: MemorySource, before: FittedModel | None) -> Found:
        """Sweep after sweep from given weights."""
        d = int(source.table.X.shape[1])  # type: ignore[attr-defined]
        w = np.zeros(d) if coef is None else np.array(coef, dtype=np.float64).ravel()
        if len(w) != d or not np.isfinite(w).all():
            raise bad(self._owner, "coef_init", f"{d} finite numbers", w, "Give one weight a column.")
        found = self._sweep(source, LinearFunction(w, float(intercept)), int(self.max_iter))
        if not found.settled:
            told = f"the sum of squared residuals is {found.model.squared_residuals:g} after {found.passes} sweeps"
            told = f"{told}, not under the bound {self.bound:g}. Raise the bound or max_iter."
            warnings.warn(f"{self._owner}: {told}", ConvergenceWarning, stacklevel=5)
        return found

    def _one_sweep(self, source: MemorySource, before: FittedModel | None) -> Found:
        """One sweep from where the last ended."""
        d = int(source.table.X.shape[1])  # type: ignore[attr-defined]
        return self._sweep(source, LinearFunction(np.zeros(d), 0.0) if before is None else before.model, 1)

    def _sweep(self, source: MemorySource, begun: LinearFunction, max_iter: int) -> Found:
        """Sweep until the residuals are small enough, or sweeps run out."""
        block = source.block(slice(0, source.table.n))
        rows, y = FlatRows.of(block.parts[0]), np.ascontiguousarray(np.asarray(block.y)[:, 0])
        w, b, share, left, sweeps = begun.coef.copy(), begun.intercept, float(self.fit_intercept), np.inf, 0
        gains = np.ones(rows.n) if block.w is None else block.w
        rate = 1.0 / rows.longest(gains, share) if self.eta0 is None else float(self.eta0)
        if rate == 0.0:
            raise bad(self._owner, "X", "of rows whose squared length is finite", Said("longer ones"), "Scale it.")
        orders = shuffled(rows.n, seeds_of(self.random_state, 1)[0]) if self.shuffle else as_they_come(rows.n)
        for sweeps in range(1, max_iter + 1):
            b = residual_sweep(rows, next(orders), y, rate * gains, w, b, share, pays(sweeps * rows.cells))
            self._refuse_overflow(w, b, sweeps)
            if sweeps == max_iter or self.bound is not None:
                left = float(gains @ (y - rows.products(w) - b) ** 2)
            if self.bound is not None and left < self.bound:
                break
        return Found(LinearFunction(w, float(b), sweeps, left), sweeps, self.bound is None or left < self.bound)

    def _refuse_overflow(self, w: Array, b: float, sweeps: int) -> None:
        if not (np.isfinite(b) and np.abs(w).max() < 1e150):  # so that squares of residuals can be added
            rule = f"finite (Floating-point under-/overflow occurred at epoch #{sweeps})"
            raise bad(self._owner, "the weights", rule, Said("infinity"), "Lower eta0, or scale the columns.")

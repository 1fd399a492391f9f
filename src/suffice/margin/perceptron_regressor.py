"""PerceptronRegressor: a linear function learned row by row.

w <- w + rate (y - yhat) x,     b <- b + rate (y - yhat)
"""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from os import PathLike
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.loop import pays
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.foreign import in_our_name
from suffice.estimators.origin import Origin, column_names
from suffice.estimators.targets import read_targets
from suffice.estimators.weights import read_weights
from suffice.margin.flat_rows import FlatRows
from suffice.margin.perceptron_order import as_they_come, shuffled
from suffice.margin.perceptron_seeds import seeds_of
from suffice.margin.residual_sweep import residual_sweep
from suffice.margin.saved_line import SavedLine


class PerceptronRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
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
    }

    def __init__(
        self,
        *,
        eta0: float | None = None,
        max_iter: int = 100,
        bound: float | None = None,
        fit_intercept: bool = True,
        shuffle: bool = True,
        random_state: Any = 0,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.eta0 = eta0
        self.max_iter = max_iter
        self.bound = bound
        self.fit_intercept = fit_intercept
        self.shuffle = shuffle
        self.random_state = random_state

    def fit(
        self, X: Any, y: Any, coef_init: Any = None, intercept_init: float = 0.0, sample_weight: Any = None
    ) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : rows of numbers, none missing; sparse rows too
        y : one number a row
        coef_init, intercept_init : weights to begin with; zero unless given
        sample_weight : one weight a row; its steps are so many times as long
        """
        with all_or_nothing(self):
            self._validate_params()
            rows, target = self._read(X, y, first=True)
            w = np.zeros(rows.width) if coef_init is None else np.array(coef_init, dtype=np.float64).ravel()
            if len(w) != rows.width or not np.isfinite(w).all():
                raise bad(self._owner, "coef_init", f"{rows.width} finite numbers", w, "Give one weight a column.")
            gains = read_weights(self._owner, sample_weight, rows.n)
            self._sweep(rows, target, gains, w, float(intercept_init), int(self.max_iter))
            if self.bound is not None and not self.squared_residuals_ < self.bound:
                left = f"the sum of squared residuals is {self.squared_residuals_:g} after {self.n_iter_} sweeps"
                warnings.warn(
                    f"{self._owner}: {left}, not under the bound {self.bound:g}. Raise the bound or max_iter.",
                    ConvergenceWarning,
                    stacklevel=2,
                )
        return self

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from more rows: one sweep over them.

        Parameters
        ----------
        X : rows of numbers, none missing; sparse rows too
        y : one number a row
        sample_weight : one weight a row; its steps are so many times as long
        """
        with all_or_nothing(self):
            self._validate_params()
            first = "coef_" not in vars(self)
            rows, target = self._read(X, y, first=first)
            w, b = (np.zeros(rows.width), 0.0) if first else (self.coef_.copy(), self.intercept_)
            self._sweep(rows, target, read_weights(self._owner, sample_weight, rows.n), w, b, 1)
        return self

    def predict(self, X: Any) -> Array:
        """The number of each row (n,).

        Parameters
        ----------
        X : rows like those of training
        """
        check_is_fitted(self)
        return np.asarray(self._rows(X, first=False) @ self.coef_ + self.intercept_)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the function to a file: numbers and a description, never code. `suffice.load` reads it.

        Parameters
        ----------
        path : the file
        """
        from suffice.persistence import save

        check_is_fitted(self)
        origin = Origin(self.n_features_in_, column_names(self))
        save(SavedLine(self._owner, self.coef_, self.intercept_, origin), path)

    def _sweep(self, rows: FlatRows, y: Array, gains: Array | None, w: Array, b: float, max_iter: int) -> None:
        """Sweep until the residuals are small enough, or sweeps run out."""
        share, left, sweeps = float(self.fit_intercept), np.inf, 0
        gains = np.ones(rows.n) if gains is None else gains
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
        self.coef_, self.intercept_, self.n_iter_, self.squared_residuals_ = w, float(b), sweeps, left

    def _refuse_overflow(self, w: Array, b: float, sweeps: int) -> None:
        if not (np.isfinite(b) and np.abs(w).max() < 1e150):  # so that squares of residuals can be added
            rule = f"finite (Floating-point under-/overflow occurred at epoch #{sweeps})"
            raise bad(self._owner, "the weights", rule, Said("infinity"), "Lower eta0, or scale the columns.")

    def _read(self, X: Any, y: Any, first: bool) -> tuple[FlatRows, Array]:
        read_targets(self._owner, y)
        with in_our_name(self._owner):
            target = column_or_1d(y, dtype=np.float64, warn=True)
        rows = FlatRows.of(self._rows(X, first))
        if rows.n != len(target):
            both = f"(Found input variables with inconsistent numbers of samples: [{rows.n}, {len(target)}])"
            lengths = Said(f"{rows.n} and {len(target)}")
            raise bad(self._owner, "X and y", f"of one length {both}", lengths, "Give one number a row.")
        return rows, target

    def _rows(self, X: Any, first: bool) -> Any:
        with in_our_name(self._owner):
            return validate_data(
                self, X, accept_sparse="csr", dtype=np.float64, order="C", accept_large_sparse=False, reset=first
            )

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def __sklearn_tags__(self) -> Any:
        """Sparse rows are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

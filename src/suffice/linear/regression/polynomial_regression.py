"""PolynomialRegression: least squares on products of columns.

f(x) = intercept + sum over products of up to `degree` columns of coef x_i x_j ...
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from suffice.estimators.glue.one_pass_regressor import OnePassRegressor
from suffice.linear.regression.coefficients import Tested
from suffice.linear.regression.linear_plan import LinearPlan
from suffice.linear.regression.ridge import read_penalty
from suffice.linear.regression.solvers import LeastSquares, Shrunken


class PolynomialRegression(Tested, OnePassRegressor):
    """Polynomial regression: one pass, mergeable, forgetting. Its terms are named x, x^2, x y.

    The same as least squares on the expanded columns. Powers are taken in pairs of floats, about a centre of their own
    where a column lies far from 0 for its spread, and coefficients are told for powers about 0. Levels of a symbol are
    multiplied with numbers and with levels of other symbols, not with one another.

    Parameters
    ----------
    degree : the most factors of a term
    interactions : whether a column may be multiplied with other columns alone, so that there are no powers
    alpha : a penalty on the squares of the coefficients, the intercept left out; 0 is least squares
    fit_intercept : whether f(0) may differ from 0
    kinds : mapping column -> kind, overriding what the column shows
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    coef_, intercept_, n_features_in_, feature_names_in_ : as in `LinearRegression`, one coefficient a term
    condition_ : condition number of the terms about their centres, each made of length 1

    Examples
    --------
    >>> from suffice import PolynomialRegression
    >>> model = PolynomialRegression(degree=2).fit({"x": [0.0, 1.0, 2.0, 3.0]}, [1.0, 2.0, 5.0, 10.0])
    >>> model.get_feature_names_out().tolist(), model.predict({"x": [4.0]}).round(9).tolist()
    (['x', 'x^2'], [17.0])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **OnePassRegressor._parameter_constraints,
        "degree": [Interval(Integral, 1, None, closed="left")],
        "interactions": ["boolean"],
        "alpha": [Interval(Real, 0, None, closed="left"), "array-like"],
        "fit_intercept": ["boolean"],
    }

    def __init__(
        self,
        degree: int = 2,
        *,
        interactions: bool = False,
        alpha: Any = 0.0,
        fit_intercept: bool = True,
        kinds: Mapping[Any, Any] | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.degree = degree
        self.interactions = interactions
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.kinds = kinds
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> LinearPlan:
        penalty = read_penalty(self._owner, self.alpha)
        solver = Shrunken(penalty) if any(penalty) else LeastSquares()
        products = int(self.degree), bool(self.interactions)
        return LinearPlan(self._owner, solver, bool(self.fit_intercept), dict(self.kinds or {}), *products)

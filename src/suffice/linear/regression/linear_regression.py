"""LinearRegression: ordinary least squares, on a summary that adds.

f(x) = intercept + x . coef,     the least sum of w (y - f(x))^2
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from suffice.core.block import Array
from suffice.estimators.design.gap_choice import takes_gaps
from suffice.estimators.design.missing_option import MISSING_RULE, gap_door
from suffice.estimators.glue.one_pass_regressor import OnePassRegressor
from suffice.linear.regression.coefficients import Tested
from suffice.linear.regression.linear_plan import LinearPlan
from suffice.linear.regression.solvers import LeastSquares, Positive


class LinearRegression(Tested, OnePassRegressor):
    """Ordinary least squares for scikit-learn users: one pass, mergeable, forgetting, with certified digits.

    Rows are kept as a triangle, which loses half the digits that products of columns do. Symbols become one column a
    level but the first.

    Parameters
    ----------
    fit_intercept : whether f(0) may differ from 0
    copy_X : taken for the sake of scikit-learn's interface; X is never changed
    tol : share of the largest singular value, columns made of length 1, up to which a direction counts as none; 0 is
        what rounding leaves
    n_jobs : taken for the sake of scikit-learn's interface; see `threads`
    positive : whether no coefficient may be below 0
    kinds : mapping column -> kind, overriding what the column shows
    missing : "indicator" gives the missing cells of a column a coefficient of their own, with the mean in place of the
        number; "error" refuses them; None refuses those of arrays alone, as scikit-learn does
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    coef_, intercept_, rank_, singular_, n_features_in_, feature_names_in_ : as in scikit-learn
    condition_ : condition number of the terms, each made of length 1

    Examples
    --------
    >>> from suffice import LinearRegression
    >>> model = LinearRegression().fit([[1.0], [2.0], [3.0]], [3.0, 5.0, 7.0])
    >>> model.coef_.round(9).tolist(), round(float(model.intercept_), 9)
    ([2.0], 1.0)

    References
    ----------
    G. Golub, Numerical methods for solving linear least squares problems (1965).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **OnePassRegressor._parameter_constraints,
        "fit_intercept": ["boolean"],
        "missing": MISSING_RULE,
        "copy_X": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="left")],
        "n_jobs": [None, Integral],
        "positive": ["boolean"],
    }

    _door = property(gap_door)

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        tol: float = 0.0,
        n_jobs: int | None = None,
        positive: bool = False,
        kinds: Mapping[Any, Any] | None = None,
        missing: str | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.tol = tol
        self.n_jobs = n_jobs
        self.positive = positive
        self.kinds = kinds
        self.missing = missing
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> LinearPlan:
        solver = Positive() if self.positive else LeastSquares(float(self.tol))
        return LinearPlan(self._owner, solver, bool(self.fit_intercept), dict(self.kinds or {}), gaps=takes_gaps(self))

    @property
    def rank_(self) -> int:
        """How many directions of the terms the rows fill."""
        return int(self._state()[0].model.problem.rank(float(self.tol)))

    @property
    def singular_(self) -> Array:
        """Singular values of the terms, about their means if there is an intercept."""
        problem = self._state()[0].model.problem
        return self._origin.typed(problem.singular[: problem.rows])

"""TotalLeastSquares: noise on the columns and on the target.

The plane through the means from which the rows, as points (x, y), have the least sum of squared distances.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from suffice.estimators.glue.one_pass_regressor import OnePassRegressor
from suffice.linear.regression.coefficients import Coefficients
from suffice.linear.regression.linear_plan import LinearPlan
from suffice.linear.regression.solvers import Orthogonal


class TotalLeastSquares(Coefficients, OnePassRegressor):
    """Orthogonal regression: one pass, mergeable, forgetting. It depends on the units of the columns.

    Parameters
    ----------
    fit_intercept : whether the plane need not pass through 0
    kinds : mapping column -> kind, overriding what the column shows
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    coef_, intercept_, n_features_in_, feature_names_in_, condition_ : as in `LinearRegression`

    Examples
    --------
    >>> from suffice import TotalLeastSquares
    >>> TotalLeastSquares().fit([[0.0], [1.0], [2.0]], [0.0, 2.0, 4.0]).coef_.round(9).tolist()
    [2.0]

    References
    ----------
    G. Golub and C. Van Loan, An analysis of the total least squares problem (1980).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **OnePassRegressor._parameter_constraints,
        "fit_intercept": ["boolean"],
    }

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        kinds: Mapping[Any, Any] | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.fit_intercept = fit_intercept
        self.kinds = kinds
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> LinearPlan:
        return LinearPlan(self._owner, Orthogonal(), bool(self.fit_intercept), dict(self.kinds or {}))

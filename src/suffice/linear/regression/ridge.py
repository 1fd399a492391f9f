"""Ridge: least squares with a penalty on the squares of the coefficients, on a summary that adds.

f(x) = intercept + x . coef,     the least sum of w (y - f(x))^2 + alpha sum_j coef_j^2
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.errors import bad
from suffice.estimators.design.gap_choice import takes_gaps
from suffice.estimators.design.missing_option import MISSING_RULE, gap_door
from suffice.estimators.glue.one_pass_regressor import OnePassRegressor
from suffice.linear.regression.coefficients import Tested
from suffice.linear.regression.linear_plan import LinearPlan
from suffice.linear.regression.solvers import Positive, Shrunken

SOLVERS = {"auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs"}


class Ridge(Tested, OnePassRegressor):
    """Ridge regression for scikit-learn users: one pass, mergeable, forgetting; another alpha needs no rows.

    The intercept is not penalised. Symbols become one column a level but the first.

    Parameters
    ----------
    alpha : the penalty, at least 0; one number, or one a target
    fit_intercept : whether f(0) may differ from 0
    copy_X, max_iter, tol, solver, random_state : taken for the sake of scikit-learn's interface; the answer is exact
    positive : whether no coefficient may be below 0
    kinds : mapping column -> kind, overriding what the column shows
    missing : "indicator" gives the missing cells of a column a coefficient of their own, with the mean in place of the
        number; "error" refuses them; None refuses those of arrays alone, as scikit-learn does
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    coef_, intercept_, n_features_in_, feature_names_in_, n_iter_, solver_ : as in scikit-learn
    condition_ : condition number of the terms, each made of length 1

    Examples
    --------
    >>> from suffice import Ridge
    >>> model = Ridge(alpha=2.0).fit([[1.0], [2.0], [3.0]], [3.0, 5.0, 7.0])
    >>> model.coef_.round(9).tolist(), model.set_params(alpha=0.0).coef_.round(9).tolist()
    ([1.0], [2.0])

    References
    ----------
    A. Hoerl and R. Kennard, Ridge regression: biased estimation for nonorthogonal problems (1970).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **OnePassRegressor._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="left"), "array-like"],
        "fit_intercept": ["boolean"],
        "missing": MISSING_RULE,
        "copy_X": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left"), None],
        "tol": [Interval(Real, 0, None, closed="left")],
        "solver": [StrOptions(SOLVERS)],
        "positive": ["boolean"],
        "random_state": ["random_state"],
    }

    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)  # draws nothing here, and cannot always be saved

    _door = property(gap_door)

    def __init__(
        self,
        alpha: Any = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: int | None = None,
        tol: float = 1e-4,
        solver: str = "auto",
        positive: bool = False,
        random_state: Any = None,
        kinds: Mapping[Any, Any] | None = None,
        missing: str | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.solver = solver
        self.positive = positive
        self.random_state = random_state
        self.kinds = kinds
        self.missing = missing
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> LinearPlan:
        solver = (Positive if self.positive else Shrunken)(read_penalty(self._owner, self.alpha))
        return LinearPlan(
            self._owner, solver, bool(self.fit_intercept), dict(self.kinds or {}), gaps=takes_gaps(self), flattens=True
        )

    @property
    def n_iter_(self) -> int:
        """The rows are met once."""
        return 1

    @property
    def solver_(self) -> str:
        """The solver that was asked for; of "auto", the one of scikit-learn's that comes nearest to what was done."""
        if self.solver != "auto":
            return self.solver
        return "lbfgs" if self.positive else "svd"


def read_penalty(owner: str, alpha: Any) -> tuple[float, ...]:
    """Penalties as numbers of at least 0."""
    try:
        values = np.atleast_1d(np.asarray(alpha, dtype=np.float64))
    except (TypeError, ValueError):
        raise bad(owner, "alpha", "a number of at least 0, or one a target", alpha, "Correct it.") from None
    if values.ndim != 1 or not len(values) or not ((values >= 0) & np.isfinite(values)).all():
        raise bad(owner, "alpha", "a finite number of at least 0, or one a target", alpha, "0 is least squares.")
    return tuple(values.tolist())

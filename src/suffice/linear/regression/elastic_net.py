"""ElasticNet and Lasso: least squares with a penalty that makes small coefficients exactly 0, on a summary that adds.

f(x) = intercept + x . coef,  the least of 1/2 mean (y - f(x))^2 + alpha (l1_ratio |coef|_1 + (1 - l1_ratio)/2 |coef|^2)
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, ClassVar, Self

from sklearn.utils._param_validation import Interval, StrOptions

from suffice.estimators.design.gap_choice import takes_gaps
from suffice.estimators.design.missing_option import MISSING_RULE, gap_door
from suffice.estimators.glue.one_pass_regressor import OnePassRegressor
from suffice.linear.regression.coefficients import Coefficients
from suffice.linear.regression.linear_plan import LinearPlan
from suffice.linear.regression.penalty_path import penalty_path
from suffice.linear.regression.sparse_readings import dual_gap, sparse_coef, sweeps
from suffice.linear.regression.sparse_solver import Sparse

IDLE = {"precompute", "Xy", "copy_X", "verbose", "check_input", "selection", "random_state"}  # options of a path


class ElasticNet(Coefficients, OnePassRegressor):
    """Elastic net for scikit-learn users: one pass, mergeable, forgetting; another penalty needs no rows.

    The intercept is not penalised. Symbols become one column a level but the first.

    Parameters
    ----------
    alpha : the penalty, at least 0
    l1_ratio : the part of it that is on sizes, from 0 (ridge) to 1 (lasso)
    fit_intercept : whether f(0) may differ from 0
    max_iter, tol : sweeps over the coefficients, and the gap to the best objective as a share of the mean square of y
    positive : whether no coefficient may be below 0
    warm_start : whether `fit` begins at the coefficients of the last one: fewer sweeps to the same answer
    precompute, copy_X, random_state, selection : taken for the sake of scikit-learn's interface
    kinds : mapping column -> kind, overriding what the column shows
    missing : "indicator" gives the missing cells of a column a coefficient of their own, with the mean in place of the
        number; "error" refuses them; None refuses those of arrays alone, as scikit-learn does
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    coef_, sparse_coef_, intercept_, dual_gap_, n_iter_, n_features_in_, feature_names_in_ : as in scikit-learn
    condition_ : condition number of the terms, each made of length 1

    Examples
    --------
    >>> from suffice import ElasticNet
    >>> X = [[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0]]
    >>> ElasticNet(alpha=0.1, l1_ratio=1.0).fit(X, [2.0, 4.0, 6.0, 8.0]).coef_.round(2).tolist()
    [1.92, 0.0]

    References
    ----------
    H. Zou and T. Hastie, Regularization and variable selection via the elastic net (2005).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **OnePassRegressor._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="left")],
        "l1_ratio": [Interval(Real, 0, 1, closed="both")],
        "fit_intercept": ["boolean"],
        "missing": MISSING_RULE,
        "precompute": ["boolean", "array-like"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "copy_X": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="left")],
        "warm_start": ["boolean"],
        "positive": ["boolean"],
        "random_state": ["random_state"],
        "selection": [StrOptions({"cyclic", "random"})],
    }

    _not_saved: ClassVar[tuple[str, ...]] = ("random_state", "precompute")  # decide nothing here

    _door = property(gap_door)

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        l1_ratio: float = 0.5,
        fit_intercept: bool = True,
        precompute: Any = False,
        max_iter: int = 1000,
        copy_X: bool = True,
        tol: float = 1e-4,
        warm_start: bool = False,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
        kinds: Mapping[Any, Any] | None = None,
        missing: str | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.copy_X = copy_X
        self.tol = tol
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.kinds = kinds
        self.missing = missing
        self.threads = threads
        self.ledger = ledger

    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, check_input: bool = True, *, target: Any = None
    ) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X, y, sample_weight, target : as for `Ridge`
        check_input : taken for the sake of scikit-learn's interface; checks ride in the pass over the rows
        """
        self._fit(X, y, sample_weight, target)
        return self

    def _plan(self) -> LinearPlan:
        start = vars(self).get("_start", ())
        solver = Sparse(
            float(self.alpha), float(self.l1_ratio), float(self.tol), int(self.max_iter), bool(self.positive), start
        )
        return LinearPlan(
            self._owner, solver, bool(self.fit_intercept), dict(self.kinds or {}), gaps=takes_gaps(self), flattens=True
        )

    def _begin(self) -> None:
        before: Any = self._before
        super()._begin()
        self.__dict__.pop("_start", None)
        if self.warm_start and before is not None:
            self._start = tuple(tuple(each) for each in before.model.coef.tolist())

    sparse_coef_, dual_gap_, n_iter_ = sparse_coef, dual_gap, sweeps

    @staticmethod
    def path(X: Any, y: Any, **options: Any) -> Any:
        """Penalties, coefficients (p, m) or (t, p, m), and dual gaps, as scikit-learn's `enet_path` gives them.

        Parameters
        ----------
        X, y : rows and what they are about, both about their means: there is no intercept
        options : l1_ratio, eps, alphas (how many, or which), coef_init, positive, tol, max_iter, return_n_iter; what
            tells scikit-learn how to go about it (precompute, Xy, copy_X...) is taken and changes nothing
        """
        return penalty_path(X, y, **{name: value for name, value in options.items() if name not in IDLE})


class Lasso(ElasticNet):
    """The lasso for scikit-learn users: one pass, mergeable, forgetting; another penalty needs no rows.

    Parameters
    ----------
    alpha : the penalty on the sizes of the coefficients, at least 0
    fit_intercept, precompute, copy_X, max_iter, tol, warm_start, positive, random_state, selection, kinds, missing,
    threads, ledger : as for `ElasticNet`

    Attributes
    ----------
    coef_, sparse_coef_, intercept_, dual_gap_, n_iter_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import Lasso
    >>> X = [[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0]]
    >>> Lasso(alpha=0.1).fit(X, [2.0, 4.0, 6.0, 8.0]).coef_.round(2).tolist()
    [1.92, 0.0]

    References
    ----------
    R. Tibshirani, Regression shrinkage and selection via the lasso (1996).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        name: rule for name, rule in ElasticNet._parameter_constraints.items() if name != "l1_ratio"
    }

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        fit_intercept: bool = True,
        precompute: Any = False,
        copy_X: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
        warm_start: bool = False,
        positive: bool = False,
        random_state: Any = None,
        selection: str = "cyclic",
        kinds: Mapping[Any, Any] | None = None,
        missing: str | None = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        super().__init__(
            alpha,
            l1_ratio=1.0,
            fit_intercept=fit_intercept,
            precompute=precompute,
            max_iter=max_iter,
            copy_X=copy_X,
            tol=tol,
            warm_start=warm_start,
            positive=positive,
            random_state=random_state,
            selection=selection,
            kinds=kinds,
            missing=missing,
            threads=threads,
            ledger=ledger,
        )

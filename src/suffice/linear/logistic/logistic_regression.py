"""LogisticRegression: the log odds of the classes as linear functions of the columns.

p(class k | x) = exp(eta_k) / sum_l exp(eta_l)
the least of  sum_i w_i log loss_i + 1/C (l1_ratio |B|_1 + (1 - l1_ratio)/2 |B|^2)
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils._param_validation import Interval

from suffice.core.errors import bad
from suffice.core.learner import Source, settle
from suffice.core.schema import Schema
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.opening import open_for
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.linear.logistic.logistic_classifier import LogisticClassifier
from suffice.linear.logistic.logistic_start import beginning
from suffice.linear.logistic.online_rule import Online
from suffice.linear.logistic.penalty_option import PENALTY, UNSAID, read_penalty_option


class LogisticRegression(LogisticClassifier):
    """Logistic regression for scikit-learn users: exact, in few passes over any rows, with any penalty.

    The intercepts are not penalised, but by solver="liblinear". Symbols become one column a level but the first.

    Parameters
    ----------
    C : one over the penalty, above 0; infinity is no penalty
    l1_ratio : the part of the penalty that is on sizes, from 0 (ridge) to 1 (lasso)
    penalty : "l2", "l1", "elasticnet" or None, for code written before C and l1_ratio said it all; it decides
    tol : settled when the square of this share of the objective is left to gain; below 1e-6, whatever the number of
        rows, to all digits that the curvature lets be known
    fit_intercept : whether there are intercepts
    class_weight : label -> weight, "balanced" for one over the share of the class, None for 1
    max_iter : most passes over all rows
    warm_start : whether `fit` begins at the coefficients of the last one, if classes and columns are the same
    solver : "liblinear" has the intercept bear the penalty, as the coefficient of a column that is `intercept_scaling`
        in all rows; all others give one answer
    intercept_scaling : the larger, the less the penalty says about the intercept; of "liblinear" alone
    dual, random_state, verbose, n_jobs : taken for the sake of scikit-learn's interface; the answer is the same
    rate : the length of the steps of `partial_fit`
    kinds : mapping column -> kind, overriding what the column shows
    missing : "indicator" gives the missing cells of a column a coefficient of their own, with the mean in place of the
        number; "error" refuses them; None refuses those of arrays alone, as scikit-learn does
    refusal : the label that `predict` gives where it refuses
    threads : number of threads; None takes all processors

    Attributes
    ----------
    classes_, coef_, intercept_, n_iter_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import LogisticRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["no", "no", "yes", "yes"]
    >>> LogisticRegression().fit(X, y).predict_proba([[1.5]]).round(6).tolist()
    [[0.5, 0.5]]

    References
    ----------
    P. McCullagh and J. Nelder, Generalized linear models (1989).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **LogisticClassifier._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="right")],
        "l1_ratio": [Interval(Real, 0, 1, closed="both"), None],
        "penalty": [*PENALTY, None],
        "warm_start": ["boolean"],
        "rate": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        l1_ratio: float | None = 0.0,
        penalty: str | None = UNSAID,
        dual: bool = False,
        tol: float = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: Any = None,
        random_state: Any = None,
        solver: str = "lbfgs",
        max_iter: int = 100,
        verbose: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
        rate: float = 0.1,
        kinds: Mapping[Any, Any] | None = None,
        missing: str | None = None,
        refusal: Any = None,
        threads: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.C = C
        self.l1_ratio = l1_ratio
        self.penalty = penalty
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.rate = rate
        self.kinds = kinds
        self.missing = missing
        self.refusal = refusal
        self.threads = threads

    def _pass_over(self, plan: Any, source: Source, before: FittedModel | None) -> tuple[Schema, Found]:
        source = settle(source)
        design = plan.design(source.schema)
        C, l1_ratio = read_penalty_option(self._owner, self.penalty, self.C, self.l1_ratio)
        source = self._weighed(source, design)
        look = self._first(source, design)
        start = beginning(design, look)
        if self.warm_start and before is not None:
            start = start.at_coefficients_of(before.model)
        return source.schema, self._told(self._under(source, start, look, C, l1_ratio))

    def _penalised(self) -> tuple[float, float]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it was said when the model was learned
            return read_penalty_option(self._owner, self.penalty, self.C, self.l1_ratio)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows one by one, by the online rule: coefficients move by rate (y - p) x after each row.

        Parameters
        ----------
        X : table
        y : one label a row
        classes : all classes that may ever come; needed in the first call
        sample_weight : one weight a row; a step is so many times as long
        """
        with all_or_nothing(self):
            self._validate_params()
            before = self._before
            if before is None and classes is None:
                rule = "given in the first call (classes must be passed on the first call to partial_fit)"
                raise bad(self._owner, "classes", rule, None, "Give all labels that may ever come.")
            opened = open_for(self, X, y, sample_weight, before=before)
            plan: Any = opened.plan
            source = opened.source if before is None else opened.source.read_as(before.schema)
            design = plan.design(source.schema)
            online = Online(float(self.rate), bool(self.fit_intercept))
            start = online.plain(before.model) if before is not None else None
            start = start or online.start(design, tuple(np.asarray(classes).tolist()))
            weighed: Any = self._weighed(source, design)
            found = Found(online.learn(weighed, start), 1, True)
            origin = opened.origin(source.schema) if before is None else self._origin
            return self._adopt(FittedModel(plan, source.schema, found), origin)

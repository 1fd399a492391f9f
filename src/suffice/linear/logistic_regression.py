"""LogisticRegression: the log odds of the classes as linear functions of the columns.

p(class k | x) = exp(eta_k) / sum_l exp(eta_l)
the least of  sum_i w_i log loss_i + 1/C (l1_ratio |B|_1 + (1 - l1_ratio)/2 |B|^2)
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import compute_class_weight
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, column_or_1d

from suffice.core.block import Array, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import Said, bad
from suffice.core.learner import Passes
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.any_table import AnyTable
from suffice.estimators.deciding import Deciding
from suffice.estimators.fitted_passes import FittedPasses
from suffice.estimators.foreign import in_our_name
from suffice.estimators.loaded import SavedModel
from suffice.estimators.origin import Origin, cell_type, label_type, library
from suffice.estimators.weights import read_weights
from suffice.linear.logistic import LogisticModel
from suffice.linear.logistic_passes import learn_logistic
from suffice.linear.logistic_plan import LogisticPlan
from suffice.linear.logistic_readings import LogisticReadings
from suffice.linear.logistic_start import beginning, first_look
from suffice.linear.online import Online
from suffice.linear.proximal import Penalty
from suffice.sources.labels import code_labels
from suffice.sources.memory import MemorySource

SOLVERS = {"lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga"}


class Separable(UserWarning):
    """The classes can be told apart without error, so that no coefficients are the best."""


class LogisticRegression(LogisticReadings, AnyTable, Deciding, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Logistic regression for scikit-learn users: exact, in few passes over any rows, with any penalty.

    The intercepts are not penalised. Symbols become one column a level but the first; a missing cell is refused.

    Parameters
    ----------
    C : one over the penalty, above 0; infinity is no penalty
    l1_ratio : the part of the penalty that is on sizes, from 0 (ridge) to 1 (lasso)
    tol : settled when the square of this share of the objective is left to gain
    fit_intercept : whether there are intercepts
    class_weight : label -> weight, "balanced" for one over the share of the class, None for 1
    max_iter : most passes over all rows
    solver, dual, intercept_scaling, random_state, verbose, warm_start, n_jobs : taken for the sake of scikit-learn's
        interface; the answer is the same
    rate : the length of the steps of `partial_fit`
    kinds : mapping column -> kind, overriding what the column shows
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
        "C": [Interval(Real, 0, None, closed="right")],
        "l1_ratio": [Interval(Real, 0, 1, closed="both"), None],
        "dual": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="left")],
        "fit_intercept": ["boolean"],
        "intercept_scaling": [Interval(Real, 0, None, closed="neither")],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "random_state": ["random_state"],
        "solver": [StrOptions(SOLVERS)],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "verbose": ["verbose"],
        "warm_start": ["boolean"],
        "n_jobs": [None, Integral],
        "rate": [Interval(Real, 0, None, closed="neither")],
        "kinds": [Mapping, None],
        "refusal": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        l1_ratio: float | None = 0.0,
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
        refusal: Any = None,
        threads: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.C = C
        self.l1_ratio = l1_ratio
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
        self.refusal = refusal
        self.threads = threads

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from these rows, in passes.

        Parameters
        ----------
        X : table
        y : one label a row
        sample_weight : one weight a row, at least 0; weight w counts as w copies
        """
        with all_or_nothing(self):
            self._validate_params()
            source, plan, origin = self._open(X, y, sample_weight)
            design = plan.design(source.schema)
            look = source.reduce(lambda block: first_look(design, block))
            assert isinstance(look, ByClass)
            self._refuse_one_class(look.labels)
            found = self._learn(source, beginning(design, look), look)
            self._warn(found)
            return self._adopt(
                FittedPasses(plan, source.schema, None, _kept(found.model), found.passes, found.settled), origin
            )

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
            first = "fitted_" not in vars(self)
            if first and classes is None:
                rule = "given in the first call (classes must be passed on the first call to partial_fit)"
                raise bad(self._owner, "classes", rule, None, "Give all labels that may ever come.")
            source, plan, origin = self._open(X, y, sample_weight, first=first)
            online = Online(float(self.rate), bool(self.fit_intercept))
            design = plan.design(source.schema) if first else self.fitted_.model.design
            model = (
                online.start(design, tuple(np.asarray(classes).tolist())) if first else online.plain(self.fitted_.model)
            )
            model = online.learn(source, model)
            return self._adopt(
                FittedPasses(plan, design.schema, None, model, 1, True), origin if first else self._origin
            )

    def _open(
        self, X: Any, y: Any, sample_weight: Any, first: bool = True
    ) -> tuple[MemorySource, LogisticPlan, Origin]:
        """The rows, the plan and where they came from."""
        if y is None:
            note = "a label for each row (fit requires y to be passed, but the target y is None)"
            raise bad(self._owner, "y", note, y, "Give one label a row.")
        checked = self._check_X(X, first=first)
        labels = self._read_labels(y)
        plan = LogisticPlan(self._owner, None, bool(self.fit_intercept), dict(self.kinds or {}))
        table = plan.open(checked)
        self._check_rows(table.n, len(labels.codes))
        w = read_weights(self._owner, sample_weight, table.n, some=first)
        schema = plan.schema(table) if first else self.fitted_.schema
        source = MemorySource(table, schema, labels, self._weighed(labels, w), self.threads)
        return source, plan, Origin(self.n_features_in_, self._names(), library(X), label_type(y), cell_type(checked))

    def _check_rows(self, rows: int, n: int) -> None:
        if rows != n:
            both = f"(Found input variables with inconsistent numbers of samples: [{rows}, {n}])"
            raise bad(self._owner, "X and y", f"of one length {both}", Said(f"{rows} and {n}"), "Give one label a row.")
        if n == 0:
            rule = "a table with rows (Found array with 0 sample(s) while a minimum of 1 is required.)"
            raise bad(self._owner, "X", rule, Said("none"), "Give it rows to learn from.")

    def _read_labels(self, y: Any) -> Coded:
        column = isinstance(y, list) and bool(y) and isinstance(y[0], list)
        if column or isinstance(y, np.ndarray) or len(getattr(y, "shape", ())) == 2:
            with in_our_name(self._owner):
                y = column_or_1d(y, warn=True)
        return code_labels(y)

    def _weighed(self, y: Coded, w: Array | None) -> Array | None:
        """Weights of the rows, each times that of its class."""
        if self.class_weight is None:
            return w
        labels, codes = np.array(y.labels[0]), y.codes[:, 0]
        with in_our_name(self._owner):
            weights = compute_class_weight(self.class_weight, classes=labels, y=labels[codes], sample_weight=w)
        return np.asarray(weights[codes] * (1.0 if w is None else w))

    def _learn(self, source: MemorySource, start: LogisticModel, look: ByClass) -> Passes[LogisticModel]:
        penalty, rows = self._penalty(), look.tally.rows
        return learn_logistic(
            source,
            start if self.fit_intercept else _without_intercept(start),
            penalty,
            intercept=bool(self.fit_intercept),
            rows=int(rows.sum()),
            rarest=int(rows.min()),
            max_iter=int(self.max_iter),
            tol=float(self.tol),
        )

    def _penalty(self) -> Penalty:
        strength, part = (0.0 if np.isinf(self.C) else 1.0 / self.C), float(self.l1_ratio or 0.0)
        return Penalty(strength * part, strength * (1.0 - part))

    def _refuse_one_class(self, labels: tuple[Any, ...]) -> None:
        if len(labels) < 2:
            rule = "of at least 2 classes (This solver needs samples of at least 2 classes in the data)"
            raise bad(self._owner, "y", rule, Said(f"1 class: {labels[0]!r}"), "Give it rows of another class.")

    def _warn(self, found: Passes[LogisticModel]) -> None:
        if found.model.separated:
            warnings.warn(
                f"{self._owner}: the classes can be told apart without error, so that coefficients would grow without "
                "end; they were left where every row is all but certain. Use a finite C.",
                Separable,
                stacklevel=3,
            )
        elif not found.settled:
            warnings.warn(
                f"{self._owner}: coefficients were still changing after {found.passes} passes. Raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _adopt(self, fitted: Any, origin: Origin) -> Self:
        self.fitted_, self._origin = fitted, origin
        return self

    def _state(self, X: Any = None) -> tuple[Any, Any]:
        check_is_fitted(self, "fitted_")
        return self.fitted_, None if X is None else self._check_X(X, first=False)

    def save(self, path: Any) -> None:
        """Write the model to a file: numbers and a description, never code. `suffice.load` reads it."""
        from suffice.persistence import save

        check_is_fitted(self, "fitted_")
        parameters = {**self.get_params(deep=False), "random_state": None}
        save(SavedModel(self._owner, self.fitted_, self._origin, parameters), path)

    def _restore(self, value: SavedModel) -> Self:
        """Take on what a file held."""
        self.n_features_in_ = value.origin.width
        if value.origin.names is not None:
            self.feature_names_in_ = np.array(value.origin.names, dtype=object)
        return self._adopt(value.fitted, value.origin)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def _without_intercept(start: LogisticModel) -> LogisticModel:
    """Columns stay where they are: without an intercept nothing makes up for moving them."""
    return replace(start, centre=np.zeros_like(start.centre), theta=np.zeros_like(start.theta))


def _kept(model: LogisticModel) -> LogisticModel:
    return replace(model, before=None)

"""What the logistic classifiers share: rows as a source, passes over them, a fitted model that predicts and decides."""

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
from sklearn.utils.validation import check_is_fitted

from suffice.core.block import Array, Coded
from suffice.core.by_class import ByClass
from suffice.core.errors import Said, bad
from suffice.core.learner import Passes
from suffice.estimators.boundary.any_table import AnyTable
from suffice.estimators.boundary.read_labels import read_labels
from suffice.estimators.fitted_passes import FittedPasses
from suffice.estimators.foreign import in_our_name
from suffice.estimators.loaded import SavedModel
from suffice.estimators.origin import Origin, cell_type, column_names, label_type, library
from suffice.estimators.weights import read_weights
from suffice.linear.logistic import LogisticModel
from suffice.linear.logistic_passes import learn_logistic
from suffice.linear.logistic_plan import LogisticPlan
from suffice.linear.logistic_readings import LogisticReadings
from suffice.linear.proximal import Penalty
from suffice.sources.memory import MemorySource

SOLVERS = {"lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga"}


class Separable(UserWarning):
    """The classes can be told apart without error, so that no coefficients are the best."""


class LogisticClassifier(LogisticReadings, AnyTable, Deciding, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose log odds are linear."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "dual": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="left")],
        "fit_intercept": ["boolean"],
        "intercept_scaling": [Interval(Real, 0, None, closed="neither")],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "random_state": ["random_state"],
        "solver": [StrOptions(SOLVERS)],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "verbose": ["verbose"],
        "n_jobs": [None, Integral],
        "kinds": [Mapping, None],
        "refusal": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }

    fitted_: FittedPasses
    fit_intercept: bool
    class_weight: Any
    kinds: Mapping[Any, Any] | None
    max_iter: int
    tol: float

    def _open(
        self, X: Any, y: Any, sample_weight: Any, first: bool = True
    ) -> tuple[MemorySource, LogisticPlan, Origin]:
        """The rows, the plan and where they came from."""
        if y is None:
            note = "a label for each row (fit requires y to be passed, but the target y is None)"
            raise bad(self._owner, "y", note, y, "Give one label a row.")
        checked = self._check_X(X, first=first)
        labels = read_labels(self._owner, y)
        plan = LogisticPlan(self._owner, None, bool(self.fit_intercept), dict(self.kinds or {}))
        table = plan.open(checked)
        self._check_rows(table.n, len(labels.codes))
        w = read_weights(self._owner, sample_weight, table.n, some=first)
        schema = plan.schema(table) if first else self.fitted_.schema
        source = MemorySource(table, schema, labels, self._weighed(labels, w), self.threads)
        origin = Origin(self.n_features_in_, column_names(self), library(X), label_type(y), cell_type(checked))
        return source, plan, origin

    def _check_rows(self, rows: int, n: int) -> None:
        if rows != n:
            both = f"(Found input variables with inconsistent numbers of samples: [{rows}, {n}])"
            raise bad(self._owner, "X and y", f"of one length {both}", Said(f"{rows} and {n}"), "Give one label a row.")
        if n == 0:
            rule = "a table with rows (Found array with 0 sample(s) while a minimum of 1 is required.)"
            raise bad(self._owner, "X", rule, Said("none"), "Give it rows to learn from.")

    def _weighed(self, y: Coded, w: Array | None) -> Array | None:
        """Weights of the rows, each times that of its class."""
        if self.class_weight is None:
            return w
        labels, codes = np.array(y.labels[0]), y.codes[:, 0]
        with in_our_name(self._owner):
            weights = compute_class_weight(self.class_weight, classes=labels, y=labels[codes], sample_weight=w)
        return np.asarray(weights[codes] * (1.0 if w is None else w))

    def _learn(
        self, source: MemorySource, start: LogisticModel, look: ByClass, C: float, l1_ratio: float
    ) -> Passes[LogisticModel]:
        """Pass after pass, from a start, under a penalty."""
        strength, rows = 0.0 if np.isinf(C) else 1.0 / C, look.tally.rows
        penalty = Penalty(strength * l1_ratio, strength * (1.0 - l1_ratio))
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

    def _keep(self, source: MemorySource, plan: LogisticPlan, origin: Origin, found: Passes[LogisticModel]) -> Self:
        """Say what there is to say of the passes, then take on their model."""
        self._warn(found)
        model = replace(found.model, before=None, known=None)
        return self._adopt(FittedPasses(plan, source.schema, None, model, found.passes, found.settled), origin)

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


def _without_intercept(start: LogisticModel) -> LogisticModel:
    """Columns stay where they are: without an intercept nothing makes up for moving them."""
    return replace(start, centre=np.zeros_like(start.centre), theta=np.zeros_like(start.theta))

"""What the searches for a penalty share: folds from one pass, a choice by the mean error, a model of all rows."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import column_or_1d

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.fitted_targets import FittedTargets, NumberedSource
from suffice.estimators.origin import Origin, cell_type, column_names, library
from suffice.estimators.regressor import OnePassRegressor
from suffice.estimators.splits import read_splits
from suffice.estimators.targets import Targets, read_targets
from suffice.estimators.weights import read_weights
from suffice.linear.fold_errors import Fold, folds_of
from suffice.linear.plan import LinearPlan
from suffice.linear.readings import Coefficients
from suffice.linear.terms import ByTerm

RULES = ("best", "one_standard_error")


class PenaltySearch(Coefficients, OnePassRegressor):
    """A linear model whose penalty is chosen by `fit`, and stays as it is when rows are added or forgotten later."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **OnePassRegressor._parameter_constraints,
        "cv": ["cv_object"],
        "fit_intercept": ["boolean"],
        "rule": [StrOptions(set(RULES))],
    }

    fit_intercept: bool
    cv: Any
    rule: str

    @abstractmethod
    def _solver(self) -> Any:
        """The solver under the chosen penalty."""

    @abstractmethod
    def _choose(self, total: ByTerm, folds: list[Fold], source: NumberedSource) -> None:
        """Try the penalties and keep what was found."""

    def _plan(self) -> LinearPlan:
        return LinearPlan(self._owner, self._solver(), bool(self.fit_intercept), dict(self.kinds or {}))

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the penalty by cross-validation, then take the model of all rows under it.

        Parameters
        ----------
        X : table
        y : one number a row
        sample_weight : one weight a row, at least 0; weight w counts as w copies
        """
        with all_or_nothing(self):
            self._validate_params()
            self._forget_choice()
            targets = self._read_targets(y)
            checked = self._check_X(X, first=True)
            plan, n = self._plan(), len(targets.values)
            table = plan.open(checked)
            self._check_rows(table.n, n)
            w = read_weights(self._owner, sample_weight, n, some=True)
            source = NumberedSource(table, plan.schema(table), None, w, self.threads, targets.values)
            self._search(source, plan, n)
            fitted = FittedTargets(self._plan(), source.schema, self._total, targets.flat)
            del self._total
            origin = Origin(self.n_features_in_, column_names(self), library(X), None, cell_type(checked))
            return self._adopt(fitted, origin)

    def _check_rows(self, rows: int, n: int) -> None:
        if rows != n:
            both = f"(Found input variables with inconsistent numbers of samples: [{rows}, {n}])"
            raise bad(self._owner, "X and y", f"of one length {both}", Said(f"{rows} and {n}"), "One number a row.")
        if n == 0:
            rule = "a table with rows (Found array with 0 sample(s) while a minimum of 1 is required.)"
            raise bad(self._owner, "X", rule, Said("none"), "Give it rows to learn from.")

    def _search(self, source: NumberedSource, plan: LinearPlan, n: int) -> None:
        learner = plan.learner(source.schema)
        splits = self._splits(source, n)
        folds: list[Fold] = []
        if splits is None:
            self._total = source.reduce(learner.summarize)
        else:
            self._total, folds = folds_of(learner, source, splits, n)
        assert isinstance(self._total, ByTerm)
        self._choose(self._total, folds, source)

    def _splits(self, source: NumberedSource, n: int) -> Any:
        """The splits; None where rows are left out one by one."""
        return read_splits(self._owner, self.cv, source.targets, n, None, classes=False)

    def _read_targets(self, y: Any) -> Targets:
        targets = read_targets(self._owner, y)
        if targets.values.shape[1] > 1:
            rule = "one number a row (y should be a 1d array)"
            raise bad(
                self._owner, "y", rule, Said(f"shape {targets.values.shape}"), "Choose a penalty for each target."
            )
        if not targets.flat:
            column_or_1d(targets.values, warn=True)  # scikit-learn warns of a column where a list of numbers was due
        return targets._replace(flat=True)

    def _forget_choice(self) -> None:
        for name in ("fitted_", "alpha_"):
            self.__dict__.pop(name, None)

    def _parameters(self) -> dict[str, Any]:
        """What cannot be saved decided about the choice alone, which is made."""
        return {**super()._parameters(), "cv": None}

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags


def chosen(errors: Array, rule: str) -> int:
    """The candidate of least mean error (K, m), or the first within one standard error of it.

    Folds count alike, as in scikit-learn: weights are copies of rows within a fold, and make no fold count more.
    """
    means = errors.mean(axis=0)
    best = int(means.argmin())
    if rule == "best" or len(errors) < 2:
        return best
    limit = means[best] + errors[:, best].std(ddof=1) / np.sqrt(len(errors))
    return int(np.flatnonzero(means <= limit)[0])

"""The scikit-learn glue of one-pass regressors: validation, targets, parameters, fitted attributes."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any, ClassVar, Self

from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from suffice.estimators.all_or_nothing import all_or_nothing
from suffice.estimators.any_table import AnyTable
from suffice.estimators.fitted import FittedModel
from suffice.estimators.fitted_targets import FittedTargets
from suffice.estimators.one_pass_estimator import OnePassEstimator
from suffice.estimators.origin import Origin, cell_type, column_names, library
from suffice.estimators.predicting import Predicting
from suffice.estimators.targets import read_targets


class OnePassRegressor(AnyTable, OnePassEstimator, Predicting, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A regressor whose fitted state is a summary that adds. A subclass supplies `_plan`."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "kinds": [Mapping, None],
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }

    fitted_: FittedTargets

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : table
        y : one number a row, or a table of several targets
        sample_weight : one weight a row, at least 0; weight w counts as w copies
        """
        with all_or_nothing(self):
            self._begin()
            return self._adopt(*self._summarize(X, y, sample_weight))

    def learn(self, rows: Any) -> Self:
        """Learn from the rows of files or streams alone, in one pass: the same model as `fit` on all of them.

        Parameters
        ----------
        rows : made by `suffice.sources.open_rows`, with a target of numbers; rows where it is missing are left out
        """
        from suffice.estimators.targets_from_rows import learn_targets

        with all_or_nothing(self):
            self._begin()
            fitted = learn_targets(self._owner, self._plan(), rows)
            names = fitted.schema.names
            self._check_X(dict.fromkeys(names), first=True)
            return self._adopt(fitted, Origin(len(names), names, "mapping"))

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from more rows: the same model as `fit` on all of them.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`; levels of symbols and kinds may be new
        """
        with all_or_nothing(self):
            if "fitted_" not in vars(self):
                return self.fit(X, y, sample_weight)
            self._validate_params()
            return self._learn_on(X, y, sample_weight)

    def _summarize(self, X: Any, y: Any, sample_weight: Any) -> tuple[FittedTargets, Origin]:
        before = vars(self).get("fitted_")
        targets = read_targets(self._owner, y)
        checked = self._check_X(X, first=before is None)
        fitted = FittedTargets.of(
            self._owner, self._plan(), checked, targets, sample_weight, threads=self.threads, before=before
        )
        return fitted, Origin(self.n_features_in_, column_names(self), library(X), None, cell_type(checked))

    def _adopt(self, fitted: FittedModel, origin: Origin) -> Self:
        assert isinstance(fitted, FittedTargets)
        fitted.model  # noqa: B018  (what cannot be estimated is refused before it is kept)
        self.fitted_, self._origin = fitted, origin
        return self

    def _state(self, X: Any = None) -> tuple[FittedTargets, Any]:
        check_is_fitted(self, "fitted_")
        return self.fitted_, None if X is None else self._check_X(X, first=False)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

"""One-pass regressors for scikit-learn's users."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any, ClassVar, Self

from sklearn.base import RegressorMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.metadata_routing import UNUSED

from suffice.estimators.algebras.one_pass import OnePass
from suffice.estimators.boundary.targets import NumberTarget, Target
from suffice.estimators.faces.regressor import Regressor
from suffice.estimators.glue.estimator import Estimator


class OnePassRegressor(OnePass, Regressor, RegressorMixin, Estimator):  # type: ignore[misc]
    """A regressor whose fitted state is a summary that adds. A subclass supplies `_plan`."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "kinds": [Mapping, None],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _target: Target = NumberTarget()
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"target": UNUSED}
    __metadata_request__partial_fit: ClassVar[dict[str, Any]] = {"target": UNUSED}

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : table; or files, a pattern, a stream of tables, rows made by `open_rows`, read chunk by chunk in one pass
        y : one number a row, or a table of several targets; None where the rows come from files
        sample_weight : one weight a row, at least 0; weight w counts as w copies; the name of a column of files
        target : the column of numbers to predict, where the rows come from files
        """
        self._fit(X, y, sample_weight, target)
        return self

    def learn(self, rows: Any) -> Self:
        """Learn from the rows of files or streams alone: another name for `fit(rows)`.

        Parameters
        ----------
        rows : made by `suffice.sources.open_rows`, with a target of numbers; rows where it is missing are left out
        """
        return self.fit(rows)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Self:
        """Learn from more rows: the same model as `fit` on all of them.

        Parameters
        ----------
        X, y, sample_weight, target : as for `fit`; levels of symbols and kinds may be new
        """
        self._fit_or_learn_on(X, y, sample_weight, target)
        return self

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

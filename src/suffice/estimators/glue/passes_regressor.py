"""Regressors that learn in passes, for scikit-learn's users."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.base import RegressorMixin
from sklearn.utils.metadata_routing import UNUSED

from suffice.estimators.algebras.in_passes import InPasses
from suffice.estimators.boundary.targets import NumberTarget, Target
from suffice.estimators.faces.regressor import Regressor
from suffice.estimators.glue.estimator import Estimator


class PassesRegressor(InPasses, Regressor, RegressorMixin, Estimator):  # type: ignore[misc]
    """A regressor that learns in passes. A subclass supplies `_plan` and `_pass_over`."""

    _target: Target = NumberTarget()
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"target": UNUSED}

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Self:
        """Learn from these rows, in passes.

        Parameters
        ----------
        X : table; or files, a pattern, rows made by `open_rows` that can be read again
        y : one number a row, or a table of several targets; None where the rows come from files
        sample_weight : one weight a row, at least 0; weight w counts as w copies; the name of a column of files
        target : the column of numbers to predict, where the rows come from files
        """
        self._fit(X, y, sample_weight, target)
        return self

    def learn(self, rows: Any) -> Self:
        """Learn from the rows of files alone: another name for `fit(rows)`."""
        return self.fit(rows)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

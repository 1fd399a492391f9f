"""Regressors of all rows at once, in memory, for scikit-learn's users."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.base import RegressorMixin
from sklearn.utils.metadata_routing import UNUSED

from suffice.estimators.algebras.in_memory import InMemory
from suffice.estimators.boundary.targets import NumberTarget, Target
from suffice.estimators.faces.regressor import Regressor
from suffice.estimators.glue.estimator import Estimator


class MemoryRegressor(InMemory, Regressor, RegressorMixin, Estimator):  # type: ignore[misc]
    """A regressor that is fitted to a table in memory. A subclass supplies `_plan` and `_solve`."""

    _target: Target = NumberTarget()
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"target": UNUSED, "in_memory": UNUSED}

    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None, in_memory: bool = False
    ) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : rows of numbers, none missing; or files, a stream, rows made by `open_rows`, with `in_memory=True`
        y : one number a row, or a table of several targets; None where the rows come from files
        sample_weight : one weight a row, at least 0; the name of a column of files
        target : the column of numbers to predict, where the rows come from files
        in_memory : whether the rows of files may be read whole
        """
        self._fit(X, y, sample_weight, target, in_memory)
        return self

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

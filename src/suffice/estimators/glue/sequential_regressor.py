"""Regressors that learn row after row, for scikit-learn's users."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.base import RegressorMixin
from sklearn.utils.metadata_routing import UNUSED

from suffice.estimators.algebras.sequential import Sequential
from suffice.estimators.boundary.targets import NumberColumn, Target
from suffice.estimators.faces.regressor import Regressor
from suffice.estimators.glue.estimator import Estimator


class SequentialRegressor(Sequential, Regressor, RegressorMixin, Estimator):  # type: ignore[misc]
    """A regressor that visits the rows in order. A subclass supplies `_plan` and its verbs."""

    _target: Target = NumberColumn()
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"target": UNUSED, "in_memory": UNUSED}

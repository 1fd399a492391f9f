"""Classifiers with probabilities that learn in passes, for scikit-learn's users."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.base import ClassifierMixin
from sklearn.utils.metadata_routing import UNUSED

from suffice.estimators.algebras.in_passes import InPasses
from suffice.estimators.boundary.targets import LabelColumn, Target
from suffice.estimators.faces.probabilistic import Probabilistic
from suffice.estimators.glue.estimator import Estimator
from suffice.estimators.glue.one_pass_classifier import SHARED_CONSTRAINTS


class PassesClassifier(InPasses, Probabilistic, ClassifierMixin, Estimator):  # type: ignore[misc]
    """A classifier that learns in passes. A subclass supplies `_plan` and `_pass_over`."""

    _parameter_constraints: ClassVar[dict[str, Any]] = SHARED_CONSTRAINTS
    _target: Target = LabelColumn()
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"target": UNUSED}

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Self:
        """Learn from these rows, in passes.

        Parameters
        ----------
        X : table; or files, a pattern, rows made by `open_rows` that can be read again
        y : one label a row; None where the rows come from files
        sample_weight : one weight a row, at least 0; weight w counts as w copies; the name of a column of files
        target : the column of labels, where the rows come from files
        """
        self._fit(X, y, sample_weight, target)
        return self

    def learn(self, rows: Any) -> Self:
        """Learn from the rows of files alone: another name for `fit(rows)`."""
        return self.fit(rows)

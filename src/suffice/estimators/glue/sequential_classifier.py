"""Classifiers that learn row after row, for scikit-learn's users."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.base import ClassifierMixin
from sklearn.utils.metadata_routing import UNUSED

from suffice.estimators.algebras.sequential import Sequential
from suffice.estimators.boundary.targets import LabelColumn, Target
from suffice.estimators.faces.classifier import Classifier
from suffice.estimators.glue.estimator import Estimator


class SequentialClassifier(Sequential, Classifier, ClassifierMixin, Estimator):  # type: ignore[misc]
    """A classifier by scores that visits the rows in order. A subclass supplies `_plan` and its verbs."""

    _target: Target = LabelColumn()
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"target": UNUSED, "in_memory": UNUSED}

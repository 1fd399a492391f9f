"""Classifiers with probabilities of all rows at once, in memory, for scikit-learn's users."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.base import ClassifierMixin
from sklearn.utils.metadata_routing import UNUSED

from suffice.estimators.algebras.in_memory import InMemory
from suffice.estimators.boundary.read_labels import LabelColumn
from suffice.estimators.boundary.target import Target
from suffice.estimators.faces.probabilistic import Probabilistic
from suffice.estimators.glue.estimator import Estimator
from suffice.estimators.glue.memory_classifier import MemoryClassifier


class MemoryProbabilistic(InMemory, Probabilistic, ClassifierMixin, Estimator):  # type: ignore[misc]
    """A classifier with probabilities that is fitted to a table in memory. A subclass supplies `_plan` and `_solve`."""

    _target: Target = LabelColumn()
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"target": UNUSED, "in_memory": UNUSED}

    fit = MemoryClassifier.fit

"""Clusterers that learn batch after batch, for scikit-learn's users."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.base import ClusterMixin
from sklearn.utils.metadata_routing import UNUSED

from suffice.estimators.algebras.sequential import Sequential
from suffice.estimators.faces.clusterer import Clusterer
from suffice.estimators.glue.estimator import Estimator


class SequentialClusterer(Sequential, Clusterer, ClusterMixin, Estimator):  # type: ignore[misc]
    """A clusterer that visits the rows in order. A subclass supplies `_plan` and its verbs."""

    __metadata_request__fit: ClassVar[dict[str, Any]] = {"in_memory": UNUSED}

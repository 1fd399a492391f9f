"""Clusterers of all rows at once, in memory, for scikit-learn's users."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.base import ClusterMixin
from sklearn.utils.metadata_routing import UNUSED

from suffice.estimators.algebras.in_memory import InMemory
from suffice.estimators.faces.clusterer import Clusterer
from suffice.estimators.glue.estimator import Estimator


class MemoryClusterer(InMemory, Clusterer, ClusterMixin, Estimator):  # type: ignore[misc]
    """A clusterer that is fitted to a table in memory. A subclass supplies `_plan` and `_solve`."""

    __metadata_request__fit: ClassVar[dict[str, Any]] = {"in_memory": UNUSED}

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, in_memory: bool = False) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : rows of numbers, none missing; or files, a stream, rows made by `open_rows`, with `in_memory=True`
        y : not used
        sample_weight : one weight a row, at least 0; weight w counts as w copies; the name of a column of files
        in_memory : whether the rows of files may be read whole
        """
        self._fit(X, None, sample_weight, None, in_memory)
        return self

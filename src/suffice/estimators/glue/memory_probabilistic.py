"""Classifiers with probabilities, of all rows at once, in memory, for scikit-learn's users."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.base import ClassifierMixin
from sklearn.utils.metadata_routing import UNUSED

from suffice.estimators.algebras.in_memory import InMemory
from suffice.estimators.boundary.targets import LabelColumn, Target
from suffice.estimators.faces.probabilistic import Probabilistic
from suffice.estimators.glue.estimator import Estimator


class MemoryProbabilistic(InMemory, Probabilistic, ClassifierMixin, Estimator):  # type: ignore[misc]
    """A classifier with probabilities that is fitted to a table in memory. A subclass supplies `_plan` and `_solve`."""

    _target: Target = LabelColumn()
    __metadata_request__fit: ClassVar[dict[str, Any]] = {"target": UNUSED, "in_memory": UNUSED}

    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None, in_memory: bool = False
    ) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : rows; or files, a stream, rows made by `open_rows`, with `in_memory=True`
        y : one label a row; None where the rows come from files
        sample_weight : one weight a row, at least 0; the name of a column of files
        target : the column of labels, where the rows come from files
        in_memory : whether the rows of files may be read whole
        """
        self._fit(X, y, sample_weight, target, in_memory)
        return self

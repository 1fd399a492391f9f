"""Clusterers that are found in passes, for scikit-learn's users."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import ClusterMixin

from suffice.estimators.algebras.in_passes import InPasses
from suffice.estimators.faces.clusterer import Clusterer
from suffice.estimators.glue.estimator import Estimator
from suffice.estimators.glue.passes_density import opened_rows


class PassesClusterer(InPasses, Clusterer, ClusterMixin, Estimator):  # type: ignore[misc]
    """A clusterer that is found in passes. A subclass supplies `_plan` and `_pass_over`."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from these rows, in passes.

        Parameters
        ----------
        X : rows of numbers, none missing; or files, a pattern, rows made by `open_rows` that can be read again
        y : not used
        sample_weight : one weight a row, at least 0; weight w counts as w copies; the name of a column of files
        """
        self._fit(X, None, sample_weight, None)
        return self

    def learn(self, rows: Any) -> Self:
        """Learn from the rows of files alone: another name for `fit(rows)`.

        Parameters
        ----------
        rows : made by `suffice.sources.open_rows`
        """
        return self.fit(opened_rows(self._owner, rows))

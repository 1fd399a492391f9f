"""Groups of rows: which group each row of training is in, and which a new row would join. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.estimators.holder import Holder


class Clusterer:
    """`labels_`, `predict` and `score_samples`, from a model that has `labels`, `assign` and `closeness`."""

    @property
    def labels_(self: Any) -> Array:
        """The number of the cluster of each row of training (n,); -1 is noise, where a model knows noise."""
        labels = self._state()[0].model.labels
        if labels is None:  # AttributeError, so that hasattr says no
            raise AttributeError(f"{self._owner}: rows of files keep no labels. Use predict on their chunks.")
        return np.asarray(labels)

    def predict(self: Holder, X: Any) -> Array:
        """The number of the cluster that each row joins (n,), by the rule of the model.

        Parameters
        ----------
        X : rows like those of training
        """
        state, X = self._state(X)
        return state.map(X, state.model.assign, self.threads)

    def score_samples(self: Holder, X: Any) -> Array:
        """How close each row is to the cluster it joins (n,): minus a distance, 0 at best, free of labels.

        Parameters
        ----------
        X : rows like those of training
        """
        state, X = self._state(X)
        return state.map(X, state.model.closeness, self.threads)

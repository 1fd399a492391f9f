"""Labels by the largest score: classifiers whose scores are no probabilities. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.estimators.faces.accuracy import accuracy
from suffice.estimators.faces.single_precision import answered
from suffice.estimators.holder import Holder
from suffice.estimators.state.origin import label_array


class Classifier:
    """`classes_`, `decision_function` and `predict`, from a model that has `classes`, `scores` and `sides`."""

    @property
    def classes_(self: Holder) -> Array:
        """The class labels."""
        return self._origin.classes(self._state()[0].model.classes)

    def decision_function(self: Holder, X: Any) -> Array:
        """Scores: (n,) for two classes, above 0 for the second; (n, K) for more."""
        state, X = self._state(X)
        scores = answered(self, state, X, state.model.scores)
        return np.ascontiguousarray(scores[:, 0]) if scores.shape[1] == 1 else scores

    def predict(self: Any, X: Any) -> Array:
        """The label of the largest score; `refusal` where the model answers none."""
        state, X = self._state(X)
        places, classes = state.map(X, state.model.sides, self.threads), self.classes_
        if not (places < 0).any():
            return np.asarray(classes[places])
        return np.asarray(label_array((*classes.tolist(), self.refusal))[places])

    def score(self: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows, by weight, whose label is predicted.

        Parameters
        ----------
        X : table
        y : one label a row
        sample_weight : one weight a row
        """
        return accuracy(self._owner, self.predict(X), y, sample_weight)

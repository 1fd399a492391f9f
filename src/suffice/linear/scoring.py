"""What classifiers by linear scores and their loaded models share. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.estimators.holder import Holder
from suffice.estimators.origin import label_array
from suffice.linear.scores import read_ties


class Scoring(Holder):
    """Scores, and labels by the largest of them."""

    refusal: Any = None
    ties: Any = "first"

    @property
    def classes_(self) -> Array:
        """The class labels."""
        return self._origin.classes(self._state()[0].model.classes)

    @property
    def coef_(self) -> Array:
        """Coefficients: (1, p) for two classes, (K, p) for more."""
        return np.asarray(self._state()[0].model.coef)

    @property
    def intercept_(self) -> Array:
        """Scores at 0: (1,) for two classes, (K,) for more."""
        return np.asarray(self._state()[0].model.intercept)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """The name of each coefficient."""
        return np.array(self._state()[0].model.names, dtype=object)

    def decision_function(self, X: Any) -> Array:
        """Scores: (n,) for two classes, above 0 for the second; (n, K) for more."""
        state, X = self._state(X)
        scores = state.map(X, state.model.scores, self.threads)
        return np.ascontiguousarray(scores[:, 0]) if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> Array:
        """The label of the largest score; where several are, what `ties` says."""
        state, X = self._state(X)
        places = state.map(X, state.model.sides, self.threads)
        classes, rule = self._origin.classes(state.model.classes), read_ties(self._owner, self.ties)
        if rule.place is not None:
            return np.asarray(classes[np.where(places < 0, rule.place, places)])
        if not (places < 0).any():
            return np.asarray(classes[places])
        return label_array((*classes.tolist(), self.refusal))[places]

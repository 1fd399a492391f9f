"""What boosted ensembles tell of themselves: the same for estimators and for loaded models. No scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from suffice.compose.ensembles.boosted_model import shares_of_scores
from suffice.core.block import Array
from suffice.estimators.reading import reading
from suffice.sources.tables.labels import class_numbers


class BoostedReadings:
    """Members and their weights, scores by round, margins."""

    estimator_weights_ = reading("alphas", "The weight of each member (T,).")
    estimator_errors_ = reading("errors", "The weighted error of each member when it was made (T,).")

    @property
    def weights_by_round_(self: Any) -> Array:
        """The weight of each row before every round and after the last (T + 1, n), where they were kept."""
        found = self._state()[0].model.history
        if found is None:
            raise AttributeError("weights_by_round_ is there where keep_weights=True was asked for.")
        return np.asarray(found)

    def decision_function(self: Any, X: Any) -> Array:
        """Scores: (n,) for two classes, above 0 for the second; (n, K) for more."""
        state, X = self._state(X)
        return _flat(state.model.full(state.block(X)))

    def staged_decision_function(self: Any, X: Any) -> Iterator[Array]:
        """Scores after each round."""
        state, X = self._state(X)
        return (_flat(scores) for scores in state.model.staged(state.block(X)))

    def staged_predict(self: Any, X: Any) -> Iterator[Array]:
        """Labels after each round."""
        state, X = self._state(X)
        return (self.classes_[scores.argmax(axis=1)] for scores in state.model.staged(state.block(X)))

    def staged_predict_proba(self: Any, X: Any) -> Iterator[Array]:
        """Probabilities after each round."""
        state, X = self._state(X)
        return (shares_of_scores(scores) for scores in state.model.staged(state.block(X)))

    def staged_score(self: Any, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """Accuracy after each round."""
        true = np.asarray(y)
        return (float(np.average(said == true, weights=sample_weight)) for said in self.staged_predict(X))

    def margins(self: Any, X: Any, y: Any) -> Array:
        """By how much the votes for the true class exceed those for the best other (n,), from -1 to 1.

        Parameters
        ----------
        X : table
        y : true labels
        """
        state, X = self._state(X)
        return vote_margins(self._owner, state.model.full(state.block(X)), state.model.classes, y)


def vote_margins(owner: str, scores: Array, classes: tuple[Any, ...], y: Any) -> Array:
    """Score of the true class minus the best other, as a share of the distance of two sure votes."""
    true = class_numbers(owner, y, classes, len(scores))
    rows, K = np.arange(len(scores)), max(len(classes), 2)
    others = scores.copy()
    others[rows, true] = -np.inf
    return np.asarray((scores[rows, true] - others.max(axis=1)) * (K - 1) / K)


def _flat(scores: Array) -> Array:
    """One column for two classes."""
    return np.asarray(scores[:, 1] - scores[:, 0]) if scores.shape[1] == 2 else scores

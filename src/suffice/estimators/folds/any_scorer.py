"""Any scorer of scikit-learn, on answers that are at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import check_scoring
from sklearn.utils.metaestimators import available_if

from suffice.core.block import Array
from suffice.core.errors import in_our_name


class ClassAnswers(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The answers of a classifier to some rows, as if it were asked for them."""

    def __init__(self, classes: Any = (), proba: Any = None, scores: Any = None, predicted: Any = None) -> None:
        """Keep what there is of probabilities (n, K), scores (n,) or (n, K), and labels (n,)."""
        self.classes, self.proba, self.scores, self.predicted = classes, proba, scores, predicted

    @property
    def classes_(self) -> Array:
        """The class labels."""
        return np.asarray(self.classes)

    @available_if(lambda answers: answers.proba is not None)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:
        """The probabilities."""
        return np.asarray(self.proba)

    @available_if(lambda answers: answers.scores is not None)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Array:
        """The scores."""
        return np.asarray(self.scores)

    def predict(self, X: Any) -> Array:
        """The labels that were given, or the most probable ones."""
        if self.predicted is not None:
            return np.asarray(self.predicted)
        return np.asarray(self.classes_[np.asarray(self.proba).argmax(axis=1)])

    def fit(self, X: Any, y: Any = None) -> ClassAnswers:
        """Nothing to do."""
        return self

    def __sklearn_is_fitted__(self) -> bool:
        """It is what it is."""
        return True


class NumberAnswers(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """The answers of a regressor to some rows."""

    def __init__(self, predicted: Any = None) -> None:
        """Keep the numbers."""
        self.predicted = predicted

    def predict(self, X: Any) -> Array:
        """The numbers."""
        return np.asarray(self.predicted)

    def fit(self, X: Any, y: Any = None) -> NumberAnswers:
        """Nothing to do."""
        return self

    def __sklearn_is_fitted__(self) -> bool:
        """It is what it is."""
        return True


def score_answers(
    owner: str, scoring: Any, answers: Any, truth: Any, w: Array | None = None, params: Mapping[str, Any] | None = None
) -> float:
    """The score of answers to rows whose truth is known, by the name of a scorer or a scorer of scikit-learn.

    `params` goes to the scorer beside weights.
    """
    with in_our_name(owner):
        scorer = check_scoring(answers, scoring=scoring)
        weights = {} if w is None else {"sample_weight": w}
        return float(scorer(answers, np.zeros((len(truth), 1)), truth, **weights, **(params or {})))

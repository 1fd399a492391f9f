"""Featureless: the model in which the features say nothing about the class.

p(x, class k) = p_k p(x)
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from suffice.bayes.model_evidence import NO_PRIOR, exact_evidence
from suffice.bayes.naive_bayes import NaiveBayes
from suffice.bayes.parameter_counts import count_parameters
from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.decision.posterior import Posterior
from suffice.estimators.weights import read_weights
from suffice.families.evidence import of_labels


class Featureless(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Class shares alone, beside one density of the features for all classes: what any model must beat.

    Parameters
    ----------
    density : generative classifier that describes the features, as if all rows were of one class; None: `NaiveBayes()`

    Attributes
    ----------
    classes_ : labels
    class_prior_ : their shares
    density_ : the fitted density

    >>> model = Featureless().fit(np.array([[1.0], [2.0], [3.0], [5.0]]), ["a", "a", "a", "b"])
    >>> model.predict_proba([[4.0]])
    array([[0.75, 0.25]])
    """

    def __init__(self, density: Any = None) -> None:
        """Keep the parameter."""
        self.density = density

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from these rows."""
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        whole = NaiveBayes() if self.density is None else self.density
        if not hasattr(whole, "score_samples"):
            raise bad(self, "density", "a classifier with score_samples", whole, "Use NaiveBayes().")
        labels = clone(whole).fit(X, y, **weights)  # reads the labels as the other models do
        given = np.asarray(y, dtype=object).ravel()
        w = read_weights("Featureless", sample_weight, len(given))
        weight = np.ones(len(given)) if w is None else w
        self.classes_ = labels.classes_
        self.class_count_ = np.array([weight[given == label].sum() for label in self.classes_])
        self.density_ = clone(whole).fit(X, np.zeros(len(given), dtype=np.int64), **weights)
        self.n_features_in_ = self.density_.n_features_in_
        self.__dict__.pop("feature_names_in_", None)  # of an earlier fit
        if hasattr(self.density_, "feature_names_in_"):
            self.feature_names_in_ = self.density_.feature_names_in_
        return self

    @property
    def class_prior_(self) -> Array:
        """Shares of the classes (K,)."""
        return np.asarray(self.class_count_ / self.class_count_.sum())

    @property
    def n_parameters_(self) -> int:
        """Numbers learned: of the density, and the shares."""
        return count_parameters("Featureless", "density", self.density_) + len(self.classes_) - 1

    def log_evidence(self, X: Any, w: Array | None = None) -> float | None:
        """Log marginal likelihood of the rows it has learned from; None where the density has none exact."""
        found = exact_evidence(self.density_, X, w)
        labels = of_labels(self.class_count_, np.full(len(self.classes_), NO_PRIOR))
        return None if found is None else found + float(labels)

    def score_samples(self, X: Any) -> Array:
        """log p(x) of each row (n,)."""
        check_is_fitted(self, "density_")
        return np.asarray(self.density_.score_samples(X))

    def predict_proba(self, X: Any) -> Array:
        """The class shares, for every row (n, K)."""
        n = len(self.score_samples(X))
        return np.tile(self.class_prior_, (n, 1))

    def posterior(self, X: Any) -> Posterior:
        """The class shares as posterior and prior."""
        return Posterior(self.predict_proba(X), self.class_prior_)

    def predict(self, X: Any) -> Array:
        """The class of the largest share, for every row."""
        proba = self.predict_proba(X)
        return np.asarray(self.classes_[proba.argmax(axis=1)])

    def __sklearn_tags__(self) -> Any:
        """What its density can read."""
        tags = super().__sklearn_tags__()
        tags.input_tags = (NaiveBayes() if self.density is None else self.density).__sklearn_tags__().input_tags
        tags.classifier_tags.poor_score = True
        return tags

"""Featureless: the model in which the features say nothing about the class.

p(x, class k) = p_k p(x)
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone

from suffice.bayes.inference.model_evidence import NO_PRIOR, exact_evidence
from suffice.bayes.naive.featureless_plan import FeaturelessPlan, one_class
from suffice.bayes.naive.naive_bayes import NaiveBayes
from suffice.bayes.readings.parameter_counts import count_parameters
from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.learner import Learned, Source
from suffice.estimators.algebras.one_pass import OnePass
from suffice.estimators.faces.density import Density
from suffice.estimators.glue.one_pass_classifier import OnePassClassifier
from suffice.estimators.state.class_labels import Declared
from suffice.estimators.state.fitted import FittedModel
from suffice.families.beliefs.marginal_likelihood import of_labels

COLUMNS = "n_features_in_", "feature_names_in_"


class Featureless(Density, OnePassClassifier):
    """Class shares alone, beside one density of the features for all classes: what any model must beat.

    Parameters
    ----------
    density : one-pass generative classifier that describes the features, as if all rows were of one class; None:
        `NaiveBayes()`
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none

    Attributes
    ----------
    classes_ : labels
    class_count_, class_prior_ : their weights and shares
    density_ : the fitted density

    >>> model = Featureless().fit(np.array([[1.0], [2.0], [3.0], [5.0]]), ["a", "a", "a", "b"])
    >>> model.predict_proba([[4.0]])
    array([[0.75, 0.25]])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {"density": "no_validation", "ledger": "no_validation"}

    def __init__(self, density: Any = None, *, ledger: Any = None) -> None:
        """Keep the parameters."""
        self.density = density
        self.ledger = ledger

    @property
    def _door(self) -> Any:
        return self._whole()._door

    def _whole(self) -> Any:
        """The density, not fitted, with the columns of the rows."""
        density = NaiveBayes() if self.density is None else self.density
        if not (hasattr(density, "score_samples") and isinstance(density, OnePass)):
            raise bad(
                self, "density", "a classifier with score_samples that learns in one pass", density, "Use NaiveBayes()."
            )
        made = clone(density)
        vars(made).update({name: vars(self)[name] for name in COLUMNS if name in vars(self)})
        return made

    def _plan(self) -> FeaturelessPlan:
        return FeaturelessPlan(self._whole()._plan())

    def _learn(self, plan: Any, source: Source) -> tuple[Any, Learned]:
        """As the density does, which may meet its columns only now."""
        whole = self._whole()
        density, learned = whole._learn(plan.density, source)
        self.__dict__.update({name: vars(whole)[name] for name in COLUMNS if name in vars(whole)})
        return FeaturelessPlan(density), learned

    def _meet(self, names: tuple[Any, ...]) -> None:
        if COLUMNS[0] not in vars(self):
            super()._meet(names)

    def _declare(self, labels: tuple[Any, ...]) -> Declared:
        declared: Declared = self._whole()._declare(labels)
        return declared

    @property
    def density_(self) -> Any:
        """The density, fitted to all rows as one class."""
        state: Any = self._state()[0]
        return self._whole()._adopt(FittedModel(state.plan.density, state.schema, one_class(state.state)), self._origin)

    @property
    def class_count_(self) -> Array:
        """Weights of the classes (K,)."""
        state = self._state()[0]
        return state.declared.over(state.state).tally.weight.value

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

    def __sklearn_tags__(self) -> Any:
        """What its density can read."""
        tags = super().__sklearn_tags__()
        tags.input_tags = self._whole().__sklearn_tags__().input_tags
        tags.classifier_tags.poor_score = True
        return tags

"""Answers averaged over models: for `ModelAverage` and for one from a file. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.decision.decide.decision import Decision
from suffice.decision.decide.posterior import Posterior
from suffice.estimators.state.origin import label_array


class Averaging:
    """Predict and decide from `models_`, weighed by `posterior_`."""

    refusal: Any = None

    @property
    def weights_(self: Any) -> Array:
        """Posterior probability of each model, in order."""
        return np.asarray(self.posterior_.weights)

    def predict_proba(self: Any, X: Any) -> Array:
        """p(class | x) of each row and class (n, K), averaged over the models."""
        return np.asarray(self.posterior(X).proba)

    def predict_log_proba(self: Any, X: Any) -> Array:
        """log p(class | x) of each row and class (n, K)."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def posterior(self: Any, X: Any, prior: Any = None) -> Posterior:
        """The averaged posterior; another class prior is exchanged in each model before averaging."""
        self._look_at(X)
        posteriors = [_spread(self, model, X) for model in self.models_]
        if prior is not None:
            posteriors = [p.shift(prior) for p in posteriors]
        total = self.posterior_.average([p.proba for p in posteriors])
        return Posterior(total, self.class_prior_ if prior is None else np.asarray(prior))

    def predict(
        self: Any, X: Any, prior: Any = None, costs: Any = None, reject: Any = None, at_least: Any = None
    ) -> Array:
        """The label of least expected cost for each row; `refusal` where refusing is cheaper.

        Parameters
        ----------
        X : table
        prior, costs, reject, at_least : as for `NaiveBayes.predict`
        """
        self._look_at(X)
        labels = self.classes_.tolist()
        decision = Decision.read("ModelAverage", labels, prior=prior, costs=costs, reject=reject, at_least=at_least)
        actions = decision.decide(self.posterior(X, decision.prior))
        if reject is None and at_least is None:
            return np.asarray(self.classes_[actions])
        return label_array((*labels, self.refusal))[actions]


def _spread(average: Any, model: Any, X: Any) -> Posterior:
    """What a model believes, with its classes at the places of all classes."""
    if not hasattr(model, "posterior"):
        proba, prior = model.predict_proba(X), average.class_prior_
    else:
        proba, prior = model.posterior(X)
    if proba.shape[1] == len(average.classes_):
        return Posterior(proba, prior)
    wide, all_classes = np.zeros((len(proba), len(average.classes_))), average.classes_.tolist()
    wide[:, [all_classes.index(label) for label in model.classes_.tolist()]] = proba
    return Posterior(wide, average.class_prior_)

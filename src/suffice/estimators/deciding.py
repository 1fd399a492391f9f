"""Predictions end in decisions: prior, costs and the option to refuse are arguments of `predict`. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.decision.decision import Decision
from suffice.decision.posterior import Posterior
from suffice.estimators.fitted import FittedModel
from suffice.estimators.holder import Holder
from suffice.estimators.origin import label_array


class Deciding(Holder):
    """Predict and decide from a `Fitted`; the same for estimators and for loaded models."""

    refusal: Any = None

    @property
    def classes_(self) -> Array:
        """The class labels, in the order of the columns of `predict_proba`."""
        return self._origin.classes(self._state()[0].model.classes)

    def predict_log_proba(self, X: Any) -> Array:
        """log p(class | x) of each row and class (n, K)."""
        state, X = self._state(X)
        return state.map(X, state.model.log_posterior, self.threads)

    def predict_proba(self, X: Any) -> Array:
        """p(class | x) of each row and class (n, K), under the class prior learned or given in training."""
        return self._proba(*self._state(X))

    def posterior(self, X: Any) -> Posterior:
        """p(class | x) with the class prior it assumes."""
        return self._posterior(*self._state(X))

    def predict(self, X: Any, prior: Any = None, costs: Any = None, reject: Any = None, at_least: Any = None) -> Array:
        """The label of least expected cost for each row; `refusal` where refusing is cheaper.

        Without options it is the most probable class, the first of equals.

        Parameters
        ----------
        X : table
        prior : label -> share, array in class order, or "uniform"; None: the prior of training
        costs : costs[true, answer] as array or label -> label -> cost; what is not named: 0 for right, 1 for wrong
        reject : cost of refusing, in the unit of `costs`; None: always answer
        at_least : probability below which nothing is answered
        """
        state, X = self._state(X)
        classes = self._origin.classes(state.model.classes)
        if all(option is None for option in (prior, costs, reject, at_least)):
            return classes[state.map(X, state.model.likeliest, self.threads)]
        labels = state.model.classes
        decision = Decision.read(self._owner, labels, prior=prior, costs=costs, reject=reject, at_least=at_least)
        actions = decision.decide(self._posterior(state, X))
        if reject is None and at_least is None:
            return classes[actions]
        return label_array((*classes.tolist(), self.refusal))[actions]

    def _proba(self, state: FittedModel, X: Any) -> Array:
        return state.map(X, lambda block: np.exp(state.model.log_posterior(block)), self.threads)

    def _posterior(self, state: FittedModel, X: Any) -> Posterior:
        shares = np.exp(state.model.log_prior)
        return Posterior(self._proba(state, X), shares / shares.sum())

"""Predictions end in decisions: prior, costs and the option to refuse are arguments of `predict`. No scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.decision import Decision, Posterior
from suffice.decision.log_space import best
from suffice.estimators.fitted import Fitted


class Deciding:
    """Predict and decide from a `Fitted`; the same for estimators and for loaded models."""

    threads: int | None = None
    refusal: Any = None

    def _state(self, X: Any = None) -> tuple[Fitted, Any]:
        """The fitted value, and X checked against what it was trained on; raises where nothing was learned yet."""
        raise NotImplementedError

    def predict_log_proba(self, X: Any) -> Array:
        """log p(class | x) of each row and class (n, K)."""
        state, X = self._state(X)
        return state.map(X, state.model.log_posterior, self.threads)

    def predict_proba(self, X: Any) -> Array:
        """p(class | x) of each row and class (n, K), under the class prior learned or given in training."""
        state, X = self._state(X)
        return state.map(X, lambda block: np.exp(state.model.log_posterior(block)), self.threads)

    def posterior(self, X: Any) -> Posterior:
        """p(class | x) with the class prior it assumes."""
        return Posterior(self.predict_proba(X), np.exp(self._state()[0].model.log_prior))

    def predict(self, X: Any, prior: Any = None, costs: Any = None, reject: Any = None, at_least: Any = None) -> Array:
        """The label of least expected cost for each row; `refusal` where refusing is cheaper.

        Parameters
        ----------
        X : table
        prior : label -> share, array in class order, or "uniform"; None: the prior of training
        costs : costs[true, answer] as array or label -> label -> cost; None: 0 for right, 1 for wrong
        reject : cost of refusing, in the unit of `costs`; None: always answer
        at_least : probability below which nothing is answered
        """
        state, checked = self._state(X)
        model = state.model
        if prior is None and costs is None and reject is None and at_least is None:
            return self._label_array()[state.map(checked, lambda b: best(model.log_joint(b)), self.threads)]
        decision = Decision.read(self, model.classes, prior=prior, costs=costs, reject=reject, at_least=at_least)
        actions = decision.decide(self.posterior(X))
        if reject is None and at_least is None:
            return self._label_array()[actions]
        return label_array((*model.classes, self.refusal))[actions]

    def _label_array(self) -> Array:
        """The classes as an array."""
        return label_array(self._state()[0].model.classes)


def label_array(labels: Any) -> Array:
    """Labels as an array of their own type, or of objects where types differ."""
    kinds = {type(label) for label in labels}
    kept = not any(isinstance(label, str) and label.endswith("\x00") for label in labels)  # NumPy cuts these off
    if kept and len(kinds) == 1 and issubclass(next(iter(kinds)), (bool, int, float, str, np.generic)):
        return np.array(list(labels))
    array = np.empty(len(labels), dtype=object)
    array[:] = list(labels)
    return array

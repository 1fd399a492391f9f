"""Answers from probabilities: prior, costs and the option to refuse are arguments of `predict`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.decision.decision import Decision
from suffice.decision.posterior import Posterior
from suffice.estimators.origin import label_array


class Answering(ABC):
    """Predict and decide from `predict_proba`."""

    classes_: Array  # (K,)
    prior_: Array  # (K,) the class prior that the probabilities assume
    refusal: Any = None

    @abstractmethod
    def predict_proba(self, X: Any) -> Array:
        """p(class | x) of each row and class (n, K)."""

    def predict_log_proba(self, X: Any) -> Array:
        """log p(class | x) of each row and class (n, K)."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def posterior(self, X: Any) -> Posterior:
        """p(class | x) with the class prior it assumes."""
        return Posterior(self.predict_proba(X), self.prior_)

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
        posterior = self.posterior(X)
        labels, owner = self.classes_.tolist(), type(self).__name__
        decision = Decision.read(owner, labels, prior=prior, costs=costs, reject=reject, at_least=at_least)
        actions = decision.decide(posterior)
        if reject is None and at_least is None:
            return np.asarray(self.classes_[actions])
        return label_array((*labels, self.refusal))[actions]

"""Predictions end in decisions: prior, costs and the option to refuse are arguments of `predict`. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.decision.decide.decision import Decision
from suffice.decision.decide.outliers import Outliers
from suffice.decision.decide.posterior import Posterior
from suffice.decision.decide.read_wishes import uniform
from suffice.estimators.faces.accuracy import accuracy
from suffice.estimators.faces.multi_output import answered_labels, class_labels, no_prior, told_by_output
from suffice.estimators.faces.single_precision import answered
from suffice.estimators.holder import Holder
from suffice.estimators.state.fitted import FittedModel
from suffice.estimators.state.origin import label_array

DECIDING = ("prior", "costs", "reject", "at_least")


class Probabilistic:
    """Predict and decide from a posterior; the same for estimators and for loaded models.

    A plan may have `wishes`: what to decide by where `predict` is told nothing else.
    """

    @property
    def classes_(self: Holder) -> Any:
        """The class labels, in the order of the columns of `predict_proba`; of several outputs, those of each."""
        model = self._state()[0].model
        if hasattr(model, "edges"):
            return class_labels(model, self._origin)
        return self._origin.classes(model.classes)

    def predict_log_proba(self: Any, X: Any) -> Any:
        """log p(class | x) of each row and class (n, K); of several outputs, one array each."""
        state, X = self._state(X)
        prior = wishes_of(state).get("prior")
        if prior is None:
            found = np.asarray(answered(self, state, X, state.model.log_posterior))
            return told_by_output(state.model, found)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self._shifted(state, X, prior)))

    def predict_proba(self: Any, X: Any) -> Any:
        """p(class | x) of each row and class (n, K), under the class prior learned or given.

        Of several outputs, one array each.
        """
        state, X = self._state(X)
        prior = wishes_of(state).get("prior")
        if prior is not None:
            return np.asarray(self._shifted(state, X, prior))
        found = np.asarray(answered(self, state, X, proba_of(state.model)))
        return told_by_output(state.model, found)

    def posterior(self: Any, X: Any) -> Posterior:
        """p(class | x) with the class prior it assumes: the learned one."""
        told: Posterior = self._posterior(*self._state(X))
        return told

    def predict(
        self: Any, X: Any, prior: Any = None, costs: Any = None, reject: Any = None, at_least: Any = None
    ) -> Array:
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
        if prior is None and costs is None and reject is None and at_least is None:
            return np.asarray(self._decided(X, {}))
        given = {"prior": prior, "costs": costs, "reject": reject, "at_least": at_least}
        return np.asarray(self._decided(X, given))

    def score(self: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows, by weight, whose label is predicted.

        Parameters
        ----------
        X : table
        y : one label a row
        sample_weight : one weight a row
        """
        return accuracy(self._owner, self.predict(X), y, sample_weight)

    def _decided(self: Any, X: Any, given: Mapping[str, Any]) -> Array:
        """Labels, by what is asked for now and otherwise by what the plan wishes."""
        state, X = self._state(X)
        wishes = wishes_of(state, given)
        if not wishes:
            places = state.map(X, state.model.likeliest, self.threads)
            return answered_labels(state.model, self._origin, places)
        if hasattr(state.model, "edges"):
            raise no_prior(self._owner)
        classes = self._origin.classes(state.model.classes)
        actions = self._actions(state, X, wishes)
        if not wishes.keys() & {"reject", "at_least", "outliers"}:
            return np.asarray(classes[actions])
        unexplained = (state.plan.unexplained,) if "outliers" in wishes else ()  # number -2
        return np.asarray(label_array((*classes.tolist(), *unexplained, self.refusal))[actions])

    def _actions(self: Any, state: FittedModel, X: Any, wishes: Mapping[str, Any]) -> Array:
        """Class numbers, -1 where classes are too close, -2 where no class explains the row."""
        decision = self._decision(state, wishes)
        actions = decision.decide(self._posterior(state, X, needed=decision.prior is not None))
        outliers: Outliers | None = wishes.get("outliers")
        if outliers is None:
            return np.asarray(actions)
        return outliers.mark(actions, state.map(X, state.model.log_density, self.threads))

    def _decision(self: Any, state: FittedModel, wishes: Mapping[str, Any]) -> Decision:
        return Decision.read(self._owner, state.model.classes, **{name: wishes.get(name) for name in DECIDING})

    def _proba(self: Any, state: FittedModel, X: Any) -> Array:
        return state.map(X, proba_of(state.model), self.threads)

    def _posterior(self: Any, state: FittedModel, X: Any, needed: bool = True) -> Posterior:
        """The posterior; its prior may stay unknown where nobody exchanges it, or be exchanged by the model."""
        if hasattr(state.model, "posterior"):
            told: Posterior = state.model.posterior(state.block(X))
            return told
        proba = self._proba(state, X)
        return Posterior(proba, prior_of(state.model) if needed else uniform(proba.shape[1]))

    def _shifted(self: Any, state: FittedModel, X: Any, prior: Any) -> Array:
        """p(class | x) under another prior."""
        decision = self._decision(state, {"prior": prior})
        return np.asarray(self._posterior(state, X).shift(decision.prior).proba)


def wishes_of(state: FittedModel, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What to decide by: what is given, and otherwise what the plan wishes."""
    if not given:
        return dict(getattr(state.plan, "wishes", ()))
    asked = {name: wish for name, wish in given.items() if wish is not None}
    return {**getattr(state.plan, "wishes", {}), **asked}


def prior_of(model: Any) -> Array:
    """The class prior that the probabilities of a model assume (K,)."""
    if hasattr(model, "prior"):
        return np.asarray(model.prior)
    shares = np.exp(model.log_prior)
    return np.asarray(shares / shares.sum())


def proba_of(model: Any) -> Any:
    """How a model gives probabilities of the rows of a block."""
    return model.proba if hasattr(model, "proba") else lambda block: np.exp(model.log_posterior(block))

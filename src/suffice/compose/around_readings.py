"""What estimators around others tell of themselves: the same for estimators and for loaded models. No scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.decision.decide.voting import Votes
from suffice.estimators.faces.classifier import Classifier
from suffice.estimators.faces.probabilistic import prior_of, wishes_of

REASONS = np.array(["answered", "ambiguous", "outlier"])  # by minus the action, where it is a refusal
WISHES = ("prior", "costs", "reject", "at_least", "outliers")


class AssumedPrior:
    """The prior of a model with probabilities."""

    @property
    def prior_(self: Any) -> Array:
        """The class prior that the probabilities assume (K,)."""
        return prior_of(self._state()[0].model)


class Reasons(AssumedPrior):
    """Why rows got their answers."""

    def reasons(
        self: Any,
        X: Any,
        prior: Any = None,
        costs: Any = None,
        reject: Any = None,
        at_least: Any = None,
        outliers: Any = None,
    ) -> Array:
        """Why a row got an answer or none: "answered", "ambiguous" (classes too close), "outlier" (no class fits)."""
        state, X = self._state(X)
        given = dict(zip(WISHES, (prior, costs, reject, at_least, state.model.limit(outliers)), strict=True))
        actions = self._actions(state, X, wishes_of(state, given))
        return np.asarray(REASONS[np.where(actions < 0, -actions, 0)])

    def expected_cost(self: Any, X: Any) -> Array:
        """The expected cost of each answer (n, K), and of refusing as one more column if `reject` is given."""
        state, X = self._state(X)
        decision = self._decision(state, wishes_of(state))
        return np.asarray(decision.expected_cost(self._posterior(state, X, needed=decision.prior is not None)))


class Claims:
    """Which of the classifiers against the rest say yes."""

    def claims(self: Any, X: Any) -> Array:
        """Which classifiers say yes (n, number of classifiers)."""
        state, X = self._state(X)
        return np.asarray(state.model.claims(X))

    def ambiguous(self: Any, X: Any) -> Array:
        """Where (n,) the classifiers contradict one another: several say yes, or with K classifiers none does."""
        state, X = self._state(X)
        return np.asarray(state.model.ambiguous(X))


class LabelProbabilities:
    """How probable each of several labels is."""

    def predict_proba(self: Any, X: Any) -> Array:
        """p(row has the label) of each row and label (n, K)."""
        state, X = self._state(X)
        return np.asarray(state.map(X, state.model.proba, self.threads))


class Ballots:
    """How the classifiers of pairs vote."""

    def votes(self: Any, X: Any) -> Votes:
        """How many of the classifiers vote for each class, who has most, and where another has as many."""
        state, X = self._state(X)
        votes: Votes = state.model.votes(X)
        return votes

    def ambiguous(self: Any, X: Any) -> Array:
        """Where (n,) several classes have the most votes."""
        return np.asarray(self.votes(X).tied)


class Averages:
    """The models of an average, and how probable they are."""

    @property
    def models_(self: Any) -> list[Any]:
        """The fitted classifiers, in order."""
        return [held.live for held in self._state()[0].model.helds]

    @property
    def posterior_(self: Any) -> Any:
        """`ModelPosterior`: log evidence, weights, the best model, Bayes factors."""
        return self._state()[0].model.weighed

    @property
    def weights_(self: Any) -> Array:
        """Posterior probability of each model, in order."""
        return np.asarray(self.posterior_.weights)

    @property
    def evidence_(self: Any) -> str:
        """What the models were weighed by: "exact", "joint" or "labels"."""
        return str(self._state()[0].model.evidence)

    @property
    def class_prior_(self: Any) -> Array:
        """Shares of the classes among the rows (K,)."""
        return np.asarray(self._state()[0].model.prior)


TELLINGS: Mapping[str, type[Any]] = {
    "average": Averages,
    "prior": AssumedPrior,
    "reasons": Reasons,
    "scores": Classifier,
    "claims": Claims,
    "label_probabilities": LabelProbabilities,
    "votes": Ballots,
}

"""The verbs of probabilities, for machines that were asked to have some."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.metaestimators import available_if

from suffice.core.block import Array
from suffice.decision.decide.posterior import Posterior
from suffice.estimators.faces.probabilistic import Probabilistic
from suffice.margin.svc.probable_vectors import ProbableVectors

VERBS = ("predict_proba", "predict_log_proba", "posterior")


def _asked(machine: Any) -> bool:
    return bool(machine.gives_proba)


class AskedProbabilities:
    """`predict_proba` and what follows from it, where `probability=True`; answers still go by votes unless asked to."""

    probability: Any
    _decided, _actions, _decision = Probabilistic._decided, Probabilistic._actions, Probabilistic._decision
    _proba, _posterior, _shifted = Probabilistic._proba, Probabilistic._posterior, Probabilistic._shifted

    @property
    def gives_proba(self) -> bool:
        """Whether probabilities are asked for."""
        return self.probability not in (False, "deprecated")

    @available_if(_asked)  # type: ignore[untyped-decorator]
    def predict_proba(self: Any, X: Any) -> Array:
        """p(class | x) of each row and class (n, K), under the class shares of training.

        Parameters
        ----------
        X : rows like those of training
        """
        self._mapped()
        return np.asarray(Probabilistic.predict_proba(self, X))

    @available_if(_asked)  # type: ignore[untyped-decorator]
    def predict_log_proba(self: Any, X: Any) -> Array:
        """log p(class | x) of each row and class (n, K).

        Parameters
        ----------
        X : rows like those of training
        """
        self._mapped()
        return np.asarray(Probabilistic.predict_log_proba(self, X))

    @available_if(_asked)  # type: ignore[untyped-decorator]
    def posterior(self: Any, X: Any) -> Posterior:
        """p(class | x) with the class prior it assumes: the shares of training.

        Parameters
        ----------
        X : rows like those of training
        """
        self._mapped()
        told: Posterior = Probabilistic.posterior(self, X)
        return told

    def _mapped(self: Any) -> None:
        """Refuse a machine that was trained before it was asked for probabilities."""
        if not isinstance(self._state()[0].model, ProbableVectors):
            raise NotFittedError(
                f"{self._owner}: predict_proba is not available when fitted with probability=False. Fit it anew."
            )

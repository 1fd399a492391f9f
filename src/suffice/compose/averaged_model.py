"""The model of `ModelAverage`: classifiers, and how probable each of them is. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.bayes.inference.model_posterior import ModelPosterior
from suffice.compose.around_plan import table_of
from suffice.compose.held import Held
from suffice.core.block import Array, Block
from suffice.core.from_proba import FromProba
from suffice.core.registry import saved
from suffice.decision.decide.mixed_posterior import MixedPosterior
from suffice.decision.decide.posterior import Posterior


@saved
@dataclass(frozen=True)
class AveragedModel(FromProba):
    """Asks every model it holds; a class that a model does not know has probability 0 there."""

    owner: str
    helds: tuple[Held, ...]
    weighed: ModelPosterior
    evidence: str  # the kind that they were weighed by
    classes: tuple[Any, ...]
    prior: Array  # (K,) shares of the classes among the rows

    def posterior(self, block: Block) -> MixedPosterior:
        """What all of them believe, weighed by how probable they are."""
        parts = [self._of(held.live, table_of(block)) for held in self.helds]
        return MixedPosterior.of(parts, self.weighed.weights, self.prior)

    def _of(self, model: Any, X: Any) -> Posterior:
        """What a model believes, with its classes at the places of all classes."""
        proba, prior = model.posterior(X) if hasattr(model, "posterior") else (model.predict_proba(X), self.prior)
        if proba.shape[1] == len(self.classes):
            return Posterior(proba, prior)
        wide = np.zeros((len(proba), len(self.classes)))
        wide[:, [self.classes.index(label) for label in np.asarray(model.classes_).tolist()]] = proba
        return Posterior(wide, self.prior)

    def proba(self, block: Block) -> Array:
        """p(class | x) (n, K)."""
        return self.posterior(block).proba

    def holding(self, change: Callable[[Held], Held]) -> AveragedModel:
        """The same, with each of what is held in another form."""
        return replace(self, helds=tuple(map(change, self.helds)))

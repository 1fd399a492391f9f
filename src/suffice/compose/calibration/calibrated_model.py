"""The model of `CalibratedClassifier`: classifiers and the maps from their scores to probabilities. No scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from suffice.compose.around_plan import table_of
from suffice.compose.calibration.responses import ClassScorer
from suffice.compose.held import Held
from suffice.core.block import Array, Block
from suffice.core.from_proba import FromProba
from suffice.core.registry import saved
from suffice.decision.maps.score_map import ScoreMap


@saved
@dataclass(frozen=True)
class Calibrated:
    """A trained classifier and the map from its scores to probabilities."""

    held: Held
    scorer: ClassScorer
    map: ScoreMap

    @property
    def estimator(self) -> Any:
        """The classifier."""
        return self.held.live

    def predict_proba(self, X: Any) -> Array:
        """Calibrated probabilities (n, K); 0 of a class that the classifier has never met, as in scikit-learn."""
        proba = self.map.proba(self.scorer(self.estimator, X))
        known = set(np.asarray(self.estimator.classes_).tolist())
        met = np.array([label in known for label in self.scorer.classes])
        if met.all():
            return proba
        proba = np.where(met, proba, 0.0)
        total = proba.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, proba / np.where(total > 0.0, total, 1.0), met / met.sum())


@saved
@dataclass(frozen=True)
class CalibratedModel(FromProba):
    """One calibrated classifier, or the mean of several."""

    pairs: tuple[Calibrated, ...]
    classes: tuple[Any, ...]
    prior: Array  # (K,) that the probabilities assume

    def proba(self, block: Block) -> Array:
        """p(class | x) (n, K)."""
        parts = [pair.predict_proba(table_of(block)) for pair in self.pairs]
        return parts[0] if len(parts) == 1 else np.mean(parts, axis=0)

    @property
    def helds(self) -> tuple[Held, ...]:
        """What is held."""
        return tuple(pair.held for pair in self.pairs)

    def holding(self, change: Callable[[Held], Held]) -> CalibratedModel:
        """The same, with each of what is held in another form."""
        return replace(self, pairs=tuple(replace(pair, held=change(pair.held)) for pair in self.pairs))

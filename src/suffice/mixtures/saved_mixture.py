"""A fitted mixture as a value, which can be written to a file and predicts without scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array, Block
from suffice.core.errors import BadFile
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.mixtures.learner import MixtureModel
from suffice.sources.memory import MemorySource
from suffice.sources.table import open_table


@saved
@dataclass(frozen=True)
class SavedMixture:
    """The components of a mixture and the columns they describe; what `load` gives back."""

    name: str  # of the estimator that learned it
    model: MixtureModel
    schema: Schema

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        for piece, kind in (("name", str), ("model", MixtureModel), ("schema", Schema)):
            if not isinstance(getattr(self, piece), kind):
                raise BadFile(f"its {piece} is no {kind.__name__}")

    def score_samples(self, X: Any) -> Array:
        """log p(x) of each row (n,), of the cells that are present."""
        return self._map(X, self.model.log_density)

    def predict(self, X: Any) -> Array:
        """The number of the most probable component of each row (n,)."""
        return self._map(X, self.model.likeliest)

    def predict_proba(self, X: Any) -> Array:
        """p(component | x) (n, K)."""
        return self._map(X, lambda block: np.exp(self.model.log_posterior(block)))

    def _map(self, X: Any, predict: Callable[[Block], Array]) -> Array:
        return MemorySource(open_table(X), self.schema).map(predict)

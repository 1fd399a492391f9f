"""Nets for rows with several labels: one logistic output a label. They answer on NumPy and SciPy alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from scipy.special import expit, log_expit

from suffice.core.block import Array, Block
from suffice.core.errors import BadFile, Said, bad
from suffice.core.registry import saved
from suffice.neural.net_record import NetRecord
from suffice.neural.net_weights import NetWeights


@saved
@dataclass(frozen=True)
class NetLabels:
    """A net whose outputs are the probabilities that a row has each label, whatever others it has."""

    weights: NetWeights
    classes: tuple[Any, ...]  # the labels
    seen: Array  # (K,) weight of the rows that have each label
    record: NetRecord

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        if not isinstance(self.weights, NetWeights) or not isinstance(self.record, NetRecord):
            raise BadFile("its weights are those of no net")
        K = len(self.classes)
        if not isinstance(self.classes, tuple) or np.shape(self.seen) != (K,) or self.weights.sizes[-1] != K:
            raise BadFile("its labels are not those of its outputs")

    @property
    def prior(self) -> NoReturn:
        """There is none: labels do not exclude one another."""
        remedy = "Compare predict_proba with a threshold for each label."
        raise bad("MLPClassifier", "y", "one label a row to decide by prior, costs or refusal", Said("several"), remedy)

    def proba(self, block: Block) -> Array:
        """The probability of each label (n, K)."""
        return np.asarray(expit(self.weights.sums(block.parts[0])))

    def log_posterior(self, block: Block) -> Array:
        """Their logarithms (n, K): of what `proba` says where that is near 1, so that equals stay equals."""
        z = self.weights.sums(block.parts[0])
        return np.asarray(np.where(z > 0.0, np.log(expit(np.maximum(z, 0.0))), log_expit(z)))

    def labels(self, block: Block) -> Array:
        """Which labels each row has (n, K), 0 or 1."""
        return np.asarray(self.weights.sums(block.parts[0]) > 0.0).astype(np.int64)


class LabelShares:
    """What a loaded net of several labels tells beside the labels."""

    def predict_proba(self: Any, X: Any) -> Array:
        """The probability of each label (n, K)."""
        state, X = self._state(X)
        return np.asarray(state.map(X, state.model.proba, self.threads))

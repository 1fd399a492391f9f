"""What nets learned, as values: classes, numbers. They answer on NumPy and SciPy alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, log_expit, log_softmax, softmax

from suffice.core.block import Array, Block
from suffice.core.errors import BadFile
from suffice.core.registry import saved
from suffice.estimators.reading import reading
from suffice.neural.net_record import NetRecord
from suffice.neural.net_weights import NetWeights


@saved
@dataclass(frozen=True)
class NetClasses:
    """A net whose outputs are the probabilities of classes: of the second where there are two, else of each."""

    weights: NetWeights
    classes: tuple[Any, ...]
    seen: Array  # (K,) weight of the rows of each class
    record: NetRecord

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        if not isinstance(self.weights, NetWeights) or not isinstance(self.record, NetRecord):
            raise BadFile("its weights are those of no net")
        K = len(self.classes)
        if not isinstance(self.classes, tuple) or np.shape(self.seen) != (K,):
            raise BadFile("its classes are not those it has seen")
        if self.weights.sizes[-1] != (1 if K <= 2 else K):
            raise BadFile(f"its outputs are not those of {K} classes")

    @property
    def prior(self) -> Array:
        """Class shares of the rows learned from; with one more row a class where a class had none."""
        seen = self.seen if self.seen.all() else self.seen + 1.0
        return np.asarray(seen / seen.sum())

    def proba(self, block: Block) -> Array:
        """p(class | x) (n, K)."""
        z = self.weights.sums(block.parts[0])
        if len(self.classes) > 2:
            return np.asarray(softmax(z, axis=1))
        if len(self.classes) == 1:
            return np.ones_like(z)
        return np.concatenate([expit(-z), expit(z)], axis=1)

    def log_posterior(self, block: Block) -> Array:
        """log p(class | x) (n, K)."""
        z = self.weights.sums(block.parts[0])
        if len(self.classes) > 2:
            return np.asarray(log_softmax(z, axis=1))
        if len(self.classes) == 1:
            return np.zeros_like(z)
        return np.concatenate([log_expit(-z), log_expit(z)], axis=1)

    def likeliest(self, block: Block) -> Array:
        """The number of the most probable class (n,), the first of equals."""
        z = self.weights.sums(block.parts[0])
        if len(self.classes) > 2:
            return np.asarray(z.argmax(axis=1))
        return np.asarray((z[:, 0] > 0.0) & (len(self.classes) == 2)).astype(np.int64)


@saved
@dataclass(frozen=True)
class NetFunction:
    """A net whose outputs are numbers."""

    weights: NetWeights
    record: NetRecord

    def __post_init__(self) -> None:
        """Refuse a file whose pieces are not what they should be."""
        if not isinstance(self.weights, NetWeights) or not isinstance(self.record, NetRecord):
            raise BadFile("its weights are those of no net")

    def predict(self, block: Block) -> Array:
        """The numbers of each row (n, t)."""
        return self.weights.outputs(block.parts[0])


class NetReadings:
    """What a net tells of itself."""

    n_iter_ = reading("record.epochs", "Epochs of the last call; iterations of L-BFGS.")
    t_ = reading("record.rows", "Rows that were visited in all epochs.")
    loss_ = reading("record.loss", "Mean error of the last epoch, with the penalty.")
    best_loss_ = reading("record.best_loss", "The least loss of an epoch; None where rows were held out.")
    best_validation_score_ = reading("record.best_score", "The best score of rows held out; None where none were.")
    epochs_in_vain_ = reading("record.in_vain", "Last epochs without enough gain.")
    out_activation_ = reading("weights.output", "Activation of the outputs.")

    @property
    def coefs_(self: Any) -> list[Array]:
        """Weights of each layer (units, units of the next)."""
        return list(self._state()[0].model.weights.coefs)

    @property
    def intercepts_(self: Any) -> list[Array]:
        """Intercepts of each layer but the first."""
        return list(self._state()[0].model.weights.intercepts)

    @property
    def n_layers_(self: Any) -> int:
        """Layers, inputs and outputs among them."""
        return len(self._state()[0].model.weights.sizes)

    @property
    def n_outputs_(self: Any) -> int:
        """Units of the last layer."""
        return int(self._state()[0].model.weights.sizes[-1])

    @property
    def loss_curve_(self: Any) -> list[float]:
        """Mean error of each epoch, or iteration of L-BFGS."""
        return [float(loss) for loss in self._state()[0].model.record.losses]

    @property
    def validation_scores_(self: Any) -> list[float] | None:
        """Score of the rows held out after each epoch; None where none were."""
        scores = self._state()[0].model.record.scores
        return None if scores is None else [float(score) for score in scores]

    @property
    def learning_rate_(self: Any) -> float | None:
        """The rate the last step was taken with; None for L-BFGS."""
        state = self._state()[0].model.record.optimizer
        return None if state is None else float(state.rate)

    def hidden_outputs(self: Any, X: Any, layer: int = -1) -> Array:
        """What the units of a hidden layer answer to rows (n, units): the rows as the net has recoded them.

        Parameters
        ----------
        X : rows of numbers
        layer : which one, from 1; -1 is the last
        """
        state, X = self._state(X)
        return np.asarray(state.map(X, lambda block: state.model.weights.hidden_outputs(block.parts[0], layer), None))

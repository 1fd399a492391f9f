"""Models as random variables: how probable each of a list of models is once rows were seen.

    P(m | rows) = P(m) p(rows | m) / sum over models

Predicting with the most probable model alone is not Bayes-optimal in general; averaging over all of them is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.registry import saved
from suffice.numerics.log_space import normalize


@saved
@dataclass(frozen=True, eq=False)
class ModelPosterior:
    """Models, their prior, and the log probability that each gave to the rows so far.

    >>> models = ModelPosterior.of({"fair": -6.93, "biased": -4.7})
    >>> models.best, models.weights.round(3)
    ('biased', array([0.097, 0.903]))
    """

    names: tuple[Any, ...]
    prior: Array  # (M,)
    log_evidence: Array  # (M,)

    @classmethod
    def of(cls, log_evidence: Mapping[Any, float], prior: Any = None) -> ModelPosterior:
        """From name -> log marginal likelihood; the prior is name -> probability, in their order, or None for equal."""
        owner, names = cls.__name__, tuple(log_evidence)
        if not names:
            raise bad(owner, "log_evidence", "of at least one model", dict(log_evidence), "Name a model.")
        return cls(names, _prior(owner, prior, names), _evidence(owner, log_evidence, names))

    def update(self, log_evidence: Mapping[Any, float]) -> ModelPosterior:
        """The posterior after more rows, whose log probability each model gives knowing the rows before."""
        more = _evidence(type(self).__name__, log_evidence, self.names)
        return ModelPosterior(self.names, self.prior, self.log_evidence + more)

    @property
    def log_weights(self) -> Array:
        """Log posterior probability of each model (M,); the prior where every model finds the rows impossible."""
        with np.errstate(divide="ignore"):
            prior = np.log(self.prior)
        return normalize(prior + self.log_evidence, prior)

    @property
    def weights(self) -> Array:
        """Posterior probability of each model (M,)."""
        return np.exp(self.log_weights)

    @property
    def best(self) -> Any:
        """The most probable model, the first of equals: maximum a posteriori."""
        return self.names[int(self.log_weights.argmax())]

    @property
    def bits(self) -> Array:
        """Description length of each model and the rows with it (M,): -log2 P(m) - log2 p(rows | m)."""
        with np.errstate(divide="ignore"):
            return np.asarray(-(np.log(self.prior) + self.log_evidence) / np.log(2.0))

    def bayes_factor(self, first: Any, second: Any) -> float:
        """How many times as probable the rows are under the first model as under the second, whatever the prior."""
        at = [self._place(name) for name in (first, second)]
        with np.errstate(over="ignore"):
            return float(np.exp(self.log_evidence[at[0]] - self.log_evidence[at[1]]))

    def average(self, predictions: Mapping[Any, Any] | Sequence[Any]) -> Array:
        """Predictions of all models, weighed by how probable they are: sum_m P(m | rows) prediction_m.

        Parameters
        ----------
        predictions : name -> array, or arrays in the order of the models; one shape for all
        """
        given = list(predictions.values()) if isinstance(predictions, Mapping) else list(predictions)
        if isinstance(predictions, Mapping):
            given = [predictions[name] for name in self.names if name in predictions]
        if len(given) != len(self.names):
            rule = f"one for each of the {len(self.names)} models"
            raise bad(self, "predictions", rule, len(given), f"The models are {list(self.names)}.")
        return np.tensordot(self.weights, np.asarray(given, dtype=np.float64), axes=1)

    def _place(self, name: Any) -> int:
        if name not in self.names:
            raise bad(self, "a model", f"one of {list(self.names)}", name, "Correct the name.")
        return self.names.index(name)


def _prior(owner: str, given: Any, names: tuple[Any, ...]) -> Array:
    """Probabilities in the order of the models."""
    if given is None:
        return np.full(len(names), 1.0 / len(names))
    ordered = [given.get(name) for name in names] if isinstance(given, Mapping) else list(given)
    absent = any(p is None for p in ordered) or (isinstance(given, Mapping) and len(given) != len(names))
    shares = np.array([] if absent else ordered, dtype=np.float64)
    if shares.shape != (len(names),) or not (shares >= 0).all() or not abs(shares.sum() - 1.0) <= 1e-9:
        rule = f"one probability for each of the models {list(names)}, summing to 1"
        raise bad(owner, "prior", rule, given, "Leave it out if none is more probable than another.")
    return np.asarray(shares / shares.sum())


def _evidence(owner: str, given: Mapping[Any, float], names: tuple[Any, ...]) -> Array:
    strange = [name for name in (*given, *names) if (name in given) != (name in names)]
    if strange:
        raise bad(owner, "log_evidence", f"given for the models {list(names)}", strange[0], "One number a model.")
    values = np.array([float(given[name]) for name in names])
    if np.isnan(values).any() or np.isposinf(values).any():
        raise bad(owner, "log_evidence", "numbers below infinity", dict(given), "They are logs of probabilities.")
    return values

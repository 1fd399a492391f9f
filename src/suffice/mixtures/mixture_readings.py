"""What every mixture tells once it is fitted: components of rows, information criteria, new rows. No scikit-learn."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.estimators.boundary.legacy_random import legacy_random
from suffice.estimators.boundary.targets import read_weights
from suffice.mixtures.learner import MixtureModel


class MixtureReadings:
    """The same for estimators and for models from files; their plan knows the type of answers and of drawn rows."""

    def predict(self: Any, X: Any) -> Array:
        """The number of the most probable component of each row (n,)."""
        state, X = self._state(X)
        return np.asarray(state.map(X, state.model.likeliest, self.threads))

    def predict_proba(self: Any, X: Any) -> Array:
        """p(component | x) (n, K)."""
        state, X = self._state(X)
        found = state.map(X, lambda block: np.exp(state.model.log_posterior(block)), self.threads)
        return np.asarray(found.astype(state.plan.answer_type(self._origin)))

    def score(self: Any, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Mean log p(x), weighted where rows have weights."""
        logs = self.score_samples(X)
        return float(np.average(logs, weights=read_weights(self._owner, sample_weight, len(logs))))

    def bic(self: Any, X: Any, sample_weight: Any = None) -> float:
        """Bayesian information criterion: -2 log-likelihood + parameters * log(rows); lower is better."""
        total, rows = _total(self, X, sample_weight)
        return float(-2.0 * total + self._n_parameters() * float(np.log(rows)))

    def aic(self: Any, X: Any, sample_weight: Any = None) -> float:
        """Akaike information criterion: -2 log-likelihood + 2 parameters; lower is better."""
        return float(-2.0 * _total(self, X, sample_weight)[0] + 2.0 * self._n_parameters())

    def sample(self: Any, n_samples: int = 1) -> tuple[Any, Array]:
        """New rows and the numbers of their components, one component after the other.

        Rows are a table like the one learned from; those of `GaussianMixture` an array, as scikit-learn's are.

        Parameters
        ----------
        n_samples : how many rows; `random_state` says which
        """
        state = self._state()[0]
        if isinstance(n_samples, bool) or not (isinstance(n_samples, Integral) and n_samples >= 1):
            theirs = "Invalid value for 'n_samples': The sampling requires at least one sample"
            rule = f"a whole number of at least 1 ({theirs})"
            raise bad(self._owner, "n_samples", rule, n_samples, "Say how many rows to draw.")
        rng = legacy_random(self._owner, _parameter(self, "random_state"))
        shares = np.exp(state.model.log_weights)
        y = np.repeat(np.arange(len(shares)), rng.multinomial(int(n_samples), shares / shares.sum()))
        parts = state.model.factors.sample(y, np.random.default_rng(rng.randint(2**31 - 1)))
        return state.plan.table(state.model, parts, state.schema, self._origin, len(y)), y

    @property
    def model_(self: Any) -> MixtureModel:
        """Shares and distributions of the components."""
        model: MixtureModel = self._state()[0].model
        return model

    @property
    def weights_(self: Any) -> Array:
        """Share of each component (K,)."""
        state = self._state()[0]
        return np.asarray(np.exp(state.model.log_weights).astype(state.plan.answer_type(self._origin)))

    @property
    def converged_(self: Any) -> bool:
        """Whether the best run has settled."""
        return bool(self._state()[0].state.settled)

    @property
    def n_iter_(self: Any) -> int:
        """Passes of the best run."""
        return int(self._state()[0].state.passes)

    @property
    def lower_bounds_(self: Any) -> list[float]:
        """Mean penalised log-likelihood of the model before each pass."""
        return list(self._state()[0].model.trace)

    @property
    def lower_bound_(self: Any) -> float:
        """The last of them."""
        return float(last_bound(self._state()[0].model))

    def _n_parameters(self: Any) -> int:
        """Number of free parameters."""
        state = self._state()[0]
        return int(state.plan.parameters(state.model))


def last_bound(model: MixtureModel) -> float:
    """Mean penalised log-likelihood before the last pass; -inf where there was none."""
    return model.trace[-1] if model.trace else -np.inf


def _total(holder: Any, X: Any, sample_weight: Any) -> tuple[float, float]:
    """Log-likelihood and weight of all rows."""
    logs = holder.score_samples(X).astype(np.float64)
    w = read_weights(holder._owner, sample_weight, len(logs))
    return (float(logs.sum()), float(len(logs))) if w is None else (float(w @ logs), float(w.sum()))


def _parameter(holder: Any, name: str) -> Any:
    """Of an estimator, or of the estimator that a loaded model was."""
    return getattr(holder, name) if hasattr(holder, name) else holder.parameters.get(name)

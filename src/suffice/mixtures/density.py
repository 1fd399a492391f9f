"""What every mixture offers once it is fitted: densities, components of rows, information criteria."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Sequence
from numbers import Integral, Real
from os import PathLike
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from suffice.core.block import Array, Block
from suffice.core.errors import bad
from suffice.core.learner import Passes, Source
from suffice.core.schema import Schema
from suffice.estimators.weights import read_weights
from suffice.mixtures.learner import MixtureModel
from suffice.mixtures.saved_mixture import SavedMixture

ALPHA = [Interval(Real, 0.0, np.inf, closed="both")]  # what the parameter of that name may be


class MixtureDensity(DensityMixin, BaseEstimator):  # type: ignore[misc]
    """The face of a mixture: a subclass fits `model_` and says how rows are read."""

    model_: MixtureModel
    random_state: Any
    _dtype: Any = np.float64  # of the answers

    @abstractmethod
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from these rows."""

    @abstractmethod
    def _source(self, X: Any) -> Source:
        """Rows to be read as those of training were."""

    @abstractmethod
    def _columns(self) -> Schema:
        """The columns that the components describe."""

    @abstractmethod
    def _table(self, parts: Sequence[Any], n: int) -> Any:
        """Drawn rows, given part by part, as a table like the one learned from."""

    @abstractmethod
    def _n_parameters(self) -> int:
        """Number of free parameters."""

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Learn from these rows, then the number of the most probable component of each."""
        return self.fit(X, y, sample_weight).predict(X)

    def _map(self, X: Any, predict: Any) -> Array:
        """Rows, block by block."""
        check_is_fitted(self, "model_")
        return self._source(X).map(predict)

    def score_samples(self, X: Any) -> Array:
        """log p(x) of each row (n,), of the cells that are present."""
        return self._map(X, lambda block: self.model_.log_density(block)).astype(self._dtype)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Mean log p(x), weighted where rows have weights."""
        logs = self.score_samples(X)
        return float(np.average(logs, weights=read_weights(self._owner, sample_weight, len(logs))))

    def predict(self, X: Any) -> Array:
        """The number of the most probable component of each row (n,)."""
        return self._map(X, lambda block: self.model_.likeliest(block))

    def predict_proba(self, X: Any) -> Array:
        """p(component | x) (n, K)."""
        return self._map(X, self._posterior).astype(self._dtype)

    def _posterior(self, block: Block) -> Array:
        return np.exp(self.model_.log_posterior(block))

    def bic(self, X: Any, sample_weight: Any = None) -> float:
        """Bayesian information criterion: -2 log-likelihood + parameters * log(rows); lower is better."""
        total, rows = self._total(X, sample_weight)
        return -2.0 * total + self._n_parameters() * float(np.log(rows))

    def aic(self, X: Any, sample_weight: Any = None) -> float:
        """Akaike information criterion: -2 log-likelihood + 2 parameters; lower is better."""
        return -2.0 * self._total(X, sample_weight)[0] + 2.0 * self._n_parameters()

    def _total(self, X: Any, sample_weight: Any) -> tuple[float, float]:
        """Log-likelihood and weight of all rows."""
        logs = self.score_samples(X).astype(np.float64)
        w = read_weights(self._owner, sample_weight, len(logs))
        return (float(logs.sum()), float(len(logs))) if w is None else (float(w @ logs), float(w.sum()))

    def sample(self, n_samples: int = 1) -> tuple[Any, Array]:
        """New rows and the numbers of their components, one component after the other.

        Rows are a table like the one learned from; those of `GaussianMixture` an array, as scikit-learn's are.

        Parameters
        ----------
        n_samples : how many rows; `random_state` says which
        """
        check_is_fitted(self, "model_")
        if isinstance(n_samples, bool) or not (isinstance(n_samples, Integral) and n_samples >= 1):
            theirs = "Invalid value for 'n_samples': The sampling requires at least one sample"
            rule = f"a whole number of at least 1 ({theirs})"
            raise bad(self._owner, "n_samples", rule, n_samples, "Say how many rows to draw.")
        rng = check_random_state(self.random_state)
        shares = np.exp(self.model_.log_weights)
        y = np.repeat(np.arange(len(shares)), rng.multinomial(int(n_samples), shares / shares.sum()))
        parts = self.model_.factors.sample(y, np.random.default_rng(rng.randint(2**31 - 1)))
        return self._table(parts, len(y)), y

    def save(self, path: str | PathLike[str]) -> None:
        """Write the components to a file: numbers and a description, never code. `suffice.load` reads it."""
        from suffice.persistence import save

        check_is_fitted(self, "model_")
        save(SavedMixture(self._owner, self.model_, self._columns()), path)

    @property
    def weights_(self) -> Array:
        """Share of each component (K,)."""
        check_is_fitted(self, "model_")
        return np.exp(self.model_.log_weights).astype(self._dtype)

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _adopt(self, run: Passes[MixtureModel], before: int = 0) -> Self:
        """Keep a run; its first bounds may be those of an earlier one."""
        if not run.settled and run.passes:
            warnings.warn(
                "Best performing initialization did not converge. Try different init parameters, or increase max_iter, "
                "tol, or check for degenerate data.",
                ConvergenceWarning,
                stacklevel=4,
            )
        bounds = run.model.trace[before:]
        self.model_, self.converged_, self.n_iter_ = run.model, run.settled, run.passes
        self.lower_bounds_, self.lower_bound_ = list(bounds), bounds[-1] if bounds else -np.inf
        return self

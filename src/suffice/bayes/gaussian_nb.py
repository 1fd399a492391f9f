"""GaussianNB: scikit-learn's Gaussian naive Bayes, on moments that add.

p(x | k) = prod_j N(x_j; theta_kj, var_kj),     var = variance within the class + epsilon
"""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from suffice.bayes.drop_in import DropInNB
from suffice.core.block import Array
from suffice.core.errors import BadInput
from suffice.estimators.fitted import Fitted
from suffice.families.normal import DiagonalNormal
from suffice.families.variance_priors import VarianceFloor
from suffice.sources.grid import FiniteGrid


class GaussianNB(DropInNB):
    """Gaussian naive Bayes for scikit-learn users: one pass, exact, mergeable, forgetting.

    Parameters
    ----------
    priors : class shares in the order of the classes; None counts them
    var_smoothing : share of the largest variance of a column that is added to all variances
    refusal : the label that `predict` gives where it refuses
    threads : number of threads; None takes all processors

    Attributes
    ----------
    classes_, class_count_, class_prior_, theta_, var_, epsilon_, n_features_in_, feature_names_in_ : as in scikit-learn,
        but that epsilon_ is of all rows, weights included, however they came

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import GaussianNB
    >>> X, y = np.array([[-2.0], [-1.0], [1.0], [2.0]]), np.array([0, 0, 1, 1])
    >>> GaussianNB().fit(X, y).predict([[0.8]])
    array([1])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "priors": ["array-like", None],
        "var_smoothing": [Interval(Real, 0, None, closed="left")],
        "refusal": "no_validation",
        "threads": "no_validation",
    }

    def __init__(
        self, *, priors: Any = None, var_smoothing: float = 1e-9, refusal: Any = None, threads: int | None = None
    ) -> None:
        """Keep the parameters."""
        self.priors = priors
        self.var_smoothing = var_smoothing
        self.refusal = refusal
        self.threads = threads

    def _family(self) -> DiagonalNormal:
        return DiagonalNormal(VarianceFloor(float(self.var_smoothing)))

    def _given_prior(self) -> Any:
        return self.priors

    def _class_prior(self, labels: tuple[Any, ...]) -> Any:
        prior = super()._class_prior(labels)
        if self.priors is not None:
            priors = np.asarray(self.priors, dtype=np.float64)
            if not np.isclose(priors.sum(), 1.0):
                raise BadInput(f"{type(self).__name__}: The sum of the priors should be 1, got {priors.sum()}.")
            if (priors < 0).any():
                raise BadInput(f"{type(self).__name__}: Priors must be non-negative, got {priors.min()}.")
        return prior

    def _array_rules(self, learning: bool) -> dict[str, Any]:
        return {"dtype": [np.float64, np.float32], "ensure_all_finite": False}

    def _check_X(self, X: Any, reset: bool) -> Any:
        X = super()._check_X(X, reset)
        if reset:
            self._float = X.dtype
        return X

    def _check_fitted(self, fitted: Fitted) -> None:
        moments = fitted.summary.summary.parts[0]  # type: ignore[attr-defined]
        if (moments.rows < fitted.summary.tally.rows[:, None]).any():
            raise BadInput(
                f"{type(self).__name__}: every cell must be present (Input X contains NaN). Use NaiveBayes, which leaves "
                "missing cells out."
            )

    def _state(self, X: Any = None) -> tuple[Fitted, Any]:
        state, X = super()._state(X)
        return state, None if X is None else FiniteGrid(X, type(self).__name__)

    @property
    def theta_(self) -> Array:
        """Mean of each class and column (K, d)."""
        mean: Array = self._part.mean.value.astype(self._float)
        return mean

    @property
    def var_(self) -> Array:
        """Variance of each class and column, epsilon_ included (K, d)."""
        variance: Array = self._distribution.variance.astype(self._float)
        return variance

    @property
    def epsilon_(self) -> float:
        """What is added to every variance."""
        return VarianceFloor(float(self.var_smoothing)).floor(self._part)

    @property
    def class_prior_(self) -> Array:
        """Share of each class (K,)."""
        shares: Array = np.exp(self._state()[0].model.log_prior).astype(self._float)
        return shares

    @property
    def class_count_(self) -> Array:
        """Weight of each class (K,)."""
        count: Array = super().class_count_.astype(self._float)
        return count

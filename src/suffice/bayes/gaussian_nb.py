"""GaussianNB: scikit-learn's Gaussian naive Bayes, on moments that add.

p(x | k) = prod_j N(x_j; theta_kj, var_kj),     var = variance within the class + epsilon
"""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from suffice.bayes.drop_in import DropInNB
from suffice.bayes.fixed_plan import missing_cell
from suffice.bayes.generative import Generative
from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.summary import Together
from suffice.estimators.declared import Declared
from suffice.estimators.fitted import FittedModel
from suffice.estimators.origin import Origin
from suffice.families.normal import DiagonalNormal
from suffice.families.variance_priors import VarianceFloor
from suffice.sources.grid import Grid
from suffice.summaries.moments import Moments


class GaussianNB(Generative, DropInNB):
    """Gaussian naive Bayes for scikit-learn users: one pass, exact, mergeable, forgetting.

    Parameters
    ----------
    priors : class shares in the order of the classes; None counts them
    var_smoothing : share of the largest variance of a column that is added to all variances
    refusal : the label that `predict` gives where it refuses
    threads : number of threads; None takes all processors

    Attributes
    ----------
    classes_, class_count_, class_prior_, theta_, var_, epsilon_, n_features_in_, feature_names_in_ :
        as in scikit-learn, but that epsilon_ is of all rows, weights included, however they came

    Examples
    --------
    >>> import numpy as np
    >>> from suffice import GaussianNB
    >>> X, y = np.array([[-2.0], [-1.0], [1.0], [2.0]]), np.array([0, 0, 1, 1])
    >>> GaussianNB().fit(X, y).predict([[0.8]])
    array([1])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **DropInNB._parameter_constraints,
        "priors": ["array-like", None],
        "var_smoothing": [Interval(Real, 0, None, closed="left")],
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

    def _given_shares(self) -> Any:
        return self.priors

    def _read_shares(self, given: Any) -> tuple[float, ...]:
        shares = super()._read_shares(given)
        if not np.isclose(sum(shares), 1.0):
            rule = "such that they sum to 1 (The sum of the priors should be 1)"
            raise bad(self._owner, "the class shares", rule, given, f"Divide them by {sum(shares):.6g}.")
        return shares

    def _array_rules(self, learning: bool) -> dict[str, Any]:
        return {"dtype": [np.float64, np.float32], "ensure_all_finite": False}

    def _check_X(self, X: Any, *, first: bool, learning: bool) -> Any:
        """Cells are counted in the pass over the rows in training, and tested block by block in prediction."""
        X = super()._check_X(X, first=first, learning=learning)
        return Grid(X) if learning else X

    def _summarize(
        self, X: Any, y: Any, sample_weight: Any, declared: Declared | None = None
    ) -> tuple[FittedModel, Origin]:
        fitted, origin = super()._summarize(X, y, sample_weight, declared)
        assert isinstance(fitted.summary.summary, Together)
        moments = fitted.summary.summary.parts[0]
        assert isinstance(moments, Moments)
        if (moments.rows < fitted.summary.tally.rows[:, None]).any():
            raise missing_cell(self._owner)
        return fitted, origin

    def _typed(self, values: Array) -> Array:
        """Values of the type that X had, as in scikit-learn."""
        return values.astype(self._origin.cell_type or np.float64)

    @property
    def theta_(self) -> Array:
        """Mean of each class and column (K, d)."""
        return self._typed(self._part.mean.value)

    @property
    def var_(self) -> Array:
        """Variance of each class and column, epsilon_ included (K, d)."""
        return self._typed(self._distribution.variance)

    @property
    def epsilon_(self) -> Any:
        """What is added to every variance: a NumPy number."""
        return self._typed(np.array(self._read_by.prior.floor(self._part)))[()]

    @property
    def class_prior_(self) -> Array:
        """Share of each class (K,)."""
        return self._typed(np.exp(self._state()[0].model.log_prior))

    @property
    def class_count_(self) -> Array:
        """Weight of each class (K,)."""
        return self._typed(super().class_count_)

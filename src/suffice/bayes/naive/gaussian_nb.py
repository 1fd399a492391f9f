"""GaussianNB: scikit-learn's Gaussian naive Bayes, on moments that add.

p(x | k) = prod_j N(x_j; theta_kj, var_kj),     var = variance within the class + epsilon
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.bayes.class_priors import ClassPrior
from suffice.bayes.naive.drop_in import DropIn
from suffice.bayes.naive.fixed_plan import missing_cell
from suffice.bayes.naive.given_shares import ordered_prior, read_shares
from suffice.bayes.readings.generative import Generative
from suffice.core.block import Array
from suffice.core.errors import bad
from suffice.core.learner import Learned, Source
from suffice.estimators.boundary.doors import Arrays
from suffice.estimators.glue.one_pass_classifier import CONSTRAINTS
from suffice.families.normals.normal import DiagonalNormal
from suffice.families.normals.variance_priors import VarianceFloor
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.grid import Grid


class GaussianNB(Generative, DropIn):
    """Gaussian naive Bayes for scikit-learn users: one pass, exact, mergeable, forgetting.

    Parameters
    ----------
    priors : class shares in the order of the classes; None counts them
    var_smoothing : share of the largest variance of a column that is added to all variances
    class_weight : label -> weight of its rows towards the share of the class, "balanced" for classes all alike
    refusal : the label that `predict` gives where it refuses
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
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

    _door = Arrays({"dtype": [np.float64, np.float32], "ensure_all_finite": False}, learned=Grid)
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CONSTRAINTS,
        "priors": ["array-like", None],
        "class_weight": [Mapping, StrOptions({"balanced"}), None],
        "var_smoothing": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        priors: Any = None,
        var_smoothing: float = 1e-9,
        class_weight: Any = None,
        refusal: Any = None,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters."""
        self.priors = priors
        self.var_smoothing = var_smoothing
        self.class_weight = class_weight
        self.refusal = refusal
        self.threads = threads
        self.ledger = ledger

    def _family(self) -> DiagonalNormal:
        return DiagonalNormal(VarianceFloor(float(self.var_smoothing)))

    def _class_prior(self) -> ClassPrior:
        shares = read_shares(self._owner, self.priors)
        if shares is not None and not np.isclose(sum(shares), 1.0):
            rule = "such that they sum to 1 (The sum of the priors should be 1)"
            raise bad(self._owner, "the class shares", rule, self.priors, f"Divide them by {sum(shares):.6g}.")
        return ordered_prior(self._owner, shares)

    def _check_kept(self, summary: Any) -> None:
        """Cells were counted: none may be missing."""
        (moments,) = summary.summary.parts
        if (moments.rows < summary.tally.rows[:, None]).any():
            raise missing_cell(self._owner)

    def _learn(self, plan: Any, source: Source) -> tuple[Any, Learned]:
        """One pass, which counts the cells."""
        plan, learned = super()._learn(plan, source)
        (moments,) = learned.summary.summary.parts
        if (moments.rows < learned.summary.tally.rows[:, None]).any():
            raise (self._named(source) if isinstance(source, MemorySource) else None) or missing_cell(self._owner)
        return plan, learned

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

"""TruncatedSVD: axes of greatest sums of squares without centring, from moments that add or from sparse rows.

X ~ U S V',     z = V x
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.learner import Learned, Source
from suffice.estimators.boundary.doors import NumberRows
from suffice.estimators.glue.one_pass_transformer import OnePassTransformer
from suffice.estimators.state.fitted import Found, Plan
from suffice.projections.components.singular_model import (
    SingularModel,
    SingularPlan,
    SingularReadings,
    check_count,
    singular_axes,
)
from suffice.projections.components.wide_tables import in_batches
from suffice.sources.engines.memory import MemorySource
from suffice.summaries.wide_moments import is_wide


class TruncatedSVD(SingularReadings, OnePassTransformer):
    """Truncated singular value decomposition: one pass, mergeable where the products of columns can be kept.

    Wide tables, sparse ones above all, are decomposed in memory: by random projections of all rows, or by ARPACK.

    Parameters
    ----------
    n_components : number of axes
    algorithm : "randomized" or "arpack", for wide tables; others are exact
    n_iter, n_oversamples, power_iteration_normalizer, random_state, tol : of these
    ledger : True, or a key of your own, keeps a digest of every row, so that `forget` knows strangers; None keeps none
    threads : number of threads; None takes all processors

    Attributes
    ----------
    components_, explained_variance_, explained_variance_ratio_, singular_values_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import TruncatedSVD
    >>> TruncatedSVD(1).fit([[3.0, 0.0], [0.0, 2.0]]).transform([[3.0, 5.0]]).tolist()
    [[3.0]]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "algorithm": [StrOptions({"arpack", "randomized"})],
        "n_iter": [Interval(Integral, 0, None, closed="left")],
        "n_oversamples": [Interval(Integral, 1, None, closed="left")],
        "power_iteration_normalizer": [StrOptions({"auto", "QR", "LU", "none"})],
        "random_state": ["random_state"],
        "tol": [Interval(Real, 0, None, closed="left")],
        "ledger": "no_validation",
        "threads": [Interval(Integral, 1, None, closed="left"), None],
    }
    _not_saved = ("random_state",)
    _door = NumberRows(
        {"dtype": ["float64", "float32"], "accept_sparse": ["csr", "csc"]},
    )

    def __init__(
        self,
        n_components: int = 2,
        *,
        algorithm: str = "randomized",
        n_iter: int = 5,
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        random_state: Any = None,
        tol: float = 0.0,
        threads: int | None = None,
        ledger: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_components = n_components
        self.algorithm = algorithm
        self.n_iter = n_iter
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state
        self.tol = tol
        self.threads = threads
        self.ledger = ledger

    def _plan(self) -> SingularPlan:
        return SingularPlan(self._owner, int(self.n_components))

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows: the same model as `fit` on all of them; rows of wide tables are kept.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`
        """
        with in_batches(self):
            return super().partial_fit(X, y, sample_weight)

    def _learn(self, plan: Plan, source: Source) -> tuple[Plan, Learned]:
        """One pass; or, where columns are too many, the rows as they are."""
        shape = getattr(getattr(getattr(source, "table", None), "X", None), "shape", None)
        if isinstance(source, MemorySource) and shape is not None and not self.__dict__.get("_in_batches"):
            check_count(self._owner, int(self.n_components), shape[1], self.algorithm == "arpack")
            if is_wide(*shape) and self.n_components < min(shape):
                return plan, Learned(source.schema, Found(self._decompose(source)))
        return super()._learn(plan, source)

    def _decompose(self, source: MemorySource) -> SingularModel:
        """Axes of the rows themselves."""
        block = source.block(slice(0, source.table.n))
        X, w = block.parts[0], np.ones(source.table.n) if block.w is None else block.w
        return singular_axes(X, w, int(self.n_components), self.algorithm, self._given())

    def _given(self) -> dict[str, Any]:
        return {
            "tol": self.tol,
            "n_iter": self.n_iter,
            "n_oversamples": self.n_oversamples,
            "power_iteration_normalizer": self.power_iteration_normalizer,
            "random_state": self.random_state,
        }

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

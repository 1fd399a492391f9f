"""MatrixCompletion: a table with missing cells, filled in by factors of low rank."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from suffice.core.errors import Said, bad
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.memory_transformer import MemoryTransformer
from suffice.estimators.state.fitted import Found
from suffice.projections.factors.completed_matrix import CompletionModel, CompletionPlan, CompletionReadings
from suffice.projections.factors.completion import complete_entries
from suffice.sources.engines.memory import MemorySource


class MatrixCompletion(CompletionReadings, MemoryTransformer):
    """Missing cells from factors of low rank that fit the cells that are there, in memory.

        x_ij ~ m + a_i + b_j + u_i . v_j

    `transform` fills in the missing cells of any rows: a new row gets factors from the cells it has.

    Parameters
    ----------
    rank : number of factors beside the offsets of rows and columns
    penalty : of squared factors and offsets
    max_iter, tol : largest number of rounds, and change of fitted cells at which they end
    random_state : seed of where the factors begin

    Attributes
    ----------
    row_factors_, column_factors_, n_iter_

    Examples
    --------
    >>> from suffice import MatrixCompletion
    >>> X = [[1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [3.0, 4.0, np.nan]]
    >>> model = MatrixCompletion(rank=0, penalty=1e-6).fit(X)
    >>> model.transform(X)[2].round(2).tolist(), model.predict_cells([2], [2]).round(2).tolist()
    ([3.0, 4.0, 5.0], [5.0])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "rank": [Interval(Integral, 0, None, closed="left")],
        "penalty": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "random_state": [Interval(Integral, 0, None, closed="left"), None],
    }
    _door = DistanceRows({"dtype": ["float64", "float32"], "ensure_all_finite": "allow-nan"})

    def __init__(
        self,
        rank: int = 1,
        *,
        penalty: float = 0.1,
        max_iter: int = 50,
        tol: float = 1e-4,
        random_state: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.rank = rank
        self.penalty = penalty
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _plan(self) -> CompletionPlan:
        return CompletionPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Alternate between rows and columns."""
        X = np.asarray(source.block(slice(0, source.table.n)).parts[0], dtype=np.float64)
        if self.rank > min(X.shape):
            told = f"n_samples={X.shape[0]}, n_features={X.shape[1]}"
            raise bad(self._owner, "rank", f"at most {min(X.shape)} ({told})", Said(str(self.rank)), "Ask for fewer.")
        i, j = np.nonzero(~np.isnan(X))
        if not len(i):
            raise bad(self._owner, "X", "a table in which some cells are there", Said("none"), "Give it cells.")
        found = complete_entries(
            i,
            j,
            X[i, j],
            X.shape,
            rank=int(self.rank),
            penalty=float(self.penalty),
            max_iter=int(self.max_iter),
            tol=float(self.tol),
            seed=int(self.random_state or 0),
        )
        return Found(CompletionModel(found), found.steps, found.steps < self.max_iter)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

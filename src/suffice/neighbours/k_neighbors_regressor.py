"""KNeighborsRegressor: the mean target of the k nearest rows, or another number that sums them up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import StrOptions

from suffice.core.block import Array
from suffice.estimators.design.kind_rows import kind_door
from suffice.estimators.glue.memory_regressor import MemoryRegressor
from suffice.estimators.state.fitted import Found
from suffice.neighbours.near.aggregators import read_aggregator
from suffice.neighbours.near.k_choice import CANDIDATES, LEAVE_ONE_OUT, best_number, read_candidates
from suffice.neighbours.near.near_targets import NearTargetPlan, NearTargetReadings, NearTargets
from suffice.neighbours.near.neighbour_door import NeighbourRows
from suffice.neighbours.near.neighbour_options import (
    CONSTRAINTS,
    NUMBER,
    check_metric_options,
    given_table,
    near_rows,
    tag_metric,
)
from suffice.neighbours.near.vote_weights import read_votes
from suffice.sources.engines.memory import MemorySource


class KNeighborsRegressor(NearTargetReadings, MemoryRegressor):
    """Targets from those of the k nearest rows. In memory: it keeps the rows.

    Parameters
    ----------
    n_neighbors : how many are asked; "leave-one-out" chooses the number with the least squared error of rows left out
    weights, algorithm, leaf_size, p, metric, metric_params, n_jobs, candidates : as in `KNeighborsClassifier`
    aggregate : "mean", "median", "mode", a share between 0 and 1 for a quantile, or a function of the targets (m, q) of
        the neighbours, the nearest first

    Attributes
    ----------
    effective_metric_, effective_metric_params_, n_samples_fit_, n_features_in_, feature_names_in_ : as in scikit-learn
    n_neighbors_ : how many are asked
    candidates_, errors_ : what "leave-one-out" tried, and the mean squared errors
    distance_ : the distance, as a value

    Examples
    --------
    >>> from suffice import KNeighborsRegressor
    >>> model = KNeighborsRegressor(n_neighbors=2).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> model.predict([[1.5]])
    array([0.5])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CONSTRAINTS,
        "n_neighbors": [*NUMBER, StrOptions({LEAVE_ONE_OUT})],
        "weights": [StrOptions({"uniform", "distance"}), callable, None],
        "aggregate": "no_validation",
        "candidates": CANDIDATES,
    }
    _door = kind_door(NeighbourRows())
    _not_saved: ClassVar[tuple[str, ...]] = ("n_jobs",)

    def __init__(
        self,
        n_neighbors: Any = 5,
        *,
        weights: Any = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: Any = "minkowski",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        aggregate: Any = "mean",
        candidates: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.aggregate = aggregate
        self.candidates = candidates

    def predict(self, X: Any) -> Array:
        """The targets of near rows as one.

        Parameters
        ----------
        X : rows like those of training; None takes those, each left out
        """
        if X is not None:
            return super().predict(X)
        return self._origin.shaped(self._state()[0].model.left_out())

    def _plan(self) -> NearTargetPlan:
        return NearTargetPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Keep the rows, and choose how many are asked."""
        check_metric_options(self)
        block = source.block(slice(0, source.table.n))
        (X,), w = block.parts, block.w
        near = near_rows(self, X, w, plan)
        Y = np.asarray(block.y, dtype=np.float64)
        table = given_table(self, X, near)
        chosen = isinstance(self.n_neighbors, str)
        model = NearTargets(
            near,
            Y if w is None else Y[w > 0],
            1 if chosen else int(self.n_neighbors),
            read_votes(self.weights),
            read_aggregator(self._owner, self.aggregate),
            table,
        )
        if not chosen:
            return Found(model)
        tried = read_candidates(self._owner, self.candidates, near.total)
        errors = model.left_out_errors(tried.tolist())
        return Found(replace(model, k=best_number(tried, errors), errors=errors, candidates=tried))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        return tag_metric(super().__sklearn_tags__(), self.metric)

"""RadiusNeighborsRegressor: the mean target of all rows within a radius, or another number that sums them up."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import StrOptions

from suffice.core.block import Array
from suffice.estimators.design.kind_rows import kind_door
from suffice.estimators.glue.memory_regressor import MemoryRegressor
from suffice.estimators.state.fitted import Found
from suffice.neighbours.near.aggregators import read_aggregator
from suffice.neighbours.near.neighbour_door import NeighbourRows
from suffice.neighbours.near.neighbour_options import (
    CONSTRAINTS,
    RADIUS,
    check_metric_options,
    given_table,
    near_rows,
    tag_metric,
)
from suffice.neighbours.near.neighbour_readings import RadiusNeighbours
from suffice.neighbours.near.radius_votes import RadiusTargetPlan, RadiusTargets
from suffice.neighbours.near.vote_weights import read_votes
from suffice.sources.engines.memory import MemorySource


class RadiusNeighborsRegressor(RadiusNeighbours, MemoryRegressor):
    """Targets from those of all rows within a radius. In memory: it keeps the rows.

    Parameters
    ----------
    radius : how far a row may be to be asked; a row on the rim is
    weights, algorithm, leaf_size, p, metric, metric_params, n_jobs : as in `KNeighborsClassifier`
    aggregate : as in `KNeighborsRegressor`

    Attributes
    ----------
    effective_metric_, effective_metric_params_, n_samples_fit_, n_features_in_, feature_names_in_ : as in scikit-learn
    distance_ : the distance, as a value

    Examples
    --------
    >>> from suffice import RadiusNeighborsRegressor
    >>> model = RadiusNeighborsRegressor(radius=1.0).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> model.predict([[1.5]])
    array([0.5])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CONSTRAINTS,
        "radius": RADIUS,
        "weights": [StrOptions({"uniform", "distance"}), callable, None],
        "aggregate": "no_validation",
    }
    _door = kind_door(NeighbourRows())
    _not_saved: ClassVar[tuple[str, ...]] = ("n_jobs",)

    def __init__(
        self,
        radius: float = 1.0,
        *,
        weights: Any = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: Any = "minkowski",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        aggregate: Any = "mean",
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.aggregate = aggregate

    def predict(self, X: Any) -> Array:
        """The targets of near rows as one; not a number, with a warning, where nobody is near.

        Parameters
        ----------
        X : rows like those of training; None takes those, each left out
        """
        found = super().predict(X) if X is not None else self._origin.shaped(self._state()[0].model.of(None))
        if np.isnan(found).any():
            words = "One or more samples have no neighbors within specified radius; predicting NaN."
            warnings.warn(f"{self._owner}: {words}", UserWarning, stacklevel=2)
        return found

    def _plan(self) -> RadiusTargetPlan:
        return RadiusTargetPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Keep the rows."""
        check_metric_options(self)
        block = source.block(slice(0, source.table.n))
        (X,), w = block.parts, block.w
        near = near_rows(self, X, w, plan)
        Y = np.asarray(block.y, dtype=np.float64)
        table = given_table(self, X, near)
        votes, aggregate = read_votes(self.weights), read_aggregator(self._owner, self.aggregate)
        return Found(RadiusTargets(near, Y if w is None else Y[w > 0], float(self.radius), votes, aggregate, table))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        return tag_metric(super().__sklearn_tags__(), self.metric)

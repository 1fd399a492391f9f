"""NearestNeighbors: which rows are near, and how dense they lie.

log p(x) = log k - log n - log V(p, d) - d log r_k(x),   V the volume of a ball of radius 1, r_k how far the k-th row is
"""

from __future__ import annotations

from typing import Any, ClassVar

from suffice.estimators.design.kind_rows import kind_door
from suffice.estimators.glue.memory_density import MemoryDensity
from suffice.estimators.state.fitted import Found
from suffice.neighbours.kept_rows import KeptRows, KeptRowsPlan
from suffice.neighbours.near.neighbour_door import NeighbourRows
from suffice.neighbours.near.neighbour_options import (
    CONSTRAINTS,
    NUMBER,
    RADIUS,
    check_metric_options,
    given_table,
    near_rows,
    tag_metric,
)
from suffice.neighbours.near.neighbour_readings import KNeighbours, RadiusNeighbours
from suffice.sources.engines.memory import MemorySource


class NearestNeighbors(KNeighbours, RadiusNeighbours, MemoryDensity):
    """Rows that are kept to be searched. In memory.

    Parameters
    ----------
    n_neighbors : how many `kneighbors` finds
    radius : how far `radius_neighbors` looks
    algorithm, leaf_size, metric, p, metric_params, n_jobs : as in `KNeighborsClassifier`

    Attributes
    ----------
    effective_metric_, effective_metric_params_, n_samples_fit_, n_features_in_, feature_names_in_ : as in scikit-learn
    distance_ : the distance, as a value

    Examples
    --------
    >>> from suffice import NearestNeighbors
    >>> model = NearestNeighbors(n_neighbors=2).fit([[0.0], [1.0], [5.0]])
    >>> model.kneighbors([[2.0]], return_distance=False)
    array([[1, 0]])
    >>> model.retrieve([[2.0]], payload=["a", "b", "c"])
    [['b', 'a']]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CONSTRAINTS,
        "n_neighbors": [*NUMBER, None],
        "radius": [*RADIUS, None],
    }
    _door = kind_door(NeighbourRows())
    _not_saved: ClassVar[tuple[str, ...]] = ("n_jobs",)

    def __init__(
        self,
        *,
        n_neighbors: int | None = 5,
        radius: float | None = 1.0,
        algorithm: str = "auto",
        leaf_size: int = 30,
        metric: Any = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def _plan(self) -> KeptRowsPlan:
        return KeptRowsPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Keep the rows."""
        check_metric_options(self)
        block = source.block(slice(0, source.table.n))
        (X,) = block.parts
        near = near_rows(self, X, block.w, plan)
        k, radius = self.n_neighbors or 5, 1.0 if self.radius is None else self.radius
        return Found(KeptRows(near, int(k), float(radius), given_table(self, X, near)))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        return tag_metric(super().__sklearn_tags__(), self.metric)

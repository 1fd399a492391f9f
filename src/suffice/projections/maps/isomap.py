"""Isomap: classical scaling of the lengths of ways through a graph of near rows."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.memory_transformer import MemoryTransformer
from suffice.estimators.state.fitted import Found
from suffice.projections.maps.classical_scaling import classical_scaling
from suffice.projections.maps.dissimilarities import GIVEN, NAMES, given_distances
from suffice.projections.maps.geodesic_map import IsomapModel, IsomapPlan, IsomapReadings
from suffice.projections.maps.map_models import RowMetric
from suffice.projections.maps.neighbour_graph import bridged, neighbour_graph, path_lengths
from suffice.sources.engines.memory import MemorySource


class Isomap(IsomapReadings, MemoryTransformer):
    """Rows along the sheet they lie on: distances are the lengths of ways from neighbour to neighbour.

    Parameters
    ----------
    n_neighbors : number of neighbours, or None where a radius is given
    radius : rows within it are neighbours
    n_components : number of dimensions of the map
    metric, p, metric_params : the distance; "precomputed": X is a square table of distances
    path_method : "auto", "FW" (Floyd and Warshall) or "D" (Dijkstra)
    eigen_solver, tol, max_iter, neighbors_algorithm, n_jobs : taken for the sake of scikit-learn's interface

    Attributes
    ----------
    embedding_, dist_matrix_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import Isomap
    >>> t = np.linspace(0.0, np.pi, 40)
    >>> flat = Isomap(n_neighbors=2, n_components=1).fit_transform(np.column_stack([np.cos(t), np.sin(t)]))
    >>> round(float(np.ptp(flat)), 2)
    3.14

    References
    ----------
    J. B. Tenenbaum, V. de Silva, J. C. Langford, A global geometric framework for nonlinear dimensionality
    reduction (2000).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_neighbors": [Interval(Integral, 1, None, closed="left"), None],
        "radius": [Interval(Real, 0, None, closed="both"), None],
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "eigen_solver": [StrOptions({"auto", "arpack", "dense"})],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left"), None],
        "path_method": [StrOptions({"auto", "FW", "D"})],
        "neighbors_algorithm": [StrOptions({"auto", "brute", "kd_tree", "ball_tree"})],
        "n_jobs": [Integral, None],
        "p": [Interval(Real, 1, None, closed="left")],
        "metric": [StrOptions(set(NAMES)), callable],
        "metric_params": [dict, None],
    }
    _door = DistanceRows({"dtype": ["float64", "float32"], "accept_sparse": "csr"}, learned=None)

    def __init__(
        self,
        *,
        n_neighbors: int | None = 5,
        radius: float | None = None,
        n_components: int = 2,
        eigen_solver: str = "auto",
        tol: float = 0,
        max_iter: int | None = None,
        path_method: str = "auto",
        neighbors_algorithm: str = "auto",
        n_jobs: int | None = None,
        metric: Any = "minkowski",
        p: float = 2,
        metric_params: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.n_components = n_components
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.path_method = path_method
        self.neighbors_algorithm = neighbors_algorithm
        self.n_jobs = n_jobs
        self.metric = metric
        self.p = p
        self.metric_params = metric_params

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """The map of these rows (n, k).

        Parameters
        ----------
        X, y : as for `fit`
        """
        return np.asarray(self.fit(X, y).embedding_)

    def _plan(self) -> IsomapPlan:
        if (self.n_neighbors is None) == (self.radius is None):
            told = "Both n_neighbors and radius are provided. Use Isomap(radius=, n_neighbors=None) if intended to use"
            got = Said(f"n_neighbors={self.n_neighbors} and radius={self.radius}")
            raise bad(self._owner, "one of n_neighbors and radius", f"None ({told} radius-based neighbors)", got)
        return IsomapPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        rows = source.block(slice(0, source.table.n)).parts[0]
        X = np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, dtype=np.float64)
        given = {"p": float(self.p)} if self.metric == "minkowski" else self.metric_params
        metric = RowMetric(self._owner, self.metric, given)
        if self.metric == GIVEN:
            given_distances(self._owner, X)
        if self.n_neighbors is not None and self.n_neighbors >= len(X):
            told = (
                f"Expected n_neighbors < n_samples_fit, but n_neighbors = {self.n_neighbors}, n_samples_fit = {len(X)}"
            )
            rule = f"less than the rows ({told}, n_samples = {len(X)})"
            raise bad(self._owner, "n_neighbors", rule, Said(str(self.n_neighbors)), "Give more rows.")
        graph = neighbour_graph(metric, X, self.n_neighbors, self.radius)
        graph, count = bridged(metric, X, graph)
        if count > 1:
            warnings.warn(
                f"{self._owner}: the number of connected components of the neighbors graph is {count} > 1. Bridges "
                "between their nearest rows complete it. Increase the number of neighbors to avoid this.",
                UserWarning,
                stacklevel=6,
            )
        ways = path_lengths(graph, self.path_method)
        radius = None if self.radius is None else float(self.radius)
        k = None if self.n_neighbors is None else int(self.n_neighbors)
        return Found(IsomapModel(X, metric, k, radius, ways, classical_scaling(ways, int(self.n_components))))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == GIVEN
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

"""Isomap: classical scaling of the lengths of ways through a graph of near rows."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Array, Block
from suffice.core.errors import Said, bad
from suffice.core.registry import saved
from suffice.core.schema import Schema
from suffice.estimators.boundary.number_plan import NumberPlan
from suffice.estimators.boundary.number_rows import NumberRows
from suffice.estimators.glue.memory_transformer import MemoryTransformer
from suffice.estimators.reading import reading
from suffice.estimators.state.fitted import Found
from suffice.projections.maps.classical_scaling import Scaled, classical_scaling
from suffice.projections.maps.dissimilarities import GIVEN, NAMES, given_distances
from suffice.projections.maps.map_models import RowMetric, columns_out
from suffice.projections.maps.neighbour_graph import bridged, nearest, neighbour_graph, path_lengths
from suffice.sources.engines.memory import MemorySource


@saved
@dataclass(frozen=True)
class IsomapModel:
    """Rows, the ways between them, and their map."""

    rows: Array  # (n, d) of the table, or distances
    metric: RowMetric
    k: int | None
    radius: float | None
    ways: Array  # (n, n) lengths
    scaled: Scaled

    def map(self, block: Block) -> Block:
        """Other rows go over their neighbours."""
        X = block.parts[0]
        kind = X.dtype if X.dtype in (np.float32, np.float64) else np.dtype(np.float64)
        X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
        out = np.concatenate([self._some(X[a : a + 256]) for a in range(0, max(len(X), 1), 256)])
        return block._replace(parts=(out.astype(kind, copy=False),))

    def _some(self, X: Array) -> Array:
        if self.k is not None and self.metric.name != GIVEN:
            found, at = nearest(self.metric, X, self.rows, self.k, False)
            lengths = (self.ways[at] + found[:, :, None]).min(axis=1)
        else:
            D = self.metric.between(X, self.rows)
            reach = np.sort(D, axis=1)[:, [self.k - 1]] if self.k is not None else float(self.radius or 0.0)
            D = np.where(reach >= D, D, np.inf)
            lengths = (self.ways[None, :, :] + D[:, :, None]).min(axis=1)
        return self.scaled.among(lengths)

    @property
    def embedding(self) -> Array:
        """The map (n, k)."""
        return self.scaled.places

    def inverse(self, Z: Array) -> Array:
        """The rows of the map nearest to some places: a map by neighbours has no other way back."""
        gap = ((np.asarray(Z, dtype=np.float64)[:, None, :] - self.scaled.places[None, :, :]) ** 2).sum(axis=2)
        return np.asarray(self.rows[gap.argmin(axis=1)].astype(Z.dtype, copy=False))

    def map_schema(self, schema: Schema) -> Schema:
        """One column a dimension."""
        return columns_out("isomap", self.scaled.places.shape[1])

    def names_out(self, names: tuple[Any, ...]) -> tuple[Any, ...]:
        """isomap0, isomap1, ..."""
        return tuple(f"isomap{j}" for j in range(self.scaled.places.shape[1]))


class IsomapReadings:
    """The map, and the ways between rows."""

    dist_matrix_ = reading("ways", "Lengths of the shortest ways between the rows (n, n).")

    @property
    def embedding_(self: Any) -> Array:
        """The map: a place for each row it was made of (n, k)."""
        places = self._state()[0].model.scaled.places
        return np.asarray(places.astype(np.float32) if self._origin.cell_type == "<f4" else places)

    def reconstruction_error(self: Any) -> float:
        """Root of the squared differences between the products that the ways imply and those of the map, over n."""
        model: IsomapModel = self._state()[0].model
        squares = model.ways**2
        level = squares.mean(axis=1)
        B = -0.5 * (squares - level[:, None] - level[None, :] + level.mean())
        left = float((B**2).sum()) - float((model.scaled.values**2).sum())
        return float(np.sqrt(max(left, 0.0)) / len(B))


@saved
@dataclass(frozen=True)
class IsomapPlan(NumberPlan):
    """A map by ways through neighbours."""

    face: ClassVar[str] = "transformer"

    def readings(self) -> tuple[type[Any], ...]:
        """The map and the ways."""
        return (IsomapReadings,)


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
    _door = NumberRows({"dtype": ["float64", "float32"], "accept_sparse": "csr"}, learned=None)

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

"""TSNE: a map in which near rows are near, by matching probabilities of neighbours.

minimise KL(P || Q)          P from Gaussian neighbourhoods of the rows, Q from Student's t in the map
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.memory_map import MemoryMap
from suffice.estimators.state.fitted import Found
from suffice.numerics.threads import processors
from suffice.projections.components.principal_axes import principal_axes
from suffice.projections.maps.descent import Descent, descend
from suffice.projections.maps.dissimilarities import GIVEN, NAMES, given_distances
from suffice.projections.maps.map_gradient import Gradient, exact_gradient, near_gradient, repulsion_for
from suffice.projections.maps.map_models import RowMetric
from suffice.projections.maps.neighbour_graph import nearest
from suffice.projections.maps.neighbour_map import NeighbourMap, NeighbourMapPlan, NeighbourMapReadings
from suffice.projections.maps.neighbour_probabilities import (
    conditional_probabilities,
    joint_probabilities,
    sparse_conditional,
)
from suffice.sources.engines.memory import MemorySource

MOST_AXES = {"barnes_hut": 3, "interpolation": 2}


class TSNE(NeighbourMapReadings, MemoryMap):
    """t-distributed stochastic neighbour embedding: groups of near rows, for the eye.

    Distances between groups, their sizes and densities mean little in such a map: see `trustworthiness`, `continuity`.
    A map is no function of rows: other rows are put beside their neighbours by `place`; there is no `transform`.

    Parameters
    ----------
    n_components : number of dimensions of the map
    perplexity : how many neighbours a row has, in effect
    early_exaggeration : factor of the probabilities during the first 250 steps
    learning_rate : size of the steps; "auto" is max(n / early_exaggeration / 4, 50)
    max_iter, n_iter_without_progress, min_grad_norm : when to end
    metric, metric_params : the distance; "precomputed": X is a square table of distances
    init : "pca", "random", or places (n, k)
    random_state : seed of the start
    method : how rows push each other away: "exact" over all pairs, with all probabilities; the others with those of
        near rows: "interpolation" on a grid, by FFT; "barnes_hut", which takes far rows together; "auto" all pairs in a
        compiled loop up to 5000 rows, then by interpolation (maps of three dimensions: Barnes and Hut)
    angle : under which Barnes and Hut take rows together
    verbose, n_jobs : taken for the sake of scikit-learn's interface

    Attributes
    ----------
    embedding_, kl_divergence_, n_iter_, learning_rate_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import TSNE
    >>> X = np.repeat([[0.0, 0.0], [9.0, 9.0]], 10, axis=0) + np.arange(20)[:, None] / 50
    >>> map = TSNE(perplexity=5, random_state=0).fit(X)
    >>> map.embedding_.shape, bool(map.kl_divergence_ < 0.5)
    ((20, 2), True)

    References
    ----------
    L. van der Maaten, G. Hinton, Visualizing data using t-SNE (2008).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "perplexity": [Interval(Real, 0, None, closed="neither")],
        "early_exaggeration": [Interval(Real, 1, None, closed="left")],
        "learning_rate": [StrOptions({"auto"}), Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "n_iter_without_progress": [Interval(Integral, -1, None, closed="left")],
        "min_grad_norm": [Interval(Real, 0, None, closed="left")],
        "metric": [StrOptions(set(NAMES)), callable],
        "metric_params": [dict, None],
        "init": [StrOptions({"pca", "random"}), np.ndarray],
        "verbose": ["verbose"],
        "random_state": ["random_state"],
        "method": [StrOptions({"auto", "barnes_hut", "exact", "interpolation"})],
        "angle": [Interval(Real, 0, 1, closed="both")],
        "n_jobs": [None, Integral],
    }
    _not_saved = ("random_state", "init")
    _door = DistanceRows({"dtype": ["float64", "float32"], "accept_sparse": "csr"})

    def __init__(
        self,
        n_components: int = 2,
        *,
        perplexity: float = 30.0,
        early_exaggeration: float = 12.0,
        learning_rate: Any = "auto",
        max_iter: int = 1000,
        n_iter_without_progress: int = 300,
        min_grad_norm: float = 1e-7,
        metric: Any = "euclidean",
        metric_params: Any = None,
        init: Any = "pca",
        verbose: int = 0,
        random_state: Any = None,
        method: str = "auto",
        angle: float = 0.5,
        n_jobs: int | None = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_components = n_components
        self.perplexity = perplexity
        self.early_exaggeration = early_exaggeration
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.n_iter_without_progress = n_iter_without_progress
        self.min_grad_norm = min_grad_norm
        self.metric = metric
        self.metric_params = metric_params
        self.init = init
        self.verbose = verbose
        self.random_state = random_state
        self.method = method
        self.angle = angle
        self.n_jobs = n_jobs

    @property
    def embedding_(self) -> Array:
        """The map: a place for each row it was made of (n, k), in single precision as scikit-learn's."""
        return np.asarray(self._state()[0].model.embedding.astype(np.float32))

    def _plan(self) -> NeighbourMapPlan:
        if self.metric == GIVEN and isinstance(self.init, str) and self.init == "pca":
            told = 'The parameter init="pca" cannot be used with metric="precomputed".'
            raise bad(self._owner, "init", f"random or places ({told})", self.init, "Distances have no columns.")
        most = MOST_AXES.get(self.method, self.n_components)
        if self.n_components > most:
            told = f"'n_components' should be inferior to {most + 1} for the {self.method} algorithm"
            got = Said(str(self.n_components))
            raise bad(self._owner, "n_components", f"at most {most} ({told})", got, 'Use method="exact".')
        return NeighbourMapPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        rows = source.block(slice(0, source.table.n)).parts[0]
        X = np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, dtype=np.float64)
        n = len(X)
        if n < 2:
            raise bad(self._owner, "X", "at least two rows (n_samples = 1)", Said(f"{n}"), "One row has no neighbours.")
        if self.perplexity >= n:
            told = f"perplexity ({self.perplexity}) must be less than n_samples ({n}); n_samples = {n}"
            raise bad(self._owner, "perplexity", f"less than the number of rows ({told})", float(self.perplexity))
        metric = RowMetric(self._owner, self.metric, self.metric_params)
        if self.metric == GIVEN:
            X = given_distances(self._owner, X)
        repulsion = repulsion_for(n, int(self.n_components), self.method, float(self.angle), processors())
        P = self._joint(X, metric, repulsion is not None)
        rate = self.learning_rate
        rate = max(n / self.early_exaggeration / 4.0, 50.0) if rate == "auto" else float(rate)

        def gradient(P: Any) -> Gradient:
            return exact_gradient(P) if repulsion is None else near_gradient(P, repulsion, processors())

        run = descend(gradient, P, self._start(X), self._descent(rate))
        places = run.places
        if not np.isfinite(places).all():
            raise bad(self._owner, "learning_rate", "small enough for the map to stay finite", rate, 'Use "auto".')
        model = NeighbourMap(X, metric, float(self.perplexity), places, run.cost, run.steps, rate)
        return Found(model, run.steps + 1)

    def _joint(self, X: Array, metric: RowMetric, near: bool) -> Any:
        """Joint probabilities of all pairs, or of near rows."""
        n = len(X)
        if not near:
            squares = metric.between(X, X) ** 2
            others = ~np.eye(n, dtype=bool)
            P = np.zeros((n, n))
            P[others] = conditional_probabilities(squares[others].reshape(n, n - 1), self.perplexity).ravel()
            return joint_probabilities(P)
        k = min(n - 1, int(3.0 * self.perplexity + 1))
        return joint_probabilities(sparse_conditional(*nearest(metric, X, X, k, True), self.perplexity)).tocsr()

    def _descent(self, rate: float) -> Descent:
        patience = self.n_iter_without_progress
        return Descent(
            rate, float(self.early_exaggeration), int(self.max_iter), int(patience), float(self.min_grad_norm)
        )

    def _start(self, X: Array) -> Array:
        """Where the map begins."""
        n, k = len(X), int(self.n_components)
        if isinstance(self.init, np.ndarray):
            if self.init.shape != (n, k):
                raise bad(
                    self._owner, "init", f"of shape ({n}, {k})", Said(f"shape {self.init.shape}"), "One place a row."
                )
            return np.array(self.init, dtype=np.float64)
        rng = check_random_state(self.random_state)
        if self.init == "random":
            return np.asarray(1e-4 * rng.standard_normal(size=(n, k)))
        scores = principal_axes(X).scores[:, :k]
        size = float(scores[:, 0].std()) if scores.size else 1.0
        more = rng.standard_normal(size=(n, k - scores.shape[1]))  # where rows vary along fewer axes than the map has
        return np.asarray(1e-4 * np.hstack([scores / size, more]))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == GIVEN
        return tags

"""MDS: metric and non-metric multidimensional scaling by stress majorization."""

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
from suffice.projections.maps.classical_scaling import classical_scaling
from suffice.projections.maps.dissimilarities import GIVEN, given_distances
from suffice.projections.maps.map_models import RowMetric, StressMap, StressPlan, StressReadings
from suffice.projections.maps.stress_majorization import Majorized, majorize
from suffice.sources.engines.memory import MemorySource


class MDS(StressReadings, MemoryMap):
    """Multidimensional scaling: coordinates whose distances match given ones as well as possible.

    Parameters
    ----------
    n_components : number of dimensions of the map
    metric_mds : whether the sizes of the dissimilarities count; False: only their order
    n_init : number of runs from random places, of which the best is kept; one where `init` is "classical_mds"
    init : "classical_mds" or "random"
    max_iter, eps : largest number of steps, and relative fall of the stress at which they end
    random_state : seed of random places
    metric : name of a distance, a function of two rows, or "precomputed": X is a square table of distances
    metric_params : further arguments of the metric
    normalized_stress : whether the stress is a share (Kruskal's); "auto": where only the order counts
    verbose, n_jobs : taken for the sake of scikit-learn's interface

    Attributes
    ----------
    embedding_, stress_, dissimilarity_matrix_, n_iter_ : as in scikit-learn

    Examples
    --------
    >>> from suffice import MDS
    >>> map = MDS(1).fit([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
    >>> np.abs(np.diff(map.embedding_[:, 0])).round(6).tolist(), round(map.stress_, 9)
    ([5.0, 5.0], 0.0)

    References
    ----------
    I. Borg, P. Groenen, Modern multidimensional scaling (2005).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "metric_mds": ["boolean"],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "init": [StrOptions({"random", "classical_mds"})],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "verbose": ["verbose"],
        "eps": [Interval(Real, 0, None, closed="left")],
        "n_jobs": [None, Integral],
        "random_state": ["random_state"],
        "metric": [str, callable],
        "metric_params": [dict, None],
        "normalized_stress": ["boolean", StrOptions({"auto"})],
    }
    _not_saved = ("random_state",)
    _door = DistanceRows({"dtype": np.float64})

    def __init__(
        self,
        n_components: int = 2,
        *,
        metric_mds: bool = True,
        n_init: int = 1,
        init: str = "classical_mds",
        max_iter: int = 300,
        verbose: int = 0,
        eps: float = 1e-6,
        n_jobs: int | None = None,
        random_state: Any = None,
        metric: Any = "euclidean",
        metric_params: Any = None,
        normalized_stress: Any = "auto",
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_components = n_components
        self.metric_mds = metric_mds
        self.n_init = n_init
        self.init = init
        self.max_iter = max_iter
        self.verbose = verbose
        self.eps = eps
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.metric = metric
        self.metric_params = metric_params
        self.normalized_stress = normalized_stress

    def fit(self, X: Any, y: Any = None, init: Any = None, *, in_memory: bool = False) -> Any:
        """Make a map of these rows.

        Parameters
        ----------
        X : rows of numbers, none missing; or files, a stream, rows made by `open_rows`, with `in_memory=True`
        y : not used
        init : places to begin from (n, k), in place of the parameter
        in_memory : whether the rows of files may be read whole
        """
        self.__dict__["_begun"] = init
        try:
            self._fit(X, None, None, None, in_memory)
        finally:
            self.__dict__.pop("_begun", None)
        return self

    def fit_transform(self, X: Any, y: Any = None, init: Any = None) -> Array:
        """The map of these rows (n, k).

        Parameters
        ----------
        X, y, init : as for `fit`
        """
        return np.asarray(self.fit(X, y, init).embedding_)

    def _plan(self) -> StressPlan:
        return StressPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        X = np.asarray(source.block(slice(0, source.table.n)).parts[0])
        metric = RowMetric(self._owner, self.metric, self.metric_params)
        D = given_distances(self._owner, X if self.metric == GIVEN else metric.between(X, X))
        best = min((self._run(D, Y) for Y in self._starts(D)), key=lambda run: run.stress)
        return Found(StressMap(X, metric, best.places, best.stress, best.steps), best.steps)

    def _run(self, D: Array, Y: Array) -> Majorized:
        normalized = not self.metric_mds if self.normalized_stress == "auto" else bool(self.normalized_stress)
        given = {"max_iter": int(self.max_iter), "eps": float(self.eps), "normalized": normalized}
        return majorize(D, Y, metric=bool(self.metric_mds), **given)  # type: ignore[arg-type]

    def _starts(self, D: Array) -> list[Array]:
        """Where the runs begin."""
        n, k, given = len(D), int(self.n_components), self.__dict__.get("_begun")
        if given is not None:
            if np.shape(given) != (n, k):
                told = "init matrix should be of shape"
                raise bad(
                    self._owner, "init", f"{told} ({n}, {k})", Said(f"shape {np.shape(given)}"), "One place a row."
                )
            return [np.array(given, dtype=np.float64)]
        if self.init == "classical_mds":
            return [classical_scaling(D, k).places]
        rng = check_random_state(self.random_state)
        return [rng.uniform(size=(n, k)) for _ in range(int(self.n_init))]

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == GIVEN
        return tags

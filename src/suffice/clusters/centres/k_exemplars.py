"""KExemplars: k-means with another distance, and the exemplar that belongs to it.

| distance | exemplar | what falls |
|---|---|---|
| squared Euclidean | mean | squared distances |
| Manhattan | median of each column | distances |
| cosine | direction of the mean of unit rows | 1 - cos |
"""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.clusters.centres.exemplar_centres import (
    EXEMPLARS,
    ExemplarCentrePlan,
    ExemplarCentreReadings,
    ExemplarCentres,
)
from suffice.clusters.centres.k_means import AT_LEAST_ONE, INIT, check_rows, starts_of
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.memory_clusterer import MemoryClusterer
from suffice.estimators.state.fitted import Found
from suffice.sources.engines.memory import MemorySource


class KExemplars(ExemplarCentreReadings, MemoryClusterer):
    """k-means with another distance: the objective changes with it, and so does the exemplar. In memory.

    Parameters
    ----------
    n_clusters : number of clusters
    distance : "manhattan" (k-medians), "cosine" (spherical k-means) or "euclidean" (k-means)
    init, n_init, max_iter, random_state : as for `KMeans`

    Attributes
    ----------
    cluster_centers_, labels_, inertia_, n_iter_, n_features_in_, feature_names_in_

    Notes
    -----
    A cluster without rows keeps its exemplar. A row of weight w counts as w copies. Missing cells are refused, and
    under "cosine" rows of length 0.

    Examples
    --------
    >>> from suffice import KExemplars
    >>> model = KExemplars(2, init=[[0.0], [12.0]]).fit([[0.0], [1.0], [5.0], [10.0], [11.0], [90.0]])
    >>> model.cluster_centers_.ravel(), model.inertia_
    (array([ 1., 11.]), 85.0)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_clusters": AT_LEAST_ONE,
        "distance": [StrOptions(set(EXEMPLARS))],
        "init": INIT,
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "max_iter": AT_LEAST_ONE,
        "random_state": ["random_state"],
    }
    _door = DistanceRows({"dtype": np.float64})
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        distance: str = "manhattan",
        init: Any = "k-means++",
        n_init: int = 1,
        max_iter: int = 300,
        random_state: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_clusters = n_clusters
        self.distance = distance
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _plan(self) -> ExemplarCentrePlan:
        return ExemplarCentrePlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Passes from each start; of all ends the best."""
        block = source.block(slice(0, source.table.n))
        (X,), w = block.parts, np.ones(block.n) if block.w is None else block.w
        check_rows(self._owner, X, block.w, self.n_clusters)
        if self.distance == "cosine" and not np.abs(X).sum(axis=1).all():
            at = int(np.flatnonzero(np.abs(X).sum(axis=1) == 0)[0])
            raise bad(self._owner, "X", "of rows that have a direction", Said(f"zeros in row {at}"), "Leave it out.")
        best: ExemplarCentres | None = None
        for start in starts_of(self, X, block.w, int(self.n_init)):
            run = self._run(X, w, start)
            best = run if best is None or run.cost < best.cost else best
        assert best is not None
        return Found(best, best.steps)

    def _run(self, X: Array, w: Array, centres: Array) -> ExemplarCentres:
        rule, steps, labels = EXEMPLARS[self.distance], 0, None
        while steps < self.max_iter:
            steps += 1
            far = rule.distance.between(X, centres)
            new = far.argmin(axis=1)
            if labels is not None and (new == labels).all():
                break
            labels, centres = new, centres.copy()
            for k in range(len(centres)):
                mine = (labels == k) & (w > 0)
                if mine.any():
                    centres[k] = rule.exemplar(X[mine], w[mine])
        far = rule.distance.between(X, centres)
        labels = far.argmin(axis=1).astype(np.int32)
        return ExemplarCentres(centres, self.distance, labels, float(w @ far.min(axis=1)), steps)

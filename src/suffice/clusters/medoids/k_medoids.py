"""KMedoids: K rows that stand for all others, under any distance."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.clusters.centres.k_means import AT_LEAST_ONE, check_rows
from suffice.clusters.hierarchies.agglomerative_clustering import METRIC
from suffice.clusters.medoids.medoid_rows import MedoidPlan, MedoidReadings, Medoids
from suffice.clusters.medoids.swapping import BEGINNINGS, SEARCHES, MedoidSearch
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.design.kind_rows import kind_door
from suffice.estimators.glue.memory_clusterer import MemoryClusterer
from suffice.estimators.state.fitted import Found
from suffice.sources.engines.memory import MemorySource
from suffice.spaces.distances.distance import Distance, measured, refuse_no_numbers, refuse_unknown
from suffice.spaces.distances.given_distances import Precomputed
from suffice.spaces.distances.mixed_kinds import MixedDistance
from suffice.spaces.distances.named_distances import as_distance

MOST = 30_000  # rows whose distances are all made; more take samples


CELLS = 1 << 21  # of distances made at a time


class KMedoids(MedoidReadings, MemoryClusterer):
    """K rows with the least total distance to the rows nearest to them that is found. In memory.

    Parameters
    ----------
    n_clusters : number of medoids
    metric : any distance, its name, a function of two rows, or "precomputed"
    method : "fasterpam" (eager swaps), "pam" (the best of all swaps), "alternate" (medoids of clusters in turn), or
        "clara": fasterpam on samples, of which the medoids best for all rows are kept
    init : "build" (greedy) or "random" (rows)
    max_iter : most rounds
    n_samples, sample_size : how many samples "clara" takes, and how large; None is 40 + 2 K rows
    random_state : seed of "random" and of samples

    Attributes
    ----------
    medoid_indices_, cluster_centers_, labels_, inertia_, n_iter_, n_features_in_, feature_names_in_

    Notes
    -----
    `predict` gives a row its nearest medoid; with "precomputed", X holds its distances to all rows of training. Rows of
    weight w count as w copies. Missing cells are refused, but for metric="mixed", which measures columns by kind, and
    which tables with symbols take by default; each two rows must share a cell then.

    Examples
    --------
    >>> from suffice import KMedoids
    >>> model = KMedoids(2).fit([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    >>> model.cluster_centers_.ravel(), model.inertia_
    (array([ 1., 11.]), 4.0)

    References
    ----------
    L. Kaufman and P. Rousseeuw, Finding groups in data (1990). E. Schubert and P. Rousseeuw, Fast and eager k-medoids
    clustering (2021).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_clusters": AT_LEAST_ONE,
        "metric": METRIC,
        "method": [StrOptions({*SEARCHES, "clara"})],
        "init": [StrOptions(set(BEGINNINGS))],
        "max_iter": AT_LEAST_ONE,
        "n_samples": AT_LEAST_ONE,
        "sample_size": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
    }
    _door = kind_door(DistanceRows({"dtype": np.float64}))
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        metric: Any = "euclidean",
        method: str = "fasterpam",
        init: str = "build",
        max_iter: int = 100,
        n_samples: int = 5,
        sample_size: int | None = None,
        random_state: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_clusters = n_clusters
        self.metric = metric
        self.method = method
        self.init = init
        self.max_iter = max_iter
        self.n_samples = n_samples
        self.sample_size = sample_size
        self.random_state = random_state

    def _plan(self) -> MedoidPlan:
        return MedoidPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Search among the rows that weigh something."""
        block = source.block(slice(0, source.table.n))
        (X,), w = block.parts, block.w
        check_rows(self._owner, X, w, self.n_clusters)
        by_kind = plan.codes is not None
        distance = plan.codes.distance(X, w, self.metric) if by_kind else as_distance(self.metric, X, owner=self._owner)
        given = isinstance(distance, Precomputed)
        if given and X.shape[0] != X.shape[1]:
            rule = "a square of distances where metric='precomputed'"
            raise bad(self._owner, "X", rule, Said(f"shape {X.shape}"), "Give the distance of each row and each row.")
        live = np.arange(len(X)) if w is None else np.flatnonzero(w > 0)
        weight = np.ones(len(live)) if w is None else w[live]
        rng = check_random_state(self.random_state)
        found = self._samples(X, live, weight, distance, rng) if self.method == "clara" else None
        if found is None:
            found = self._search(X, live, weight, distance, rng)
        at = found.medoids
        rows = at if given else np.array(X[at])
        model = Medoids(rows, at, distance, np.empty(0, dtype=np.int64), found.cost, found.steps, found.settled)
        labels = model.assign(block)
        labels[at] = np.arange(len(at))
        return Found(
            Medoids(rows, at, distance, labels, found.cost, found.steps, found.settled), found.steps, found.settled
        )

    def _table(self, X: Array, rows: Array, distance: Distance) -> Array:
        if len(rows) > MOST:
            told = f"at most {MOST} rows that weigh something, whose distances fit"
            raise bad(self._owner, "X", told, Said(str(len(rows))), "Use method='clara'.")
        if isinstance(distance, Precomputed):
            table = np.ascontiguousarray(X if len(rows) == len(X) else X[np.ix_(rows, rows)])
            return refuse_no_numbers(self._owner, table)
        refuse = refuse_unknown if isinstance(distance, MixedDistance) else refuse_no_numbers
        return refuse(self._owner, distance.between(X[rows] if len(rows) < len(X) else X))

    def _search(self, X: Array, rows: Array, w: Array, distance: Distance, rng: Any) -> MedoidSearch:
        D = self._table(X, rows, distance)
        way = SEARCHES["fasterpam" if self.method == "clara" else self.method]
        found = way(D, w, BEGINNINGS[self.init](D, w, self.n_clusters, rng), int(self.max_iter))
        return MedoidSearch(rows[found.medoids], found.cost, found.steps, found.settled)

    def _samples(self, X: Array, live: Array, w: Array, distance: Distance, rng: Any) -> MedoidSearch | None:
        """The medoids of samples, each judged by all rows; None where a sample would hold all of them."""
        size = 40 + 2 * self.n_clusters if self.sample_size is None else max(int(self.sample_size), self.n_clusters)
        if size >= len(live):
            return None
        best: MedoidSearch | None = None
        for _ in range(self.n_samples):
            some = rng.choice(len(live), size=size, replace=False, p=w / w.sum())
            if best is not None:
                some = np.union1d(some, np.searchsorted(live, best.medoids))
            found = self._search(X, live[some], np.ones(len(some)), distance, rng)
            cost = self._cost(X, live, w, found.medoids, distance)
            if best is None or cost < best.cost:
                best = MedoidSearch(found.medoids, cost, found.steps, found.settled)
        return best

    def _cost(self, X: Array, live: Array, w: Array, medoids: Array, distance: Distance) -> float:
        towards = distance.towards(medoids if isinstance(distance, Precomputed) else X[medoids])
        step, cost = max(1, CELLS // len(medoids)), 0.0
        for start in range(0, len(live), step):
            D = measured(distance, towards(X[live[start : start + step]]), start)
            cost += float(w[start : start + step] @ D.min(axis=1))
        return cost

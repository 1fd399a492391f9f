"""LandmarkKernelKMeans: k-means in the space of a kernel, in passes, as far as landmark rows span that space.

J_span <= J <= J_span + sum_i w_i norm(outside_i)^2        for the clusters that are found, J of the whole space
"""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.clusters.centres.centre_starts import STARTS
from suffice.clusters.centres.k_means import AT_LEAST_ONE, START_ROWS, check_rows, given_centres, starting_rows
from suffice.clusters.centres.landmark_means import (
    LandmarkMeans,
    LandmarkPlan,
    LandmarkReadings,
    MappedRows,
    OutsidePass,
)
from suffice.clusters.centres.lloyd import lloyd
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.learner import Always, Source, learn
from suffice.core.schema import Schema
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.passes_clusterer import PassesClusterer
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.numerics.blas_threads import one_thread_each
from suffice.sources.engines.memory import MemorySource
from suffice.spaces.given_kernels import GivenKernel
from suffice.spaces.kernels import Kernel
from suffice.spaces.landmark_map import LandmarkMap
from suffice.spaces.named_kernels import GAMMAS, KERNELS, read_kernel


class LandmarkKernelKMeans(LandmarkReadings, PassesClusterer):
    """k-means in the space of a kernel, in passes over any source that can be read again. A sketch.

    Parameters
    ----------
    n_clusters : number of clusters
    kernel, gamma, degree, coef0 : as for `SVC`; kernels whose values are inner products
    landmarks : how many rows are drawn whose span stands for the space, or the rows themselves (L, d)
    init : "k-means++", "k-means||", "random", "random-partition", or rows (K, d) to begin at
    n_init, max_iter, tol, random_state : as for `KMeans`

    Attributes
    ----------
    labels_, inertia_, n_iter_, landmarks_, kernel_, n_features_in_, feature_names_in_
    outside_ : once no centre moves (tol=0), the inertia of the clusters in the whole space is at least `inertia_`, and
        at most that and `outside_`

    Notes
    -----
    Memory is that of the landmarks and a chunk of rows; `KernelKMeans` needs all kernel values. Where the landmarks
    span all rows, as for the linear kernel, `outside_` is 0 and it is kernel k-means. A row of weight w counts as w
    copies, from given landmarks and start. Missing cells are refused.

    Examples
    --------
    >>> from suffice import LandmarkKernelKMeans
    >>> X = [[8.0], [44.0], [50.0], [58.0], [84.0]]
    >>> model = LandmarkKernelKMeans(2, kernel="linear", landmarks=[[1.0]], init=[[8.0], [59.0]]).fit(X)
    >>> model.labels_, round(model.inertia_, 6), round(model.outside_, 6)
    (array([0, 1, 1, 1, 1], dtype=int32), 932.0, 0.0)

    References
    ----------
    R. Chitta and others, Approximate kernel k-means (2011).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_clusters": AT_LEAST_ONE,
        "kernel": [StrOptions(set(KERNELS) - {"precomputed"}), callable, Kernel],
        "gamma": [StrOptions(set(GAMMAS)), Interval(Real, 0.0, None, closed="left")],
        "degree": [Interval(Integral, 0, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "landmarks": [Interval(Integral, 1, None, closed="left"), "array-like"],
        "init": [StrOptions(set(STARTS)), "array-like"],
        "n_init": AT_LEAST_ONE,
        "max_iter": AT_LEAST_ONE,
        "tol": [Interval(Real, 0, None, closed="left")],
        "random_state": ["random_state"],
    }
    _door = DistanceRows({"dtype": np.float64, "order": "C"})
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state", "init", "landmarks")

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        kernel: Any = "rbf",
        gamma: Any = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        landmarks: Any = 100,
        init: Any = "k-means++",
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 0.0,
        random_state: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.landmarks = landmarks
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _plan(self) -> LandmarkPlan:
        return LandmarkPlan(self._owner)

    def _pass_over(self, plan: Any, source: Source, before: FittedModel | None) -> tuple[Schema, Found]:
        """Landmarks and starts from some rows; passes over the features of all; one more for what is outside."""
        some = starting_rows(self, source)
        X, w = some.block(slice(0, some.table.n)).parts[0], some.w
        check_rows(self._owner, X, w, self.n_clusters)
        source, rng = source.read_as(some.schema), check_random_state(self.random_state)
        mapping = self._mapping(X, w, rng)
        rows = MappedRows(source, mapping)
        best: Any = None
        with one_thread_each():
            for start in self._starts(X, w, mapping, rng):
                run = lloyd(rows, start, int(self.max_iter), float(self.tol))
                best = run if best is None or run.inertia < best.inertia else best
        look = OutsidePass(mapping)
        model = LandmarkMeans.of(best, mapping, look.estimate(learn(Always(look), source).summary))
        if isinstance(source, MemorySource):
            model = replace(model, labels=source.map(model.assign))
        return some.schema, Found(model, model.passes, model.settled)

    def _mapping(self, X: Array, w: Array | None, rng: Any) -> LandmarkMap:
        options = {"degree": self.degree, "gamma": self.gamma, "coef0": self.coef0, "w": w}
        kernel = read_kernel(self._owner, self.kernel, X, **options)
        if isinstance(kernel, GivenKernel):
            raise bad(self._owner, "kernel", "one of rows", kernel, "Use KernelKMeans for kernel values.")
        if not isinstance(self.landmarks, Integral):
            rows = np.asarray(self.landmarks, dtype=np.float64)
            if rows.ndim != 2 or rows.shape[1] != X.shape[1] or not np.isfinite(rows).all():
                rule = f"a number, or finite rows of {X.shape[1]} columns"
                raise bad(self._owner, "landmarks", rule, Said(f"shape {rows.shape}"), "Give rows like those of X.")
            return LandmarkMap.of(rows, kernel)
        live = np.arange(len(X)) if w is None else np.flatnonzero(w > 0)
        drawn = rng.choice(live, size=min(int(self.landmarks), len(live)), replace=False)
        return LandmarkMap.of(X[np.sort(drawn)], kernel)

    def _starts(self, X: Array, w: Array | None, mapping: LandmarkMap, rng: Any) -> list[Array]:
        if not isinstance(self.init, str):
            return [mapping.of_rows(given_centres(self._owner, self.init, self.n_clusters, X.shape[1]))]
        weight = np.ones(len(X)) if w is None else w
        if len(X) > START_ROWS:
            at = rng.choice(len(X), size=START_ROWS, replace=False, p=weight / weight.sum())
            X, weight = X[at], np.ones(START_ROWS)
        F = mapping.of_rows(X)
        return [STARTS[self.init](F, weight, self.n_clusters, rng) for _ in range(int(self.n_init))]

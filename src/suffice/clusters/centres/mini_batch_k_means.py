"""MiniBatchKMeans: k-means from small batches of rows, one after the other.

c_k <- c_k + (sum of w (x - c_k) over the rows of the batch that are nearest to it) / (all the weight it has seen)
"""

from __future__ import annotations

import warnings
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.clusters.centres.centre_model import CentrePlan, CentreReadings
from suffice.clusters.centres.k_means import (
    AT_LEAST_ONE,
    INIT,
    ROWS,
    check_rows,
    number_of_starts,
    refuse_tiny_rows,
    starts_of,
)
from suffice.clusters.centres.mini_batch import BatchCentres, Watch, batch_step, moved
from suffice.core.block import Array
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.sequential_clusterer import SequentialClusterer
from suffice.estimators.reading import reading
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.numerics.blas_threads import one_thread_each
from suffice.sources.engines.memory import MemorySource
from suffice.spaces.nearest_centre import nearest_centre, squared_to_own


class MiniBatchKMeans(
    CentreReadings,
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    SequentialClusterer,
):
    """k-means from batches: the order of the rows matters, so that models neither merge nor forget.

    Parameters
    ----------
    n_clusters, init, max_iter, batch_size, verbose, compute_labels, random_state, tol, max_no_improvement, init_size,
    n_init, reassignment_ratio : as in scikit-learn; `init` may be "k-means||" and "random-partition" too

    Attributes
    ----------
    cluster_centers_, labels_, inertia_, n_iter_, n_steps_, n_features_in_, feature_names_in_ : as in scikit-learn
    counts_ : the weight that each centre has seen

    Notes
    -----
    Batches are drawn by weight; a row of weight w is no more than that. Missing cells are refused.

    Examples
    --------
    >>> from suffice import MiniBatchKMeans
    >>> X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    >>> model = MiniBatchKMeans(2, init=[[0.0], [12.0]], n_init=1, random_state=0).fit(X)
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1], dtype=int32)

    References
    ----------
    D. Sculley, Web-scale k-means clustering (2010).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_clusters": AT_LEAST_ONE,
        "init": INIT,
        "n_init": [StrOptions({"auto"}), *AT_LEAST_ONE],
        "max_iter": AT_LEAST_ONE,
        "tol": [Interval(Real, 0, None, closed="left")],
        "verbose": ["verbose"],
        "random_state": ["random_state"],
        "batch_size": AT_LEAST_ONE,
        "compute_labels": ["boolean"],
        "max_no_improvement": [Interval(Integral, 0, None, closed="left"), None],
        "init_size": [*AT_LEAST_ONE, None],
        "reassignment_ratio": [Interval(Real, 0, None, closed="left")],
    }
    _door = DistanceRows(ROWS)
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    n_steps_ = reading("steps", "Number of batches.")
    counts_ = reading("counts", "The weight that each centre has seen (K,).")
    _init_size = reading("init_size", "Rows that say where to begin.")

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        max_iter: int = 100,
        batch_size: int = 1024,
        verbose: int = 0,
        compute_labels: bool = True,
        random_state: Any = None,
        tol: float = 0.0,
        max_no_improvement: int | None = 10,
        init_size: int | None = None,
        n_init: Any = "auto",
        reassignment_ratio: float = 0.01,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_clusters = n_clusters
        self.init = init
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.verbose = verbose
        self.compute_labels = compute_labels
        self.random_state = random_state
        self.tol = tol
        self.max_no_improvement = max_no_improvement
        self.init_size = init_size
        self.n_init = n_init
        self.reassignment_ratio = reassignment_ratio

    transform = CentreReadings.transform  # set_output wraps what a class itself defines

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, in_memory: bool = False) -> Self:
        """Learn from these rows alone, in batches drawn from them.

        Parameters
        ----------
        X : rows of numbers, none missing; sparse rows too; or files, with `in_memory=True`
        y : not used
        sample_weight : one weight a row, at least 0: the chance to be drawn
        in_memory : whether the rows of files may be read whole
        """
        self._fit(X, None, sample_weight, self._batches, None, in_memory)
        return self

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from one more batch.

        Parameters
        ----------
        X : rows of numbers, none missing; sparse rows too
        y : not used
        sample_weight : one weight a row, at least 0
        """
        self._learn_on(X, None, sample_weight, self._one_batch)
        return self

    def _plan(self) -> CentrePlan:
        return CentrePlan(self._owner)

    @property
    def _n_init(self) -> int:
        return number_of_starts(self.init, self.n_init, 3)

    def _start(self, X: Any, w: Array, rng: Any, size: int, times: int) -> Array:
        """The best of some starts from `size` rows, by the inertia of rows drawn to judge them."""
        n = int(X.shape[0])
        judges = rng.randint(0, n, size)
        best, least = None, np.inf
        for _ in range(times):
            some = rng.randint(0, n, size) if size < n else np.arange(n)
            some = some if (w[some] > 0).sum() >= self.n_clusters else np.arange(n)
            (centres,) = starts_of(_Seeded(self, rng), X[some], w[some], 1)
            labels = nearest_centre(X[judges], centres)
            inertia = float(w[judges] @ squared_to_own(X[judges], centres, labels))
            if best is None or inertia < least:
                best, least = centres, inertia
        assert best is not None
        return best

    def _size(self, n: int) -> int:
        size = 3 * min(self.batch_size, n) if self.init_size is None else int(self.init_size)
        if self.init_size is None and size < self.n_clusters:
            size = 3 * self.n_clusters
        elif size < self.n_clusters:
            told = f"init_size={size} should be larger than n_clusters={self.n_clusters}. Setting it to"
            warnings.warn(f"{told} min(3*n_clusters, n_samples)", RuntimeWarning, stacklevel=6)
            size = 3 * self.n_clusters
        return min(size, n)

    def _batches(self, source: MemorySource, before: FittedModel | None) -> Found:
        """Batches until the inertia no longer falls."""
        X, weight = self._rows(source)
        n, rng, size = int(X.shape[0]), check_random_state(self.random_state), self._size(int(X.shape[0]))
        batch, K = min(self.batch_size, n), self.n_clusters
        centres, counts, since, step = self._start(X, weight, rng, size, self._n_init), np.zeros(K), 0, 0
        steps, chances, ones = max(self.max_iter * n // batch, 1), weight / weight.sum(), np.ones(batch)
        watch = Watch(batch, n, self._allowed(X, weight), self.max_no_improvement, self._tell)
        with one_thread_each():
            for step in range(steps):
                some = X[rng.choice(n, batch, p=chances, replace=True)]
                since += batch
                due = bool((counts == 0).any()) or since >= 10 * K
                since = 0 if due else since
                new, counts, _, inertia = batch_step(some, ones, centres, counts)
                if due and self.reassignment_ratio > 0:
                    new, counts, few = moved(some, new, counts, float(self.reassignment_ratio), rng)
                    if few:
                        self._tell(f"[MiniBatchKMeans] Reassigning {few} cluster centers.")
                change = float(((new - centres) ** 2).sum())
                centres = new
                if watch.ends(step, steps, change, inertia):
                    break
        passes = int(np.ceil((step + 1) * batch / n))
        model = BatchCentres(centres, None, 0.0, None, passes, True, (), counts, step + 1, since, size)
        return Found(self._labelled(model, X, weight, (watch.smooth or 0.0) * float(weight.sum())), passes)

    def _one_batch(self, source: MemorySource, before: FittedModel | None) -> Found:
        """One step from where the last ended."""
        X, weight = self._rows(source, before is None)
        rng = check_random_state(self.random_state) if before is None else np.random.mtrand._rand
        if before is not None and self.random_state is not None:
            rng = np.random.RandomState((before.model.steps * 7919 + 1) % (2**32))  # by the number of the step alone
        if before is None:
            size = self._size(int(X.shape[0]))
            start = self._start(X, weight, rng, size, 1)
            model = BatchCentres(start, counts=np.zeros(self.n_clusters), init_size=size)
        else:
            model = before.model
        assert model.counts is not None
        since = model.since + int(X.shape[0])
        due = bool((model.counts == 0).any()) or since >= 10 * self.n_clusters
        centres, counts, _, _ = batch_step(X, weight, model.centres, model.counts)
        if due and self.reassignment_ratio > 0:
            centres, counts, _ = moved(X, centres, counts, float(self.reassignment_ratio), rng)
        steps = model.steps + 1
        model = replace(model, centres=centres, counts=counts, steps=steps, passes=steps, since=0 if due else since)
        return Found(self._labelled(model, X, weight, model.inertia), steps)

    def _labelled(self, model: BatchCentres, X: Any, w: Array, else_inertia: float) -> BatchCentres:
        if not self.compute_labels:
            return replace(model, inertia=else_inertia, labels=None)
        labels = nearest_centre(X, model.centres)
        return replace(model, labels=labels, inertia=float(w @ squared_to_own(X, model.centres, labels)))

    def _rows(self, source: MemorySource, first: bool = True) -> tuple[Any, Array]:
        block = source.block(slice(0, source.table.n))
        (X,), w = block.parts, block.w
        if first:
            check_rows(self._owner, X, w, self.n_clusters)
            refuse_tiny_rows(self._owner, X)
        return X, np.ones(int(X.shape[0])) if w is None else w

    def _allowed(self, X: Any, w: Array) -> float:
        """`tol` in squared units of the rows."""
        if self.tol == 0.0:
            return 0.0
        from suffice.clusters.centres.lloyd import cluster_moments

        total = cluster_moments(X, np.zeros(len(w), dtype=np.int32), 1, w)
        return float(self.tol) * float((total.scatter.value / total.weight.value).mean())

    def _tell(self, told: str) -> None:
        if self.verbose:
            print(told)


class _Seeded:
    """The parameters of a start, with a generator that goes on from start to start."""

    def __init__(self, estimator: MiniBatchKMeans, rng: Any) -> None:
        self.n_clusters, self.init, self.n_init = estimator.n_clusters, estimator.init, estimator.n_init
        self.random_state, self._owner = rng, estimator._owner

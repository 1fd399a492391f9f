"""FuzzyCMeans: every row belongs to every cluster, by its distance.

J = sum_ik w_i u_ik^m norm(x_i - c_k)^2,   u_ik proportional to norm(x_i - c_k)^(-2 / (m - 1)),   m > 1
c_k = sum_i w_i u_ik^m x_i / sum_i w_i u_ik^m
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval

from suffice.clusters.centres.fuzzy_centres import FuzzyCentres, FuzzyPlan, FuzzyReadings
from suffice.clusters.centres.fuzzy_rows import FuzzyRows
from suffice.clusters.centres.fuzzy_sums import fuzzy_moments
from suffice.clusters.centres.k_means import AT_LEAST_ONE, INIT, check_rows, refuse_tiny_rows, starting_rows, starts_of
from suffice.core.block import Array, Block
from suffice.core.learner import Always, Source, learn
from suffice.core.schema import Schema
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.passes_clusterer import PassesClusterer
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.numerics.blas_threads import one_thread_each
from suffice.sources.engines.memory import MemorySource
from suffice.summaries.moments import Moments


@dataclass(frozen=True)
class FuzzyPass:
    """Moments of rows that are shared among clusters by u^m: a learner in passes."""

    def summarize(self, block: Block, model: FuzzyCentres) -> Moments:
        """Weights, sums and squares of each cluster."""
        return fuzzy_moments(block.parts[0], block.w, model.centres, model.m)

    def estimate(self, summary: Moments, model: FuzzyCentres) -> FuzzyCentres:
        """Centres at the shared means; J is that of the pass."""
        mean, weight = summary.mean.value, summary.weight.value[:, 0]
        gap = mean - model.centres
        J = float(np.maximum(summary.scatter.value, 0.0).sum() + weight @ (gap**2).sum(axis=1))
        return _moved(model, mean, weight, J)

    def over(self, source: Source, model: FuzzyCentres) -> tuple[FuzzyCentres, Callable[[], float]]:
        """The centres after one pass over any source; and, for who asks, the variance of the rows over all columns."""
        summary: Any = learn(Always(self), source, model).summary
        return self.estimate(summary, model), partial(_spread, summary)

    def over_rows(self, rows: FuzzyRows, model: FuzzyCentres) -> tuple[FuzzyCentres, Callable[[], float]]:
        """The same over rows in memory."""
        found = rows.over(model)
        mean = model.centres + found.first / found.weight[:, None]
        return _moved(model, mean, found.weight, found.J), partial(found.spread, model.centres)

    def settled(self, old: FuzzyCentres, new: FuzzyCentres, tol: float) -> bool:
        """Whether no centre moved by more than `tol`."""
        return bool(np.sqrt(((new.centres - old.centres) ** 2).sum(axis=1)).max() <= tol)


def _spread(summary: Moments) -> float:
    """Variance of the rows as they are shared, the mean over columns."""
    total = summary.pooled()
    return float((total.scatter.value / total.weight.value).mean())


def _moved(model: FuzzyCentres, mean: Array, weight: Array, J: float) -> FuzzyCentres:
    """The model after a pass."""
    passes, scatters = model.passes + 1, (*model.scatters, J)
    return replace(model, centres=mean, inertia=J, weight=weight, passes=passes, scatters=scatters)


class FuzzyCMeans(FuzzyReadings, PassesClusterer):
    """Clusters with soft edges, found in passes over any source that can be read again.

    Parameters
    ----------
    n_clusters : number of clusters
    m : above 1; near 1 memberships are hard, large ones are all alike
    init, n_init, random_state : as for `KMeans`; rows, unless said otherwise
    max_iter : most passes
    tol : a run is settled where no centre moves by more, in the spread of the rows

    Attributes
    ----------
    cluster_centers_, labels_, objective_, n_iter_, n_features_in_, feature_names_in_
    scatters_ : J pass by pass, which never rises

    Notes
    -----
    The exponent of the norm is 2 / (m - 1), of its square 1 / (m - 1). A row of weight w counts as w copies. Missing
    cells are refused.

    Examples
    --------
    >>> from suffice import FuzzyCMeans
    >>> X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
    >>> model = FuzzyCMeans(2, init=[[0.0], [12.0]], tol=1e-12).fit(X)
    >>> model.cluster_centers_.ravel().round(6), model.memberships([[2.0]]).round(6)
    (array([ 0.997976, 11.002024]), array([[0.987761, 0.012239]]))

    References
    ----------
    J. Bezdek, Pattern recognition with fuzzy objective function algorithms (1981).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_clusters": AT_LEAST_ONE,
        "m": [Interval(Real, 1.0, None, closed="neither")],
        "init": INIT,
        "n_init": AT_LEAST_ONE,
        "max_iter": AT_LEAST_ONE,
        "tol": [Interval(Real, 0, None, closed="left")],
        "random_state": ["random_state"],
    }
    _door = DistanceRows({"dtype": np.float64, "order": "C"})
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        m: float = 2.0,
        init: Any = "random",
        n_init: int = 1,
        max_iter: int = 300,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_clusters = n_clusters
        self.m = m
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _plan(self) -> FuzzyPlan:
        return FuzzyPlan(self._owner)

    def _pass_over(self, plan: Any, source: Source, before: FittedModel | None) -> tuple[Schema, Found]:
        """Passes from each start; of all ends the least J."""
        some = starting_rows(self, source)
        X, w = some.block(slice(0, some.table.n)).parts[0], some.w
        check_rows(self._owner, X, w, self.n_clusters)
        refuse_tiny_rows(self._owner, X)
        source, best = source.read_as(some.schema), None
        rows = FuzzyRows.of(source, int(self.n_clusters))
        with one_thread_each():
            for start in starts_of(self, X, w, int(self.n_init)):
                run = self._run(source if rows is None else rows, FuzzyCentres(start, m=float(self.m)))
                best = run if best is None or run.inertia < best.inertia else best
        assert best is not None
        if not best.settled:
            told = f"{self._owner}: centres still move after {best.passes} passes. Raise max_iter or tol."
            warnings.warn(told, ConvergenceWarning, stacklevel=5)
        if isinstance(source, MemorySource):
            alone = rows is not None and rows.threads == 1
            best = replace(best, labels=(replace(source, threads=1) if alone else source).map(best.assign))
        return some.schema, Found(best, best.passes, best.settled)

    def _run(self, rows: Source | FuzzyRows, model: FuzzyCentres) -> FuzzyCentres:
        way, settled, allowed = FuzzyPass(), False, 0.0
        over = partial(way.over_rows, rows) if isinstance(rows, FuzzyRows) else partial(way.over, rows)
        for passes in range(self.max_iter):
            new, spread = over(model)
            allowed = float(self.tol) * float(np.sqrt(spread())) if passes == 0 else allowed
            old, model = model, new
            settled = way.settled(old, model, allowed)
            if settled:
                break
        J = over(model)[0].inertia
        return replace(model, inertia=J, scatters=(*model.scatters, J), settled=settled)

"""BisectingKMeans: one cluster is split in two, again and again, by k-means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.clusters.centres.bisecting_tree import BisectingCentres, LeafRows
from suffice.clusters.centres.centre_model import CentrePlan, CentreReadings, Centres
from suffice.clusters.centres.centre_starts import STARTS
from suffice.clusters.centres.k_means import (
    AT_LEAST_ONE,
    ROWS,
    check_rows,
    given_centres,
    refuse_tiny_rows,
    starting_rows,
)
from suffice.clusters.centres.lloyd import CentrePass, lloyd
from suffice.core.block import Array
from suffice.core.learner import Always, Source, learn
from suffice.core.schema import Schema
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.passes_clusterer import PassesClusterer
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.numerics.blas_threads import one_thread_each
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.numbers import Numbers

WHICH: Mapping[str, Callable[[float, float], float]] = {  # of scatter and weight: the largest is split next
    "biggest_inertia": lambda scatter, weight: scatter,
    "largest_cluster": lambda scatter, weight: weight,
}


@dataclass
class GrowingClusters:
    """A tree while it grows."""

    nodes: list[Array]
    children: list[tuple[int, int]]
    score: list[float]

    def arrays(self) -> tuple[Array, Array]:
        """Centres of the nodes, and their children."""
        return np.array(self.nodes), np.array(self.children)

    def next(self) -> int:
        """The leaf to split: of the largest score, the first of equals."""
        leaves = [i for i, (left, _) in enumerate(self.children) if left < 0]
        return max(leaves, key=lambda i: (self.score[i], -i))

    def split(self, node: int, centres: Array, scores: list[float]) -> None:
        """Two leaves in place of one."""
        self.children[node] = (len(self.nodes), len(self.nodes) + 1)
        for centre, score in zip(centres, scores, strict=True):
            self.nodes.append(centre)
            self.children.append((-1, -1))
            self.score.append(score)

    def leaves(self) -> list[int]:
        """From left to right."""
        found, waiting = [], [0]
        while waiting:
            node = waiting.pop()
            left, right = self.children[node]
            if left < 0:
                found.append(node)
            else:
                waiting += [right, left]
        return found


class BisectingKMeans(
    CentreReadings,
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    PassesClusterer,
):
    """Clusters from the top: the worst or largest is split in two by k-means until there are K.

    Parameters
    ----------
    n_clusters, init, n_init, random_state, max_iter, verbose, tol, copy_x, algorithm : as for `KMeans`, of each split
    bisecting_strategy : "biggest_inertia" splits the cluster of the largest scatter, "largest_cluster" the heaviest

    Attributes
    ----------
    cluster_centers_, labels_, inertia_, n_features_in_, feature_names_in_ : as in scikit-learn

    Notes
    -----
    `predict` goes down the splits, so that a row may end at a centre that is not the nearest. Missing cells are
    refused.

    Examples
    --------
    >>> from suffice import BisectingKMeans
    >>> X = [[1.0], [2.0], [10.0], [11.0], [30.0], [31.0]]
    >>> sorted(BisectingKMeans(3, random_state=0).fit(X).cluster_centers_.ravel().tolist())
    [1.5, 10.5, 30.5]

    References
    ----------
    M. Steinbach, G. Karypis and V. Kumar, A comparison of document clustering techniques (2000).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_clusters": AT_LEAST_ONE,
        "init": [StrOptions(set(STARTS)), callable],
        "n_init": AT_LEAST_ONE,
        "random_state": ["random_state"],
        "max_iter": AT_LEAST_ONE,
        "verbose": ["verbose"],
        "tol": [Interval(Real, 0, None, closed="left")],
        "copy_x": ["boolean"],
        "algorithm": [StrOptions({"lloyd", "elkan"})],
        "bisecting_strategy": [StrOptions(set(WHICH))],
    }
    _door = DistanceRows(ROWS)
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "random",
        n_init: int = 1,
        random_state: Any = None,
        max_iter: int = 300,
        verbose: int = 0,
        tol: float = 1e-4,
        copy_x: bool = True,
        algorithm: str = "lloyd",
        bisecting_strategy: str = "biggest_inertia",
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.random_state = random_state
        self.max_iter = max_iter
        self.verbose = verbose
        self.tol = tol
        self.copy_x = copy_x
        self.algorithm = algorithm
        self.bisecting_strategy = bisecting_strategy

    transform = CentreReadings.transform  # set_output wraps what a class itself defines

    def _plan(self) -> CentrePlan:
        return CentrePlan(self._owner)

    def _pass_over(self, plan: Any, source: Source, before: FittedModel | None) -> tuple[Schema, Found]:
        """Split after split, each in passes over the rows of one leaf."""
        some = starting_rows(self, source)
        X, w = some.block(slice(0, some.table.n)).parts[0], some.w
        check_rows(self._owner, X, w, self.n_clusters)
        refuse_tiny_rows(self._owner, X)
        source, rng = source.read_as(some.schema), check_random_state(self.random_state)
        with one_thread_each():
            first = _moments(source, np.zeros((1, int(X.shape[1]))))
            tree = GrowingClusters([first.mean.value[0]], [(-1, -1)], [0.0])
            for _ in range(self.n_clusters - 1):
                self._split(tree, source, some, rng)
            model = self._model(tree, source)
        return some.schema, Found(model)

    def _split(self, tree: GrowingClusters, source: Source, some: MemorySource, rng: Any) -> None:
        node = tree.next()
        rows, begin = _of_leaf(source, tree, node), _of_leaf(some, tree, node)
        X, w = begin.block(slice(0, begin.table.n)).parts[0], begin.w
        weight = np.ones(int(X.shape[0])) if w is None else w
        best: Centres | None = None
        for _ in range(self.n_init):
            run = lloyd(rows, self._start(X, weight, tree.nodes[node], rng), int(self.max_iter), float(self.tol))
            best = run if best is None or run.inertia < best.inertia * (1 - 1e-6) else best
        assert best is not None
        if self.verbose:
            print(f"New centroids from bisection: {best.centres}")
        seen = _moments(rows, best.centres)
        score = WHICH[self.bisecting_strategy]
        scatter, weights = np.maximum(seen.scatter.value, 0.0).sum(axis=1), seen.weight.value[:, 0]
        tree.split(node, best.centres, [score(float(s), float(v)) for s, v in zip(scatter, weights, strict=True)])

    def _start(self, X: Any, w: Array, centre: Array, rng: Any) -> Array:
        if (w > 0).sum() < 2:  # a single row, or none: there is nothing to split
            return np.array([centre, centre])
        if isinstance(self.init, str):
            return STARTS[str(self.init)](X, w, 2, rng)
        return given_centres(self._owner, self.init(X, 2, random_state=rng), 2, int(X.shape[1]))

    def _model(self, tree: GrowingClusters, source: Source) -> BisectingCentres:
        nodes, children = tree.arrays()
        leaves = tree.leaves()
        leaf = np.full(len(nodes), -1, dtype=np.int32)
        leaf[leaves] = np.arange(len(leaves))
        model = BisectingCentres(nodes[leaves], nodes=nodes, children=children, leaf=leaf)
        labels = source.map(model.assign) if isinstance(source, MemorySource) else None
        inertia = 0.0
        weight = np.zeros(len(leaves))
        for k, node in enumerate(leaves):
            seen = _moments(_of_leaf(source, tree, node), nodes[node][None])
            told = CentrePass().estimate(seen, Centres(nodes[node][None]))
            inertia += told.inertia
            assert told.weight is not None
            weight[k] = told.weight[0]
        return BisectingCentres(nodes[leaves], labels, inertia, weight, nodes=nodes, children=children, leaf=leaf)


def _moments(source: Source, centres: Array) -> Any:
    return learn(Always(CentrePass()), source, Centres(centres)).summary


def _of_leaf(source: Any, tree: GrowingClusters, node: int) -> Any:
    """The rows of a leaf: a table of their own where all are in memory."""
    nodes, children = tree.arrays()
    leaf = LeafRows(source, nodes, children, node)
    if not isinstance(source, MemorySource):
        return leaf
    block = leaf.rows(source.block(slice(0, source.table.n)))
    table: Any = source.table
    names = getattr(table, "names", None)
    return MemorySource(Numbers(block.parts[0], names), source.schema, w=block.w, threads=source.threads)

"""KMeans: scikit-learn's k-means, in passes over summaries that add.

J = sum_i w_i min_k norm(x_i - c_k)^2
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.clusters.centres.centre_model import CentrePlan, CentreReadings, Centres
from suffice.clusters.centres.centre_starts import STARTS
from suffice.clusters.centres.lloyd import lloyd
from suffice.core.block import Array
from suffice.core.errors import Said, bad
from suffice.core.learner import Source
from suffice.core.schema import Schema
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.passes_clusterer import PassesClusterer
from suffice.estimators.state.fitted import FittedModel, Found
from suffice.numerics.blas_threads import one_thread_each
from suffice.sources.engines.memory import MemorySource
from suffice.sources.tables.numbers import Numbers
from suffice.summaries.shifted_sums import SMALLEST, vanished
from suffice.summaries.start_rows import drawn_rows

FEW_ROWS = 64  # which nearly always differ by enough
START_ROWS = 10_000  # rows of files, drawn evenly, that say where to begin
ROWS = {"accept_sparse": "csr", "dtype": [np.float64, np.float32], "order": "C"}
INIT = [StrOptions(set(STARTS)), callable, "array-like"]
AT_LEAST_ONE = [Interval(Integral, 1, None, closed="left")]


class KMeans(
    CentreReadings,
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    PassesClusterer,
):
    """K clusters around their means, with the least sum of squared distances that is found.

    Learned in passes over any source that can be read again: only a start and the sums of a pass are held.

    Parameters
    ----------
    n_clusters, max_iter, tol, verbose, random_state, copy_x, algorithm : as in scikit-learn; both algorithms are
        Lloyd's passes (large tables in memory spare rows whose centre bounds prove), and rows are never written
    init : "k-means++", "k-means||", "random" (Forgy: rows), "random-partition", centres (K, d), or a function of rows,
        K and random_state
    n_init : number of starts, of which the best end is kept; "auto" is 1 for k-means++, k-means|| and given centres,
        else 10

    Attributes
    ----------
    cluster_centers_, labels_, inertia_, n_iter_, n_features_in_, feature_names_in_ : as in scikit-learn; rows of files
        keep no labels
    scatters_ : the inertia pass by pass, which never rises while no cluster is empty

    Notes
    -----
    A cluster without rows moves to the point farthest from its own centre. Missing cells are refused.

    Examples
    --------
    >>> from suffice import KMeans
    >>> model = KMeans(2, init=[[0.0], [12.0]]).fit([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    >>> model.cluster_centers_.ravel(), model.inertia_, model.predict([[4.0]])
    (array([ 1., 11.]), 4.0, array([0], dtype=int32))

    References
    ----------
    S. Lloyd, Least squares quantization in PCM (1982). D. Arthur and S. Vassilvitskii, k-means++ (2007).
    B. Bahmani and others, Scalable k-means++ (2012).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_clusters": AT_LEAST_ONE,
        "init": INIT,
        "n_init": [StrOptions({"auto"}), *AT_LEAST_ONE],
        "max_iter": AT_LEAST_ONE,
        "tol": [Interval(Real, 0, None, closed="left")],
        "verbose": ["verbose"],
        "random_state": ["random_state"],
        "copy_x": ["boolean"],
        "algorithm": [StrOptions({"lloyd", "elkan"})],
    }
    _door = DistanceRows(ROWS)
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        n_init: Any = "auto",
        max_iter: int = 300,
        tol: float = 1e-4,
        verbose: int = 0,
        random_state: Any = None,
        copy_x: bool = True,
        algorithm: str = "lloyd",
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.copy_x = copy_x
        self.algorithm = algorithm

    transform = CentreReadings.transform  # set_output wraps what a class itself defines

    def _plan(self) -> CentrePlan:
        return CentrePlan(self._owner)

    @property
    def _n_init(self) -> int:
        return number_of_starts(self.init, self.n_init, 10)

    def _pass_over(self, plan: Any, source: Source, before: FittedModel | None) -> tuple[Schema, Found]:
        """Passes from each start; of all ends the best."""
        given = not (isinstance(self.init, str) or callable(self.init))
        some = starting_rows(self, source, self.n_clusters if given else START_ROWS)
        X, w = some.block(slice(0, some.table.n)).parts[0], some.w
        check_rows(self._owner, X, w, self.n_clusters)
        refuse_tiny_rows(self._owner, X)
        if self.algorithm == "elkan" and self.n_clusters == 1:
            told = "algorithm='elkan' doesn't make sense for a single cluster. Using 'lloyd' instead."
            warnings.warn(told, RuntimeWarning, stacklevel=5)
        source = source.read_as(some.schema)
        best: Centres | None = None
        with one_thread_each():
            for start in starts_of(self, X, w, self._n_init):
                self._tell("Initialization complete")
                run = lloyd(source, start, int(self.max_iter), float(self.tol), self._tell if self.verbose else None)
                best = run if best is None or run.inertia < best.inertia else best
        assert best is not None
        if best.labels is None and isinstance(source, MemorySource):
            best = replace(best, labels=source.map(best.assign))
        self._warn(best)
        return some.schema, Found(best, best.passes, best.settled)

    def _tell(self, told: str) -> None:
        if self.verbose:
            print(told)

    def _warn(self, model: Centres) -> None:
        assert model.weight is not None
        found = int((model.weight > 0).sum())
        if found < self.n_clusters:
            told = f"Number of distinct clusters ({found}) found smaller than n_clusters ({self.n_clusters})."
            warnings.warn(f"{told} Possibly due to duplicate points in X.", ConvergenceWarning, stacklevel=6)


def number_of_starts(init: Any, n_init: Any, usual: int) -> int:
    """How many starts are tried; centres that are given are one."""
    if not (isinstance(init, str) or callable(init)):
        return 1
    if n_init != "auto":
        return int(n_init)
    return 1 if isinstance(init, str) and init in ("k-means++", "k-means||") else usual


def starting_rows(estimator: Any, source: Source, limit: int = START_ROWS) -> MemorySource:
    """A table in memory itself; of files, rows drawn evenly in a pass that finds what their columns are."""
    if isinstance(source, MemorySource):
        return source
    seed = int(check_random_state(estimator.random_state).randint(2**31 - 1))
    schema, drawn = drawn_rows(source, seed, limit)
    drawn = drawn.in_order()
    w = None if (drawn.weight == 1.0).all() else drawn.weight
    return MemorySource(Numbers(drawn.rows, schema.names, estimator._owner), schema, w=w, threads=estimator.threads)


def check_rows(owner: str, X: Any, w: Array | None, K: int) -> None:
    """Refuse fewer rows than clusters."""
    n = int(X.shape[0]) if w is None else int((w > 0).sum())
    if n < K:
        rule = f"of at least n_clusters rows that weigh something (n_samples={n} should be >= n_clusters={K})"
        raise bad(owner, "X", rule, Said(str(n)), "Lower n_clusters.")


def refuse_tiny_rows(owner: str, X: Any) -> None:
    """Refuse rows that differ by so little that their squared distances vanish, so that all would pass for one."""
    cells = X.data if hasattr(X, "tocsr") else X
    if _extent(cells[:FEW_ROWS]) < SMALLEST and 0.0 < _extent(cells) < SMALLEST:
        raise vanished(owner, "some column of X")


def _extent(cells: Array) -> float:
    """The largest difference of two cells of a column."""
    return float((cells.max(axis=0, initial=-np.inf) - cells.min(axis=0, initial=np.inf)).max(initial=0.0))


def starts_of(estimator: Any, X: Any, w: Array | None, times: int) -> Iterator[Array]:
    """Centres to begin with, start by start; a seed a start, so that none depends on what a run draws."""
    K, d, rng = estimator.n_clusters, int(X.shape[1]), check_random_state(estimator.random_state)
    weight = np.ones(int(X.shape[0])) if w is None else w
    if not (isinstance(estimator.init, str) or callable(estimator.init)):
        if estimator.n_init != "auto" and estimator.n_init != 1:
            told = "Explicit initial center position passed: performing only one init in"
            warnings.warn(f"{told} {estimator._owner} instead of n_init={estimator.n_init}.", RuntimeWarning, 7)
        yield given_centres(estimator._owner, estimator.init, K, d)
        return
    for _ in range(times):
        if isinstance(estimator.init, str):
            yield STARTS[str(estimator.init)](X, weight, K, rng)
        else:
            yield given_centres(estimator._owner, estimator.init(X, K, random_state=rng), K, d)


def given_centres(owner: str, init: Any, K: int, d: int) -> Array:
    """Centres as users hand them over."""
    try:
        dense = init.toarray() if hasattr(init, "toarray") else init
        centres = np.array(dense, dtype=np.float64)
    except (TypeError, ValueError):
        raise bad(owner, "init", "numbers", Said("others"), "Give one row of numbers a cluster.") from None
    if centres.ndim != 2 or len(centres) != K:
        told = f"The shape of the initial centers {centres.shape} does not match the number of clusters {K}."
        raise bad(owner, "init", f"{K} rows ({told})", Said(f"shape {centres.shape}"), "Give one centre a cluster.")
    if centres.shape[1] != d:
        told = f"The shape of the initial centers {centres.shape} does not match the number of features of the data {d}"
        raise bad(owner, "init", f"of {d} columns ({told})", Said(f"shape {centres.shape}"), "Give the same columns.")
    if not np.isfinite(centres).all():
        raise bad(owner, "init", "finite", Said("NaN or infinity"), "Give a number for every cell.")
    return centres

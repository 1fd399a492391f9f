"""AffinityPropagation: exemplars found by messages between all pairs of rows."""

from __future__ import annotations

import warnings
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from suffice.clusters.affinity_messages import propagate
from suffice.clusters.exemplars import ExemplarPlan, ExemplarReadings, Exemplars
from suffice.core.block import Array
from suffice.core.errors import BadType, Said, bad, refusal
from suffice.estimators.boundary.distance_rows import DistanceRows
from suffice.estimators.glue.memory_clusterer import MemoryClusterer
from suffice.estimators.state.fitted import Found
from suffice.numerics.threads import in_threads, processors
from suffice.sources.engines.memory import MemorySource
from suffice.spaces.euclidean import squared_distances

MANY = 1 << 18  # similarities whose median takes longer than another thread takes to begin


class AffinityPropagation(ExemplarReadings, MemoryClusterer):
    """Clusters around exemplars, their number found by messages between all pairs. In memory, n^2 cells.

    Parameters
    ----------
    damping, max_iter, convergence_iter, copy, preference, affinity, verbose, random_state : as in scikit-learn; damping
        from 0.5 to 1, without which messages may flip for ever (see `suffice.clusters.propagate`)

    Attributes
    ----------
    cluster_centers_indices_, cluster_centers_, labels_, affinity_matrix_, n_iter_, n_features_in_,
    feature_names_in_ : as in scikit-learn

    Notes
    -----
    `predict` gives a row its nearest exemplar. It takes no weights, and refuses missing cells.

    Examples
    --------
    >>> from suffice import AffinityPropagation
    >>> model = AffinityPropagation(preference=-20.0, random_state=0).fit([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    >>> model.cluster_centers_.ravel(), model.labels_
    (array([ 1., 11.]), array([0, 0, 0, 1, 1, 1]))

    References
    ----------
    B. J. Frey and D. Dueck, Clustering by passing messages between data points (2007).
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "damping": [Interval(Real, 0.5, 1.0, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "convergence_iter": [Interval(Integral, 1, None, closed="left")],
        "copy": ["boolean"],
        "preference": ["array-like", Interval(Real, None, None, closed="neither"), None],
        "affinity": [StrOptions({"euclidean", "precomputed"})],
        "verbose": ["verbose"],
        "random_state": ["random_state"],
    }
    _door = DistanceRows({"accept_sparse": "csr", "dtype": [np.float64, np.float32]})
    _not_saved: ClassVar[tuple[str, ...]] = ("random_state",)

    def __init__(
        self,
        *,
        damping: float = 0.5,
        max_iter: int = 200,
        convergence_iter: int = 15,
        copy: bool = True,
        preference: Any = None,
        affinity: str = "euclidean",
        verbose: bool = False,
        random_state: Any = None,
    ) -> None:
        """Keep the parameters; nothing is checked before `fit`."""
        self.damping = damping
        self.max_iter = max_iter
        self.convergence_iter = convergence_iter
        self.copy = copy
        self.preference = preference
        self.affinity = affinity
        self.verbose = verbose
        self.random_state = random_state

    def fit(  # type: ignore[override]  # without weights, which messages do not take
        self, X: Any, y: Any = None, *, in_memory: bool = False
    ) -> Self:
        """Learn from these rows alone.

        Parameters
        ----------
        X : rows of numbers, none missing, or similarities (n, n); files with `in_memory=True`
        y : not used
        in_memory : whether the rows of files may be read whole
        """
        self._fit(X, None, None, None, in_memory)
        return self

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.affinity == "precomputed"
        tags.input_tags.sparse = self.affinity != "precomputed"
        return tags

    def _plan(self) -> ExemplarPlan:
        return ExemplarPlan(self._owner)

    def _solve(self, plan: Any, source: MemorySource) -> Found:
        """Send messages until the exemplars stay."""
        (X,) = source.block(slice(0, source.table.n)).parts
        given = self.affinity == "precomputed"
        if given and hasattr(X, "tocsr"):
            rule = "a dense table of similarities (Sparse data was passed for X, but dense data is required)"
            raise refusal(BadType, self._owner, "X", rule, Said("a sparse one"), "Use X.toarray().")
        if given and X.shape[0] != X.shape[1]:
            rule = f"a square of similarities (The matrix of similarities must be a square array. {X.shape})"
            raise bad(self._owner, "X", rule, Said(f"shape {X.shape}"), "Give the similarity of each pair.")
        dense = X.toarray() if hasattr(X, "toarray") else X
        S = np.array(dense, dtype=np.float64) if given else squared_distances(np.asarray(dense, dtype=np.float64))
        if not given:
            np.negative(S, out=S)
        kept, draws = S.copy(), partial(self._draws, S.shape)
        if len(S) > 2 and S[0, 1] != S[0, 2]:  # as a rule; the rest reads the whole table
            both = (partial(self._preferences, S), draws)
            preference, noise = in_threads(lambda run, go_on: run(), both, processors() if S.size >= MANY else 1)
            return Found(self._exemplars(S, preference, noise, dense, given, kept))
        preference = self._preferences(S)
        model = self._alike(S, preference, dense, given, kept)
        return Found(model or self._exemplars(S, preference, draws(), dense, given, kept))

    def _draws(self, shape: tuple[int, ...]) -> Array:
        return np.asarray(check_random_state(self.random_state).standard_normal(size=shape))

    def _preferences(self, S: Array) -> Array:
        n = len(S)
        told = np.median(S) if self.preference is None else np.asarray(self.preference, dtype=np.float64)
        if told.ndim > 1 or (told.ndim == 1 and len(told) not in (1, n)):
            raise bad(self._owner, "preference", f"a number, or one a row ({n})", Said(f"shape {told.shape}"), "")
        return np.broadcast_to(told, (n,))

    def _alike(self, S: Array, preference: Array, X: Array, given: bool, kept: Array) -> Exemplars | None:
        """One row, or rows that are all equally similar: nothing tells them apart, and no message is sent."""
        n = len(S)
        off = S[~np.eye(n, dtype=bool)]
        if n > 1 and not ((off == off[0]).all() and (preference == preference[0]).all()):
            return None
        if n > 1:
            told = "All samples have mutually equal similarities. Returning arbitrary cluster center(s)."
            warnings.warn(told, stacklevel=6)
        alone = n == 1 or preference[0] > off[0]
        indices = np.arange(n) if alone else np.array([0])
        labels = np.arange(n) if alone else np.zeros(n, dtype=np.int64)
        rows = None if given else np.array(X[indices])
        return Exemplars(rows, indices, labels, kept, 0, True, self._owner)

    def _exemplars(self, S: Array, preference: Array, noise: Array, X: Array, given: bool, kept: Array) -> Exemplars:
        np.einsum("ii->i", S)[:] = preference
        tiny, eps = np.finfo(np.float64).tiny, np.finfo(np.float64).eps
        for row, drawn in zip(S, noise, strict=True):  # rows that are alike do not wait for ever
            row += (eps * row + tiny * 100) * drawn
        told = propagate(S, damping=float(self.damping), max_iter=self.max_iter, patience=self.convergence_iter)
        if self.verbose:
            print(f"{'Converged' if told.settled else 'Did not converge'} after {told.steps} iterations.")
        if not told.settled:
            words = "Affinity propagation did not converge, this model"
            what = (
                "may return degenerate cluster centers and labels."
                if len(told.exemplars)
                else "will not have any cluster centers."
            )
            warnings.warn(f"{words} {what}", ConvergenceWarning, stacklevel=6)
        rows = None if given else np.array(X[told.exemplars])
        return Exemplars(rows, told.exemplars, told.labels, kept, told.steps, told.settled, self._owner)
